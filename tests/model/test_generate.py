import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from frex.errors import InputError
from frex.model import generate
from frex.model.generate import BLOCK, branching_tree, simulate
from frex.model.labels import log_label_probability
from frex.model.priors import HalfNormal, Hyperparameters, Normal, WeakPriors
from frex.tree import TopicTree

TIGHT = WeakPriors(
    root_mean=Normal(-1.0, 0.3),
    root_sd=HalfNormal(0.5),
    affinity_mean=Normal(-1.0, 0.5),
    affinity_sd=HalfNormal(1.0),
    log_dispersion_df=Normal(2.5, 0.2),
    log_dispersion_scale=Normal(-2.0, 0.3),
)


def hyper_for(tree, mean=-1.0):
    return Hyperparameters(-1.0, 0.5, np.full(tree.n_topics, mean), 2.0, 10.0, 0.2)


@given(trees(), st.integers(1, 20), st.integers(1, 15), st.sampled_from(["prior", "zipf"]))
def test_corpus_and_truth_agree_on_any_tree(tree, n_documents, n_words, rates):
    priors = TIGHT if rates == "prior" else None
    corpus, truth = simulate(tree, n_documents, n_words, rates=rates, priors=priors)
    n_parents = len(set(tree.parents[1:].tolist()))
    assert corpus.counts.shape == (n_documents, n_words)
    assert corpus.labels.shape == (n_documents, tree.n_topics)
    assert corpus.tree == tree
    assert truth.log_rates.shape == (n_words, tree.n_nodes)
    assert truth.dispersions.shape == (n_words, n_parents)
    # every label drawn is in the corpus, ancestors of other labels too
    labels = corpus.labels.toarray() > 0
    assert np.array_equal(labels, truth.memberships.toarray() > 0)
    assert np.array_equal(corpus.labels.indptr, truth.affinities.indptr)
    sums = truth.memberships.sum(axis=1)
    assert sums[labels.any(axis=1)] == pytest.approx(1)
    assert not corpus.lengths[~labels.any(axis=1)].any()


@pytest.mark.parametrize(
    "tree", [TopicTree(["only"], [None]), TopicTree(["a", "b", "c", "d"], [None, "a", "b", "c"])]
)
def test_one_topic_and_a_chain(tree):
    hyper = hyper_for(tree)
    corpus, truth = simulate(tree, 4000, 6, hyper=hyper)
    p1 = np.exp(log_label_probability(hyper.affinity_mean, np.sqrt(2.0))[1])
    n_labels = np.bincount(corpus.labels.indices, minlength=tree.n_topics)
    assert (np.abs(n_labels - 4000 * p1) < 4.5 * np.sqrt(4000 * p1 * (1 - p1))).all()
    expected = corpus.exposures @ truth.memberships @ truth.rates[:, 1:].T
    assert (np.abs(corpus.counts.sum(axis=0) - expected) < 4.5 * np.sqrt(expected)).all()


def test_counts_follow_the_truths_rates_memberships_and_lengths():
    tree = branching_tree((3, 2))
    corpus, truth = simulate(tree, 3 * BLOCK + 7, 40, hyper=hyper_for(tree))
    expected = corpus.exposures[:, None] * (truth.memberships @ truth.rates[:, 1:].T)
    positive = expected > 0
    z = (corpus.counts.toarray() - expected)[positive] / np.sqrt(expected[positive])
    # Var z^2 = 2 + 1/rate for a Poisson
    error = np.sqrt((2 + 1 / expected[positive]).sum()) / positive.sum()
    assert abs((z * z).mean() - 1) < 4.5 * error
    assert abs(z.mean()) < 4.5 / np.sqrt(positive.sum())


def test_documents_without_labels_or_words_are_kept_unless_asked():
    tree = branching_tree((2,))
    options = {"hyper": hyper_for(tree, mean=-2.0), "keep_affinities": True}
    corpus, truth = simulate(tree, 500, 5, **options)
    n_labels = np.diff(corpus.labels.indptr)
    assert corpus.n_documents == 500
    assert (n_labels == 0).any()
    assert not corpus.lengths[n_labels == 0].any()
    assert ((n_labels > 0) & (corpus.lengths == 0)).any()

    fewer, truth_of_fewer = simulate(tree, 500, 5, **options, drop_empty=True)
    keep = corpus.lengths > 0
    assert np.array_equal(fewer.counts.toarray(), corpus.counts.toarray()[keep])
    assert list(fewer.ids) == [corpus.ids[i] for i in np.flatnonzero(keep)]
    assert np.array_equal(fewer.exposures, corpus.exposures[keep])
    assert np.array_equal(truth_of_fewer.all_affinities, truth.all_affinities[keep])
    assert np.array_equal(truth_of_fewer.memberships.toarray(), truth.memberships.toarray()[keep])


def test_documents_without_labels_are_drawn_again_where_asked():
    # what is left is what is left where they are dropped
    tree = branching_tree((2,))
    options = {"hyper": hyper_for(tree, mean=-2.0), "keep_affinities": True}
    corpus, truth = simulate(tree, 20_000, 5, **options, unlabelled="redraw", seed=1)
    labels = corpus.labels.toarray()
    assert labels.any(axis=1).all()
    assert np.array_equal(labels, truth.affinities.toarray() != 0)
    kept, truth_of_kept = simulate(tree, 40_000, 5, **options, seed=2)
    labelled = np.diff(kept.labels.indptr) > 0
    for one, other in (
        (labels, kept.labels.toarray()[labelled]),
        (labels.all(axis=1), np.diff(kept.labels.indptr)[labelled] == 2),
        (truth.all_affinities, truth_of_kept.all_affinities[labelled]),
    ):
        error = np.hypot(one.std(axis=0) / len(one) ** 0.5, other.std(axis=0) / len(other) ** 0.5)
        assert (np.abs(one.mean(axis=0) - other.mean(axis=0)) < 4.5 * error).all()


def test_all_affinities_hold_the_active_ones():
    tree = branching_tree((2, 2))
    truth = simulate(tree, BLOCK + 5, 3, hyper=hyper_for(tree), keep_affinities=True).truth
    row = np.repeat(np.arange(BLOCK + 5), np.diff(truth.affinities.indptr))
    assert truth.all_affinities.shape == (BLOCK + 5, 6)
    assert np.array_equal(
        truth.all_affinities[row, truth.affinities.indices], truth.affinities.data
    )


def test_exposures_are_the_ones_used():
    tree = branching_tree((2,))
    given_lengths = np.linspace(0.5, 3.0, 40)
    options = {"hyper": hyper_for(tree)}
    corpus = simulate(tree, 40, 5, exposures=given_lengths, **options).corpus
    assert np.array_equal(corpus.exposures, given_lengths)
    assert np.array_equal(
        simulate(tree, 40, 5, exposures=None, **options).corpus.exposures, np.ones(40)
    )
    drawn = simulate(tree, 40, 5, exposures="lognormal", **options).corpus.exposures
    assert drawn.mean() == pytest.approx(1)
    assert len(set(drawn)) == 40


def test_a_seed_gives_one_corpus():
    tree = branching_tree((2, 2))

    def bits(seed):
        corpus, truth = simulate(tree, BLOCK + 3, 20, priors=TIGHT, seed=seed)
        return [corpus.counts.toarray(), truth.log_rates, truth.affinities.data, corpus.exposures]

    first, again, generator, other = map(bits, (5, 5, np.random.default_rng(5), 6))
    for a, b, c, d in zip(first, again, generator, other, strict=True):
        assert np.array_equal(a, b)
        assert np.array_equal(a, c)
        assert a.shape != d.shape or not np.array_equal(a, d)


def test_blocks_are_not_copies_of_one_another():
    tree = branching_tree((2, 2))
    truth = simulate(tree, 2 * BLOCK, 5, hyper=hyper_for(tree), keep_affinities=True).truth
    assert not np.array_equal(truth.all_affinities[:BLOCK], truth.all_affinities[BLOCK:])


def test_zipf_corpora_have_the_length_and_labels_asked_for():
    tree = branching_tree((4, 5))
    corpus, truth = simulate(
        tree, 5000, 2000, rates="zipf", mean_length=80, labels_per_document=2.0, seed=1
    )
    n_labels = np.diff(corpus.labels.indptr)
    assert n_labels.mean() == pytest.approx(2.0, rel=0.05)
    assert corpus.lengths[n_labels > 0].mean() == pytest.approx(80, rel=0.1)
    assert truth.hyper.root_mean == pytest.approx(truth.log_rates[:, 0].mean())
    assert truth.hyper.root_variance == pytest.approx(truth.log_rates[:, 0].var())


def test_the_tree_stays_as_it_is_where_a_topic_has_several_parents():
    top, low = [f"a{i}" for i in range(9)], [f"b{i}" for i in range(9)]
    tree = TopicTree([*top, *low, *low], [*[None] * 9, *top, *top[1:], top[0]])
    assert simulate(tree, 30, 20, seed=0, rates="zipf", mean_length=5).corpus.tree == tree


def test_progress_counts_all_documents():
    done = []
    tree = branching_tree((2,))
    simulate(tree, 2 * BLOCK + 1, 3, hyper=hyper_for(tree), progress=done.append)
    assert done == [BLOCK, BLOCK, 1]


def test_words_and_documents_are_named():
    corpus = simulate(branching_tree((2,)), 3, 12, rates="zipf").corpus
    assert list(corpus.words)[::11] == ["w0001", "w0012"]
    assert list(corpus.ids) == ["d000001", "d000002", "d000003"]


def test_branching_tree_names_topics_by_their_way():
    tree = branching_tree((2, 3))
    assert set(tree.topics) == {"t1", "t2", *(f"t{i}.{j}" for i in (1, 2) for j in (1, 2, 3))}
    assert [tree.names[n] for n in tree.children("t2")] == ["t2.1", "t2.2", "t2.3"]
    assert branching_tree((1, 1, 2)).levels.tolist() == [0, 1, 2, 3, 3]


@pytest.mark.parametrize("branching", [(), (0,), (2, -1)])
def test_a_branching_that_makes_no_tree_is_refused(branching):
    with pytest.raises(InputError, match="branching"):
        branching_tree(branching)


@pytest.mark.parametrize(
    "extreme",
    [
        {"dispersion_df": 0.01},  # dispersions that are infinite
        {"dispersion_df": 1.0, "dispersion_scale": 500.0},  # rates that are
        {"root_mean": 708.0},  # totals that are
        {"root_mean": 12.0},
    ],
)
def test_rates_beyond_all_bounds_are_refused_with_the_reason(extreme):
    tree = branching_tree((3, 3))
    hyper = hyper_for(tree)._replace(**extreme)
    with pytest.raises(InputError, match=r"dispersion_df [\d.]+, .* dispersion_df of 8 or more"):
        simulate(tree, 50, 300, hyper=hyper)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rates": "flat"}, "rates is 'flat'"),
        ({"rates": "zipf", "priors": TIGHT}, "priors"),
        ({"rates": "zipf", "mean_length": 0}, "mean_length is 0"),
        ({"mean_length": 10}, "mean_length"),
        ({"seed": -1}, "the seed is -1"),
        ({"labels_per_document": 1.0}, "labels_per_document"),
        ({"exposures": "equal"}, "exposures is 'equal'"),
        ({"exposures": [1.0, 2.0]}, "exposures of shape"),
        ({"exposures": [1.0, 2.0, -1.0]}, "exposures of shape"),
        ({"unlabelled": "drop"}, "unlabelled is 'drop'"),
    ],
)
def test_bad_and_contradictory_options_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        simulate(branching_tree((2,)), 3, 4, **options)


@pytest.mark.parametrize("sizes", [(0, 5), (5, 0), (-1, 5)])
def test_sizes_must_be_positive(sizes):
    with pytest.raises(InputError, match="at least one"):
        simulate(branching_tree((2,)), *sizes)


def test_hyper_and_labels_per_document_exclude_one_another():
    tree = branching_tree((2,))
    with pytest.raises(InputError, match="labels_per_document"):
        simulate(tree, 3, 4, rates="zipf", hyper=hyper_for(tree), labels_per_document=1.0)


def test_what_would_be_drawn_again_for_ever_is_refused():
    tree = branching_tree((2,))
    with pytest.raises(InputError, match="of a million documents"):
        simulate(tree, 3, 4, hyper=hyper_for(tree, mean=-20.0), unlabelled="redraw")


def test_dropping_every_document_is_an_error():
    tree = branching_tree((2,))
    with pytest.raises(InputError, match="no document has a word"):
        simulate(tree, 3, 4, hyper=hyper_for(tree, mean=-500.0), drop_empty=True)


def test_a_block_is_refused_before_it_is_drawn(monkeypatch):
    tree = branching_tree((2,))
    monkeypatch.setattr(generate, "MAX_BLOCK_TOKENS", 10)
    with pytest.raises(InputError, match="tokens a document"):
        simulate(tree, 100, 50, hyper=hyper_for(tree))

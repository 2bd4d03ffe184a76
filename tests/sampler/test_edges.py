"""Corpora at the edge of what a corpus can be: each is fitted, or refused in a sentence."""

import numpy as np
import pytest
from bits import fit, small_corpus

from frex.corpus import Corpus
from frex.errors import InputError
from frex.model import branching_tree
from frex.posterior import HYPERPARAMETERS
from frex.sampler.settings import Settings
from frex.tree import TopicTree

TREE = branching_tree([2, 2])
CHAIN = TopicTree(["a", "b", "c", "d"], [None, "a", "b", "c"])
ONE = TopicTree(["only"], [None])
FLAT = TopicTree([f"t{k}" for k in range(500)], [None] * 500)

RNG = np.random.default_rng(0)


def counts_for(labels, n_words=6):
    return RNG.poisson(3.0, (len(labels), n_words)) + 1


def made(labels, tree, *, counts=None, **more):
    counts = counts_for(labels) if counts is None else counts
    return Corpus.from_matrices(
        counts, labels, tree=tree, unlabelled="keep", empty="keep", ancestors="keep", **more
    )


def with_counts(change):
    labels = [["t1.1"], ["t1.2", "t2.1"], ["t2"], ["t2.2", "t1.1"], ["t2.1"]]
    counts = counts_for(labels)
    change(counts)
    return made(labels, TREE, counts=counts)


def word_seen_once(counts):
    counts[:, 2] = 0
    counts[1, 2] = 1


def word_never_seen(counts):
    counts[:, 2] = 0


def documents_without_words(counts):
    counts[[1, 2]] = 0


def no_words_at_all(counts):
    counts[:] = 0


CASES = {
    "a topic without documents": lambda: made([["t1.1"], ["t1.2", "t1.1"]], TREE),
    "a word seen once": lambda: with_counts(word_seen_once),
    "a word never seen": lambda: with_counts(word_never_seen),
    "documents without words": lambda: with_counts(documents_without_words),
    "no words at all": lambda: with_counts(no_words_at_all),
    "documents without words or labels": lambda: made(
        [["t1"], ["t2", "t1"], []], TREE, counts=np.array([[2, 1], [3, 3], [0, 0]])
    ),
    "exposures of 0 without words": lambda: made(
        [["t1"], ["t2", "t1"], ["t1", "t2"]],
        TREE,
        counts=np.array([[2, 1], [3, 3], [0, 0]]),
        exposures=[1.0, 2.0, 0.0],
    ),
    "a tree that is one chain": lambda: made([["a"], ["b", "d"], ["c"], ["d", "a"]], CHAIN),
    "a tree of one topic": lambda: made([["only"], ["only"], ["only"]], ONE),
    "one document, one label": lambda: made([["t1"]], TREE),
    "one document, two labels": lambda: made([["t1.1", "t2"]], TREE),
    "one document with one word": lambda: made([["t1", "t2"]], TREE, counts=np.array([[1]])),
    "no document with several labels": lambda: made([["t1"], ["t2"], ["t1.2"]], TREE),
    "only documents with several labels": lambda: made([["t1.1", "t2"], ["t2.1", "t1.2"]], TREE),
    "a document with all labels": lambda: made([list(TREE.topics), ["t1"]], TREE),
    "one label each, one topic in all but one": lambda: made([["t1"]] * 40 + [["t2"]], TREE),
    "500 topics": lambda: small_corpus(FLAT, n_documents=300, n_words=12),
    "very long documents": lambda: with_counts(lambda counts: counts.__imul__(5_000)),
}


@pytest.mark.parametrize("method", ["sample", "map"])
@pytest.mark.parametrize("case", CASES)
def test_it_is_fitted(case, method):
    corpus = CASES[case]()
    scans = 3 if corpus.n_topics > 100 else 20
    posterior = fit(corpus, Settings(method=method, warmup=scans, draws=scans, chains=1))
    for name, moment in posterior.moments.items():
        assert np.isfinite(moment.mean).all(), name
        # hyperparameters of a mode are a point: they have no spread
        assert np.isfinite(moment.sd).all() == (name not in HYPERPARAMETERS), name
    for name, moment in posterior.exclusivity.items():
        assert ((moment.mean >= 0) & (moment.mean <= 1)).all(), name
    for name, draws in posterior.draws.items():
        assert np.isfinite(draws).all(), name
    assert (posterior.rates > 0).all()
    sums = posterior.membership_matrix().sum(axis=1)
    np.testing.assert_allclose(sums, np.diff(corpus.labels.indptr) > 0)


@pytest.mark.parametrize(("tree", "wanted"), [(ONE, 1.53), (TREE, 0.56)])
def test_documents_of_one_label_each_leave_the_level_of_eta_to_the_prior(tree, wanted):
    """Given that each has a label, they say of its level only that it is not high.

    Of one topic they say nothing: a Student-t of three degrees of freedom has a middle half of 1.53
    scales. For six topics a random walk over the same density, without documents, gave 0.56.
    """
    corpus = made([[topic] for topic in tree.topics] * 8, tree)
    prior = Settings().prior_family.affinity_mean
    mode = fit(corpus, Settings(method="map")).moments["affinity_mean"].mean
    posterior = fit(corpus, Settings(warmup=150, draws=1000, chains=1))
    level = posterior.draws["affinity_mean"][0].mean(axis=1)
    of_level = prior.scale * (prior.reach**2 + 1 / tree.n_topics) ** 0.5  # with a spread of 4
    for eta in (mode, level.mean()):
        assert (np.abs(eta - prior.location) < 3 * of_level).all()
    middle_half = np.subtract(*np.quantile(level, (0.75, 0.25))) / of_level
    assert 0.6 < middle_half / wanted < 1.7
    assert np.median(posterior.draws["affinity_variance"]) > 1  # nothing takes it to 0


@pytest.mark.parametrize("curvature", ["tree", "dense"])
def test_what_the_words_do_not_say_stays_with_the_prior(curvature):
    """A topic with one word is as its parent, and less certain; the chains move it freely."""
    labels = [["t1.1"]] * 30 + [["t1.2", "t1.1"]] * 10 + [["t2.2"]]
    counts = counts_for(labels)
    counts[-1] = [1, 0, 0, 0, 0, 0]
    corpus = made(labels, TREE, counts=counts)
    settings = Settings(warmup=100, draws=200, chains=1, curvature=curvature)
    log_rates = fit(corpus, settings).log_rates
    tree = corpus.without_empty_topics().tree
    seen, unseen, root = tree.node("t1.1"), tree.node("t2.2"), 0
    assert (log_rates.sd[:, unseen] > 2 * log_rates.sd[:, seen]).all()
    away = log_rates.mean[:, unseen] - log_rates.mean[:, root]
    assert np.abs(away).max() < log_rates.sd[:, unseen].max()


@pytest.mark.parametrize(
    ("labels", "tree", "complaint"),
    [
        (None, None, "the corpus has no labels"),
        ([["t1"], [], ["t2"]], TREE, "'d1' has words and no label"),
    ],
)
def test_it_is_refused(labels, tree, complaint):
    counts = np.ones((3, 2), dtype=int)
    corpus = Corpus.from_matrices(counts, labels, tree=tree, unlabelled="keep")
    with pytest.raises(InputError, match=complaint):
        fit(corpus, Settings())

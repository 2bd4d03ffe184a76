"""Every document judged by fits that did not see it."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit

from frex.corpus import Corpus
from frex.errors import InputError
from frex.model import branching_tree, simulate
from frex.predict import learn_join, out_of_fold
from frex.predict.folds import COPIED, deal
from frex.predict.judged import weigh
from frex.predict.judges import FEATURES, UNLIKELY
from frex.predict.linear import learn_linear
from frex.sampler.fit import fit
from frex.sampler.settings import Settings
from frex.tree import TopicTree

TREE = branching_tree([3, 2])
ONE = TopicTree(["only"], [None])


@pytest.fixture(scope="module")
def corpus():
    return simulate(TREE, 900, 120, rates="zipf", mean_length=60, drop_empty=True, seed=11)[0]


@pytest.fixture(scope="module")
def judged(corpus):
    return out_of_fold(corpus, n_folds=3, threads=1)


def test_given_labels_are_all_there(corpus, judged):
    given = judged.matrix(judged.given)
    given.eliminate_zeros()
    assert judged.topics == corpus.tree.topics
    assert (given != corpus.labels).nnz == 0
    assert (np.diff(judged.starts) == len(judged.topics)).all()  # of so few topics all are near
    assert np.isfinite(judged.features).all()
    assert len(np.unique(judged.folds)) == 3


def test_the_judges_have_not_seen_the_document(corpus, judged):
    """Another label and other words of one document leave what is said of its fold as it was."""
    changed = 5
    rows = np.flatnonzero(judged.folds != judged.folds[changed])[:1]
    labels = corpus.labels.tolil()
    labels[changed] = ~corpus.labels[[changed]].toarray()
    other = replace(corpus, labels=sparse.csr_array(labels.tocsr()))
    own = slice(*judged.starts[changed : changed + 2])
    # the folds must be as they were: they are drawn from the labels
    from frex.predict import folds  # noqa: PLC0415 - what it calls is replaced

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folds, "stratify", lambda *_, **__: judged.folds)
        again = out_of_fold(other, n_folds=3, threads=1)
    np.testing.assert_array_equal(again.features[own], judged.features[own])
    far = slice(*judged.starts[rows[0] : rows[0] + 2])
    assert (again.features[far] != judged.features[far]).any()


def test_judges_that_begin_at_the_fit_say_the_same(corpus, judged):
    near = fit(corpus, Settings(method="map"), threads=1)
    again = out_of_fold(corpus, n_folds=3, threads=1, near=near)
    given = judged.given
    assert again.hpc[given].mean() == pytest.approx(judged.hpc[given].mean(), abs=0.05)
    assert np.corrcoef(again.hpc, judged.hpc)[0, 1] > 0.99
    # what is said of a document does not know its labels: wrong ones in the fit change little
    labels = corpus.labels.toarray()
    labels[judged.folds == 0] = np.roll(labels[judged.folds == 0], 1, axis=1)
    wrong = fit(replace(corpus, labels=sparse.csr_array(labels)), Settings(method="map"), threads=1)
    misled = out_of_fold(corpus, n_folds=3, threads=1, near=wrong)
    held = given & (judged.folds == 0)[judged.documents]
    assert misled.hpc[held].mean() == pytest.approx(judged.hpc[held].mean(), abs=0.1)


def test_probabilities_are_frequencies(judged):
    join = learn_join(judged)
    probability = expit(join.log_odds(judged.features))
    assert probability.sum() == pytest.approx(judged.given.sum(), rel=0.01)
    sure = probability > 0.8
    error = np.sqrt((probability[sure] * (1 - probability[sure])).sum())
    assert abs(probability[sure].sum() - judged.given[sure].sum()) < 4 * error
    assert judged.given[sure].mean() > 0.85


def test_both_scores_count(judged):
    c = dict(zip(FEATURES, learn_join(judged).coefficients, strict=True))
    size, linear = (judged.features[:, FEATURES.index(name)] for name in ("size", "linear"))
    of_words = c["words"] + c["words_by_size"] * size
    of_words += (c["likely"] + c["linear_by_likely"] * linear) * (judged.hpc > UNLIKELY)
    assert of_words.mean() > 0
    assert judged.hpc[judged.given].mean() > judged.hpc[~judged.given].mean() + 1
    assert judged.linear[judged.given].mean() > judged.linear[~judged.given].mean() + 0.5


def test_a_topic_of_one_document_is_marked_as_unseen():
    tree = TopicTree(["a", "b", "rare", "empty"], [None, None, "b", None])
    texts = ["gold ore", "gold coin gold", "mine gold", "corn", "corn field", "corn corn wheat"]
    labels = [["a"], ["a"], ["a"], ["b"], ["b"], ["b", "a"], ["rare"]]
    corpus = Corpus.from_texts([*texts, "rye field"], labels, tree)
    judged = out_of_fold(corpus, n_folds=3, threads=1)
    assert judged.topics == ("a", "b", "rare")
    seen = judged.matrix(judged.seen + 1).toarray()[6]
    assert seen[2] == 1
    at = judged.given & (judged.seen == 0)
    assert at.sum() == 1
    assert np.isfinite(judged.features).all()
    learn_join(judged)


def test_of_many_topics_the_nearest_are_kept():
    corpus, _ = simulate(
        branching_tree([60]), 400, 150, rates="zipf", mean_length=40, drop_empty=True, seed=3
    )
    judged = out_of_fold(corpus, n_folds=2, threads=1)
    kept = np.diff(judged.without_far().starts)
    assert 32 <= kept.min() <= kept.max() <= 60
    assert judged.given.sum() == judged.without_far().given.sum() == corpus.labels.nnz


def test_topics_that_are_far_are_stood_for():
    rng = np.random.default_rng(0)
    kept = rng.random((50, 80)) < np.linspace(0, 1, 50)[:, None]
    weights = weigh(kept, rng)
    np.testing.assert_allclose(weights.sum(axis=1), 80)
    assert (weights[kept] == 1).all()
    assert ((weights > 0) & ~kept).sum(axis=1).max() == 16


def test_one_document_cannot_be_judged():
    corpus = Corpus.from_matrices([[1, 2]], [["a"]])
    with pytest.raises(InputError, match="too few"):
        out_of_fold(corpus)


def test_the_scorer_of_all_documents_is_as_sure_as_the_judges_were(corpus):
    """With the judges' own penalty decision values spread further, by a tenth here."""
    old, new = corpus.take(np.arange(500)), corpus.take(np.arange(500, len(corpus)))
    judged = out_of_fold(old, n_folds=2, threads=1)

    def spread(documents, penalty):
        scorer = learn_linear(documents.counts, documents.labels, penalty=penalty)
        return scorer.decisions(new.counts).std()

    halves = [old.take(np.flatnonzero(judged.folds == fold)) for fold in range(2)]
    of_judges = np.mean([spread(half, judged.penalty) for half in halves])
    assert spread(old, judged.whole_penalty) == pytest.approx(of_judges, rel=0.1)
    assert spread(old, judged.penalty) > 1.1 * of_judges


def test_copies_of_a_document_lie_in_one_fold(corpus):
    corpus = corpus.take(np.flatnonzero(corpus.lengths >= COPIED))
    rows = np.concatenate([np.arange(200), np.arange(200), np.arange(100)])
    copied = corpus.take(rows)
    folds = deal(copied, 5)
    assert (folds[200:400] == folds[:200]).all()
    assert (folds[400:] == folds[:100]).all()
    assert np.bincount(folds, minlength=5).min() > 0.15 * len(rows)


def test_short_documents_that_are_alike_are_no_copies(corpus):
    counts = np.zeros((60, 4), np.int32)
    counts[:, 0] = 3
    labels = sparse.csr_array(np.ones((60, 1), np.bool_))
    short = Corpus(sparse.csr_array(counts), labels, corpus.words[:4], corpus.ids[:60], ONE)
    assert np.bincount(deal(short, 5)).tolist() == [12] * 5


def test_copies_of_one_document_are_dealt_out_all_the_same(corpus):
    assert len(np.unique(deal(corpus.take(np.zeros(30, np.int64)), 5))) == 5

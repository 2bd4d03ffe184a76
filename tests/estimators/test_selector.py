"""`FrexSelector`, by scikit-learn's own checks and by its equation."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_estimator

from frex import Corpus, FrexSelector
from frex.errors import InputError
from frex.scores import frex

RNG = np.random.default_rng(0)
COUNTS = RNG.poisson(RNG.gamma(0.5, 1, size=(40, 30)))
COUNTS[:, 7] = 0
LABELS = RNG.random((40, 3)) < [0.3, 0.5, 0.2]


def test_scikit_learn_accepts_it():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a check that is skipped warns
        results = check_estimator(FrexSelector(), on_fail=None)
    by_status = {}
    for result in results:
        by_status.setdefault(result["status"], set()).add(result["check_name"])
    assert by_status.get("failed", set()) == set()
    assert len(by_status["passed"]) > 40


def test_the_scores_are_those_of_the_equation():
    selector = FrexSelector(5, weight=0.3, smoothing=0.7).fit(COUNTS, LABELS)
    found = np.array([COUNTS[LABELS[:, c]].sum(axis=0) for c in range(3)])
    share = found.sum(axis=0) / found.sum()
    rates = np.array(
        [
            [share[f] * (found[c, f] + 0.7) / (found[c].sum() * share[f] + 0.7) for f in range(30)]
            for c in range(3)
        ]
    )
    expected = frex(rates, weight=0.3).max(axis=0)
    expected[7] = 0
    np.testing.assert_allclose(selector.scores_, expected)
    assert selector.get_support().sum() == 5
    assert set(np.argsort(-expected)[:5]) == set(selector.get_support(indices=True))
    np.testing.assert_array_equal(selector.transform(COUNTS), COUNTS[:, selector.get_support()])


@pytest.mark.parametrize("form", [csr_array, csr_matrix, np.asarray])
def test_forms_of_counts_and_labels(form):
    expected = FrexSelector(5).fit(COUNTS, LABELS).scores_
    np.testing.assert_array_equal(FrexSelector(5).fit(form(COUNTS), form(LABELS)).scores_, expected)
    corpus = Corpus.from_matrices(COUNTS, LABELS, unlabelled="drop")
    fitted = FrexSelector(5).fit(corpus.counts, corpus.labels)
    np.testing.assert_array_equal(fitted.scores_, expected)


def test_classes_of_one_label_are_as_indicators_of_them():
    names = np.array(["art", "golf", "law"])
    column = RNG.integers(3, size=40)
    by_name = FrexSelector().fit(COUNTS, names[column]).scores_
    np.testing.assert_array_equal(by_name, FrexSelector().fit(COUNTS, np.eye(3)[column]).scores_)


def test_documents_and_classes_without_labels_do_not_count():
    some = LABELS.any(axis=1)
    expected = FrexSelector().fit(COUNTS[some], LABELS[some]).scores_
    assert not some.all()
    np.testing.assert_array_equal(FrexSelector().fit(COUNTS, LABELS).scores_, expected)
    empty = np.hstack([LABELS, np.zeros((40, 2), dtype=bool)])
    np.testing.assert_array_equal(FrexSelector().fit(COUNTS, empty).scores_, expected)


def test_words_of_a_class_are_kept_and_common_ones_are_not():
    texts = [
        "the ball and the goal",
        "the vote and the law",
        "the goal of a ball",
        "the law, a vote",
    ]
    pipeline = make_pipeline(CountVectorizer(), FrexSelector(4), OneVsRestClassifier(LinearSVC()))
    labels = np.array([[1, 0], [0, 1], [1, 0], [0, 1]])
    pipeline.fit(texts, labels)
    names = pipeline[:-1].get_feature_names_out()
    assert set(names) == {"ball", "goal", "vote", "law"}
    assert pipeline.predict(["a goal"]).tolist() == [[1, 0]]
    assert clone(pipeline).fit(texts, labels).predict(["laws of the vote"]).tolist() == [[0, 1]]


def test_all_words_where_there_are_fewer():
    assert FrexSelector(1000).fit(COUNTS, LABELS).get_support().all()


def test_wrong_input():
    for options in ({"k": 0}, {"smoothing": 0}, {"smoothing": -1.0}):
        with pytest.raises(InputError, match="Choose a k of 1 or more"):
            FrexSelector(**options).fit(COUNTS, LABELS)
    with pytest.raises(InputError, match="the weight is 2"):
        FrexSelector(weight=2).fit(COUNTS, LABELS)
    with pytest.raises(InputError, match="no document has a class"):
        FrexSelector().fit(COUNTS, np.zeros((40, 3), dtype=int))
    with pytest.raises(ValueError, match="Negative values"):
        FrexSelector().fit(COUNTS - 1, LABELS)
    with pytest.raises(ValueError, match="Unknown label type"):
        FrexSelector().fit(COUNTS, RNG.random(40))

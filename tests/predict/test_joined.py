"""A calibration learned from the documents of the fit."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit

from frex.corpus import Corpus, with_ancestors
from frex.errors import FolderError, InputError
from frex.model import branching_tree, simulate
from frex.predict import (
    Predictor,
    calibrate_by_folds,
    calibration_of,
    predict,
    read_calibration,
    records,
)
from frex.predict.documents import Documents
from frex.predict.reasons import give_reasons
from frex.sampler.fit import fit
from frex.sampler.settings import Settings

WORDS_SHOWN = 10


@pytest.fixture(scope="module")
def corpus():
    tree = branching_tree([3, 2])
    return simulate(tree, 1600, 120, rates="zipf", mean_length=60, drop_empty=True, seed=11)[0]


@pytest.fixture(scope="module")
def fitted(corpus):
    return corpus.take(np.arange(700))


@pytest.fixture(scope="module")
def new(corpus):
    rest = corpus.take(np.arange(700, len(corpus)))
    return Documents(rest.ids, rest.counts, None), rest.labels


@pytest.fixture(scope="module")
def predictor(fitted):
    return Predictor(fit(fitted, Settings(method="map"), threads=1), threads=1)


@pytest.fixture(scope="module")
def calibration(fitted):
    return calibrate_by_folds(fitted, threads=1)


def test_new_documents_get_the_labels_that_they_have(predictor, calibration, new):
    documents, labels = new
    found = predict(predictor, calibration, documents)
    assert found.probabilities.sum() == pytest.approx(labels.sum(), rel=0.1)
    likeliest = found.probabilities.argmax(axis=1)
    assert labels.toarray()[np.arange(len(likeliest)), likeliest].mean() > 0.8


def test_probabilities_of_new_documents_are_frequencies(predictor, calibration, new):
    documents, labels = new
    probability = predict(predictor, calibration, documents).probabilities.ravel()
    given = labels.toarray().ravel()
    for low, high in ((0.0, 0.1), (0.1, 0.3), (0.3, 0.7), (0.7, 0.9), (0.9, 1.0)):
        of = (probability >= low) & (probability < high)
        error = np.sqrt((probability[of] * (1 - probability[of])).sum())
        # what was learned of 700 documents has an error of its own
        assert abs(given[of].sum() - probability[of].sum()) < 5 * error, (low, high)


def test_threads_change_nothing(fitted, calibration):
    again = calibrate_by_folds(fitted, threads=2)
    np.testing.assert_array_equal(again.joined.linear.weights, calibration.joined.linear.weights)
    np.testing.assert_array_equal(
        again.joined.join.coefficients, calibration.joined.join.coefficients
    )
    np.testing.assert_array_equal(again.thresholds, calibration.thresholds)


def test_reasons_add_up_to_the_log_odds(predictor, calibration, new):
    documents, _ = new
    odds = calibration.joined.log_odds(predictor, documents.counts[:20])
    empty = sparse.csr_array((1, documents.counts.shape[1]), dtype=np.int32)
    start = calibration.joined.log_odds(predictor, empty)[0]
    for row in range(20):
        topics = np.arange(odds.shape[1])
        found = give_reasons(predictor, calibration.joined, documents.counts[[row]], topics)
        for reasons in found:
            parts = reasons.prior + reasons.gains.sum() + reasons.missing + reasons.tree
            assert parts == pytest.approx(reasons.log_odds, abs=1e-6)
            assert reasons.log_odds == pytest.approx(odds[row, reasons.topic], abs=1e-4)
            assert (np.diff(reasons.gains) <= 0).all()
            # a document without words is where the way to this one begins
            assert reasons.prior == pytest.approx(start[reasons.topic], abs=0.2)


def test_a_record_shows_a_sum_that_comes_out(predictor, calibration, new):
    documents, _ = new
    few = Documents(documents.ids[:30], documents.counts[:30], None)
    for record in records(predictor, calibration, [few], shown=predictor.words):
        for topic, why in record["words"].items():
            shown = [*why["for"], *why["against"]]
            assert len(shown) <= WORDS_SHOWN
            total = sum(gain for _, gain in shown) + why["others"]
            total += why["prior"] + why["missing"] + why["tree"]
            assert total == pytest.approx(why["log_odds"], abs=0.02)  # four digits each
            assert expit(why["log_odds"]) == pytest.approx(
                record["probabilities"][topic], abs=0.001
            )


def test_it_is_the_same_after_a_trip_to_disk(predictor, calibration, new, tmp_path):
    assert calibration_of(tmp_path) is None
    calibration.write(tmp_path / "calibration")
    read = calibration_of(tmp_path)
    assert read.method == "joined"
    documents, _ = new
    np.testing.assert_array_equal(
        predict(predictor, read, documents).probabilities,
        predict(predictor, calibration, documents).probabilities,
    )


def test_what_is_not_a_join_is_refused(calibration, tmp_path):
    for field, value, complaint in (
        ("sizes", np.full_like(calibration.joined.sizes, 10**6), "above"),
        ("sizes", calibration.joined.sizes[1:], "shape"),
    ):
        strange = calibration.joined._replace(**{field: value})
        place = tmp_path / complaint
        type(calibration)(calibration.topics, calibration.thresholds, joined=strange).write(place)
        with pytest.raises(FolderError, match=complaint):
            read_calibration(place)


@pytest.mark.parametrize(
    ("labels", "complaint"),
    [
        ([["a"], ["b"]] * 3, "6 documents with labels are too few"),
        ([["a"]] * 30, "one topic"),
        ([[f"t{n}"] for n in range(30)], "too few to learn from"),
    ],
)
def test_too_little_to_learn_from_is_said(labels, complaint):
    counts = np.random.default_rng(0).poisson(1.0, (len(labels), 5)) + 1
    with pytest.raises(InputError, match=complaint):
        calibrate_by_folds(Corpus.from_matrices(counts, labels), threads=1)


def test_an_inner_topic_without_documents_is_never_a_label():
    """Its log odds came from what was learned of others: one document in two had it."""
    drawn = simulate(branching_tree([3, 2]), 900, 120, rates="zipf", mean_length=60, seed=3)[0]
    inner = [node for node in range(1, 10) if drawn.tree.children(node)]
    labels = drawn.labels.toarray()
    labels[:, np.array(inner) - 1] = False
    old = replace(drawn, labels=sparse.csr_array(labels))
    old = old.take(np.flatnonzero(labels.any(axis=1))[:300])
    predictor = Predictor(fit(old, Settings(method="map"), threads=1), threads=1)
    learned = calibrate_by_folds(old, threads=1)
    found = predict(predictor, learned, Documents(old.ids, old.counts, None))
    columns = np.array([predictor.tree.topics.index(drawn.tree.names[node]) for node in inner])
    assert len(columns) == 3
    assert not found.labels.toarray()[:, columns].any()
    assert found.probabilities[:, columns].max() < 0.01
    assert found.probabilities.sum() == pytest.approx(old.labels.sum(), rel=0.2)
    for reasons in give_reasons(predictor, learned.joined, old.counts[[0]], columns):
        parts = reasons.prior + reasons.gains.sum() + reasons.missing + reasons.tree
        assert parts == pytest.approx(reasons.log_odds, abs=1e-6)


def test_a_document_gets_no_more_labels_than_one_of_the_fit_has(fitted, new):
    documents, _ = new
    single = fitted.take(np.flatnonzero(np.diff(fitted.labels.indptr) == 1))
    predictor = Predictor(fit(single, Settings(method="map"), threads=1), threads=1)
    learned = calibrate_by_folds(single, threads=1)
    assert learned.most_labels == 1
    found = predict(predictor, learned, documents)
    assert (np.diff(found.labels.indptr) == 1).all()


def hierarchical_f1(actual, predicted, tree):
    actual, predicted = with_ancestors(actual, tree), with_ancestors(predicted, tree)
    return 2 * actual.multiply(predicted).sum() / (actual.sum() + predicted.sum())


def test_cautious_labels_are_higher_in_the_tree_and_hardly_less_right(
    fitted, predictor, calibration, new
):
    documents, labels = new
    reached, depth = {}, {}
    for form in ("open", "cautious"):
        found = predict(predictor, calibration, documents, form=form)
        reached[form] = hierarchical_f1(labels, found.labels, fitted.tree)
        depth[form] = np.array(fitted.tree.levels)[1:][found.labels.indices].mean()
    assert depth["cautious"] < depth["open"]
    assert reached["cautious"] > reached["open"] - 0.005


def test_only_a_fit_that_is_calibrated_is_cautious(predictor, calibration, new):
    documents, _ = new
    with pytest.raises(InputError, match="in doubt"):
        predict(predictor, None, documents, form="cautious")
    with pytest.raises(InputError, match="no words explain"):
        next(records(predictor, calibration, [documents], form="cautious", shown=predictor.words))

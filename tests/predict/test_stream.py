"""A stream of documents gets its labels, each for reasons of its own."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from frex import HPC
from frex.corpus import Details
from frex.errors import InputError
from frex.model import branching_tree, simulate
from frex.predict import Calibration, calibrate, predict, records
from frex.predict.documents import Documents, corpus_documents


def test_records_tell_what_predict_found(world):
    calibration = calibrate(world.predictor, world.held_out)
    batch = next(corpus_documents(world.new.take(range(30)), world.posterior.words))
    made = predict(world.predictor, calibration, batch)
    lines = list(records(world.predictor, calibration, [batch], shown=world.posterior.words))
    topics = world.predictor.tree.topics
    for row, record in enumerate(lines):
        labels = np.flatnonzero(made.labels[[row]].toarray()[0])
        assert record["id"] == batch.ids[row]
        assert set(record["labels"]) == {topics[k] for k in labels}
        chances = [record["probabilities"][label] for label in record["labels"]]
        assert chances == sorted(chances, reverse=True)
        assert record["tokens"] == batch.counts[[row]].sum()
        assert list(record["words"]) == record["labels"]
        for arguments in record["words"].values():
            assert all(gain > 0 for _, gain in arguments["for"])
            assert all(gain < 0 for _, gain in arguments["against"])
    assert "words" not in next(records(world.predictor, None, [batch]))


def test_records_tell_what_is_known_of_documents(world):
    batch = next(corpus_documents(world.new.take([0, 1]), world.posterior.words))
    details = Details({"title": ["Gold", ""], "labels": ["", "its own"]})
    first, second = records(world.predictor, None, [batch._replace(details=details)])
    assert list(first)[:2] == ["id", "title"]
    assert first["title"] == "Gold"
    assert second["document_labels"] == "its own"
    assert "title" not in second


def test_a_calibration_of_other_words_is_refused(world):
    calibration = calibrate(world.predictor, world.held_out)
    fewer = calibration.correction._replace(weights=calibration.correction.weights[:-1])
    other = Calibration(calibration.topics, calibration.thresholds, fewer)
    batch = next(corpus_documents(world.new.take(range(3)), world.posterior.words))
    with pytest.raises(InputError, match=r"the calibration is of [0-9]+ words"):
        predict(world.predictor, other, batch)


def test_a_document_without_known_words_has_no_label(world):
    nothing = sparse.csr_array((1, len(world.posterior.words)), dtype=np.int32)
    for calibration in (None, calibrate(world.predictor, world.held_out)):
        made = predict(world.predictor, calibration, Documents(["d"], nothing, None))
        assert made.labels.nnz == 0
        assert np.isfinite(made.probabilities).all()


def test_a_calibration_belongs_to_a_fit(world):
    other = Calibration(("x",), np.array([0.5]), None)
    batch = Documents(["d"], world.new.counts[:1], None)
    with pytest.raises(InputError, match="other topics than the fit"):
        predict(world.predictor, other, batch)


@pytest.mark.parametrize("method", ["map", "sample"])
def test_documents_of_one_label_each_are_told_apart(method):
    """Labels then say nothing of lambda; at 0 all documents would get the commonest label."""
    corpus, _ = simulate(
        branching_tree([8, 8]), 1500, 300, rates="zipf", mean_length=80, labels_per_document=1.2,
        unlabelled="redraw", seed=4,
    )  # fmt: skip
    alone = corpus.take(np.flatnonzero(np.diff(corpus.labels.indptr) == 1))
    model = HPC(method=method, warmup=60, draws=60, chains=1, threads=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a short run
        model.fit(alone.take(np.arange(0, len(alone), 2)))
    new = alone.take(np.arange(1, len(alone), 2))
    found = model.predict(new)
    right = np.asarray(found.multiply(new.labels).sum(axis=1)).ravel() > 0
    commonest = np.asarray(new.labels.sum(axis=0)).max() / len(new)
    assert right.mean() > max(0.5, 2 * commonest)

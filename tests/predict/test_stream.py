"""A stream of documents gets its labels, each for reasons of its own."""

import numpy as np
import pytest
from scipy import sparse

from frex.errors import InputError
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

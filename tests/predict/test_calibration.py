"""Probabilities are frequencies, labels get better, and what was learned can be kept."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score

from frex.errors import InputError
from frex.model import branching_tree
from frex.predict import calibrate, choose_labels, read_calibration


@pytest.fixture(scope="module")
def calibration(world):
    return calibrate(world.predictor, world.held_out)


@pytest.fixture(scope="module")
def scores(world):
    return world.predictor.scores(world.new.counts, world.new.given_exposures)


def test_probabilities_are_frequencies(world, calibration, scores):
    """Of the labels given a probability about p, a share p is right, within its error bars."""
    probabilities = calibration.probabilities(scores, world.predictor.log_odds).ravel()
    labels = world.new.labels.toarray().ravel()
    bins = np.digitize(probabilities, [0.02, 0.1, 0.3, 0.5, 0.7, 0.9])
    worst = 0.0
    for number in range(7):
        inside = bins == number
        n, expected = inside.sum(), probabilities[inside].mean()
        assert n > 50
        error = np.sqrt(expected * (1 - expected) / n)
        worst = max(worst, abs(labels[inside].mean() - expected) / error)
    # seven bins; learned from 800 documents, which doubles the variance
    assert worst < 3.0 * np.sqrt(2.0)


def test_the_correction_beats_the_paper(world, calibration, scores):
    def f1(made):
        probabilities = made.probabilities(scores, world.predictor.log_odds)
        labels = choose_labels(probabilities, made.thresholds, world.predictor.tree)
        return f1_score(world.new.labels.toarray(), labels.toarray(), average="micro")

    paper = calibrate(world.predictor, world.held_out, method="paper")
    assert paper.method == "paper"
    np.testing.assert_allclose(
        paper.probabilities(scores, world.predictor.log_odds), 1 / (1 + np.exp(-scores.affinities))
    )
    assert f1(calibration) > f1(paper) > 0.5


def test_it_is_the_same_after_a_trip_to_disk(world, calibration, scores, tmp_path):
    prior = world.predictor.log_odds
    for made in (calibration, calibrate(world.predictor, world.held_out, method="paper")):
        place = tmp_path / made.method
        made.write(place)
        read = read_calibration(place)
        assert read.topics == made.topics
        np.testing.assert_array_equal(read.thresholds, made.thresholds)
        np.testing.assert_array_equal(
            read.probabilities(scores, prior), made.probabilities(scores, prior)
        )
    with pytest.raises(InputError, match="exists already"):
        calibration.write(tmp_path / "paper")


def test_documents_that_teach_nothing_are_refused(world):
    held_out = world.held_out
    nothing = sparse.csr_array(held_out.labels.shape, dtype=bool)
    with pytest.raises(InputError, match="no held-out document has a label"):
        calibrate(world.predictor, replace(held_out, labels=nothing))
    with pytest.raises(InputError, match="other topics than the fit"):
        calibrate(world.predictor, replace(held_out, tree=branching_tree([9])))
    with pytest.raises(InputError, match="method='guess'"):
        calibrate(world.predictor, held_out, method="guess")


def test_one_topic_for_all_leaves_nothing_to_correct(world):
    every = sparse.csr_array(np.ones(world.held_out.labels.shape, dtype=bool))
    made = calibrate(world.predictor, replace(world.held_out, labels=every))
    assert made.method == "paper"
    assert np.isfinite(made.thresholds).all()

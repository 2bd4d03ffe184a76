"""The server says what `frex predict` says."""

from dataclasses import replace

import numpy as np
import pytest
from fits import make_map_fit
from scipy.special import expit

from frex.errors import InputError
from frex.posterior import read_posterior
from frex.predict import Calibration, Predictor, analyzer_of, count_in_words, records
from frex.predict.documents import Documents
from frex.serve.model import Model, read_model, subjects
from frex.tree import TopicTree

TEXTS = ["Golfers putt for the goal", "the rook", "painting goals, painting", "nothing known"]


def test_labels_are_those_of_predict(model, folder):
    fit = read_posterior(folder / "small")
    counts = count_in_words(TEXTS, fit.words, analyzer_of(fit))
    batch = Documents(TEXTS, counts, None)
    made = records(Predictor(fit), None, [batch], at_least_one=False)
    sure = model.score(TEXTS).sure
    for row, record in enumerate(made):
        if record["tokens"]:
            found = {model.subjects[k].uri for k in np.flatnonzero(sure[row])}
            assert found == set(record["labels"])


def test_a_calibration_gives_probabilities_and_thresholds(folder):
    fit = read_posterior(folder / "small")
    plain = Model(fit).score(TEXTS)
    topics = tuple(fit.tree.topics)
    model = Model(fit, Calibration(topics, np.full(len(topics), 0.2), None))
    scored = model.score(TEXTS)
    assert (plain.are_shares, scored.are_shares) == (True, False)
    np.testing.assert_allclose(plain.scores.sum(axis=1), 1.0)
    np.testing.assert_allclose(scored.scores, expit(scored.affinities))
    known = np.diff(scored.counts.indptr) > 0
    reached = (scored.scores >= 0.2) & known[:, None]
    assert (scored.sure <= reached).all()  # one above a more specific label is left out
    assert scored.sure.any(axis=1).tolist() == reached.any(axis=1).tolist()


def test_words_for_and_against_add_up(model):
    scored = model.score(TEXTS[:1])
    for why in model.explain(scored, range(4)):
        gains = [word["gain"] for word in (*why["for"], *why["against"])]
        assert sum(gains) + why["missing"] == pytest.approx(why["gain"], rel=1e-2, abs=1e-2)
        assert all(word["gain"] > 0 for word in why["for"])
        assert all(word["gain"] < 0 for word in why["against"])
    shown = {word["word"] for why in model.explain(scored, [2]) for word in why["for"]}
    assert shown <= {"goals", "painting", "putts", "rook", "the"}  # not stems


def test_a_topic_has_the_address_that_its_tree_has():
    tree = TopicTree.from_dict({
        "topics": ["c_1", "http://x.org/2", "sport"], "parents": [0, 0, 0],
        "titles": ["One", "Two", "sport"], "other_parents": [[], [], []],
        "aliases": [["http://x.org/1", "One"], [], ["Sports"]],
    })  # fmt: skip
    assert subjects(tree) == (
        ("http://x.org/1", "One", "c_1"),
        ("http://x.org/2", "Two", None),
        ("sport", "sport", None),
    )


def test_a_fit_without_labels_is_refused(tmp_path):
    fit = make_map_fit()
    replace(fit, settings={**fit.settings, "n_topics": 4}).write(tmp_path / "fit")
    with pytest.raises(InputError, match="fit without labels"):
        read_model(str(tmp_path / "fit"))

"""The saturation, chosen on documents that took no part in the fit."""

import numpy as np
import pytest

from frex.model import branching_tree, simulate
from frex.predict import folds, out_of_fold
from frex.predict.evidence import SATURATION
from frex.predict.folds import learn_judge
from frex.predict.saturation import Trial, are_enough, choose_saturation
from frex.sampler.settings import Settings


@pytest.fixture(scope="module")
def corpus():
    tree = branching_tree([3, 2])
    return simulate(tree, 300, 120, rates="zipf", mean_length=60, drop_empty=True, seed=5)[0]


@pytest.fixture(scope="module")
def judge(corpus):
    training = corpus.take(np.arange(100))
    return learn_judge(training, Settings(method="map", draws=2), threads=1)


def trial(judge, corpus, rows):
    held = corpus.take(rows)
    columns = judge.predictor.tree.label_columns(corpus.tree)
    return Trial(judge, judge.read(held.counts), held.labels[:, columns])


def test_trials_choose_as_all_of_their_documents_together(judge, corpus):
    rows = np.arange(100, len(corpus))
    parts = [trial(judge, corpus, part) for part in np.array_split(rows, 3)]
    assert choose_saturation(parts) == choose_saturation([trial(judge, corpus, rows)])


def test_documents_of_the_model_ask_for_a_high_one_and_bursts_for_a_low_one(judge, corpus):
    """Ten copies of each word are no more evidence than one."""
    rows = np.arange(100, len(corpus))
    plain = trial(judge, corpus, rows)
    held = corpus.take(rows)
    bursts = Trial(judge, judge.read(held.counts * 10), plain.labels)
    assert choose_saturation([bursts]) < choose_saturation([plain])


def test_too_few_labels_choose_nothing(judge, corpus):
    assert choose_saturation([trial(judge, corpus, np.arange(100, 105))]) == SATURATION


@pytest.mark.parametrize(("enough", "n_trials"), [(10**6, 4), (150, 2), (1, 1)])
def test_folds_choose_together_if_one_has_too_few_labels(corpus, monkeypatch, enough, n_trials):
    asked = []

    def choose(trials):
        asked.append(len(trials))
        return 3.0 * len(trials)

    monkeypatch.setattr(folds, "choose_saturation", choose)
    monkeypatch.setattr("frex.predict.saturation.ENOUGH_LABELS", enough)
    judged = out_of_fold(corpus, n_folds=4, threads=1)
    assert asked == ([1, n_trials] if n_trials > 1 else [1])
    assert judged.saturation == 3.0 * n_trials
    assert (np.diff(judged.starts) > 0).all()  # documents of the first folds are scored as well


def test_labels_of_all_trials_count(judge, corpus, monkeypatch):
    one = trial(judge, corpus, np.arange(100, 150))
    monkeypatch.setattr("frex.predict.saturation.ENOUGH_LABELS", 2 * one.labels.nnz)
    assert not are_enough([one])
    assert are_enough([one, one])

"""The rivals of `FrexSelector` in `benchmarks/features.py`, against scikit-learn's and SciPy's."""

from importlib import import_module

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from sklearn.metrics import mutual_info_score

from frex import Corpus

RNG = np.random.default_rng(0)
COUNTS = RNG.poisson(0.7, size=(60, 8))
COUNTS[:, 3] = 0
COUNTS[:, 0] += 1
LABELS = RNG.random((60, 3)) < 0.4


@pytest.fixture
def corpus():
    return Corpus.from_matrices(COUNTS, LABELS, unlabelled="keep", empty="keep")


def test_scores_of_topic_and_word(corpus):
    features = import_module("features")
    chi2, information = features.chi_squared(corpus), features.mutual_information(corpus)
    for topic, word in np.ndindex(3, 8):
        has = COUNTS[:, word] > 0
        expected = mutual_info_score(LABELS[:, topic], has)
        assert information[topic, word] == pytest.approx(expected, abs=1e-12)
        if 0 < has.sum() < 60:
            table = np.histogram2d(LABELS[:, topic], has, bins=2)[0]
            found = chi2_contingency(table, correction=False).statistic
            assert chi2[topic, word] == pytest.approx(found)
    assert not chi2[:, [0, 3]].any()  # words of all documents and of none


def test_topics_take_turns():
    scores = np.array([[9.0, 8, 7, 0], [1, 2, 3, 4]])
    features = import_module("features")
    assert np.argsort(-features.best(scores)).tolist()[:2] == [0, 1]
    assert np.argsort(-features.by_turns(scores)).tolist() == [0, 3, 1, 2]


def test_a_comparison_from_corpus_to_table_and_picture(corpus, tmp_path, monkeypatch, capsys):
    features = import_module("features")
    labelled = Corpus.from_matrices(COUNTS, LABELS, unlabelled="drop", empty="drop")
    monkeypatch.setitem(features.CORPORA, "small", (lambda: labelled, 0.0))
    options = ["--corpora", "small", "--words", "2,4", "--splits", "2", "--png", str(tmp_path)]
    monkeypatch.setattr("sys.argv", ["features.py", *options])
    features.main()
    lines = capsys.readouterr().out.splitlines()
    assert "small, macro F1; splits: 2" in lines
    header = next(line for line in lines if line.startswith("| words |"))
    assert header.split(" | ")[1:3] == ["all", "frex"]
    assert sum(line.startswith("| 4 |") for line in lines) == 2
    assert (tmp_path / "features-small.png").stat().st_size > 1000

import numpy as np
import pytest

from frex.evaluate import Design, Fits, stability, stability_words
from frex.evaluate.stability import MEASURES, word_measures
from frex.evaluate.unsupervised import MODELS, Topics

RATES = np.array([[1.0, 3.0, 2.0, 1.0], [1.0, 1.0, 0.5, 9.0]])


def test_measures_by_hand():
    words = word_measures(Topics.of(RATES), np.array([5, 2, 0, 7]))
    assert words["word"].tolist() == [0, 1, 3]  # one never occurs
    assert words["count"].tolist() == [5, 2, 7]
    np.testing.assert_allclose(words["exclusivity"], [0.5, 0.75, 0.9])
    np.testing.assert_allclose(words["variance"], [0, 1, 16])
    np.testing.assert_allclose(words["relative_variance"], [0, 0.25, 0.64])
    np.testing.assert_allclose(words["log_variance"], [0, np.log(3) ** 2 / 4, np.log(9) ** 2 / 4])


def test_the_sign_tells_who_favours_rare_words(themes, monkeypatch):
    counts = np.asarray(themes.counts.sum(axis=0)).ravel()

    def favours(rare):
        def fit(corpus, n_topics, **_options):
            tilt = counts / counts.max() if not rare else (counts.min() / counts) ** 2
            return Topics.of(np.stack([np.ones(corpus.n_words), 1 + tilt]) * counts)

        return fit

    monkeypatch.setitem(MODELS, "lda", favours(rare=True))
    monkeypatch.setitem(MODELS, "pcm", favours(rare=False))
    fits = Fits(themes, Design(("lda", "pcm"), (2,)))
    rows = stability(fits).set_index(["model", "measure"])["correlation"]
    assert set(rows.index.get_level_values("measure")) == set(MEASURES)
    assert rows["lda"].tolist() == pytest.approx([-1, -1, -1, -1])
    assert rows["pcm"].tolist() == pytest.approx([1, 1, 1, 1])
    words = stability_words(fits, ("lda", "pcm"), 2)
    assert words.groupby("model").size().tolist() == [23, 23]


def test_pcm_does_not_favour_rare_words_as_lda_does():
    """Words of equal use in all topics, few of them often: chance alone tells topics apart."""
    from frex.corpus import Corpus  # noqa: PLC0415 - as the model below

    rng = np.random.default_rng(5)
    rates = np.concatenate([np.full((2, 60), 0.05), np.full((2, 12), 2.0)], axis=1)
    rates[0, 60:66] = rates[1, 66:72] = 0.1  # a few frequent words are topical
    corpus = Corpus.from_matrices(np.concatenate([rng.poisson(row, (60, 72)) for row in rates]))
    design = Design(("lda-sklearn", "pcm"), (2,), pcm={"method": "map"})
    rows = stability(Fits(corpus, design, threads=1))
    rows = rows[rows["measure"] == "exclusivity"].set_index("model")["correlation"]
    assert rows["lda-sklearn"] + 0.1 < rows["pcm"]
    assert rows["pcm"] > 0.3

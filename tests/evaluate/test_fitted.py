"""A design names its models once; what was fitted is fitted once."""

import numpy as np
import pytest

from frex.errors import InputError, MissingExtraError
from frex.evaluate.fitted import Design, Fits
from frex.evaluate.unsupervised import MODELS, Topics


@pytest.fixture
def calls(monkeypatch):
    """Put a model that answers at once in the place of two real ones; return what it was asked."""
    made = []

    def answer(corpus, n_topics, **options):
        made.append((n_topics, options))
        return Topics.of(np.full((n_topics, corpus.n_words), 0.1))

    monkeypatch.setitem(MODELS, "pcm", answer)
    monkeypatch.setitem(MODELS, "lda-sklearn", answer)
    return made


def test_a_fit_is_kept(themes, calls, tmp_path):
    design = Design(("pcm", "lda-sklearn"), (4,), seed=2, pcm={"draws": 5})
    fits = Fits(themes, design, tmp_path / "fits", threads=1)
    first = fits.topics("pcm", 4)
    assert calls == [(4, {"seed": 2, "threads": 1, "draws": 5})]
    again = Fits(themes, design, tmp_path / "fits").topics("pcm", 4)
    np.testing.assert_array_equal(again.rates, first.rates)
    assert len(calls) == 1
    for other in (themes.take(range(80)), themes):  # another corpus, other options
        Fits(other, Design(("pcm",), seed=2), tmp_path / "fits").topics("pcm", 4)
    assert len(calls) == 3
    # PCM's options are nothing to LDA
    fits.topics("lda-sklearn", 4)
    Fits(themes, Design(seed=2), tmp_path / "fits").topics("lda-sklearn", 4)
    assert calls[3:] == [(4, {"seed": 2})]
    without = Fits(themes, design)
    assert without.topics("pcm", 4) is without.topics("pcm", 4)
    assert len(calls) == 5


def test_a_damaged_file_is_told(themes, calls, tmp_path):
    fits = Fits(themes, Design(("pcm",)), tmp_path)
    fits.topics("pcm", 3)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for content in (whole[:100], b"", b"no archive"):
        file.write_bytes(content)
        with pytest.raises(InputError, match=r"\.npz: does not hold the topics of a fit"):
            fits.topics("pcm", 3)
    file.write_bytes(whole)
    with pytest.raises(InputError, match="is a file"):
        Fits(themes, Design(), file)


def test_wrong_designs_are_told(monkeypatch):
    for options, complaint in [
        ({"models": ("pmc",)}, "there is no model 'pmc'. Choose among pcm, lda"),
        ({"models": ("lda", "lda")}, "the models are lda, lda"),
        ({"models": ()}, "the models are none"),
        ({"pcm": {"draw": 5}}, "PCM has no option 'draw'"),
        ({"topics": ()}, "the numbers of topics are none"),
        ({"topics": (5, 1)}, "a number of topics is 1"),
    ]:
        with pytest.raises(InputError, match=complaint):
            Design(**options)
    monkeypatch.setitem(__import__("sys").modules, "tomotopy", None)
    with pytest.raises(MissingExtraError, match=r"LDA needs .*frex\[baselines\]"):
        Design()

import numpy as np
import pytest

from frex.corpus import Corpus
from frex.errors import InputError
from frex.evaluate import Design, Fits, coherence
from frex.evaluate.coherence import c_v, mean_npmi
from frex.evaluate.cooccurrence import Documents

# NPMI of three words with one another and themselves
ASSOCIATIONS = np.array([[1.0, 0.6, 0.0], [0.6, 1.0, -0.3], [0.0, -0.3, 1.0]])


def test_measures_by_hand():
    assert mean_npmi(ASSOCIATIONS) == pytest.approx(0.1)
    together = np.array([1.6, 1.3, 0.7])
    cosines = [
        (1.6 + 0.6 * 1.3) / np.sqrt(1.36),
        (0.6 * 1.6 + 1.3 - 0.3 * 0.7) / np.sqrt(1.45),
        (-0.3 * 1.3 + 0.7) / np.sqrt(1.09),
    ] / np.linalg.norm(together)
    assert c_v(ASSOCIATIONS) == pytest.approx(cosines.mean())
    assert c_v(np.ones((4, 4))) == pytest.approx(1)
    assert c_v(np.zeros((2, 2))) == 0  # words that the reference does not have


def test_words_of_one_theme_belong_together(themes):
    fits = Fits(themes, Design(("lda",), (3,)))
    rows = coherence(fits, words=[3, 5]).set_index(["ranking", "words"])
    assert (rows.loc["frex", "npmi"] > rows.loc["frequency", "npmi"] + 0.2).all()
    assert (rows.loc["frex", "c_v"] > rows.loc["frequency", "c_v"]).all()
    # in documents of single words nothing belongs together
    apart = Corpus.from_matrices(np.eye(23, dtype=int), words=themes.words)
    alone = coherence(fits, words=[5], reference=Documents(apart, themes.words))
    assert (alone["npmi"] < -0.5).all()
    assert alone["experiment"].iloc[0] != rows["experiment"].iloc[0]
    with pytest.raises(InputError, match="a summary has 1 words"):
        coherence(fits, words=[1])

from dataclasses import replace

import numpy as np
import pytest
from pages import make_fit
from scipy import sparse

from frex.corpus import Corpus
from frex.errors import InputError
from frex.explorer.quality import check_corpus, coherence


def test_words_that_only_come_together_are_coherent():
    counts = np.array([[1, 1, 0, 0], [2, 3, 0, 1], [0, 0, 1, 0], [0, 0, 0, 2]])
    corpus = Corpus.from_matrices(counts)
    together, apart = coherence(corpus, [np.array([1, 0]), np.array([0, 2])])
    assert together == pytest.approx(1, abs=1e-3)
    assert apart < -0.9


def test_a_corpus_that_is_not_the_fits_is_refused():
    fit = make_fit()
    counts = sparse.csr_array(np.ones((len(fit.ids), len(fit.words)), np.int32))
    corpus = Corpus.from_matrices(counts, words=fit.words, ids=list(reversed(fit.ids)))
    assert [corpus.ids[row] for row in check_corpus(fit, corpus)] == list(fit.ids)
    with pytest.raises(InputError, match=r"no document 'stranger'.*--corpus"):
        check_corpus(replace(fit, ids=[*fit.ids[:-1], "stranger"]), corpus)
    with pytest.raises(InputError, match="other words"):
        check_corpus(replace(fit, words=tuple(f"{word}x" for word in fit.words)), corpus)

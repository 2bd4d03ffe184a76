import numpy as np
import pytest

from frex.sampler.kernels.scored import score_words
from frex.scores import ecdf


@pytest.mark.parametrize("n_candidates", [1, 7, 50])
def test_ecdfs_are_those_over_all_words(n_candidates):
    rng = np.random.default_rng(n_candidates)
    rates = rng.integers(1, 20, (50, 5)).astype(float)  # small whole numbers, so that many tie
    exclusivity = rng.integers(1, 6, (50, 4)) / 7
    words = np.stack([rng.permutation(50)[:n_candidates] for _ in range(4)]).astype(np.int32)
    out = np.empty((4, 4, n_candidates), np.float32)
    score_words(rates, exclusivity, words, out)
    expected = [
        [values[:, k][words[k]] for k in range(4)]
        for values in (
            np.log(rates[:, 1:]),
            exclusivity,
            ecdf(rates[:, 1:].T).T,
            ecdf(exclusivity.T).T,
        )
    ]
    np.testing.assert_allclose(out[:1], expected[:1], rtol=1e-6)
    np.testing.assert_array_equal(out[1:], np.array(expected[1:], dtype=np.float32))

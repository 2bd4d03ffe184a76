"""How well words tell two groups of documents apart."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import ndtr
from sklearn.preprocessing import normalize

from frex.audit.separation import tell_apart


def groups(distance, sizes, seed, n_words=40):
    """Draw documents as counts of words, one word of which the first group uses more."""
    rng = np.random.default_rng(seed)
    rates = np.ones((sum(sizes), n_words))
    rates[: sizes[0], 0] += distance
    usage = csr_array(normalize(rng.poisson(rates).astype(np.float32)))
    folds = np.arange(sum(sizes)) % 5
    return usage, folds, np.arange(sizes[0]), np.arange(sizes[0], sum(sizes))


def test_groups_far_apart_are_told_apart():
    apart = tell_apart(*groups(30, (20, 30), 0))
    right, low, high = apart.right
    assert right > 0.97
    assert low < right < high
    assert apart.sizes == (20, 30)


def test_alike_groups_are_not_and_the_error_says_how_sure_that_is():
    scaled = []
    for seed in range(60):
        apart = tell_apart(*groups(0, (12, 25), seed))
        assert apart.distance >= 0
        scaled.append(apart.distance / apart.error)
    # half of them are cut at chance; the others are half a Gaussian
    assert 0.6 < np.sqrt(2 * np.mean(np.square(scaled))) < 1.4


def test_more_documents_are_surer():
    few, many = (tell_apart(*groups(3, (n, n), 1)) for n in (8, 80))
    assert many.error < few.error


def test_no_document_can_be_held_out():
    usage, folds, first, second = groups(1, (1, 9), 0)
    assert tell_apart(usage, np.zeros_like(folds), first, second) is None
    assert tell_apart(usage, folds, first[:0], second) is None


def test_the_share_told_apart_follows_from_the_distance():
    usage, folds, first, second = groups(2, (40, 40), 0)
    apart = tell_apart(usage, folds, first, second)
    assert apart.right[0] == pytest.approx(ndtr(apart.distance / np.sqrt(2)))
    assert apart.right[1] < apart.right[0] < apart.right[2]

"""Two groups of documents, by their products alone."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.preprocessing import normalize

from frex.audit.groups import cosine, held_out, products, two_groups


def documents(rng, kinds, n_words=200):
    """Return documents of kinds that use words of their own a little oftener."""
    rates = np.full((len(kinds), n_words), 0.3)
    for kind in range(max(kinds) + 1):
        rates[np.asarray(kinds) == kind, kind * 40 : kind * 40 + 40] *= 4
    return csr_array(normalize(rng.poisson(rates).astype(float)))


def test_groups_are_those_of_spherical_k_means_on_the_words_themselves():
    rng = np.random.default_rng(0)
    usage = documents(rng, [0] * 40 + [1] * 20)
    first = two_groups(products(usage), rng)
    sums = [np.asarray(usage[part].sum(axis=0)) for part in (first, ~first)]
    one, other = (total / np.linalg.norm(total) for total in sums)
    assert ((usage @ (one - other) > 0) == first).all()  # each row is with the closer centroid
    kinds = np.arange(60) < 40
    assert max(np.mean(first == kinds), np.mean(first != kinds)) > 0.95


@pytest.mark.parametrize("rows", [[[1.0, 0.0]], [[1.0, 0.0]] * 3, [[0.0, 0.0]] * 3])
def test_documents_that_do_not_differ_have_no_groups(rows):
    assert (
        two_groups(products(csr_array(np.array(rows, np.float32))), np.random.default_rng(0))
        is None
    )


def test_the_cosine_is_that_of_the_expected_documents():
    """With pairs of different documents alone, noise makes groups of one kind no less alike."""
    rng = np.random.default_rng(0)
    first = np.arange(400) < 100
    alike = csr_array(normalize(rng.poisson(0.2, (400, 200)).astype(float)))
    assert abs(cosine(products(alike), first) - 1) < 0.05
    unlike = csr_array(normalize(np.where(first[:, None], [[1.0, 0.0]], [[0.0, 1.0]])))
    assert cosine(products(unlike), first) == 0


def test_two_groups_say_more_of_others_only_where_there_are_two():
    rng = np.random.default_rng(1)
    gains = []
    for kinds in ([0] * 60, [0] * 30 + [1] * 30):
        told = [held_out(products(documents(rng, kinds)), rng) for _ in range(5)]
        gains.append(np.mean([one.two - one.one for one in told]))
    assert gains[0] < 0.02
    assert gains[1] > gains[0] + 0.04


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_documents_and_such_without_words_can_be_held_out(n):
    for value in (0.0, 1.0):
        told = held_out(np.full((n, n), value), np.random.default_rng(0))
        assert np.isfinite(told).all()

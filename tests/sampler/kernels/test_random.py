import numpy as np
import pytest
from numba import njit, uint64
from scipy import stats

from frex.sampler.formulas.random import gamma, philox, uniforms
from frex.sampler.kernels import random

PI = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), 0x299F31D0A4093822


@njit
def block(key, c0, c1, c2, c3):
    return philox(uint64(key), uint64(c0), uint64(c1), uint64(c2), uint64(c3))


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ((0, 0, 0, 0), 0, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ((2**32 - 1,) * 4, 2**64 - 1, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (*PI, "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)
def test_philox_gives_the_published_words(counter, key, expected):
    assert " ".join(f"{word:08x}" for word in block(np.uint64(key), *counter)) == expected


@njit
def many(key, n):
    """Uniforms, normals and gammas of three shapes, one item each."""
    out = np.empty((5, n))
    pair = np.empty(2)
    for item in range(n):
        out[0, item] = uniforms(key, item, 3, 7, 0)[1]
        random.fill_normals(key, item, 3, 8, 0, pair)
        out[1, item] = pair[1]
        for i, shape in enumerate((0.3, 1.0, 7.5)):
            out[2 + i, item] = gamma(key, item, 3, 9 + i, 0, shape)[0]
    return out


def test_uniforms_normals_and_gammas_have_their_distributions():
    drawn = many(np.uint64(12345), 100_000)
    laws = [stats.uniform(), stats.norm(), *(stats.gamma(shape) for shape in (0.3, 1.0, 7.5))]
    p = [stats.kstest(values, law.cdf).pvalue for values, law in zip(drawn, laws, strict=True)]
    assert min(p) > 1e-4 / len(p)
    assert drawn[0].min() > 0
    assert drawn[0].max() < 1
    # neighbours in every part of the address are unrelated
    assert abs(np.corrcoef(drawn)[np.triu_indices(5, 1)]).max() < 5 / np.sqrt(100_000)


def test_a_number_depends_on_its_address_and_on_nothing_else():
    key = np.uint64(1)
    one = random.normal_array(key, 5, 2, 3, 7)
    random.normal_array(key, 6, 2, 3, 7)
    assert np.array_equal(random.normal_array(key, 5, 2, 3, 7), one)
    assert np.array_equal(random.normal_array(key, 5, 2, 3, 4), one[:4])
    for other in [(np.uint64(2), 5, 2, 3), (key, 6, 2, 3), (key, 5, 3, 3), (key, 5, 2, 4)]:
        assert not np.isin(random.normal_array(*other, 7), one).any()


def test_streams_of_chains_and_blocks_are_apart():
    streams = [random.stream(chain, block) for chain in range(50) for block in range(64)]
    assert len(set(streams)) == len(streams)

"""Affinities that grow with eta and lambda: the map, its inverse and its Jacobian."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from frex.model.scaling import scaled_affinities

documents = st.tuples(
    st.lists(st.floats(-5, 30), min_size=2, max_size=8).map(np.array),
    st.integers(1, 10_000),
    st.floats(0.5, 2),
)


@given(documents)
def test_the_inverse_factor_takes_it_back(document):
    affinities, n_tokens, factor = document
    margin = np.abs(affinities.max() - affinities - np.log(n_tokens)).min()
    assume(margin > 1e-6)  # rounding may put a label on either side
    moved, jacobian = scaled_affinities(affinities, n_tokens, factor)
    back, other = scaled_affinities(moved, n_tokens, 1 / factor)
    np.testing.assert_allclose(back, affinities, rtol=1e-9, atol=1e-9)
    assert jacobian == pytest.approx(-other)


@given(documents)
def test_the_jacobian_is_that_of_the_map(document):
    affinities, n_tokens, factor = document
    below = affinities.max() - affinities
    assume(np.abs(below - np.log(n_tokens)).min() > 1e-3)
    assume(len(np.unique(affinities.round(3))) == len(affinities))
    width = 1e-5 * np.eye(len(affinities))
    slopes = [
        (scaled_affinities(affinities + w, n_tokens, factor)[0]
         - scaled_affinities(affinities - w, n_tokens, factor)[0]) / 2e-5
        for w in width
    ]  # fmt: skip
    _, log_determinant = np.linalg.slogdet(slopes)
    assert log_determinant == pytest.approx(
        scaled_affinities(affinities, n_tokens, factor)[1], abs=1e-5
    )


def test_what_words_see_stays_and_what_is_far_below_grows():
    moved, _ = scaled_affinities(np.array([9.0, 8.0, 1.0]), n_tokens=20, factor=1.5)
    assert moved[0] - moved[1] == 1.0
    assert moved[2] == 1.5
    assert moved[0] - np.log(20) == pytest.approx(1.5 * (9.0 - np.log(20)))

import numpy as np
import pytest
from pages import unbundle

from frex.explorer.packing import Scale, bundle, in_bytes, whole_type


def test_a_bundle_is_read_back():
    arrays = {
        "a": np.array([[1, 258], [3, 65535]], np.uint16),
        "b": np.array([7], np.uint8),
        "c": np.array([70_000, 1], np.uint32),
    }
    meta, read = unbundle(bundle({"x": "é"}, arrays))
    assert meta == {"x": "é"}
    assert {name: array.tolist() for name, array in read.items()} == {
        name: array.ravel().tolist() for name, array in arrays.items()
    }


def test_a_scale_is_off_by_half_a_step_at_most():
    values = np.linspace(-3.0, 5.0, 1001)
    scale = Scale.over(-3.0, 5.0)
    assert np.abs(scale.low + scale.step * scale.codes(values) - values).max() <= scale.step / 2
    assert scale.codes(np.array([-9.0, 9.0])).tolist() == [0, 65535]
    assert Scale.over(2.0, 2.0).codes(np.array([2.0])).tolist() == [0]


def test_rows_in_bytes_keep_their_ends():
    values = np.array([[5, 10, 265], [4, 4, 4]], np.uint16)
    codes, low, high = in_bytes(values)
    assert codes.tolist() == [[0, 5, 255], [0, 0, 0]]
    assert (low.tolist(), high.tolist()) == ([5, 4], [265, 4])


@pytest.mark.parametrize(("largest", "kind"), [(65535, np.uint16), (65536, np.uint32)])
def test_whole_numbers_fit_their_type(largest, kind):
    assert whole_type(largest) is kind

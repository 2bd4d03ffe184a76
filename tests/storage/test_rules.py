"""What rules say of arrays that come in blocks, beside the plainest check of all at once."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from frex.storage.rules import Columns, Ends, Numbers, Text, read_head

ENDS = st.lists(st.integers(-1, 9), min_size=1, max_size=6)
BLOCKS = st.integers(1, 5)


def complaint(rule, values, size, other=None):
    """Return the first complaint about values that come so many at a time."""
    look = rule.look(other)
    blocks = (values[start : start + size] for start in range(0, len(values), size))
    return next(filter(None, map(look, blocks)), None)


@given(ENDS, BLOCKS, st.booleans())
def test_ends_rise_from_nought_to_the_total(ends, size, from_zero):
    rule = Ends(len(ends) - from_zero, 7, from_zero=from_zero)
    sound = ends == sorted(ends) and ends[0] >= 0 and ends[-1] == 7
    if from_zero:
        sound &= ends[0] == 0
    assert (complaint(rule, np.array(ends), size) is None) == sound


@given(st.lists(st.lists(st.integers(-1, 5), max_size=4), min_size=1, max_size=5), BLOCKS)
@example([[], [3, 4], [], [0], [4]], 2)
@example([[0, 1], [1, 0]], 3)
@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_columns_rise_in_each_row_and_are_within_the_matrix(kind, rows, size):
    starts = np.cumsum([0, *map(len, rows)]).astype(kind)
    columns = np.array([column for row in rows for column in row], np.int32)
    sound = all(a < b for row in rows for a, b in pairwise(row))
    sound &= all(0 <= column < 5 for row in rows for column in row)
    rule = Columns("starts", len(columns), 5)
    assert (complaint(rule, columns, size, starts) is None) == sound


@given(st.lists(st.text(max_size=3), min_size=1, max_size=5), BLOCKS, st.data())
def test_texts_are_utf8_and_cut_between_characters(texts, size, data):
    encoded = [text.encode() for text in texts]
    whole, ends = b"".join(encoded), np.cumsum([len(text) for text in encoded])
    assert complaint(Text("ends", len(whole)), np.frombuffer(whole, np.uint8), size, ends) is None
    if whole:
        cut = np.sort(np.append(ends, data.draw(st.integers(0, len(whole) - 1))))
        inside = any(whole[end] & 0xC0 == 0x80 for end in cut if end < len(whole))
        found = complaint(Text("ends", len(whole)), np.frombuffer(whole, np.uint8), size, cut)
        assert (found is not None) == inside
    broken = np.frombuffer(whole + b"\xc3", np.uint8)
    assert "not UTF-8" in complaint(Text("ends", len(broken)), broken, size, ends)


def test_numbers_are_finite_where_they_must_be_and_within_bounds():
    def look(values, **bounds):
        return Numbers((np.float64,), (3,), **bounds).look(None)(np.array(values))

    assert look([0.0, 1.0, 2.0], low=0, high=2) is None
    assert "below 1" in look([0.0, 1.0, 2.0], low=1)
    assert "above 1" in look([0.0, 1.0, 2.0], high=1)
    for value in (np.nan, np.inf, -np.inf):
        assert "not a finite number" in look([0.0, value])
        assert look([0.5, value], low=0, high=1, finite=False) is None
        assert "above 1" in look([value, 1.5], low=0, high=1, finite=False)
    pairs = Numbers((np.int64,), (2, 2), 0, np.array([1, 5]))
    assert pairs.look(None)(np.array([1, 5, 0, 0])) is None
    assert "above" in pairs.look(None)(np.array([5, 1, 0, 0]))


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.array(["text"]), "does not begin as one"),
        (np.array([1j]), "does not begin as one"),
        (np.asfortranarray(np.ones((2, 2))), "does not begin as one"),
    ],
)
def test_only_plain_numbers_in_rows_are_arrays(tmp_path, array, message):
    np.save(tmp_path / "a.npy", array)
    with pytest.raises(ValueError, match=message):
        read_head(tmp_path / "a.npy")


def test_an_array_has_the_bytes_that_it_declares(tmp_path):
    file = tmp_path / "a.npy"
    np.save(file, np.arange(6.0).reshape(2, 3))
    head = read_head(file)
    assert (head.dtype, head.shape) == (np.float64, (2, 3))
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(ValueError, match="declares 48 bytes of values and has 47"):
        read_head(file)

import csv
import io
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from frex.storage.lines import csv_line, guarded, unguarded

TEXTS = st.text(
    st.sampled_from("=+-@\t\r\n'\"a,; \x0b\x85\u2028\uff1d") | st.characters(codec="utf-8")
)


def read(line):
    (row,) = csv.reader(io.StringIO(line, newline=""))
    return row


@given(st.lists(TEXTS, min_size=1))
@example(["a\r=1+1", "\r\r='", "''", "'=", ""])
def test_hostile_texts_are_one_row_and_read_back_equal(texts):
    line = csv_line(texts)
    assert list(map(unguarded, read(line))) == texts
    assert read(csv_line(texts, guard=False)) == texts


@given(TEXTS)
def test_no_line_of_a_guarded_text_begins_with_a_sign(text):
    for line in re.split(r"[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", guarded(text)):
        assert not line.startswith(tuple("=+-@\t\uff1d\uff0b\uff0d\uff20"))


def test_what_needs_no_guard_is_left_as_it_is():
    for text in ("goal", "'tis", "a=b", "", "x-ray"):
        assert unguarded(text) == text
    assert guarded("a=b") == "a=b"


def test_numbers_are_numbers_and_what_is_not_known_is_empty():
    assert csv_line([-1, 0.5, float("nan"), None, "x", ""]) == '-1,0.5,,,"x",""\n'


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\uff1d"])
def test_formulas_are_guarded_after_any_line_break(sign):
    assert csv_line([f"a\r{sign}1"]) == f'"a\r\'{sign}1"\n'

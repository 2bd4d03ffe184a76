import pytest

from frex.storage.forms import mismatch


@pytest.mark.parametrize(
    ("value", "form", "said"),
    [
        (["a", "é"], [str], None),
        (["a", 1], [str], "item 1 is 1, not text"),
        (["a", "\ud800"], [str], "item 1 is '\\ud800', not text"),
        ({"x": 1, "more": []}, {"x": int}, None),
        ({}, {"x": int, "y?": int}, "has no 'x'"),
        ({"x": 1, "y": "1"}, {"x": int, "y?": int}, "'y' is '1', not a whole number of 64 bits"),
        ({"x": True}, {"x": int}, "'x' is True, not a whole number of 64 bits"),
        ({"x": 2**63}, {"x": int}, f"'x' is {2**63}, not a whole number of 64 bits"),
        (1, float, None),
        (float("nan"), float, "is nan, not a finite number"),
        (10**400, float, "is of type int, not a finite number"),
        ({"a": 1, "b": None}, {str: int}, "'b' is None, not a whole number of 64 bits"),
        (None, (None, str), None),
        ([1], (None, str), "is of type list, not text"),
        ({"a": [{"b": "x"}]}, {"a": [{"b": bool}]}, "'a' item 0 'b' is 'x', not true or false"),
        ("x", dict, "is 'x', not an object"),
        ("x", [str], "is 'x', not a list"),
    ],
)
def test_what_has_not_the_form_is_told_with_its_place(value, form, said):
    assert mismatch(value, form) == said

"""Validation of the input of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from frex.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Scores: TypeAlias = NDArray[np.float64]


def as_counts(counts: Any, n_words: int) -> Scores:
    """Check the counts of words in a corpus."""
    array = as_numbers("counts", counts)
    if array.shape != (n_words,):
        raise InputError(f"counts has shape {array.shape}", remedy=f"Give it for {n_words} words.")
    _refuse("counts", array, (array < 0) | (array % 1 != 0), "Counts are whole, from 0 on.")
    return array


def as_matrix(rates: Any) -> Scores:
    """Check rates, topics x words."""
    array = as_numbers("rates", rates.toarray() if hasattr(rates, "toarray") else rates)
    if array.ndim != 2:
        raise InputError(f"rates has shape {array.shape}", remedy="Give rates as topics x words.")
    bad = (array < 0) | np.isinf(array)
    _refuse("rates", array, bad, "Rates are finite and not negative; exponentiate logarithms.")
    return array


def as_numbers(name: str, values: Any) -> Scores:
    """Return an array of numbers without NaN."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} is not an array of numbers") from None
    if array.size == 0 or array.ndim == 0:
        raise InputError(f"{name} is empty", remedy="Give at least one topic and one word.")
    _refuse(name, array, np.isnan(array), "Replace what is not a number.")
    return array


def _refuse(name: str, array: Scores, bad: NDArray[np.bool_], remedy: str) -> None:
    if bad.any():
        place = np.argwhere(bad)[0]
        raise InputError(f"{name}{place.tolist()} is {array[tuple(place)]}", remedy=remedy)


def check_choice(name: str, value: object, *choices: str) -> None:
    """Raise an error if a value is not among the choices."""
    if value not in choices:
        raise InputError(f"{name} is {value!r}", remedy=f"Choose {' or '.join(choices)}.")


def check_weight(weight: float) -> None:
    """Raise an error if a weight is not between 0 and 1."""
    if not 0 <= weight <= 1:
        raise InputError(f"the weight is {weight}", remedy="Choose a weight from 0 to 1.")

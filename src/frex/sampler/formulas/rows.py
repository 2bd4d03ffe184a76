"""Rows of work space: on the CPU vectors of eight numbers, on the GPU numbers.

A loop that is written with these serves both. On the CPU an array with two axes has a row of eight
numbers at each place, which are read, added and stored together (`kernels/vectors.py`); an array
with one axis has a number there, as all have on the GPU.
"""

from __future__ import annotations

from frex.sampler.formulas.options import formulas


def load(array, place):
    """Return what an array has at a place, in double precision; that there is one is not checked.

    The array has numbers of any precision, or whole ones without a sign.
    """
    return float(array[place])


def store(array, place, value):
    """Set what an array has at a place."""
    array[place] = value


def spread(number):
    """Return a row of one number."""
    return number


def across(row):
    """Return the sum of a row's numbers, in pairs."""
    return row


formulas.extend((load, store, spread, across))

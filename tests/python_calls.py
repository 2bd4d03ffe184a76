"""Calling from Python what is compiled for kernels alone."""

from functools import cache

from numba import njit
from numba.core.dispatcher import Dispatcher


class FromPython:
    """A module of kernels whose inner functions can be called from Python."""

    def __init__(self, module):
        self.module = module

    def __getattr__(self, name):
        found = getattr(self.module, name)
        return callable_from_python(found) if isinstance(found, Dispatcher) else found


@cache
def callable_from_python(function):
    """Return what calls a function that has no form for Python."""

    @njit
    def call(*arguments):
        return function(*arguments)

    return call

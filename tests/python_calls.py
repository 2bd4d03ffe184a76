"""Calling from Python what is compiled for kernels alone."""

from functools import cache

from numba import njit
from numba.core.dispatcher import Dispatcher

from frex.sampler.formulas.options import formulas


class FromPython:
    """A module of kernels or formulas whose functions are called as they are compiled."""

    def __init__(self, module):
        self.module = module

    def __getattr__(self, name):
        found = getattr(self.module, name)
        compiled = isinstance(found, Dispatcher) or found in formulas
        return callable_from_python(found) if compiled else found


@cache
def callable_from_python(function):
    """Return what calls what a function is compiled to."""

    @njit
    def call(*arguments):
        return function(*arguments)

    return call

"""How the kernels are compiled."""

from __future__ import annotations

from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from frex.sampler.formulas.options import FASTMATH
from frex.sampler.kernels.cache import compile_one_at_a_time, kept_in_folder
from frex.sampler.threads import Shared

if TYPE_CHECKING:
    from collections.abc import Callable

UNCALLED: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Of what only kernels call. Python must not: it would find no function there. Its form for Python,
and one for C, have a copy each of all that it puts inside, and took a fifth of compiling."""

YES, NO = np.bool_(True), np.bool_(False)
"""For functions that are also called with a variable: for True they would be compiled once more."""

inner = njit(fastmath=FASTMATH, error_model="numpy", forceinline=True, **UNCALLED)
"""For what a kernel calls for every item, or oftener."""

routine = njit(fastmath=FASTMATH, error_model="numpy", **UNCALLED)
"""For a loop that is worth a call: it is not compiled anew for every place that has it."""

inlined = njit(inline="always")
"""For what a kernel calls in one place: it is compiled as a part of the kernel."""

exact = njit(error_model="numpy", **UNCALLED)
"""For linear algebra: every operation in the order in which it is written."""

scalar = njit(error_model="numpy", forceinline=True, **UNCALLED)
"""For functions of a number, in such an order too."""


def cached(**options):
    """Compile what Python calls; keep it for later runs, where a folder for it can be written."""

    def decorate(function):
        options.update(error_model="numpy", no_cfunc_wrapper=True)
        with kept_in_folder() as place:
            compiled = njit(cache=place is not None, **options)(function)
        if place is not None:
            compile_one_at_a_time(compiled, place)
        return compiled

    return decorate


plain = cached()
"""For what is called with single numbers, without threads."""


def parallel(over: str) -> Callable[[Callable[..., None]], Any]:
    """Make a kernel of a loop over a stretch of items, which threads share.

    The loop's first argument is where its stretch starts and ends; who calls the kernel does not
    give it.

    Parameters
    ----------
    over
        The items: an argument, or what an argument has, as in ``"data.bin_order"``.
    """
    name, _, attribute = over.partition(".")

    def decorate(loop):
        place = list(signature(loop).parameters).index(name) - 1
        compiled = cached(nogil=True, fastmath=FASTMATH)(loop)
        shared = Shared(compiled)

        @wraps(loop)
        def kernel(*arguments):
            items = arguments[place]
            n_items = len(getattr(items, attribute) if attribute else items)
            shared(n_items, arguments)

        kernel.compiled = compiled
        return kernel

    return decorate

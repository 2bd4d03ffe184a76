"""How formulas are compiled, for whichever machine the kernel that calls them is compiled for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba.extending import overload

Function = TypeVar("Function", bound=Callable[..., Any])

FASTMATH = {"reassoc", "contract"}
"""What may be done to sums and products. No more: a diverged trajectory shows in NaN or infinity,
and the rest of `fastmath` tells the compiler that there are none."""

# A diverged trajectory may divide by a rate that is 0. In NumPy's error model that is inf or NaN,
# which the energy shows and the kernel rejects; in Python's it would raise.

formulas: list[Callable[..., Any]] = []
"""All that are defined, for the GPU: `kernels/cuda/options.py`."""


def _defined(**options: Any) -> Callable[[Function], Function]:
    """Let what is compiled for the CPU call a plain function."""

    def decorate(function: Function) -> Function:
        for_cpu(function, lambda *_: function, **options)
        formulas.append(function)
        return function

    return decorate


def for_cpu(function: Callable[..., Any], chosen: Callable[..., Any], **options: Any) -> None:
    """Let kernels of the CPU call a function.

    Parameters
    ----------
    function
        As it stands in their source.
    chosen
        Given the types of its arguments, returns the Python function that is compiled instead, or
        None where another is.
    **options
        Numba's options.
    """
    every: Any = {"error_model": "numpy", "no_cfunc_wrapper": True, **options}
    overload(function, jit_options=every, strict=False, target="cpu")(chosen)


formula = _defined(fastmath=FASTMATH, forceinline=True)
"""For what is called for every item, or oftener: it becomes a part of its caller."""

routine = _defined(fastmath=FASTMATH)
"""For a loop that is worth a call: it is not compiled anew for every place that has it."""

exact = _defined()
"""For linear algebra: every operation in the order in which it is written."""

scalar = _defined(forceinline=True)
"""For functions of a number, in such an order too."""

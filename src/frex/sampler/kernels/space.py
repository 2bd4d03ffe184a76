"""Work space of one item.

Where a loop adds up and stores, LLVM compiles it twice: for several numbers at once, and, where
what it writes begins within so many numbers of what it reads, one by one. The two add in another
order. Small arrays that `malloc` puts side by side would then make a sum depend on where they lie,
and with that on how many threads there are: so work space keeps its distance to all else.
"""

from __future__ import annotations

import numpy as np
from numba.extending import intrinsic

from frex.sampler.kernels.options import inner

PADDING = 256
"""Numbers; more than a loop takes at once."""


@inner
def space(n_rows, length):
    """Return rows of work space."""
    size = n_rows * length
    return np.empty(size + 2 * PADDING)[PADDING : PADDING + size].reshape((n_rows, length))


@intrinsic
def borrowed(typingctx, array):  # noqa: ARG001 - the signature that Numba asks for
    """Return an array that nobody counts references to, of memory that another one keeps.

    To take an array out of a tuple counts one, which all threads see: for a document of two labels
    it took as long as its words.
    """

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        parts = context.make_array(array)(context, builder, arguments[0])
        for owner in ("meminfo", "parent"):
            setattr(parts, owner, getattr(parts, owner).type(None))
        return parts._getvalue()  # noqa: SLF001 - as in Numba's own

    return array(array), generate

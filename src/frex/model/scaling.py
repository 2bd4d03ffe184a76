"""Scaling of affinities together with ``(eta, lambda)`` by one factor.

The label frequencies determine ``eta / lambda``; only the affinities determine the common scale,
so it mixes slowly given them. But the words hardly depend on two parts of the affinities: the
level of a document, and the distance below it of a label that explains no word. The move scales
these parts too.

With ``x`` the largest affinity of a document and ``h`` the logarithm of its tokens, a label with
``xi_k < x - h`` is worth less than a token. Such labels, far below, and the others move as

    ``xi_k -> c xi_k``            and            ``xi_k -> xi_k + (c - 1) (x - a)``

where ``a = h`` if there is a label far below, and else the distance from ``x`` down to the lowest.
So ``x - a`` is multiplied by ``c``, and a label far below stays far below: ``c xi_k < c (x - h)``.
Differences among the others, on which the words depend, do not change. Hence ``1 / c`` is the
inverse move, and the Jacobian of ``x`` and the labels far below is ``c^(1 + their number)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def scaled_affinities(
    affinities: NDArray[np.float64], n_tokens: float, factor: float
) -> tuple[NDArray[np.float64], float]:
    """Return a document's affinities after the move, and the log of its Jacobian.

    Parameters
    ----------
    affinities
        Of the active labels.
    n_tokens
        Of the document.
    factor
        By which ``eta`` and ``lambda`` are multiplied.
    """
    highest = affinities.max()
    below = highest - affinities
    worth = np.log(max(n_tokens, 1))
    far = below > worth
    anchor = worth if far.any() else below.max()
    scaled = np.where(far, factor * affinities, affinities + (factor - 1) * (highest - anchor))
    return scaled, float((1 + far.sum()) * np.log(factor))

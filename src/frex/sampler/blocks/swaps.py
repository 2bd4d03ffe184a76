"""Swaps of the affinities of two labels of a document; `formulas/swaps.py` has the ratio.

A swap is its own inverse, and the choice of labels does not depend on the state, so accepting by
the ratio of the densities leaves the posterior invariant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from frex.sampler.state import Stream

if TYPE_CHECKING:
    from frex.sampler.context import Context
    from frex.sampler.engines.verbs import LabelledDocuments, Learned, Moves
    from frex.sampler.state import Clock


class Swaps:
    """The affinities of all documents with several labels, a pair of labels at a time."""

    name, step = "swaps", None

    def refresh(self, context: Context) -> None:
        """Do nothing: there is nothing to adapt."""

    def update(self, context: Context, clock: Clock) -> Moves:
        """Propose swaps in every document."""
        documents = cast("LabelledDocuments", context.documents())  # a model without has no swaps
        moves = documents.swap(context.state, clock.address(Stream.SWAPS))
        context.moved("memberships")
        return moves

    def learned(self) -> list[Learned]:
        """Return nothing."""
        return []

"""Affinities of two labels of a document change places: `formulas/swaps.py` has the ratio.

An exchange is its own inverse, and which labels are tried does not depend on the state, so that
accepting by the ratio of the densities keeps the posterior.
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
        """Find nothing: there is nothing to learn."""

    def update(self, context: Context, clock: Clock) -> Moves:
        """Propose swaps in every document."""
        documents = cast("LabelledDocuments", context.documents())  # a model without has no swaps
        moves = documents.swap(context.state, clock.address(Stream.SWAPS))
        context.moved("memberships")
        return moves

    def learned(self) -> list[Learned]:
        """Return nothing."""
        return []

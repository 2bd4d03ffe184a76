"""Affinities given the rates and (eta, lambda2): every document by SCHMC; memberships move along.

The curvature of the words and labels at the modes is found at scheduled scans of the warm-up and
stays fixed after it; that of the prior, 1 / lambda2, is the current one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from frex.sampler.schmc import LENGTH
from frex.sampler.state import Stream

if TYPE_CHECKING:
    from frex.sampler.blocks.coordinates import Coordinates
    from frex.sampler.context import Context
    from frex.sampler.engines.verbs import Documents, Moves
    from frex.sampler.state import Clock


N_STAGES = {True: 4, False: 3}
"""Stages of a trajectory, with and without labels. Without, the mass knows the curvature's diagonal
and its blindness to the level, not which topics share words: so steps are shorter."""

LONGEST = {True: 2 * LENGTH, False: LENGTH}
"""Of the trajectories. With labels the mass has only a share of the curvature, and the period of
the matched mass is no longer a limit. Four such stages, not two with all of the curvature, leave
3.5 times as many effective draws of memberships (the tenth percentile, on acts of EUR-Lex, arXiv
and debtags), and the block takes a third longer."""


class Affinities:
    """The affinities of all documents with several labels, of the labels that they have."""

    name = "affinities"

    def __init__(self, documents: Documents, coordinates: Coordinates) -> None:
        labelled = coordinates.labelled
        self.step = documents.new_steps(N_STAGES[labelled], LONGEST[labelled])
        self.learned = documents.learned

    def refresh(self, context: Context) -> None:
        """Find every document's conditional mode, and keep the curvature there."""
        context.documents().find_modes(context.state)

    def update(self, context: Context, clock: Clock) -> Moves:
        """Draw all affinities."""
        address = clock.address(Stream.AFFINITIES)
        moves = context.documents().draw(context.state, self.step, address)
        context.moved("memberships")
        context.note_likelihood("documents")
        return moves

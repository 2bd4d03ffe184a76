"""Affinities given the rates and (eta, lambda2): every document by SCHMC; updates memberships.

The curvature of the words and labels at the modes is computed at scheduled scans of the warm-up and
fixed after it; that of the prior, 1 / lambda2, is the current one.
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
"""Stages of a trajectory, with and without labels. Without labels, the mass includes the diagonal
of the curvature and its null direction, the level, but not the correlations of topics, so steps are
shorter."""

LONGEST = {True: 2 * LENGTH, False: LENGTH}
"""Length of the trajectories. With labels the mass includes only a share of the curvature, so the
period of the matched mass is not a limit. Compared with two stages and the whole curvature, four
such stages give 3.5 times as many effective draws of memberships (the tenth percentile, on acts of
EUR-Lex, arXiv and debtags), and the block takes a third longer."""


class Affinities:
    """The affinities of the labels of all multi-label documents."""

    name = "affinities"

    def __init__(self, documents: Documents, coordinates: Coordinates) -> None:
        labelled = coordinates.labelled
        self.step = documents.new_steps(N_STAGES[labelled], LONGEST[labelled])
        self.learned = documents.learned

    def refresh(self, context: Context) -> None:
        """Find every document's conditional mode, and store the curvature there."""
        context.documents().find_modes(context.state)

    def update(self, context: Context, clock: Clock) -> Moves:
        """Draw all affinities."""
        address = clock.address(Stream.AFFINITIES)
        moves = context.documents().draw(context.state, self.step, address)
        context.moved("memberships")
        context.note_likelihood("documents")
        return moves

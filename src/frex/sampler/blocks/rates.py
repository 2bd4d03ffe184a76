"""Log rates given dispersions, memberships and hyperparameters: every word by SCHMC.

The curvature of the likelihood at the conditional modes is computed at scheduled scans of the
warm-up and fixed after it. That of the prior depends on the current dispersions, which the block
does not change. So the mass never depends on the position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from frex.sampler.state import Stream

if TYPE_CHECKING:
    from frex.sampler.context import Context
    from frex.sampler.engines.verbs import Moves, Words
    from frex.sampler.state import Clock

Curvature = Literal["tree", "dense"]

N_STAGES = 3


class Rates:
    """The log rates of all words."""

    name = "rates"

    def __init__(self, words: Words) -> None:
        self.step = words.new_steps(N_STAGES)
        self.learned = words.learned

    def refresh(self, context: Context) -> None:
        """Find every word's conditional mode, and store the curvature there."""
        context.words().find_modes(context.state)

    def update(self, context: Context, clock: Clock) -> Moves:
        """Draw all log rates."""
        moves = context.words().draw(context.state, self.step, clock.address(Stream.RATES))
        context.moved("log_rates")
        context.note_likelihood("words")
        return moves

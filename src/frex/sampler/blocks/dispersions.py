"""Dispersions given the log rates, nu and sigma2: drawn exactly.

    tau2 ~ Inv-chi2(J + nu, (nu sigma2 + S) / (J + nu))

for a group of J children with the squared deviations S.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from frex.sampler.engines.verbs import Learned, Moves
from frex.sampler.state import Stream

if TYPE_CHECKING:
    from frex.sampler.context import Context
    from frex.sampler.state import Clock


class Dispersions:
    """The dispersions of all words and parents."""

    name, step = "dispersions", None

    def refresh(self, context: Context) -> None:
        """Do nothing: there is nothing to adapt."""

    def update(self, context: Context, clock: Clock) -> Moves:
        """Draw all dispersions."""
        hyper, address = context.state.hyper, clock.address(Stream.DISPERSIONS)
        context.words().draw_dispersions(
            context.squares(), hyper.dispersion_df, hyper.dispersion_scale, address,
            context.state.dispersions,
        )  # fmt: skip
        return Moves()

    def learned(self) -> list[Learned]:
        """Return nothing."""
        return []

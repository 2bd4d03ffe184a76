"""The interface of blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from frex.sampler.context import Context
    from frex.sampler.engines.verbs import Learned, Moves, Steps
    from frex.sampler.state import Clock


class Block(Protocol):
    """A block of a scan.

    Attributes
    ----------
    name
        Name of the block in reports and in files.
    step
        Its step sizes, which are adapted in the warm-up; None for a block that draws exactly.
    """

    name: str

    @property
    def step(self) -> Steps | None:
        """Its step sizes."""

    def refresh(self, context: Context) -> None:
        """Recompute the adapted arrays, at scheduled scans of the warm-up."""

    def update(self, context: Context, clock: Clock) -> Moves:
        """Draw its part of the state."""
        ...

    def learned(self) -> list[Learned]:
        """Return the arrays that `refresh` computes, without the step sizes."""
        ...

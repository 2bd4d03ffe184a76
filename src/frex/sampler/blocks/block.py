"""What every block can do."""

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
        Part of the names of what it reports and of the files in which it is saved.
    step
        Its step sizes, which learn in the warm-up; None for a block that draws exactly.
    """

    name: str

    @property
    def step(self) -> Steps | None:
        """Its step sizes."""

    def refresh(self, context: Context) -> None:
        """Find anew what the block learns, at scheduled scans of the warm-up."""

    def update(self, context: Context, clock: Clock) -> Moves:
        """Draw its part of the state."""
        ...

    def learned(self) -> list[Learned]:
        """Return what `refresh` finds; the step sizes are known besides."""
        ...

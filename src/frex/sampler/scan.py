"""One scan: every block once, each given the latest of all others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from frex.model.reductions import Reduced
from frex.sampler.context import Context
from frex.sampler.engines.cpu.engine import CpuEngine
from frex.sampler.models import model_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from frex.model.priors import Priors
    from frex.sampler.arrays import Array
    from frex.sampler.blocks.block import Block
    from frex.sampler.blocks.rates import Curvature
    from frex.sampler.engines.verbs import Engine, Learned, Moves, Steps
    from frex.sampler.state import Clock, State


@dataclass
class ScanReport:
    """Acceptance probability and energy change of each block of a scan that may reject.

    These are means over the items of a block; `items` has each item's acceptance.
    """

    acceptance: dict[str, float] = field(default_factory=dict)
    energy: dict[str, float] = field(default_factory=dict)
    items: dict[str, Array] = field(default_factory=dict)

    def add(self, block: str, moves: Moves) -> None:
        """Add the outcome of a block."""
        if moves.items is not None:
            self.items[block] = moves.items
        if not np.isnan(moves.acceptance):
            self.acceptance[block], self.energy[block] = moves.acceptance, moves.energy


class Sampler:
    """The blocks of a chain, and the scan over them.

    Parameters
    ----------
    of
        A corpus after the exact reductions, for a new CPU engine; or an engine with a corpus, which
        chains share.
    priors
        Priors of the hyperparameters.
    curvature
        Curvature of the rate block: ``"tree"``, or ``"dense"`` as in the paper.
    interweave
        Draw hyperparameters a second time, together with the parameters below them. Without
        these draws the chain is also correct but mixes more slowly; tests of single blocks and
        benchmarks switch it off.

    Attributes
    ----------
    blocks
        The blocks by name, in the order of a scan.
    """

    def __init__(
        self,
        of: Reduced | Engine,
        priors: Priors,
        *,
        curvature: Curvature = "tree",
        interweave: bool = True,
    ) -> None:
        self.engine: Engine = CpuEngine(of) if isinstance(of, Reduced) else of
        self.priors = priors
        self.model = model_of(self.engine.reduced)
        self.n_children, self.known = self.engine.reduced.n_children, self.engine.reduced.known
        self.words, self.documents = self.engine.words(curvature), self.engine.documents()
        self.coordinates = self.model.coordinates(self.engine.reduced, priors)
        found = self.model.blocks(self, interweave=interweave)
        self.blocks: dict[str, Block] = {block.name: block for block in found}
        self._context: Context | None = None

    @property
    def steps(self) -> dict[str, Steps]:
        """The step sizes, by block."""
        found = {name: block.step for name, block in self.blocks.items()}
        return {name: step for name, step in found.items() if step is not None}

    def context(self, state: State) -> Context:
        """Return a context for a state, with nothing cached."""
        self._context = Context(state, self.words, self.documents, self.coordinates)
        return self._context

    def context_after(self, state: State) -> Context:
        """Return the context after the state's last scan, with cached quantities.

        It is valid until another chain scans.
        """
        context = self._context
        return self.context(state) if context is None or context.state is not state else context

    def scan(self, state: State, clock: Clock, *, refresh: bool = False) -> ScanReport:
        """Change the state by one scan.

        Parameters
        ----------
        state
            Changed in place.
        clock
            Number of the scan.
        refresh
            Recompute the curvatures, at scheduled scans of the warm-up.
        """
        report, context = ScanReport(), self.context(state)
        for name, block in self.blocks.items():
            if refresh:
                block.refresh(context)
            report.add(name, block.update(context, clock))
        return report

    def learned(self) -> Iterator[tuple[str, Learned]]:
        """Yield the adapted arrays of all blocks, each with a name."""
        for name, block in self.blocks.items():
            steps = [] if block.step is None else block.step.learned()
            for learned in (*block.learned(), *steps):
                yield f"{name}.{learned.name}", learned

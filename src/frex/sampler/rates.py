"""The rate block: every word's log rates by SCHMC, words in parallel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from frex.errors import InputError
from frex.sampler.kernels import rates as tree_kernels
from frex.sampler.kernels import rates_dense as dense_kernels
from frex.sampler.kernels.words import RateState, WordLikelihood, gather
from frex.sampler.schmc import StepSize
from frex.sampler.splitting import splitting
from frex.sampler.state import Block

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from frex.sampler.data import Rooms
    from frex.sampler.kernels.words import WordData
    from frex.sampler.state import Clock, State

Curvature = Literal["tree", "dense"]

N_STEPS = 3


@dataclass
class RateBlock:
    """Log rates given dispersions, memberships and hyperparameters.

    The likelihood's curvature at the conditional modes is found at scheduled scans of the warm-up
    and stays fixed after it; the prior's is that of the current dispersions, which the block does
    not change: the mass never depends on the position.

    Attributes
    ----------
    curvature
        V x N for ``kind="tree"``, the diagonal E beta at the mode, of whatever precision; V x N x N
        for ``"dense"``.
    likelihood
        Of every word where the last update left it; the slopes are those of whatever chain's.
    """

    data: WordData
    kind: Curvature
    curvature: NDArray[np.floating]
    step: StepSize
    likelihood: WordLikelihood
    modes: NDArray[np.float64]  #: room for them, not its own

    @classmethod
    def create(
        cls, data: WordData, rooms: Rooms, kind: Curvature, precision: DTypeLike
    ) -> RateBlock:
        """Return a block whose curvature, which has this precision, is still to be found."""
        n_words, n_nodes = data.single_counts.shape
        if kind not in ("tree", "dense"):
            raise InputError(f"curvature is {kind!r}", remedy="Use 'tree' or 'dense'.")
        if kind == "tree":
            curvature: NDArray[np.floating] = np.zeros((n_words, n_nodes), precision)
        else:
            curvature = np.zeros((n_words, n_nodes, n_nodes))
        step = StepSize.create(n_words, N_STEPS)
        likelihood = WordLikelihood(np.zeros(n_words), rooms.slopes)
        return cls(data, kind, curvature, step, likelihood, rooms.moved_rates)

    def conditional(self, state: State, exposure: NDArray[np.float64]) -> RateState:
        """Return what the kernels need of the chain's state; good until documents move."""
        if not self.data.width:
            gather(self.data, state.memberships, self.data.theta)
        return self.conditional_again(state, exposure)

    def conditional_again(self, state: State, exposure: NDArray[np.float64]) -> RateState:
        """Return the same where no document has moved since `conditional`, of whatever chain."""
        return RateState(
            log_rates=state.log_rates,
            dispersions=state.dispersions,
            theta=state.memberships if self.data.width else self.data.theta,
            exposure=exposure,
            root_mean=state.hyper.root_mean,
            root_variance=state.hyper.root_variance,
            curvature=self.curvature,
        )

    def refresh(self, state: State, exposure: NDArray[np.float64]) -> NDArray[np.float64]:
        """Find every word's conditional mode, keep the curvature there, and return the modes.

        They are good until words move.
        """
        modes = self.modes
        modes[:] = state.log_rates
        conditional = self.conditional(state, exposure)
        tree_kernels.find_rate_modes(self.data, conditional, 50, 1e-6, modes)
        if self.kind == "tree":
            np.exp(modes, out=self.curvature, casting="same_kind")
            self.curvature *= exposure
        else:
            dense_kernels.curvature_at(self.data, conditional, modes, self.curvature)
        return modes

    def update(
        self, state: State, exposure: NDArray[np.float64], clock: Clock
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Draw all log rates; return each word's acceptance and change of energy."""
        n_words = len(state.log_rates)
        accepted, energy = np.empty(n_words), np.empty(n_words)
        kernel = tree_kernels.update_rates if self.kind == "tree" else dense_kernels.update_rates
        kernel(
            self.data,
            self.conditional(state, exposure),
            clock.address(Block.RATES),
            self.step.value,
            splitting(N_STEPS),
            accepted,
            energy,
            *self.likelihood,
        )
        return accepted, energy

"""Passes over documents that have every topic and no labels (PCM).

They are the passes of `documents.py` for affinities that sum to 0, which `model/contrasts.py`
explains. Rates need not be gathered, because a word's rates in all topics are contiguous.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.model.contrasts import centred
from frex.sampler.engines.cpu.documents import DocumentSums
from frex.sampler.engines.verbs import Learned, Moves
from frex.sampler.kernels import contrasts as kernels
from frex.sampler.kernels import interweaving_contrasts as along
from frex.sampler.kernels.contrasts import ContrastState
from frex.sampler.kernels.interweaving_contrasts import ContrastGaussians
from frex.sampler.kernels.random import normal_array
from frex.sampler.splitting import splitting

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.sampler.arrays import Floats
    from frex.sampler.engines.cpu.engine import CpuEngine
    from frex.sampler.formulas.random import Address
    from frex.sampler.schmc import StepSize
    from frex.sampler.state import State

MOST_ITERATIONS, TOLERANCE = 100, 1e-3  # of the search for the modes at which the mass is taken


class CpuContrasts(DocumentSums):
    """A chain's passes over documents without labels.

    Attributes
    ----------
    curvature
        The weights that approximate the curvature, D x K.
    gaussians
        Gaussian approximations of the likelihood, for the interweaving of eta and lambda.
    """

    def __init__(self, engine: CpuEngine) -> None:
        super().__init__(engine)
        shape = (self.n_items, engine.n_topics)
        self.curvature = np.zeros(shape)
        self.gaussians = ContrastGaussians(np.zeros(shape), np.zeros(shape))
        self._held = engine.workspace.held_affinities.reshape(shape)
        self._rates = self._rate_sums = np.empty(0)

    def set_rates(self, rates: Floats, sums: Floats) -> None:
        self._rates, self._rate_sums = rates, sums

    def given(self, state: State) -> ContrastState:
        """Return what the kernels need of the chain's state."""
        shape = self.curvature.shape
        return ContrastState(
            affinities=state.affinities.reshape(shape),
            memberships=state.memberships.reshape(shape),
            rates=self._rates,
            rate_sums=self._rate_sums,
            affinity_mean=state.hyper.affinity_mean,
            affinity_variance=state.hyper.affinity_variance,
            weights=self.curvature,
        )

    def find_modes(self, state: State) -> None:
        self._modes = state.affinities.copy()
        kernels.find_contrast_modes(
            self._data, self.given(state), MOST_ITERATIONS, TOLERANCE,
            self._modes.reshape(self.curvature.shape), self.curvature, np.empty(self.n_items),
        )  # fmt: skip

    def draw(self, state: State, steps: StepSize, address: Address) -> Moves:
        accepted, energy = np.empty(self.n_items), np.empty(self.n_items)
        kernels.update_contrasts(
            self._data, self.given(state), address, steps.value, splitting(steps.n_stages),
            accepted, energy,
        )  # fmt: skip
        return self.moves(accepted, energy)

    def variance_sums(self, affinity_variance: float) -> Floats:
        scale, tilt, rest = self._mass(affinity_variance)
        n_topics = scale.shape[1]
        level = affinity_variance / n_topics  # the mass includes it, the contrasts do not
        variances = 1 / scale + (tilt / scale) ** 2 / rest - level
        sums: Floats = self.label_sums(variances.ravel(), np.zeros(n_topics))[0]
        return sums

    def fit_gaussians(self, state: State) -> Floats:
        weights, eta, own = self.curvature, state.hyper.affinity_mean, self.gaussians
        prior = 1 / state.hyper.affinity_variance
        share = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
        own.precisions[:] = weights * (1 - share)
        own.pulls[:] = (own.precisions + prior) * self._modes.reshape(weights.shape) - prior * eta
        self._modes = np.empty(0)
        information = own.precisions * prior / (own.precisions + prior)
        return np.diag(self.label_sums(information.ravel(), np.zeros(len(eta)))[0])

    def standardise(self, state: State, address: Address | None) -> None:
        """Store what the move holds fixed: the standardised affinities, including their level.

        The level is Normal(0, lambda2 / K) given the words, and drawn again for each move: with
        it the affinities of a document are independent a priori.
        """
        given, variance = self.given(state), state.hyper.affinity_variance
        levels = np.zeros(self.n_items)
        if address is not None:
            noise = normal_array(address.key, 0, address.scan, address.stream, self.n_items)
            levels = noise * np.sqrt(variance / given.affinities.shape[1])
        along.standardise(
            self._data, self.gaussians, given.affinities, levels, state.hyper.affinity_mean,
            variance, self._held,
        )  # fmt: skip
        self._given = given

    def log_density(
        self,
        mean: Floats,
        variance: float,
        *,
        with_value: bool = True,
        likelihood_known: bool = False,  # noqa: ARG002 - it is not kept
    ) -> tuple[float, Floats, float]:
        partial = np.empty((len(self._data.bin_order), len(mean) + 2))
        along.contrast_density(
            self._data, self._given, self.gaussians, self._held, mean, variance, with_value,
            partial,
        )  # fmt: skip
        total = self._exchange.sum(partial)
        return float(total[-1]), total[:-2], float(total[-2])

    def accept(self, state: State) -> None:
        given = self.given(state)
        along.contrasts_at(
            self._data, self.gaussians, self._held, state.hyper.affinity_mean,
            state.hyper.affinity_variance, given.affinities, given.memberships,
        )  # fmt: skip

    def learned(self) -> list[Learned]:
        """Return the weights that approximate the curvature."""
        return [Learned("curvature", self.curvature, "documents")]

    def learned_gaussians(self) -> list[Learned]:
        parts = self.gaussians._asdict().items()
        return [Learned(name, array, "documents") for name, array in parts]

    def gaussian(self, modes: Floats, affinity_variance: float) -> Callable[[Floats], Floats]:
        """Return a function that turns standard normals into a draw from the Gaussian at modes."""
        scale, tilt, rest = self._mass(affinity_variance)
        # with v = u / sqrt(q) the inverse mass is q^-1/2 (1 + c v v')^2 q^-1/2
        v, tiny = tilt / np.sqrt(scale), np.finfo(np.float64).tiny
        c = (1 / np.sqrt(rest) - 1) / np.maximum(1 - rest, tiny)  # 0 for a document without words

        def draw(noise: Floats) -> Floats:
            z = noise.reshape(scale.shape)
            deviation = (z + c * v * (v * z).sum(axis=1, keepdims=True)) / np.sqrt(scale)
            return modes + centred(deviation).ravel()

        return draw

    def _mass(self, affinity_variance: float) -> tuple[Floats, Floats, Floats]:
        """Return q and u, documents x topics, and 1 - sum u^2 / q of each document."""
        weights = self.curvature
        total = weights.sum(axis=1, keepdims=True)
        scale = weights + 1 / affinity_variance
        tilt = weights / np.sqrt(np.where(total > 0, total, 1.0))
        rest = (weights / scale).sum(axis=1, keepdims=True) / affinity_variance
        rest = np.where(total > 0, rest / np.where(total > 0, total, 1.0), 1.0)
        return scale, tilt, rest

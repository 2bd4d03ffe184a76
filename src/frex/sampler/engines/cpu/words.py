"""Passes over words on the CPU, in threads; each rank has its own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.errors import InputError
from frex.model.known import drift_variances
from frex.sampler.engines.verbs import MOST_ITERATIONS, TOLERANCE, Learned, Moves
from frex.sampler.formulas.interweaving_words import WordGaussians
from frex.sampler.kernels import groups, laplace, word_gaussians
from frex.sampler.kernels import rates as tree_kernels
from frex.sampler.kernels import rates_dense as dense_kernels
from frex.sampler.kernels.interweaving_words import word_density
from frex.sampler.kernels.sums import dispersion_sums, drift_sums, item_sums, rate_sums
from frex.sampler.kernels.words import RateState, WordLikelihood, gather
from frex.sampler.schmc import StepSize
from frex.sampler.splitting import splitting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.sampler.arrays import Floats
    from frex.sampler.engines.cpu.engine import CpuEngine
    from frex.sampler.formulas.interweaving_words import Terms
    from frex.sampler.formulas.random import Address
    from frex.sampler.state import State


_NOTHING: NDArray[np.floating] = np.empty(0, np.float32)


class CpuWords:
    """A chain's passes over words.

    Parameters
    ----------
    engine
        The engine with the corpus.
    curvature
        ``"tree"``, or ``"dense"`` as in the paper.

    Attributes
    ----------
    curvature
        Curvature of the likelihood at the modes: V x N, the diagonal E beta, in the workspace's
        precision; or V x N x N if it is dense.
    gaussians
        Gaussian approximations of the likelihood, for the interweaving of nu and sigma2.
    likelihood
        Likelihood of every word after the last `draw`; the slopes are in the workspace.
    """

    def __init__(self, engine: CpuEngine, curvature: str) -> None:
        if curvature not in ("tree", "dense"):
            raise InputError(f"curvature is {curvature!r}", remedy="Use 'tree' or 'dense'.")
        self._data, self._workspace = engine.data.words, engine.workspace
        self._exchange, self.kind = engine.exchange, curvature
        n_words, n_nodes = self._data.single_counts.shape
        precision = self._workspace.precision
        self.n_children = engine.n_children.astype(np.float64)
        n_groups = len(self.n_children)
        by_node, by_group = (n_words, n_nodes), (n_words, n_groups)
        tree = np.zeros(by_node, precision)
        dense = curvature == "dense"
        self.curvature = np.zeros((*by_node, n_nodes)) if dense else tree
        self.gaussians = WordGaussians(
            tree, np.zeros(by_node, precision), *(np.zeros(by_group, precision) for _ in range(2))
        )
        self.likelihood = WordLikelihood(np.zeros(n_words), self._workspace.slopes)
        self._rates = self._exchange.table(
            "words", (n_nodes,), self._workspace.rates, in_order=True
        )
        self._mine = self._exchange.mine("words")
        self._known = engine.known
        self._fixed: tuple[Floats, Floats] = np.empty(0), np.empty((0, 0))
        self._exposure = np.empty(0)
        self._theta: NDArray[np.floating] = np.empty(0)

    def new_steps(self, n_stages: int) -> StepSize:
        n_words = len(self._data.single_counts)
        return StepSize.create(n_words, n_stages, kind="words", exchange=self._exchange)

    def set_memberships(self, exposure: Floats, memberships: Floats) -> None:
        self._exposure = exposure
        if self._data.width:  # every document has all topics, so nothing needs to be gathered
            self._theta = memberships
        else:
            self._theta = self._workspace.take("token_memberships")
            gather(self._data, memberships, self._theta)

    def given(self, state: State) -> RateState:
        """Return what the kernels need of the chain's state.

        The curvature is always the tree's, also for kernels that do not use it, because Numba would
        compile a kernel again for another type.
        """
        if not self._data.width:
            self._workspace.read("token_memberships")
        return self._given_with(state, self._theta, self.gaussians.curvature)

    def _given_with(
        self, state: State, theta: NDArray[np.floating], curvature: NDArray[np.floating]
    ) -> RateState:
        return RateState(
            log_rates=state.log_rates,
            dispersions=state.dispersions,
            fixed=self._fixed_variances(state),
            theta=theta,
            exposure=self._exposure,
            root_mean=state.hyper.root_mean,
            root_variance=state.hyper.root_variance,
            curvature=curvature,
        )

    def _fixed_variances(self, state: State) -> Floats:
        """Return the variances of nodes with a known mean, V x A; the last result is cached."""
        if self._known is not None:
            drifts = drift_variances(state.hyper)
            if not np.array_equal(drifts, self._fixed[0]):
                self._fixed = drifts, self._known.variances(state.hyper)
        return self._fixed[1]

    def find_modes(self, state: State) -> None:
        given, modes = self.given(state), self._workspace.take("modes")
        modes[:] = state.log_rates
        tree_kernels.find_rate_modes(self._data, given, MOST_ITERATIONS, TOLERANCE, modes)
        if self.kind == "tree":
            np.exp(modes, out=self.curvature, casting="same_kind")
            self.curvature *= self._exposure
            if self._known is not None:
                self.curvature *= self._known.factors
        else:
            dense_kernels.curvature_at(self._data, given, modes, self.curvature)

    def draw(self, state: State, steps: StepSize, address: Address) -> Moves:
        n_words = len(state.log_rates)
        accepted, energy = np.empty(n_words), np.empty(n_words)
        kernels = tree_kernels if self.kind == "tree" else dense_kernels
        self._workspace.take("slopes")
        given = self.given(state)._replace(curvature=self.curvature)
        kernels.update_rates(
            self._data, given, address, steps.value, splitting(steps.n_stages),
            accepted, energy, *self.likelihood,
        )  # fmt: skip
        data = self._data
        partial = np.empty((len(data.bin_order), 2))
        item_sums(data.bin_starts, data.bin_words, accepted, energy, partial)
        return Moves(accepted, *map(float, self._exchange.sum(partial) / n_words))

    def squares(self, log_rates: Floats) -> Floats:
        """Return the squared deviations of this process's words, V x P."""
        data, squares = self._data, np.zeros_like(self._workspace.held_dispersions)
        groups.group_squares(data.bin_words, log_rates, data.parents, data.groups, squares)
        return squares

    def dispersion_sums(self, squares: Floats, scale: float) -> Floats:
        partial = np.empty((len(self._data.bin_order), len(self.n_children), 3))
        dispersion_sums(self._data, squares, scale, partial)
        return self._exchange.sum(partial)

    def drift_sums(self, state: State, drifts: Floats) -> Floats:
        assert self._known is not None
        partial = np.empty((len(self._data.bin_order), len(drifts), 3))
        drift_sums(self._data, state.log_rates, self._known.spreads, drifts, partial)
        return self._exchange.sum(partial)

    def about_root(self, state: State) -> tuple[Floats, Floats]:
        """Return the precision-weighted means of the topics' log rates, and their variances."""
        assert self._known is not None
        own, first = self._exchange.own("words"), 1 + self._known.n_known
        log_rates = state.log_rates[own]
        of_known = 1 / self._fixed_variances(state)[own, 1:]
        of_extra = 1 / state.dispersions[own, 0]
        precision = of_known.sum(axis=1) + (log_rates.shape[1] - first) * of_extra
        pull = (of_known * log_rates[:, 1:first]).sum(axis=1)
        pull += of_extra * log_rates[:, first:].sum(axis=1)
        about = np.empty((len(state.log_rates), 2))
        about[own, 0], about[own, 1] = pull / precision, 1 / precision
        self._exchange.share("words", about)
        return about[:, 0].copy(), about[:, 1].copy()

    def draw_dispersions(
        self, squares: Floats, df: float, scale: float, address: Address, out: Floats
    ) -> None:
        groups.draw_dispersions(
            squares, self.n_children, df, scale, address, self._data.bin_words, out
        )

    def exponentiate(self, state: State) -> tuple[Floats, Floats]:
        """Return the rates, a row for each word in the order of the processes, and their sums."""
        data, rates = self._data, self._rates.array
        self._workspace.take("rates")
        rows = np.arange(self._mine.start, self._mine.stop)
        groups.exponentiate(data.bin_words, state.log_rates, data.factors, rows, rates)
        partial = np.empty((len(data.bin_order), rates.shape[1]))
        rate_sums(data, rates, rows, partial)
        sums = self._exchange.sum(partial)
        self._rates.fill()
        return rates, sums

    def root(self, log_rates: Floats) -> Floats:
        root = log_rates[:, 0].copy()
        self._exchange.share("words", root)
        return root

    def fit_gaussians(self, state: State) -> None:
        modes, own = self._workspace.read("modes"), self.gaussians
        word_gaussians.match_words(self._data, self.given(state), modes, own.curvature, own.pulls)
        word_gaussians.match_dispersions(
            self._data, own, modes, state.dispersions, self._fixed_variances(state),
            own.group_precisions, own.group_pulls,
        )  # fmt: skip

    def standardise(self, state: State, terms: Terms) -> None:
        """Store the standardised log rates and log dispersions, which the move holds fixed."""
        held = self._workspace.take("held_log_rates"), self._workspace.held_dispersions
        word_gaussians.standardise(
            self._data, self.gaussians, terms, state.log_rates, state.dispersions,
            self._fixed_variances(state), *held,
        )  # fmt: skip

    def log_density(self, state: State, terms: Terms, *, likelihood_known: bool = False) -> Floats:
        space = self._workspace
        known = WordLikelihood(np.empty(0), np.empty((0, 0)))
        if likelihood_known:
            known = WordLikelihood(self.likelihood.value, space.read("slopes"))
        partial = np.empty((len(self._data.bin_order), 3))
        word_density(
            self._data, self.given(state), self.gaussians, terms,
            space.read("held_log_rates"), space.held_dispersions,
            known, likelihood_known,
            space.take("proposed_log_rates"), space.proposed_dispersions, partial,
        )  # fmt: skip
        return self._exchange.sum(partial)

    def accept(self, state: State) -> None:
        own, space = self._exchange.own("words"), self._workspace
        state.log_rates[own] = space.read("proposed_log_rates")[own]
        state.dispersions[own] = space.proposed_dispersions[own]

    def find_curvature(self, state: State) -> None:
        words, curvature = self._data.bin_words, self._workspace.take("exposed_rates")
        curvature[:] = 0.0  # of other processes' words
        groups.exponentiate(words, state.log_rates, self._data.factors, words, curvature)
        curvature *= self._exposure

    def draw_about(self, state: State, centre: Floats, address: Address) -> Floats:
        drawn = np.empty_like(centre)
        laplace.draw_log_rates(self._data, self._gaussian(state), centre, address, drawn)
        return drawn

    def add_variances(self, state: State, squares: Floats) -> None:
        laplace.deviation_variances(self._data, self._gaussian(state), squares)

    def variances(self, state: State) -> Floats:
        """Return the variances of the log rates in the Gaussian at the mode."""
        variances = np.zeros_like(state.log_rates)
        laplace.log_rate_variances(self._data, self._gaussian(state), variances)
        return variances

    def _gaussian(self, state: State) -> RateState:
        """Return what the kernels need of the Gaussian, without memberships, which may be newer."""
        return self._given_with(state, _NOTHING, self._workspace.read("exposed_rates"))

    def expect_dispersions(self, squares: Floats, df: float, scale: float, out: Floats) -> None:
        out[:] = (df * scale + squares) / (df + self.n_children)

    def move_to_modes(self, state: State) -> None:
        state.log_rates[:] = self._workspace.read("modes")

    def learned(self) -> list[Learned]:
        return [Learned("curvature", self.curvature, "words")]

    def learned_gaussians(self) -> list[Learned]:
        """Return the Gaussians; with the tree's curvature, they share that of the trajectories."""
        return [
            Learned(name, array, "words")
            for name, array in self.gaussians._asdict().items()
            if array is not self.curvature
        ]

"""Passes over words on the device: launches of kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.engines.cuda.memory import copied, rows_of, zeros
from frex.sampler.engines.cuda.steps import DeviceSteps
from frex.sampler.engines.cuda.sums import BinSums
from frex.sampler.engines.verbs import MOST_ITERATIONS, TOLERANCE, Learned, Moves
from frex.sampler.formulas.interweaving_words import WordGaussians
from frex.sampler.kernels.cuda import groups as group_kernels
from frex.sampler.kernels.cuda import interweaving_words as along
from frex.sampler.kernels.cuda import rates as kernels
from frex.sampler.kernels.cuda.options import (
    PLAIN_THREADS,
    STRETCH_THREADS,
    SUM_THREADS,
    WORD_THREADS,
    striding,
)
from frex.sampler.kernels.cuda.rates import Given
from frex.sampler.kernels.words import WordLikelihood
from frex.sampler.schmc import StepSize
from frex.sampler.splitting import splitting

if TYPE_CHECKING:
    from frex.sampler.arrays import Floats, Ints
    from frex.sampler.engines.cuda.corpus import DeviceCorpus
    from frex.sampler.formulas.interweaving_words import Terms
    from frex.sampler.formulas.random import Address
    from frex.sampler.state import State

BETWEEN_LOOKS = 4
"""Iterations of the searches for modes between two checks whether all have ended."""


class Squares:
    """Squared deviations of this GPU's words.

    Parameters
    ----------
    on_device
        Words x groups.
    n_words
        Words of the whole corpus; `len` returns it.
    """

    def __init__(self, on_device: Any, n_words: int) -> None:
        self.on_device = on_device
        self._n_words = n_words

    def __len__(self) -> int:
        return self._n_words


class CudaWords:
    """A chain's passes over words on the device.

    Parameters
    ----------
    corpus
        The corpus on the device.
    n_children
        Number of children of each group.
    """

    def __init__(self, corpus: DeviceCorpus, n_children: Ints) -> None:
        n_words, n_nodes, n_groups = corpus.n_words, corpus.n_nodes, corpus.n_groups
        exchange, bins = corpus.exchange, corpus.word_bins
        self.corpus, self._exchange = corpus, exchange
        self.n_children = copied(n_children.astype(np.float64))
        self.curvature = zeros((n_words, n_nodes))
        self.gaussians = WordGaussians(
            *(zeros((n_words, n_nodes)) for _ in range(2)),
            *(zeros((n_words, n_groups)) for _ in range(2)),
        )
        self.done = zeros((2, n_words))
        self._likelihood_left = WordLikelihood(zeros(n_words), zeros((n_words, n_nodes)))
        self._moves = BinSums(bins, exchange, 2)
        self._squares = Squares(zeros((n_words, n_groups)), exchange.sizes["words"])
        self.every_rate = zeros((exchange.sizes["words"], n_nodes))  #: of the words of all GPUs
        self._rates = rows_of(self.every_rate, exchange.mine("words"))
        self._rate_sums = BinSums(corpus.rate_bins, exchange, n_nodes)
        self.rate_sums = zeros(n_nodes)
        self._root_places = copied((n_nodes * np.arange(n_words)).astype(np.int32))
        self._root = zeros(n_words)
        self._exposure = zeros(n_nodes)
        self.modes = zeros((n_words, n_nodes))
        self._stages = copied(np.zeros((n_words, 2), np.int32))
        self._held = zeros((n_words, n_nodes)), zeros((n_words, n_groups))
        self._square_sums = BinSums(bins, exchange, 3 * n_groups)
        self._densities = BinSums(bins, exchange, 3)
        self._blocks = (n_words, WORD_THREADS)
        self._plain_blocks = (-(-n_words // PLAIN_THREADS), PLAIN_THREADS)

    def new_steps(self, n_stages: int) -> DeviceSteps:
        corpus, exchange = self.corpus, self._exchange
        host = StepSize.create(exchange.sizes["words"], n_stages, kind="words", exchange=exchange)
        return DeviceSteps(host, corpus.words_at, corpus.n_words)

    def set_memberships(self, exposure: Floats, memberships: Any) -> None:
        self._exposure.copy_to_device(exposure)
        theta = self.corpus.theta
        kernels.gather[striding(theta.size)](self.corpus.words.labels, memberships, theta)

    def _given(self, state: State) -> Given:
        """Return what the kernels need of the chain's state."""
        return Given(
            state.dispersions,
            self._exposure,
            self.corpus.theta,
            float(state.hyper.root_mean),
            float(state.hyper.root_variance),
        )

    def _likelihood(self, *, with_value: bool) -> None:
        corpus = self.corpus
        kernels.likelihood[corpus.n_stretches, STRETCH_THREADS](
            corpus.words, corpus.theta, corpus.path, with_value
        )

    def draw(self, state: State, steps: DeviceSteps, address: Address) -> Moves:
        corpus, given = self.corpus, self._given(state)
        kernels.begin[self._blocks](
            corpus.tree, corpus.words, given, state.log_rates, self.curvature, steps.on_device,
            address, corpus.path,
        )  # fmt: skip
        n_stages = steps.n_stages
        kicks, drifts = splitting(n_stages)
        for stage in range(n_stages + 1):
            self._likelihood(with_value=stage in (0, n_stages))
            drift = float(drifts[stage]) if stage < n_stages else 0.0
            kernels.leap[self._blocks](
                corpus.tree, corpus.words, given, corpus.path, stage, n_stages,
                float(kicks[stage]), drift, state.log_rates, self._likelihood_left, self.done,
            )  # fmt: skip
        means = self._moves.take(self.done)[0] / self._exchange.sizes["words"]
        return Moves(self.done[0], *map(float, means))

    def find_modes(self, state: State) -> None:
        corpus, modes, given = self.corpus, self.modes, self._given(state)
        modes.copy_to_device(state.log_rates)
        kernels.begin_search[self._blocks](modes, corpus.path, self._stages)
        while True:
            for _ in range(BETWEEN_LOOKS):
                self._likelihood(with_value=True)
                kernels.search[self._blocks](
                    corpus.tree, corpus.words, given, corpus.path, MOST_ITERATIONS, TOLERANCE,
                    modes, self.curvature, self._stages,
                )  # fmt: skip
            if not corpus.path.moving.copy_to_host().any():
                return

    def squares(self, log_rates: Any) -> Squares:
        """Return the squared deviations of every group, in memory that the next call reuses."""
        corpus = self.corpus
        group_kernels.group_squares[self._blocks](
            log_rates, corpus.tree, corpus.group_parents, self._squares.on_device
        )
        return self._squares

    def dispersion_sums(self, squares: Squares, scale: float) -> Floats:
        corpus, sums = self.corpus, self._square_sums
        group_kernels.dispersion_sums[(corpus.word_bins.n_chunks, corpus.n_groups), SUM_THREADS](
            squares.on_device, scale, corpus.word_bins.chunk_starts, sums.chunks
        )
        return sums.finish().reshape(corpus.n_groups, 3)

    def draw_dispersions(
        self, squares: Squares, df: float, scale: float, address: Address, out: Any
    ) -> None:
        group_kernels.draw_dispersions[self._plain_blocks](
            self.corpus.words, squares.on_device, self.n_children, df, scale, address, out
        )

    def exponentiate(self, state: State) -> tuple[Any, Any]:
        """Return the rates of the words of all GPUs, and their sums."""
        bins = self.corpus.rate_bins
        group_kernels.exponentiate[bins.n_chunks, WORD_THREADS](
            state.log_rates, bins.chunk_starts, self._rates, self._rate_sums.chunks
        )
        self.corpus.tables.share_rates(self.every_rate)
        self.rate_sums.copy_to_device(self._rate_sums.finish()[0])
        return self.every_rate, self.rate_sums

    def root(self, log_rates: Any) -> Floats:
        kernels.gather[striding(self.corpus.n_words)](
            self._root_places, log_rates.ravel(), self._root
        )
        root = self.corpus.words_at.pulled(self._root)
        self._exchange.share("words", root)
        return root

    def fit_gaussians(self, state: State) -> None:
        corpus = self.corpus
        kernels.place[self._blocks](self.modes, corpus.path)
        self._likelihood(with_value=False)
        along.match_words[self._blocks](
            corpus.words, self._given(state), self.modes, corpus.path, self.gaussians
        )
        along.match_dispersions[self._blocks](
            corpus.tree, self.gaussians, corpus.group_parents, self.modes, state.dispersions,
            corpus.along,
        )  # fmt: skip

    def standardise(self, state: State, terms: Terms) -> None:
        """Store the standardised log rates and log dispersions, which the move holds fixed."""
        corpus = self.corpus
        along.standardise[self._blocks](
            corpus.tree, self.gaussians, terms, state.log_rates, state.dispersions, corpus.along,
            *self._held,
        )  # fmt: skip

    def log_density(self, state: State, terms: Terms, *, likelihood_known: bool = False) -> Floats:
        corpus = self.corpus
        along.place_words[self._blocks](
            corpus.tree,
            self.gaussians,
            terms,
            self.n_children,
            *self._held,
            corpus.along,
            corpus.path,
        )
        if not likelihood_known:
            self._likelihood(with_value=True)
        along.add_likelihood[self._blocks](
            corpus.words, self._given(state), corpus.path, self._likelihood_left,
            likelihood_known, corpus.along,
        )  # fmt: skip
        total: Floats = self._densities.take(corpus.along.terms)[0]
        return total

    def accept(self, state: State) -> None:
        along.take[self._blocks](self.corpus.along, state.log_rates, state.dispersions)

    def find_curvature(self, state: State) -> None:
        self.exponentiate(state)
        kernels.curvature_at[self._blocks](self._rates, self._exposure, self.curvature)

    def draw_about(self, state: State, centre: Any, address: Address) -> Any:
        corpus = self.corpus
        drawn = zeros((corpus.n_words, corpus.n_nodes))
        group_kernels.draw_log_rates[self._blocks](
            corpus.tree, corpus.words, self._given(state), self.curvature, centre, address,
            corpus.path, drawn,
        )  # fmt: skip
        return drawn

    def add_variances(self, state: State, squares: Squares) -> None:
        corpus = self.corpus
        group_kernels.deviation_variances[self._blocks](
            corpus.tree, self._given(state), self.curvature, corpus.path, squares.on_device
        )

    def expect_dispersions(self, squares: Squares, df: float, scale: float, out: Any) -> None:
        group_kernels.expect_dispersions[self._plain_blocks](
            squares.on_device, self.n_children, df, scale, out
        )

    def move_to_modes(self, state: State) -> None:
        log_rates: Any = state.log_rates
        log_rates.copy_to_device(self.modes)

    def learned(self) -> list[Learned]:
        return [Learned("curvature", self.curvature, "words")]

    def learned_gaussians(self) -> list[Learned]:
        parts = self.gaussians._asdict().items()
        return [Learned(name, array, "words") for name, array in parts]

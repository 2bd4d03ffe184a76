"""The words on the device: launches of their kernels, in the order in which a block needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.cuda.memory import copied, room, rows_of
from frex.sampler.cuda.sums import BinSums
from frex.sampler.formulas.interweaving_words import WordGaussians
from frex.sampler.kernels.cuda import groups as group_kernels
from frex.sampler.kernels.cuda import interweaving_words as together
from frex.sampler.kernels.cuda import rates as kernels
from frex.sampler.kernels.cuda.options import (
    PLAIN_THREADS,
    STRETCH_THREADS,
    SUM_THREADS,
    WORD_THREADS,
    striding,
)
from frex.sampler.kernels.words import WordLikelihood
from frex.sampler.rates import N_STEPS
from frex.sampler.splitting import splitting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.sampler.cuda.corpus import DeviceCorpus
    from frex.sampler.cuda.state import DeviceState
    from frex.sampler.formulas.interweaving_words import Terms
    from frex.sampler.formulas.random import Address
    from frex.sampler.kernels.cuda.rates import Given

BETWEEN_LOOKS = 4
"""Steps of all searches for modes between two looks at whether all have ended."""


class Squares:
    """Squared deviations of this GPU's words.

    Parameters
    ----------
    on_device
        Words x groups.
    n_words
        Of the whole corpus, which is how many they count for.
    """

    def __init__(self, on_device: Any, n_words: int) -> None:
        self.on_device = on_device
        self._n_words = n_words

    def __len__(self) -> int:
        return self._n_words


class DeviceWords:
    """What a chain has of the words, and the work on it.

    Parameters
    ----------
    corpus
        The corpus on the device.
    n_children
        Of the groups.
    """

    def __init__(self, corpus: DeviceCorpus, n_children: NDArray[np.int64]) -> None:
        n_words, n_nodes, n_groups = corpus.n_words, corpus.n_nodes, corpus.n_groups
        exchange, bins = corpus.exchange, corpus.word_bins
        self.corpus = corpus
        self.n_children = copied(n_children.astype(np.float64))
        self.curvature = room((n_words, n_nodes))
        self.own = WordGaussians(
            *(room((n_words, n_nodes)) for _ in range(2)),
            *(room((n_words, n_groups)) for _ in range(2)),
        )
        self.done = room((2, n_words))
        self.accepted = self.done[0]
        self._known = WordLikelihood(room(n_words), room((n_words, n_nodes)))
        self.moves = BinSums(bins, exchange, 2)
        self.squares = Squares(room((n_words, n_groups)), exchange.n_words)
        self.every_rate = room((exchange.n_words, n_nodes))  #: of the words of all GPUs
        self.rates = rows_of(self.every_rate, exchange.words)
        self._rate_sums = BinSums(corpus.rate_bins, exchange, n_nodes)
        self.rate_sums = room(n_nodes)
        self._root = room(n_words)
        self.modes = room((n_words, n_nodes))
        self._stages = copied(np.zeros((n_words, 2), np.int32))
        self._held = room((n_words, n_nodes)), room((n_words, n_groups))
        self._square_sums = BinSums(bins, exchange, 3 * n_groups)
        self._densities = BinSums(bins, exchange, 3)

    def gather(self, memberships: Any) -> None:
        """Copy the memberships of all documents to the words' tokens, for all that follows."""
        theta = self.corpus.theta
        kernels.gather[striding(theta.size)](self.corpus.words.labels, memberships, theta)

    def _likelihood(self, *, with_value: bool) -> None:
        corpus = self.corpus
        kernels.likelihood[corpus.n_stretches, STRETCH_THREADS](
            corpus.words, corpus.theta, corpus.path, with_value
        )

    def update(self, state: DeviceState, given: Given, step: Any, address: Address) -> None:
        """Draw all log rates by one trajectory; `done` says what each word did."""
        corpus = self.corpus
        blocks = (corpus.n_words, WORD_THREADS)
        kernels.begin[blocks](
            corpus.tree, corpus.words, given, state.log_rates, self.curvature, step, address,
            corpus.path,
        )  # fmt: skip
        kicks, drifts = splitting(N_STEPS)
        for stage in range(N_STEPS + 1):
            self._likelihood(with_value=stage in (0, N_STEPS))
            drift = float(drifts[stage]) if stage < N_STEPS else 0.0
            kernels.leap[blocks](
                corpus.tree, corpus.words, given, corpus.path, stage, N_STEPS,
                float(kicks[stage]), drift, state.log_rates, self._known, self.done,
            )  # fmt: skip

    def refresh(self, state: DeviceState, given: Given) -> None:
        """Find every word's conditional mode and the curvature there."""
        corpus, modes = self.corpus, self.modes
        modes.copy_to_device(state.log_rates)
        blocks = (corpus.n_words, WORD_THREADS)
        kernels.begin_search[blocks](modes, corpus.path, self._stages)
        while True:
            for _ in range(BETWEEN_LOOKS):
                self._likelihood(with_value=True)
                kernels.search[blocks](
                    corpus.tree, corpus.words, given, corpus.path, 50, 1e-6, modes,
                    self.curvature, self._stages,
                )  # fmt: skip
            if not corpus.path.moving.copy_to_host().any():
                return

    def curve_at(self, given: Given) -> None:
        """Fill the curvature at the rates of the last `exponentiate`."""
        kernels.curve[self.corpus.n_words, WORD_THREADS](self.rates, given.exposure, self.curvature)

    def find_squares(self, log_rates: Any) -> Any:
        """Fill and return the squared deviations of every group, a `Squares`."""
        corpus = self.corpus
        group_kernels.group_squares[corpus.n_words, WORD_THREADS](
            log_rates, corpus.tree, corpus.group_parents, self.squares.on_device
        )
        return self.squares

    def add_deviation_variances(self, given: Given) -> None:
        """Add to the squares what deviations vary about the modes."""
        corpus = self.corpus
        group_kernels.deviation_variances[corpus.n_words, WORD_THREADS](
            corpus.tree, given, self.curvature, corpus.path, self.squares.on_device
        )

    def dispersion_sums(self, squares: Squares, scale: float) -> NDArray[np.float64]:
        """Return sums over words that ``(nu, sigma2)`` needs, groups x 3."""
        corpus, sums = self.corpus, self._square_sums
        group_kernels.dispersion_sums[(corpus.word_bins.n_chunks, corpus.n_groups), SUM_THREADS](
            squares.on_device, scale, corpus.word_bins.chunk_starts, sums.chunks
        )
        return sums.finish().reshape(corpus.n_groups, 3)

    def draw_dispersions(self, df: float, scale: float, address: Address, dispersions: Any) -> None:
        """Draw all dispersions, given the squares."""
        corpus = self.corpus
        group_kernels.draw_dispersions[-(-corpus.n_words // PLAIN_THREADS), PLAIN_THREADS](
            corpus.words, self.squares.on_device, self.n_children, df, scale, address, dispersions
        )

    def expect_dispersions(self, df: float, scale: float, dispersions: Any) -> None:
        """Fill the dispersions with what the squares say of them."""
        group_kernels.expect_dispersions[-(-self.corpus.n_words // PLAIN_THREADS), PLAIN_THREADS](
            self.squares.on_device, self.n_children, df, scale, dispersions
        )

    def draw_log_rates(self, given: Given, modes: Any, address: Address, out: Any) -> None:
        """Draw log rates from the Gaussian about modes at which the curvature is."""
        corpus = self.corpus
        group_kernels.draw_log_rates[corpus.n_words, WORD_THREADS](
            corpus.tree, corpus.words, given, self.curvature, modes, address, corpus.path, out
        )

    def exponentiate(self, log_rates: Any) -> None:
        """Fill the rates of this GPU's words, and their roots' log rates."""
        bins = self.corpus.rate_bins
        group_kernels.exponentiate[bins.n_chunks, WORD_THREADS](
            log_rates, bins.chunk_starts, self.rates, self._root, self._rate_sums.chunks
        )

    def share_rates(self) -> None:
        """Fill the rates of all words, and their sums, once `exponentiate` has filled its own."""
        self.corpus.exchange.share_rates(self.every_rate)
        self.rate_sums.copy_to_device(self._rate_sums.finish()[0])

    def root_log_rates(self) -> NDArray[np.float64]:
        """Return every word's log rate at the root, as the last `exponentiate` met it."""
        root = self.corpus.words_at.pulled(self._root)
        self.corpus.exchange.share_words(root)
        return root

    # (nu, sigma2) with log rates and dispersions moving along

    def match(self, state: DeviceState, given: Given) -> None:
        """Match the Gaussians to the words at their modes."""
        corpus = self.corpus
        blocks = (corpus.n_words, WORD_THREADS)
        kernels.place[blocks](self.modes, corpus.path)
        self._likelihood(with_value=False)
        together.match_words[blocks](corpus.words, given, self.modes, corpus.path, self.own)
        together.match_dispersions[blocks](
            corpus.tree, self.own, corpus.group_parents, self.modes, state.dispersions, corpus.room
        )

    def standardise(self, state: DeviceState, terms: Terms) -> None:
        """Fill what the move holds fixed."""
        corpus = self.corpus
        together.standardise[corpus.n_words, WORD_THREADS](
            corpus.tree, self.own, terms, state.log_rates, state.dispersions, corpus.room,
            *self._held,
        )  # fmt: skip

    def density(self, given: Given, terms: Terms, *, at_start: bool = False) -> NDArray[np.float64]:
        """Return the log density, prior of nu and sigma2 left out, and its two slopes.

        At the start, where the rate block left the words, their likelihood is known.
        """
        corpus = self.corpus
        blocks = (corpus.n_words, WORD_THREADS)
        together.place_words[blocks](
            corpus.tree, self.own, terms, self.n_children, *self._held, corpus.room, corpus.path
        )
        if not at_start:
            self._likelihood(with_value=True)
        together.add_likelihood[blocks](
            corpus.words, given, corpus.path, self._known, at_start, corpus.room
        )
        total: NDArray[np.float64] = self._densities.take(corpus.room.terms)[0]
        return total

    def take(self, state: DeviceState) -> None:
        """Take over where the last `density` was asked for."""
        together.take[self.corpus.n_words, WORD_THREADS](
            self.corpus.room, state.log_rates, state.dispersions
        )

"""The record of the draws on the CPU: moments, scores and traced values of a process's part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.kernels.scored import score_words
from frex.sampler.moments import RunningMoments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.sampler.arrays import Floats, Ints
    from frex.sampler.exchange import Exchange, RowKind
    from frex.sampler.state import State


class CpuMoments:
    """Running moments of this process's rows of an array.

    Parameters
    ----------
    kind
        Kind of the rows.
    moments
        Moments of this process's rows.
    exchange
        Communication with the other processes.
    """

    def __init__(self, kind: RowKind, moments: RunningMoments, exchange: Exchange) -> None:
        self._kind, self._moments, self._exchange = kind, moments, exchange

    @property
    def count(self) -> int:
        return self._moments.count

    def take(self, draw: Floats, *, logarithm: bool = False) -> None:
        own = draw[self._exchange.own(self._kind)]
        self._moments.update(np.log(own) if logarithm else own)

    def take_rows(self, rows: Floats) -> None:
        self._moments.update(rows)

    def whole_mean(self) -> NDArray[np.floating]:
        own, exchange = self._moments.mean, self._exchange
        if exchange.size == 1:
            return own
        every = np.empty((exchange.sizes[self._kind], *own.shape[1:]))
        every[exchange.own(self._kind)] = own
        exchange.share(self._kind, every)
        return every

    def whole(self) -> RunningMoments:
        if self._exchange.size == 1:
            return self._moments
        arrays = self._moments.to_arrays()
        joined: dict[str, NDArray[Any]] = {"count": np.asarray(arrays["count"])}
        for name in ("mean", "squares"):
            joined[name] = self._exchange.gather_own(self._kind, np.asarray(arrays[name]))
        return RunningMoments.from_arrays(joined)

    def again(self) -> CpuMoments:
        return CpuMoments(self._kind, self._moments.again(), self._exchange)


class CpuScorer:
    """Fills the scores of some words of this process's topics.

    Parameters
    ----------
    words
        Words of each topic, topics x words.
    n_topics
        Number of topics of all processes.
    exchange
        Communication with the processes among which topics are divided.
    """

    def __init__(self, words: NDArray[np.int32], n_topics: int, exchange: Exchange) -> None:
        self._exchange, self._topics = exchange, exchange.stretch(n_topics)
        self._words = exchange.rows("words")[words].astype(np.int32)
        self._table = exchange.table("words", (n_topics,), None, in_order=True)

    def __call__(self, rates: Floats, exclusivity: Floats, out: NDArray[np.float32]) -> None:
        """Fill scores, given the rates of all words and the exclusivity of this process's words."""
        topics, every = self._topics, exclusivity
        if self._exchange.size > 1:  # an ECDF is over all words
            table = self._table.array
            table[self._exchange.mine("words")] = exclusivity
            self._table.fill()
            every = np.ascontiguousarray(table[:, topics])
            rates = np.ascontiguousarray(rates[:, topics.start : topics.stop + 1])
        score_words(rates, every, self._words, out)


class CpuTracer:
    """Looks up log rates at (word, node) cells, and memberships of labels.

    Parameters
    ----------
    cells
        Pairs of word and node, cells x 2.
    labels
        Positions of labels.
    n_words
        Number of words of all processes.
    exchange
        Communication with the processes among which words are divided.
    """

    def __init__(self, cells: Ints, labels: Ints, n_words: int, exchange: Exchange) -> None:
        self._cells, self._labels, self._exchange = tuple(cells.T), labels, exchange
        has = np.zeros(n_words, np.bool_)
        has[exchange.own("words")] = True
        self._here = has[cells[:, 0]]

    def __call__(self, state: State) -> tuple[Floats, Floats]:
        """Return log rates and memberships, after all memberships have been shared."""
        log_rates = np.where(self._here, state.log_rates[self._cells], -np.inf)
        return self._exchange.largest(log_rates), state.memberships[self._labels].copy()

"""The record of the draws on the GPU; moments and scores stay on the device until needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.engines.cuda.memory import copied, rows_of, zeros
from frex.sampler.kernels.cuda import record as kernels
from frex.sampler.kernels.cuda.options import STRETCH_THREADS, WORD_THREADS, striding
from frex.sampler.kernels.cuda.rates import gather
from frex.sampler.moments import RunningMoments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.sampler.arrays import Floats, Ints
    from frex.sampler.engines.cuda.corpus import DeviceCorpus
    from frex.sampler.engines.cuda.memory import Places
    from frex.sampler.exchange import Exchange, RowKind
    from frex.sampler.record import ComparisonSets
    from frex.sampler.state import State


class CudaMoments:
    """Running moments of this GPU's rows of an array.

    Parameters
    ----------
    kind
        Kind of the rows.
    whole
        Moments of all rows to continue from.
    places
        Positions of rows on the device.
    n_rows
        Number of rows on the device.
    exchange
        Communication with the other GPUs.
    """

    def __init__(
        self, kind: RowKind, whole: RunningMoments, places: Places, n_rows: int, exchange: Exchange
    ) -> None:
        self._kind, self._places, self._n_rows, self._exchange = kind, places, n_rows, exchange
        self._width = whole.shape[1:]
        self.count = whole.count
        arrays: Any = whole.to_arrays()
        self._rows = [zeros((n_rows, *self._width)) for _ in range(2)]
        for part, theirs in zip(("mean", "squares"), self._rows, strict=True):
            places.push(arrays[part], theirs)
        self._flat = tuple(array.ravel() for array in self._rows)

    def take(self, draw: Any, *, logarithm: bool = False) -> None:
        """Add a draw of this GPU's part of the array, on the device."""
        self.count += 1
        scale = kernels.LOGARITHM if logarithm else kernels.AS_IS
        size = self._n_rows * int(np.prod(self._width))
        kernels.update_moments[striding(size)](draw.ravel(), scale, self.count, *self._flat)

    def take_rows(self, rows: Any) -> None:
        self.take(rows)

    def whole_mean(self) -> Floats:
        every = self._places.pulled(self._rows[0])
        self._exchange.share(self._kind, every)
        return every

    def whole(self) -> RunningMoments:
        found: dict[str, NDArray[Any]] = {"count": np.array(self.count)}
        for part, rows in zip(("mean", "squares"), self._rows, strict=True):
            found[part] = self._exchange.gather(self._kind, self._places.pulled(rows))
        return RunningMoments.from_arrays(found)

    def again(self) -> CudaMoments:
        none = RunningMoments((self._places.n_entries, *self._width))
        return CudaMoments(self._kind, none, self._places, self._n_rows, self._exchange)


class Exclusivity:
    """Fills the exclusivity of the words of all GPUs, one comparison set at a time."""

    def __init__(self, corpus: DeviceCorpus) -> None:
        n_words = corpus.exchange.sizes["words"]
        self.every = zeros((n_words, corpus.n_nodes - 1))
        self._own = rows_of(self.every, corpus.exchange.mine("words"))
        self._sets: dict[int, tuple[list[Any], Any]] = {}  # on the device, and their sums
        self._n_words = n_words

    def __call__(self, rates: Any, sets: ComparisonSets) -> Any:
        """Return the exclusivity of this GPU's words, in memory that the next call reuses."""
        if id(sets) not in self._sets:
            sums = zeros((self._n_words, len(sets.starts) - 1))
            self._sets[id(sets)] = [copied(np.asarray(part)) for part in sets], sums
        parts, sums = self._sets[id(sets)]
        kernels.exclusivity[rates.shape[0], WORD_THREADS](rates, *parts, sums, self.every)
        return self._own


class CudaScorer:
    """Fills the scores of some words of this process's topics.

    Parameters
    ----------
    words
        Words of each topic, topics x words.
    exclusivity
        Its last result, the exclusivity of all words, is scored.
    exchange
        Communication with the processes among which topics are divided.
    n_topics
        Number of topics of all processes.
    """

    def __init__(
        self, words: NDArray[np.int32], exclusivity: Exclusivity, exchange: Exchange, n_topics: int
    ) -> None:
        self._first_topic = exchange.stretch(n_topics).start
        self._n_topics = len(words)
        self._rows = copied(exchange.rows("words")[words].astype(np.int32))
        self._out = zeros((4, *words.shape))
        self._exclusivity = exclusivity

    def __call__(self, rates: Any, exclusivity: Any, out: NDArray[np.float32]) -> None:  # noqa: ARG002 - of own words
        """Fill scores, given rates of all words."""
        kernels.score_words[(self._n_topics, 2), STRETCH_THREADS](
            rates, self._exclusivity.every, self._first_topic, self._rows, self._out
        )
        out[:] = self._out.copy_to_host()[:, : self._n_topics]


class Traced:
    """Some values of a flat array on the device, each from the GPU that has it.

    Parameters
    ----------
    places
        Positions of the values on this device; -1 if another GPU has them.
    exchange
        Communication with the other GPUs.
    """

    def __init__(self, places: Ints, exchange: Exchange) -> None:
        self._here = places >= 0
        self._n_here = int(self._here.sum())
        self._places = copied(places[self._here].astype(np.int32))
        self._out = zeros(self._n_here)
        self._exchange = exchange

    def __call__(self, array: Any) -> Floats:
        """Return the values."""
        gather[striding(self._n_here)](self._places, array, self._out)
        values = np.full(len(self._here), -np.inf)
        values[self._here] = self._out.copy_to_host()[: self._n_here]
        return self._exchange.largest(values)


class CudaTracer:
    """Looks up log rates at (word, node) cells, and memberships of labels."""

    def __init__(self, cells: Ints, labels: Ints, corpus: DeviceCorpus) -> None:
        words, nodes = cells.T
        rows = corpus.words_at.find(words)
        places = np.where(rows >= 0, rows * corpus.n_nodes + nodes, -1)
        self._log_rates = Traced(places, corpus.exchange)
        self._memberships = Traced(corpus.labels_at.find(labels), corpus.exchange)

    def __call__(self, state: State) -> tuple[Floats, Floats]:
        """Return both."""
        return self._log_rates(state.log_rates.ravel()), self._memberships(state.memberships)

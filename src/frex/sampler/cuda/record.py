"""What is kept of the draws, with moments and scores on the device until they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.cuda.memory import copied, room, rows_of
from frex.sampler.kernels.cuda import record as kernels
from frex.sampler.kernels.cuda.options import STRETCH_THREADS, WORD_THREADS, striding
from frex.sampler.kernels.cuda.rates import gather
from frex.sampler.moments import RunningMoments
from frex.sampler.record import Record
from frex.sampler.scored import ScoredDraws, choose_candidates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.model.reductions import Reduced
    from frex.sampler.cuda.corpus import DeviceCorpus
    from frex.sampler.cuda.exchange import Alone
    from frex.sampler.cuda.memory import Places
    from frex.sampler.cuda.sampler import CudaSampler
    from frex.sampler.settings import Settings


class DeviceMoments(RunningMoments):
    """Running moments of what this GPU has of an array.

    Parameters
    ----------
    host
        Moments of the whole array to go on from.
    places
        Where rows of the array are on the device.
    n_rows
        How many rows there are.
    """

    def __init__(self, host: RunningMoments, places: Places, n_rows: int) -> None:
        width = host.shape[1:]
        super().__init__((len(places.host), *width))
        self.count = host.count
        self._places = places
        self._size = n_rows * int(np.prod(width))
        arrays: Any = host.to_arrays()
        rows = [room((n_rows, *width)) for _ in range(2)]
        for part, theirs in zip(("mean", "squares"), rows, strict=True):
            places.push(arrays[part], theirs)
        self._rows = rows
        self._on_device = tuple(array.ravel() for array in rows)
        self._current = False

    def take(self, draw: Any, scale: int = kernels.AS_IS) -> None:
        """Take in one draw of what this GPU has of the array, on the device and flat."""
        self.count += 1
        self._current = False
        kernels.update_moments[striding(self._size)](draw, scale, self.count, *self._on_device)

    def _pull(self) -> None:
        if not self._current:
            for mine, theirs in zip((self._mean, self._squares), self._rows, strict=True):
                mine[...] = theirs.copy_to_host()[self._places.device]
            self._current = True

    @property
    def mean(self) -> NDArray[np.floating]:
        """Mean of the draws, NaN before the first."""
        self._pull()
        return super().mean

    @property
    def variance(self) -> NDArray[np.float64]:
        """Unbiased variance of the draws; NaN before the second."""
        self._pull()
        return super().variance

    def to_arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the state as plain arrays, not copied: write them before the next draw."""
        self._pull()
        return super().to_arrays()


class DeviceScoredDraws(ScoredDraws):
    """Scores of the candidates of this GPU's topics, of draws that are on the device."""

    def lay(self, exchange: Alone) -> None:
        """Lay the candidates out, as they are in the table of all rates."""
        self._first_topic = exchange.topics.start
        self._rows = copied(exchange.rows[self.words].astype(np.int32))
        self._out = room((4, *self.words.shape))

    def score(self, rates: Any, exclusivity: Any, out: NDArray[np.float32]) -> None:
        """Fill the scores of a draw: rates and exclusivity of all words."""
        kernels.score_words[(len(self.words), 2), STRETCH_THREADS](
            rates, exclusivity, self._first_topic, self._rows, self._out
        )
        out[:] = self._out.copy_to_host()[:, : len(self.words)]


class Traced:
    """Some values of a flat array on the device, each from the GPU that has it.

    Parameters
    ----------
    places
        Where they are on this device; -1 where another has them.
    exchange
        With the others.
    """

    def __init__(self, places: NDArray[np.int64], exchange: Alone) -> None:
        self._here = places >= 0
        self._n_here = int(self._here.sum())
        self._places = copied(places[self._here].astype(np.int32))
        self._out = room(self._n_here)
        self._exchange = exchange

    def of(self, array: Any) -> NDArray[np.float64]:
        """Return the values."""
        gather[striding(self._n_here)](self._places, array, self._out)
        values = np.full(len(self._here), -np.inf)
        values[self._here] = self._out.copy_to_host()[: self._n_here]
        return self._exchange.largest(values)


class CudaRecord(Record):
    """Moments and scores pooled over the chains, and draws of each chain.

    Parameters
    ----------
    corpus, reduced, settings
        As for `Record`.
    on_device
        The corpus on the device.
    """

    def __init__(
        self, corpus: Corpus, reduced: Reduced, settings: Settings, on_device: DeviceCorpus
    ) -> None:
        super().__init__(corpus, reduced, settings)
        self._corpus = on_device
        exchange, n_nodes = on_device.exchange, on_device.n_nodes
        self._sets = {
            name: [copied(np.asarray(part)) for part in sets] for name, sets in self.sets.items()
        }
        n_words = corpus.n_words
        self._set_sums = {
            name: room((n_words, len(sets.starts) - 1)) for name, sets in self.sets.items()
        }
        self._exclusive = room((n_words, reduced.tree.n_topics))
        self._own_exclusive = rows_of(self._exclusive, exchange.words)
        words, nodes = self.traced_rates.T
        rows = on_device.words_at.find(words)
        cells = np.where(rows >= 0, rows * n_nodes + nodes, -1)
        self._traced_rates = Traced(cells, exchange)
        self._traced_labels = Traced(on_device.labels_at.find(self.traced_active), exchange)
        self.push()

    def push(self) -> None:
        """Take moments and scores that are whole to the device, or what it keeps of them."""
        topics = self._corpus.exchange.topics
        for kept in (self.moments, self.exclusivity):
            for name, moments in kept.items():
                if not isinstance(moments, DeviceMoments):
                    labels = name == "memberships" and kept is self.moments
                    kept[name] = self._of_labels(moments) if labels else self._of_words(moments)
        for name, scored in self.scored.items():
            if not isinstance(scored, DeviceScoredDraws):
                arrays = scored.to_arrays()
                arrays["words"] = arrays["words"][topics]
                arrays["values"] = arrays["values"][..., topics, :]
                self.scored[name] = self._scored_here(arrays)

    def add(self, chain: int, state: Any, sampler: Any) -> None:
        """Take in a draw of a chain."""
        self._add_moments(state, sampler)
        values = state.hyper._asdict()
        values["log_rates"] = self._traced_rates.of(state.log_rates.ravel())
        values["memberships"] = self._traced_labels.of(state.memberships)
        for name, value in values.items():
            self.draws[chain].setdefault(name, []).append(value)

    def foresee(self, log_rates: Any, rates: Any, sampler: Any) -> None:
        """Take in rates of all words that are close to the posterior, but no draw of it."""
        self._moments("log_rates").take(log_rates.ravel())
        for name, _ in self._exclusivity(rates, sampler):
            self._exclusive_moments(name).take(self._own_exclusive.ravel())

    def _add_moments(self, state: Any, sampler: CudaSampler) -> None:
        rates = sampler.words.every_rate  # log rates have not changed since they were exponentiated
        if not self.scored:
            self._choose_words(state.log_rates, rates, sampler)
        self._moments("log_rates").take(state.log_rates.ravel())
        self._moments("log_dispersions").take(state.dispersions.ravel(), kernels.LOGARITHM)
        self._moments("memberships").take(state.memberships)
        for name, values in self._exclusivity(rates, sampler):
            self._exclusive_moments(name).take(self._own_exclusive.ravel())
            self.scored[name].add(rates, values)

    def _choose_words(self, log_rates: Any, rates: Any, sampler: Any) -> None:
        """Choose whose scores are kept, and forget what led to the choice."""
        if not self.moments["log_rates"].count:
            self.foresee(log_rates, rates, sampler)
        topics = self._corpus.exchange.topics
        means = self._every_word(self.moments["log_rates"].mean)
        for name, moments in self.exclusivity.items():
            exclusivity = self._every_word(moments.mean)
            words = choose_candidates(
                means[:, topics.start : topics.stop + 1], exclusivity[:, topics]
            )
            fresh = ScoredDraws(words, self.n_sequences)
            self.scored[name] = self._scored_here(fresh.to_arrays())
            self.exclusivity[name] = self._of_words(RunningMoments(exclusivity.shape))
        self.moments["log_rates"] = self._of_words(RunningMoments(means.shape))

    def _every_word(self, rows: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return an array over all words from this GPU's rows of it."""
        exchange, words_at = self._corpus.exchange, self._corpus.words_at
        every = np.empty((exchange.n_words, rows.shape[1]))
        every[words_at.host] = rows
        exchange.share_words(every)
        return every

    def _of_words(self, whole: RunningMoments) -> DeviceMoments:
        return DeviceMoments(whole, self._corpus.words_at, self._corpus.n_words)

    def _of_labels(self, whole: RunningMoments) -> DeviceMoments:
        return DeviceMoments(whole, self._corpus.labels_at, self._corpus.n_labels)

    def _scored_here(self, arrays: dict[str, NDArray[np.generic]]) -> ScoredDraws:
        scored = DeviceScoredDraws.from_arrays(arrays, self.n_sequences)
        assert isinstance(scored, DeviceScoredDraws)
        scored.lay(self._corpus.exchange)
        return scored

    def _exclusivity(self, rates: Any, sampler: Any) -> Iterator[tuple[str, Any]]:  # noqa: ARG002
        """Yield each comparison set's name and exclusivity of all words; one at a time."""
        for name, sets in self._sets.items():
            kernels.exclusivity[rates.shape[0], WORD_THREADS](
                rates, *sets, self._set_sums[name], self._exclusive
            )
            yield name, self._exclusive

    def _moments(self, name: str) -> Any:
        return self.moments[name]

    def _exclusive_moments(self, name: str) -> Any:
        return self.exclusivity[name]

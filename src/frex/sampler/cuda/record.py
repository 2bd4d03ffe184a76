"""What is kept of the draws, with moments and scores on the device until they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.cuda.memory import copied, room
from frex.sampler.kernels.cuda import record as kernels
from frex.sampler.kernels.cuda.options import PLAIN_THREADS, STRETCH_THREADS, WORD_THREADS
from frex.sampler.moments import RunningMoments
from frex.sampler.record import Record
from frex.sampler.scored import ScoredDraws, choose_candidates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.model.reductions import Reduced
    from frex.sampler.cuda.corpus import DeviceCorpus
    from frex.sampler.cuda.sampler import CudaSampler
    from frex.sampler.settings import Settings


class DeviceMoments(RunningMoments):
    """Running moments of an array on the device.

    Parameters
    ----------
    host
        Moments to go on from.
    places
        Where the values are on the device, if not in the order of the host.
    size
        How many places there are.
    """

    def __init__(
        self,
        host: RunningMoments,
        places: NDArray[np.int64] | None = None,
        size: int | None = None,
    ) -> None:
        super().__init__(host.shape)
        arrays = host.to_arrays()
        self.count = host.count
        self._places = places
        self._size = int(np.prod(host.shape)) if size is None else size
        self._on_device = tuple(copied(self._laid(arrays[x])) for x in ("mean", "squares"))
        self._current = False

    def _laid(self, values: NDArray[Any]) -> NDArray[np.float64]:
        if self._places is None:
            return values.reshape(-1)
        laid = np.zeros(self._size)
        laid[self._places] = values
        return laid

    def take(self, draw: Any, scale: int = kernels.AS_IS) -> None:
        """Take in one draw of the whole array, on the device and flat."""
        self.count += 1
        self._current = False
        blocks = min(1024, -(-self._size // PLAIN_THREADS)) or 1
        kernels.update_moments[blocks, PLAIN_THREADS](draw, scale, self.count, *self._on_device)

    def _pull(self) -> None:
        if not self._current:
            for mine, theirs in zip((self._mean, self._squares), self._on_device, strict=True):
                values = theirs.copy_to_host()[: self._size]
                mine[...] = (values if self._places is None else values[self._places]).reshape(
                    self.shape
                )
            self._current = True

    @property
    def mean(self) -> NDArray[np.float64]:
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
    """Scores of each topic's candidates, of draws that are on the device."""

    def __init__(self, words: NDArray[np.int32], n_chains: int) -> None:
        super().__init__(words, n_chains)
        self._words_on_device = copied(words)
        self._out = room((4, *words.shape))

    def score(self, rates: Any, exclusivity: Any, out: NDArray[np.float32]) -> None:
        """Fill the scores of a draw."""
        kernels.score_words[(len(self.words), 2), STRETCH_THREADS](
            rates, exclusivity, self._words_on_device, self._out
        )
        out[:] = self._out.copy_to_host()


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
        self._sets = {
            name: [copied(np.asarray(part)) for part in sets] for name, sets in self.sets.items()
        }
        n_words = corpus.n_words
        self._set_sums = {
            name: room((n_words, len(sets.starts) - 1)) for name, sets in self.sets.items()
        }
        self._exclusive = room((n_words, reduced.tree.n_topics))
        n_traced = len(self.traced_rates) + len(self.traced_active)
        self._traced = room(n_traced)
        self._traced_cells = copied(self.traced_rates)
        self._traced_labels = copied(on_device.label_places[self.traced_active])
        self.push()

    def push(self) -> None:
        """Take moments and scores to the device, where they are on the host."""
        places, size = self._corpus.label_places, self._corpus.n_labels
        for kept in (self.moments, self.exclusivity):
            for name, moments in kept.items():
                if not isinstance(moments, DeviceMoments):
                    flat = (places, size) if name == "memberships" and kept is self.moments else ()
                    kept[name] = DeviceMoments(moments, *flat)
        for name, scored in self.scored.items():
            if not isinstance(scored, DeviceScoredDraws):
                arrays = scored.to_arrays()
                self.scored[name] = DeviceScoredDraws.from_arrays(arrays, self.n_sequences)

    def add(self, chain: int, state: Any, sampler: Any) -> None:
        """Take in a draw of a chain."""
        self._add_moments(state, sampler)
        n_rates = len(self.traced_rates)
        kernels.pick[-(-len(self._traced) // PLAIN_THREADS), PLAIN_THREADS](
            state.log_rates, state.memberships, self._traced_cells, self._traced_labels,
            self._traced,
        )  # fmt: skip
        traced = self._traced.copy_to_host()
        values = state.hyper._asdict()
        values["log_rates"] = traced[:n_rates]
        values["memberships"] = traced[n_rates : n_rates + len(self.traced_active)]
        for name, value in values.items():
            self.draws[chain].setdefault(name, []).append(value)

    def foresee(self, rates: Any) -> None:
        """Take in rates that are close to the posterior, but no draw of it."""
        self._moments("rates").take(rates.ravel())
        for name, values in self._exclusivity(rates):
            self._exclusive_moments(name).take(values.ravel())

    def _add_moments(self, state: Any, sampler: CudaSampler) -> None:
        rates = sampler.words.rates  # log rates have not changed since they were exponentiated
        if not self.scored:
            self._choose_words(rates)
        self._moments("rates").take(rates.ravel())
        self._moments("log_rates").take(state.log_rates.ravel())
        self._moments("dispersions").take(state.dispersions.ravel())
        self._moments("log_dispersions").take(state.dispersions.ravel(), kernels.LOGARITHM)
        self._moments("memberships").take(state.memberships)
        for name, values in self._exclusivity(rates):
            self._exclusive_moments(name).take(values.ravel())
            self.scored[name].add(rates, values)

    def _choose_words(self, rates: Any) -> None:
        """Choose whose scores are kept, and forget what led to the choice."""
        if not self.moments["rates"].count:
            self.foresee(rates)
        rates_mean = self.moments["rates"].mean
        for name, moments in self.exclusivity.items():
            words = choose_candidates(rates_mean, moments.mean)
            self.scored[name] = DeviceScoredDraws(words, self.n_sequences)
            self.exclusivity[name] = DeviceMoments(RunningMoments(moments.shape))
        self.moments["rates"] = DeviceMoments(RunningMoments(rates.shape))

    def _exclusivity(self, rates: Any) -> Iterator[tuple[str, Any]]:
        """Yield each comparison set's name and exclusivity, words x topics; one at a time."""
        for name, (starts, nodes, of_topic) in self._sets.items():
            kernels.exclusivity[rates.shape[0], WORD_THREADS](
                rates, starts, nodes, of_topic, self._set_sums[name], self._exclusive
            )
            yield name, self._exclusive

    def _moments(self, name: str) -> Any:
        return self.moments[name]

    def _exclusive_moments(self, name: str) -> Any:
        return self.exclusivity[name]

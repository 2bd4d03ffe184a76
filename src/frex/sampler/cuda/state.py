"""The state of a chain on the device, and its step sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from frex.sampler.cuda.memory import cuda, room
from frex.sampler.kernels.cuda.options import striding
from frex.sampler.kernels.cuda.record import learn
from frex.sampler.schmc import TARGET_ACCEPTANCE
from frex.sampler.state import State

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from frex.model.priors import Hyperparameters
    from frex.sampler.cuda.corpus import DeviceCorpus
    from frex.sampler.cuda.memory import Places
    from frex.sampler.schmc import StepSize


@dataclass
class DeviceState:
    """Where a chain is, or what this GPU has of it.

    Affinities and memberships lie as the documents' threads read them.
    """

    log_rates: Any  #: V x N
    dispersions: Any  #: V x P
    affinities: Any
    memberships: Any
    hyper: Hyperparameters

    @classmethod
    def of(cls, state: State, corpus: DeviceCorpus) -> DeviceState:
        """Copy a state to the device."""
        own = cls(
            room((corpus.n_words, state.log_rates.shape[1])),
            room((corpus.n_words, state.dispersions.shape[1])),
            room(corpus.n_labels),
            room(corpus.n_labels),
            state.hyper,
        )
        own.fill(state, corpus)
        return own

    def fill(self, state: State, corpus: DeviceCorpus) -> None:
        """Take over a state of the host."""
        corpus.words_at.push(state.log_rates, self.log_rates)
        corpus.words_at.push(state.dispersions, self.dispersions)
        corpus.labels_at.push(state.affinities, self.affinities)
        corpus.labels_at.push(state.memberships, self.memberships)
        self.hyper = state.hyper

    def to_host(self, corpus: DeviceCorpus) -> State:
        """Return a copy on the host; what other GPUs have of it is 0 there."""
        words_at, labels_at = corpus.words_at, corpus.labels_at
        return State(
            words_at.pulled(self.log_rates),
            words_at.pulled(self.dispersions),
            labels_at.pulled(self.affinities),
            labels_at.pulled(self.memberships),
            self.hyper,
        )

    def copy(self) -> DeviceState:
        """Return a state with arrays of its own."""
        arrays = (self.log_rates, self.dispersions, self.affinities, self.memberships)
        log_rates, dispersions, affinities, memberships = map(_copy, arrays)
        return DeviceState(log_rates, dispersions, affinities, memberships, self.hyper)


def _copy(array: Any) -> Any:
    own = cuda.device_array_like(array)
    own.copy_to_device(array)
    return own


class DeviceSteps:
    """Step sizes on the device, that learn as `StepSize` does.

    Parameters
    ----------
    host
        The same on the host; what was learned goes there when it is asked for.
    places
        Where each item is on the device.
    size
        How many places there are.
    share
        Fills what other GPUs have of arrays over the items.
    """

    def __init__(
        self,
        host: StepSize,
        places: Places,
        size: int,
        share: Callable[..., None],
    ) -> None:
        self._host, self._places, self._share = host, places, share
        self.on_device, self._log_sum = room(size), room(size)
        self._current = True
        self.push()

    def push(self) -> None:
        """Take over what the host has."""
        self._places.push(self._host.value, self.on_device)
        self._places.push(self._host.log_sum, self._log_sum)
        self._current = True

    def pull(self) -> StepSize:
        """Give the host what was learned."""
        if not self._current:
            self._places.pull(self.on_device, self._host.value)
            self._places.pull(self._log_sum, self._host.log_sum)
            self._current = True
        return self._host

    @property
    def value(self) -> NDArray[np.float64]:
        """The step sizes, on the host."""
        return self.pull().value

    @property
    def log_sum(self) -> NDArray[np.float64]:
        """Sums of their logarithms, on the host."""
        return self.pull().log_sum

    @property
    def seen(self) -> NDArray[np.int64]:
        """Scans in all, and those in the sums."""
        return self._host.seen

    def learn(self, acceptance: Any, *, late: bool) -> None:
        """Learn from a scan of the warm-up; those near its end count for the average."""
        seen = self._host.seen
        seen[0] += 1
        seen[1] += late
        rate = min(0.5, 2.0 / seen[0] ** 0.6)
        learn[striding(len(self.on_device))](
            acceptance, rate, TARGET_ACCEPTANCE, self._host.longest, late,
            self.on_device, self._log_sum,
        )  # fmt: skip
        self._current = False

    def freeze(self) -> None:
        """End the learning, and have all steps on the host."""
        host = self.pull()
        self._share(host.value, host.log_sum)
        host.freeze()
        self.push()

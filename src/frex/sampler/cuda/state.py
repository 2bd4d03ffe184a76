"""The state of a chain on the device, and its step sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.cuda.memory import cuda, room, spread
from frex.sampler.kernels.cuda.options import PLAIN_THREADS
from frex.sampler.kernels.cuda.record import learn
from frex.sampler.schmc import TARGET_ACCEPTANCE
from frex.sampler.state import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.priors import Hyperparameters
    from frex.sampler.cuda.corpus import DeviceCorpus
    from frex.sampler.schmc import StepSize


@dataclass
class DeviceState:
    """Where a chain is. Affinities and memberships lie as the documents' threads read them."""

    log_rates: Any  #: V x N
    dispersions: Any  #: V x P
    affinities: Any
    memberships: Any
    hyper: Hyperparameters

    @classmethod
    def of(cls, state: State, corpus: DeviceCorpus) -> DeviceState:
        """Copy a state to the device."""
        own = cls(
            room(state.log_rates.shape),
            room(state.dispersions.shape),
            room(corpus.n_labels),
            room(corpus.n_labels),
            state.hyper,
        )
        own.fill(state, corpus)
        return own

    def fill(self, state: State, corpus: DeviceCorpus) -> None:
        """Take over a state of the host."""
        self.log_rates.copy_to_device(np.ascontiguousarray(state.log_rates))
        self.dispersions.copy_to_device(np.ascontiguousarray(state.dispersions))
        spread(state.affinities, corpus.label_places, self.affinities)
        spread(state.memberships, corpus.label_places, self.memberships)
        self.hyper = state.hyper

    def to_host(self, corpus: DeviceCorpus) -> State:
        """Return a copy on the host."""
        return State(
            self.log_rates.copy_to_host(),
            self.dispersions.copy_to_host(),
            self.affinities.copy_to_host()[corpus.label_places],
            self.memberships.copy_to_host()[corpus.label_places],
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
    """

    def __init__(self, host: StepSize, places: NDArray[np.int64], size: int) -> None:
        self._host, self._places = host, places
        self.on_device, self._log_sum = room(size), room(size)
        self._current = True
        self.push()

    def push(self) -> None:
        """Take over what the host has."""
        spread(self._host.value, self._places, self.on_device)
        spread(self._host.log_sum, self._places, self._log_sum)
        self._current = True

    def pull(self) -> StepSize:
        """Give the host what was learned."""
        if not self._current:
            self._host.value[:] = self.on_device.copy_to_host()[self._places]
            self._host.log_sum[:] = self._log_sum.copy_to_host()[self._places]
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
        size = len(self.on_device)
        learn[-(-size // PLAIN_THREADS), PLAIN_THREADS](
            acceptance, rate, TARGET_ACCEPTANCE, self._host.longest, late,
            self.on_device, self._log_sum,
        )  # fmt: skip
        self._current = False

    def freeze(self) -> None:
        """End the learning."""
        self.pull().freeze()
        self.push()

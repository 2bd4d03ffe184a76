"""Step sizes on the device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.sampler.engines.cuda.memory import zeros
from frex.sampler.engines.verbs import Learned
from frex.sampler.kernels.cuda.options import striding
from frex.sampler.kernels.cuda.record import learn
from frex.sampler.schmc import TARGET_ACCEPTANCE, learning_rate

if TYPE_CHECKING:
    from frex.sampler.arrays import Floats
    from frex.sampler.engines.cuda.memory import Places
    from frex.sampler.schmc import StepSize


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

    Attributes
    ----------
    on_device
        The step sizes where the kernels read them.
    """

    def __init__(self, host: StepSize, places: Places, size: int) -> None:
        self._host, self._places = host, places
        self.n_stages = host.n_stages
        self.on_device, self._log_sum = zeros(size), zeros(size)
        self._current = True
        self._push()

    def _push(self) -> None:
        """Take over what the host has."""
        self._places.push(self._host.value, self.on_device)
        self._places.push(self._host.log_sum, self._log_sum)
        self._current = True

    def _pull(self) -> StepSize:
        """Give the host what was learned, on all GPUs; all processes ask for it."""
        host = self._host
        if not self._current:
            self._places.pull(self.on_device, host.value)
            self._places.pull(self._log_sum, host.log_sum)
            if host.exchange is not None and host.kind is not None:
                host.exchange.share(host.kind, host.value, host.log_sum)
            self._current = True
        return host

    @property
    def value(self) -> Floats:
        return self._pull().value

    def learn(self, acceptance: Any, *, late: bool) -> None:
        seen = self._host.seen
        seen[0] += 1
        seen[1] += late
        learn[striding(len(self.on_device))](
            acceptance, learning_rate(int(seen[0])), TARGET_ACCEPTANCE, self._host.longest, late,
            self.on_device, self._log_sum,
        )  # fmt: skip
        self._current = False

    def freeze(self) -> None:
        """End the learning, and have all steps on the host."""
        host = self._pull()
        host.freeze()
        self._push()

    def learned(self) -> list[Learned]:
        """Return the arrays that it keeps; who fills them from a file does so before any scan."""
        self._current = False
        return [
            Learned("step", self.on_device, self._host.kind),
            Learned("step_sum", self._log_sum, self._host.kind),
            Learned("step_seen", self._host.seen),
        ]

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
    """Step sizes on the device, with the adaptation of `StepSize`.

    Parameters
    ----------
    host
        The step sizes on the host, which are updated on request.
    places
        Positions of the items on the device.
    size
        Number of positions.

    Attributes
    ----------
    on_device
        The step sizes that the kernels read.
    """

    def __init__(self, host: StepSize, places: Places, size: int) -> None:
        self._host, self._places = host, places
        self.n_stages = host.n_stages
        self.on_device, self._log_sum = zeros(size), zeros(size)
        self._current = True
        self._push()

    def _push(self) -> None:
        """Copy the step sizes from the host."""
        self._places.push(self._host.value, self.on_device)
        self._places.push(self._host.log_sum, self._log_sum)
        self._current = True

    def _pull(self) -> StepSize:
        """Copy the step sizes of all GPUs to the host; all processes must call this."""
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
        """End the adaptation, and copy all step sizes to the host."""
        host = self._pull()
        host.freeze()
        self._push()

    def learned(self) -> list[Learned]:
        """Return the stored arrays; a checkpoint must restore them before the first scan."""
        self._current = False
        return [
            Learned("step", self.on_device, self._host.kind),
            Learned("step_sum", self._log_sum, self._host.kind),
            Learned("step_seen", self._host.seen),
        ]

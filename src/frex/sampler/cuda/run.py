"""A fit on the device: the chains of `sampler/run.py` with blocks, states and record there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.sampler.checkpoint import Link
from frex.sampler.cuda.record import CudaRecord
from frex.sampler.cuda.sampler import CudaSampler
from frex.sampler.cuda.start import dispersed, find_map
from frex.sampler.run import Run, in_phase
from frex.sampler.start import N_ROUNDS
from frex.sampler.state import Clock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from frex.sampler.cuda.corpus import DeviceCorpus


class CudaRun(Run):
    """Chains side by side on one GPU, scan by scan; what is saved goes by the host."""

    links: list[Any]
    record: Any

    def _new_record(self) -> Any:
        first = self._sampler()
        others = [self._sampler(like=first) for _ in range(1, self.settings.chains)]
        self._all = [first, *others]
        return self._record_on(first.corpus)

    def _record_on(self, corpus: DeviceCorpus) -> CudaRecord:
        return CudaRecord(self.corpus, self.reduced, self.settings, corpus)

    def _sampler(self, **how: Any) -> CudaSampler:
        """Return a sampler for a chain."""
        settings = self.settings
        return CudaSampler(
            self.reduced, settings.prior_family, interweave=settings.interweave, **how
        )

    def _samplers(self) -> Iterator[Any]:
        yield from self._all

    def start(self, *, overwrite: bool) -> None:
        """Find the middle of the posterior, and set the chains out around it."""
        self._prepare(overwrite=overwrite)
        middle: Any = find_map(self._all[0], progress=in_phase(self.progress, "start", N_ROUNDS))
        self.links = [
            Link(sampler, dispersed(sampler, middle, Clock(self.settings.seed, chain, 0)))
            for chain, sampler in enumerate(self._all)
        ]

    def resume(self) -> None:
        """Go back to where the checkpoint was written."""
        super().resume()
        self.links = [Link(sampler, sampler.push(state)) for sampler, state in self.links]
        self.record.push()

    def save(self) -> None:
        """Write the checkpoint, unless it is there already."""
        if self.checkpoint is None or self.scan == self.saved_scan:
            return
        on_device = self.links
        self.links = [Link(sampler, sampler.pull(state)) for sampler, state in on_device]
        super().save()
        self.links = on_device

"""One chain: its sampler, whose step sizes adapt in the warm-up, and its state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from frex.sampler.engines.verbs import Learned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from frex.sampler.scan import Sampler, ScanReport
    from frex.sampler.state import State


class Chain(NamedTuple):
    """A chain as it runs."""

    sampler: Sampler
    state: State

    def learn(self, report: ScanReport, *, late: bool) -> None:
        """Adapt the step sizes after a scan of the warm-up."""
        for name, acceptance in report.items.items():
            self.sampler.steps[name].learn(acceptance, late=late)

    def freeze(self) -> None:
        """End the adaptation."""
        for step in self.sampler.steps.values():
            step.freeze()

    def mean_steps(self) -> dict[str, float]:
        """Return the mean step size of every block that has items."""
        steps = {name: step.value for name, step in self.sampler.steps.items()}
        return {name: float(value.mean()) for name, value in steps.items() if len(value)}

    def arrays(self) -> Iterator[tuple[str, Learned]]:
        """Yield all arrays that the next scan depends on; blocks change them in place."""
        state = self.state
        yield "log_rates", Learned("log_rates", state.log_rates, "words")
        yield "dispersions", Learned("dispersions", state.dispersions, "words")
        yield "affinities", Learned("affinities", state.affinities, "labels")
        yield "memberships", Learned("memberships", state.memberships, "labels")
        yield from self.sampler.learned()

    def fetched(self) -> dict[str, NDArray[Any]]:
        """Return these arrays on the host, complete on the first process; all must call."""
        return {name: self.sampler.engine.fetch(learned) for name, learned in self.arrays()}

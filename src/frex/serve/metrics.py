"""Metrics in the text format of Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
_HELP = {
    "frex_requests_total": "Requests that were answered, by operation and status.",
    "frex_documents_total": "Documents that were worked on, by project.",
    "frex_replaced_total": "Fits that were replaced on the disk, by project and result.",
    "frex_request_seconds": "Seconds from a request's headers to its answer, by operation.",
    "frex_workers": "Workers that are warm.",
    "frex_workers_idle": "Workers that have nothing to do.",
    "frex_worker_deaths_total": "Workers that died and were replaced.",
    "frex_requests_waiting": "Requests that wait for a worker.",
    "frex_body_bytes": "Bytes of bodies that are held.",
    "frex_ready": "Whether requests are answered.",
}


class Metrics:
    """Counts since the start."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._times: dict[str, list[int]] = {}
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def count(self, name: str, n: int = 1, /, **labels: str) -> None:
        """Add to a counter.

        Parameters
        ----------
        name, n
            Which, and how much.
        **labels
            Its labels: few, and not chosen by a client.
        """
        pairs = ",".join(f'{key}="{value}"' for key, value in labels.items())
        self._counts[name, f"{{{pairs}}}"] += n

    def time(self, operation: str, seconds: float) -> None:
        """Add to the histogram of times."""
        counts = self._times.setdefault(operation, [0] * (len(_BOUNDS) + 1))
        counts[bisect_left(_BOUNDS, seconds)] += 1
        self._seconds[operation] += seconds

    def text(self, gauges: Mapping[str, float]) -> str:
        """Return all metrics.

        Parameters
        ----------
        gauges
            The current values.
        """
        return "\n".join([*self._counted(), *self._timed(), *_plain(gauges), ""])

    def _counted(self) -> Iterator[str]:
        for name in sorted({name for name, _ in self._counts}):
            yield from _header(name, "counter")
            for (other, labels), n in sorted(self._counts.items()):
                if other == name:
                    yield f"{name}{labels} {n}"

    def _timed(self) -> Iterator[str]:
        name = "frex_request_seconds"
        yield from _header(name, "histogram")
        for operation, counts in sorted(self._times.items()):
            total = 0
            for bound, n in zip((*_BOUNDS, "+Inf"), counts, strict=True):
                total += n
                yield f'{name}_bucket{{operation="{operation}",le="{bound}"}} {total}'
            yield f'{name}_sum{{operation="{operation}"}} {self._seconds[operation]:.6f}'
            yield f'{name}_count{{operation="{operation}"}} {total}'


def _plain(gauges: Mapping[str, float]) -> Iterator[str]:
    for name, value in gauges.items():
        yield from _header(name, "counter" if name.endswith("_total") else "gauge")
        yield f"{name} {value:g}"


def _header(name: str, kind: str) -> Iterator[str]:
    yield f"# HELP {name} {_HELP[name]}"
    yield f"# TYPE {name} {kind}"

"""The machine that runs a benchmark: its name, its memory, and the load of other work."""

from __future__ import annotations

import os
import platform
import resource
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil

DATA = Path(
    os.environ.get("FREX_TEST_DATA", Path(__file__).parents[2] / "shared" / "data")
)  #: real corpora, where there are any
OWN = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def processor() -> str:
    """Return the name of the processor."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(": ")[1]
    return platform.processor() or platform.machine()


def describe() -> str:
    """Return processor, cores and Python in a line."""
    return f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def busy_seconds() -> float:
    """Return the time for which the machine's cores were at work, for whomever."""
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0))


def own_seconds() -> float:
    """Return the time for which this program and those that it waited for were at work."""
    return sum(sum(resource.getrusage(who)[:2]) for who in OWN)


@dataclass
class Watch:
    """Tells how long something took, and how many cores others kept busy meanwhile."""

    begun: float = field(default_factory=time.perf_counter)
    busy: float = field(default_factory=busy_seconds)
    own: float = field(default_factory=own_seconds)

    @property
    def seconds(self) -> float:
        """Since the watch was made."""
        return time.perf_counter() - self.begun

    @property
    def others(self) -> float:
        """Cores that were busy with other work."""
        own = own_seconds() - self.own
        return max(0.0, (busy_seconds() - self.busy - own) / self.seconds)


def peak_bytes(process: int | None = None) -> int:
    """Return the most memory that a process, this one if none is named, has had resident.

    Linux keeps it with the address space, which begins anew with a program. Elsewhere it is known
    of this process only, and may be that of the one that started it; of others, what they have.
    """
    status = Path("/proc", str(process or "self"), "status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    if process is not None:
        return resident_bytes(process)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if platform.system() == "Darwin" else 1024 * peak


def resident_bytes(process: int | None = None) -> int:
    """Return the memory that a process, this one if none is named, has resident; 0 of one gone."""
    try:
        return int(psutil.Process(process).memory_info().rss)
    except psutil.Error:
        return 0

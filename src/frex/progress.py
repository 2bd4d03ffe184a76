"""A fit's progress bar on standard error: phase, scan rate, acceptance of each block, time left."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rich.console import Console
    from rich.progress import Progress, Task, TaskID
    from rich.text import Text

    from frex.sampler.run import Status


SECONDS = 60
"""Seconds between the lines of a log."""


@contextmanager
def show_progress() -> Iterator[Callable[[Status], None]]:
    """Show a progress bar during the block, or one line per minute if standard error is a file.

    Yields the function to call after every scan. The bar shows when a kernel is being compiled.
    """
    from rich import progress as rich  # noqa: PLC0415 - keeps `frex --help` quick
    from rich.console import Console  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from frex.compiled import watch_compiling  # noqa: PLC0415 - loads Numba

    class Rate(rich.ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:.3g} scans/s" if task.speed else "")

    console = Console(stderr=True)
    if not (console.is_terminal or console.is_jupyter):
        yield _Lines(console)
        return
    with rich.Progress(
        rich.TextColumn("{task.description}"),
        rich.BarColumn(bar_width=16),  # the whole line fits into 80 columns
        rich.MofNCompleteColumn(),
        Rate(),
        rich.TextColumn("{task.fields[acceptance]}", style="dim"),
        rich.TimeRemainingColumn(),
        console=console,
        transient=True,
    ) as bar:
        shown = _Shown(bar)
        with watch_compiling(shown.compiling):
            yield shown


class _Lines:
    """Regular lines for a log, so that a long run does not look stuck."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.told = time.monotonic()

    def __call__(self, status: Status) -> None:
        if time.monotonic() - self.told < SECONDS:
            return
        self.told = time.monotonic()
        told = f"{status.phase}: {status.done:,} of {status.total:,}"
        accepted = short(status.acceptance)
        self.console.out(", ".join(filter(None, (told, accepted))), highlight=False)


class _Shown:
    """A bar for the start, and one for the scans of all phases."""

    def __init__(self, bar: Progress) -> None:
        self.bar = bar
        self.task: TaskID | None = None
        self.starting: bool | None = None

    def compiling(self, kernel: str) -> None:
        """Show that a kernel is being compiled, until the next scan."""
        description = f"compiling {kernel}, once"
        if self.task is None:
            self.task = self.bar.add_task(description, total=None, acceptance="")
        else:
            self.bar.update(self.task, description=description)

    def __call__(self, status: Status) -> None:
        starting = status.phase == "start"
        if self.task is None or starting != self.starting:
            if self.task is not None:
                self.bar.remove_task(self.task)
            # a resumed run starts at its scan: earlier scans do not count for the rate
            self.task = self.bar.add_task(
                status.phase, total=status.total, completed=status.done - 1, acceptance=""
            )
            self.starting = starting
        self.bar.update(
            self.task,
            description=status.phase,
            total=status.total,
            completed=status.done,
            acceptance=short(status.acceptance),
        )


def short(acceptance: Mapping[str, float]) -> str:
    """Return the smallest and the largest acceptance of the blocks as text."""
    if not acceptance:
        return ""
    low, high = (f"{100 * limit(acceptance.values()):.0f}" for limit in (min, max))
    return f"accepted {low} %" if low == high else f"accepted {low}-{high} %"

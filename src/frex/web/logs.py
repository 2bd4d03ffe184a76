"""Logs that clients cannot make fill the disk."""

from __future__ import annotations

import logging


class Seldom(logging.Filter):
    """Passes records from one place of the code the 1st, 2nd, 4th, 8th time."""

    def __init__(self) -> None:
        super().__init__()
        self._times: dict[tuple[str, int], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged."""
        place = record.pathname, record.lineno
        times = self._times[place] = self._times.get(place, 0) + 1
        if times & (times - 1):
            return False
        if times > 1:
            record.msg, record.args = f"{record.getMessage()} ({times:,} times)", ()
        return True


_seldom = Seldom()


def log_seldom(*names: str) -> None:
    """Make loggers pass repeated records rarely.

    Parameters
    ----------
    *names
        Theirs.
    """
    for name in names:
        logging.getLogger(name).addFilter(_seldom)  # the same one twice counts once

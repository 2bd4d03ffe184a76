"""Errors with a place, a description and a remedy."""

from __future__ import annotations

import errno
import importlib
import os
import shutil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path


class FrexError(Exception):
    """A run failed for a known reason; the command line exits with 1."""

    exit_code = 1


class InputError(FrexError, ValueError):
    """The command or the input is wrong; the command line exits with 2.

    Parameters
    ----------
    message
        The problem, with the invalid value.
    path, line
        The file, and the line counted from 1.
    remedy
        What to do, as an imperative sentence.
    """

    exit_code = 2

    def __init__(
        self,
        message: str,
        *,
        path: str | PathLike[str] | None = None,
        line: int | None = None,
        remedy: str | None = None,
    ) -> None:
        self.message = message
        self.path = None if path is None else str(path)
        self.line = line
        self.remedy = remedy
        where = self.path or ""
        if line is not None:
            where += f", line {line}" if where else f"line {line}"
        text = f"{where}: {message}" if where else message
        if remedy:
            text = f"{text.rstrip('.')}. {remedy}"
        super().__init__(text)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the error with its keyword arguments."""
        return _rebuild, (type(self), self.message, self.path, self.line, self.remedy)


class StoppedError(FrexError):
    """The user stopped a run before it had results; the command line exits with 130."""

    exit_code = 130  # the exit code of a program that was ended by Ctrl-C


class FullDiskError(FrexError):
    """A disk or the user's quota is full; the command line exits with 1.

    Parameters
    ----------
    path
        The output.
    error
        The system's error.
    """

    NUMBERS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

    def __init__(self, path: Path, error: OSError) -> None:
        self.reason = os.strerror(error.errno or errno.ENOSPC)
        self.free: int = shutil.disk_usage(path.absolute().parent).free
        super().__init__(
            f"{path}: cannot be written: {self.reason}; {self.free:,} bytes are free there. "
            "Make room, or choose another place."
        )


class FolderError(InputError):
    """A saved folder that is missing, truncated, altered or of another kind."""


class MissingExtraError(FrexError, ImportError):
    """A required optional library is not installed."""


def _rebuild(
    kind: type[InputError], message: str, path: str | None, line: int | None, remedy: str | None
) -> InputError:
    return kind(message, path=path, line=line, remedy=remedy)


def require(module: str, extra: str, purpose: str) -> Any:
    """Import an optional library; an error names its extra.

    Parameters
    ----------
    module
        The module to import, e.g. ``"rdflib"``.
    extra
        The extra of this package that installs it.
    purpose
        The feature that needs it, to complete "... needs the library X".
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"{purpose} needs the library {module}. Install it with: pip install 'frex[{extra}]'"
        ) from error

"""Where compiled kernels are kept: in a folder of this very source.

Numba looks at the file of a kernel alone, and not at what the kernel calls; and what it kept for
another release it cannot always read. So the folder's name has a digest of all that is compiled:
what was kept for other source is never looked at.

Two processes that compile one kernel at a time would overwrite each other's entries, and Numba then
load what was compiled for other types. So one compiles, and the others wait for what it keeps.
"""

from __future__ import annotations

import shutil
import time
from contextlib import ExitStack, contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
from numba.misc.appdirs import AppDirs

from frex.storage.locks import LockedError, lock

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLER = Path(__file__).parents[1]
OWN = SAMPLER / "__pycache__"
PREFIX = "kernels-"
LONGEST_WAIT = 120.0
"""Seconds, after which a process compiles by itself: the other may have been stopped."""

_POLL = 0.02  # seconds

_numba: Any = numba.config  # a module without types


@cache
def digest() -> str:
    """Return a digest of the source of all kernels and formulas, those of prediction too."""
    sources = SAMPLER / "kernels", SAMPLER / "formulas", SAMPLER.parent / "predict" / "kernels"
    files = sorted(file for folder in sources for file in folder.rglob("*.py"))
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


@cache
def folder() -> Path | None:
    """Return the folder, or nothing where none can be written.

    It is in the one that `NUMBA_CACHE_DIR` names; else beside the source, or in the user's cache.
    """
    given = _numba.CACHE_DIR
    user = AppDirs(appname="numba", appauthor=False).user_cache_dir
    for place in [Path(given)] if given else [OWN, Path(user) / "frex"]:
        wanted = place / f"{PREFIX}{digest()}"
        try:
            wanted.mkdir(parents=True, exist_ok=True)
            (wanted / ".written").touch()
        except OSError:
            continue
        if place == OWN:  # which no other release shares
            for old in set(place.glob(f"{PREFIX}*")) - {wanted}:
                shutil.rmtree(old, ignore_errors=True)
        return wanted
    return None


@contextmanager
def kept_in_folder() -> Iterator[Path | None]:
    """Let Numba keep in the folder what is made in the block; yield the folder, if there is one."""
    before, place = _numba.CACHE_DIR, folder()
    if place is None:
        yield None
        return
    _numba.CACHE_DIR = str(place)
    try:
        yield place
    finally:
        _numba.CACHE_DIR = before


def compile_one_at_a_time(dispatcher: Any, place: Path) -> None:
    """Let no other process compile a kernel while this one does.

    Numba looks into the folder once more when it is about to compile; it finds what another process
    has kept meanwhile.
    """
    compile_alone, function = dispatcher.compile, dispatcher.py_func

    def compile_locked(signature: Any) -> Any:
        with _locked(place / f"{function.__module__}.{function.__qualname__}.lock"):
            return compile_alone(signature)

    dispatcher.compile = compile_locked


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Wait for a lock; where there are none, or after the longest wait, go on without it."""
    begun = time.monotonic()
    with ExitStack() as held:
        while True:
            try:
                held.enter_context(lock(path, make=True))
                break
            except LockedError:
                if time.monotonic() - begun > LONGEST_WAIT:
                    break
                time.sleep(_POLL)
            except OSError:  # the folder was removed, or made read-only
                break
        yield

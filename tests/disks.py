"""A disk of a megabyte, which tests fill."""

import os
import subprocess
from contextlib import contextmanager

import pytest

PAGE = 4096


class Disk:
    """A small file system of its own, mounted at a folder."""

    def __init__(self, path):
        self.path = path
        self._filler = path / "filler"

    def leave(self, n_bytes):
        """Fill the disk but for so many bytes, rounded to pages."""
        self.empty()
        with self._filler.open("wb", buffering=0) as filler, pytest.raises(OSError):
            while True:
                filler.write(bytes(PAGE))
        os.truncate(self._filler, self._filler.stat().st_size - n_bytes // PAGE * PAGE)

    def empty(self):
        """Make room again."""
        self._filler.unlink(missing_ok=True)

    def lock(self):
        """Let nothing be written any more."""
        remount = ["mount", "-o", "remount,ro", str(self.path)]
        subprocess.run(remount, check=True)

    def names(self):
        """Return the names of what tests have left on the disk."""
        return sorted(path.name for path in self.path.iterdir() if path != self._filler)


@contextmanager
def small_disk(path):
    """Mount a disk of a megabyte for the block; skip the test where that is not allowed."""
    path.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(path)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
        problem = done.stderr.strip() if done.returncode else ""
    except OSError as error:
        problem = str(error)
    if problem:
        pytest.skip(f"a small disk cannot be mounted here: {problem}")
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=True)

"""A fit in a pickle: its folder as one block of bytes, which later versions can read."""

from __future__ import annotations

import io
import tempfile
import zipfile
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING

from frex.posterior import read_posterior

if TYPE_CHECKING:
    from frex.posterior import Posterior


def packed(posterior: Posterior) -> bytes:
    """Return the folder of a fit as one block of bytes."""
    buffer = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(buffer, "w") as archive:
        place = Path(folder) / "fit"
        posterior.write(place)
        for file in sorted(place.iterdir()):
            archive.write(file, file.name)
    return buffer.getvalue()


def unpacked(block: bytes) -> Posterior:
    """Read a fit from its block of bytes into memory."""
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(block)) as archive:
            archive.extractall(folder)
        return deepcopy(read_posterior(folder))  # the arrays of the folder go with it

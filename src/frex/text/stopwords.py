"""The SMART stop list: 570 English words that are commonly left out in information retrieval."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def smart() -> frozenset[str]:
    """Return the SMART stop list."""
    text = files("frex.text").joinpath("smart.txt").read_text(encoding="utf-8")
    return frozenset(text.split())

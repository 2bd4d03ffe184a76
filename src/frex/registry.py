"""Calls of one package that a package further down the order answers.

A package imports only from those above it. Where one has a call whose work is done below it, such
as `Corpus.from_texts`, it asks here for the function, and `frex` itself, which is imported before
any of its packages, says where that is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_loaders: dict[str, Callable[[], Callable[..., Any]]] = {}


def register(call: str, load: Callable[[], Callable[..., Any]]) -> None:
    """Say how the function that answers a call is imported, which happens when it is called."""
    _loaders[call] = load


def answer(call: str) -> Callable[..., Any]:
    """Return the function that answers a call."""
    return _loaders[call]()

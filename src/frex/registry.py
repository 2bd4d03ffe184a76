"""Calls of one package that are implemented in a later package.

A package imports only from those above it. If a call is implemented below, such as
`Corpus.from_texts`, the package looks up the function here. `frex` itself, which is imported before
any of its packages, registers it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_loaders: dict[str, Callable[[], Callable[..., Any]]] = {}


def register(call: str, load: Callable[[], Callable[..., Any]]) -> None:
    """Register the import of the function that answers a call, which is done at the first call."""
    _loaders[call] = load


def answer(call: str) -> Callable[..., Any]:
    """Return the function that answers a call."""
    return _loaders[call]()

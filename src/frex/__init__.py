"""frex: what each topic is about, in words both frequent in it and exclusive to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.registry import register as _register

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.corpus import Corpus, read_corpus
    from frex.estimators import HPC, PCM, FrexSelector, WordCounts
    from frex.tree import TopicTree, read_tree

__version__ = "0.2.0"

__all__ = [
    "HPC",
    "PCM",
    "Corpus",
    "FrexSelector",
    "TopicTree",
    "WordCounts",
    "__version__",
    "read_corpus",
    "read_tree",
]

# packages are imported lazily, so that `frex --help` is fast
_PACKAGES = {
    "HPC": "frex.estimators",
    "PCM": "frex.estimators",
    "FrexSelector": "frex.estimators",
    "WordCounts": "frex.estimators",
    "Corpus": "frex.corpus",
    "read_corpus": "frex.corpus",
    "TopicTree": "frex.tree",
    "read_tree": "frex.tree",
}


def _counts_of_texts() -> Callable[..., Corpus]:
    from frex.text.memory import corpus_from_texts  # noqa: PLC0415 - when it is first called

    return corpus_from_texts


_register("Corpus.from_texts", _counts_of_texts)


def __getattr__(name: str) -> Any:
    if name not in _PACKAGES:
        raise AttributeError(f"module 'frex' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - only needed here

    return getattr(import_module(_PACKAGES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)

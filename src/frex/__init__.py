"""frex: what each topic is about, in words both frequent in it and exclusive to it."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from frex.corpus import Corpus, read_corpus
    from frex.estimators import HPC, PCM, FrexSelector
    from frex.tree import TopicTree, read_tree

__version__ = "0.1.0"

__all__ = [
    "HPC",
    "PCM",
    "Corpus",
    "FrexSelector",
    "TopicTree",
    "__version__",
    "read_corpus",
    "read_tree",
]

# a name is looked up in its room when it is first used, so that `frex --help` need not wait
_ROOMS = {
    "HPC": "frex.estimators",
    "PCM": "frex.estimators",
    "FrexSelector": "frex.estimators",
    "Corpus": "frex.corpus",
    "read_corpus": "frex.corpus",
    "TopicTree": "frex.tree",
    "read_tree": "frex.tree",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'frex' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - only needed here

    return getattr(import_module(_ROOMS[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)

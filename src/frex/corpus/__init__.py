"""A corpus: counts, labels, vocabulary, documents and the tree. It knows no text."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from frex.corpus.corpus import Corpus
    from frex.corpus.corrections import Correction, Corrections, read_corrections
    from frex.corpus.documents import Details
    from frex.corpus.folder import CorpusWriter, read_corpus
    from frex.corpus.labels import remove_redundant_ancestors, with_ancestors
    from frex.corpus.membership import membership_table
    from frex.corpus.splits import split

__all__ = [
    "Corpus",
    "CorpusWriter",
    "Correction",
    "Corrections",
    "Details",
    "membership_table",
    "read_corpus",
    "read_corrections",
    "remove_redundant_ancestors",
    "split",
    "with_ancestors",
]

# Modules are imported lazily, as in `frex.text`: a worker process that counts words checks the
# details of documents, and needs no matrices.
_MODULES = {
    "Corpus": "corpus",
    "CorpusWriter": "folder",
    "Correction": "corrections",
    "Corrections": "corrections",
    "Details": "documents",
    "membership_table": "membership",
    "read_corpus": "folder",
    "read_corrections": "corrections",
    "remove_redundant_ancestors": "labels",
    "split": "splits",
    "with_ancestors": "labels",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - only needed here

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)

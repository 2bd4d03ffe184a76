"""From raw text to counts: tokens, stems, vocabulary; in memory, or streaming from files."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from frex.text.documents import Document, Fields
    from frex.text.files import input_bytes, read_documents
    from frex.text.memory import count_texts
    from frex.text.preparation import prepare, prepare_documents
    from frex.text.tokens import Analyzer
    from frex.text.vocabulary import VocabularyRule, default_rule

__all__ = [
    "Analyzer",
    "Document",
    "Fields",
    "PrepareReport",
    "VocabularyRule",
    "count_texts",
    "default_rule",
    "input_bytes",
    "prepare",
    "prepare_documents",
    "read_documents",
]

# Modules are imported lazily: a worker process, which only counts, starts in half the time and
# needs 20 MB less than with all imports of `prepare`.
_MODULES = {
    "Analyzer": "tokens",
    "Document": "documents",
    "Fields": "documents",
    "PrepareReport": "report",
    "VocabularyRule": "vocabulary",
    "count_texts": "memory",
    "default_rule": "vocabulary",
    "input_bytes": "files",
    "prepare": "preparation",
    "prepare_documents": "preparation",
    "read_documents": "files",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - only needed here

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)

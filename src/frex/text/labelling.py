"""`Labelling`: from the labels of a document to topics of the tree, with the policies for both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from frex.errors import InputError

if TYPE_CHECKING:
    from frex.text.documents import Document


@dataclass(frozen=True)
class Labelling:
    """What to do with the labels of documents.

    Parameters
    ----------
    topics
        The topics of the tree; None reads no labels.
    unlabelled, unknown
        The policies of `frex.Corpus.from_matrices`.
    """

    topics: tuple[str, ...] | None
    unlabelled: str = "error"
    unknown: str = "error"

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {topic: column for column, topic in enumerate(self.topics or ())}

    def columns(self, document: Document) -> tuple[list[int], int]:
        """Return the topics of a document as sorted columns, and how many labels are unknown."""
        if self.topics is None:
            return [], 0
        labels = set(document.labels)
        columns = sorted(self._columns[label] for label in labels if label in self._columns)
        if len(columns) < len(labels) and self.unknown == "error":
            from frex.corpus.labels import unknown_label  # noqa: PLC0415 - only to fail with

            label = next(label for label in document.labels if label not in self._columns)
            raise unknown_label(
                label, self.topics, document=document.id, path=document.path, line=document.line
            )
        return columns, len(labels) - len(columns)

    @property
    def required(self) -> bool:
        """Whether a document that has words must have a label to be kept."""
        return self.topics is not None and self.unlabelled != "keep"

    def refuse_unlabelled(self, document: Document) -> None:
        """Raise the error for a document that has words and no label, unless it is dropped."""
        if self.unlabelled == "error":
            raise InputError(
                f"document {document.id!r} has words and no label",
                path=document.path,
                line=document.line,
                remedy="Name the field that holds the labels, or drop or keep such documents: "
                "see the option unlabelled.",
            )

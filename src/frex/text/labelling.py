"""`Labelling`: from a document's labels to topics of the tree, with the policies for labels."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from frex.corpus.corrections import read_corrections
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from frex.corpus.corrections import Columns, Corrections
    from frex.text.documents import Document
    from frex.tree import TopicTree
    from frex.tree.labels import KnownLabels


@dataclass(frozen=True)
class Labelling:
    """The policies for labels of documents.

    Parameters
    ----------
    known
        The valid labels; None reads no labels.
    unlabelled, unknown
        The policies of `frex.Corpus.from_matrices`.
    corrections
        Corrections of a review, by the document's id.
    """

    known: KnownLabels | None
    unlabelled: str = "error"
    unknown: str = "error"
    corrections: Mapping[str, Columns] = field(default_factory=dict)

    def columns(self, document: Document) -> tuple[list[int], int]:
        """Return the topics of a document as sorted columns, and the number of unknown labels."""
        if self.known is None:
            return [], 0
        columns, n_unknown = set(), 0
        for label in dict.fromkeys(document.labels):
            column = self.known.columns.get(label)
            if column is not None:
                columns.add(column)
            elif self.unknown == "drop" and label not in self.known.shared:
                n_unknown += 1
            else:
                raise self.known.error(
                    label, document=document.id, path=document.path, line=document.line
                )
        correction = self.corrections.get(document.id)
        return sorted(columns) if correction is None else correction.apply(columns), n_unknown

    @property
    def required(self) -> bool:
        """Whether a document with words must have a label to be kept."""
        return self.known is not None and self.unlabelled != "keep"

    def refuse_unlabelled(self, document: Document) -> None:
        """Raise an error for a document with words but without a label, unless it is dropped."""
        if self.unlabelled == "error":
            is_file = document.path is not None and document.line is None
            raise InputError(
                f"document {document.id!r} has words and no label",
                path=document.path,
                line=document.line,
                remedy=(
                    "Put the file into a subfolder that is called as its topic, or tell its labels "
                    "in a table: --table, table=. "
                    if is_file
                    else "Name the field that holds the labels: --labels, Fields(labels=...). "
                )
                + "Or drop or keep such documents: --unlabelled drop, unlabelled='drop'.",
            )


def labelling_of(
    tree: TopicTree | None,
    unlabelled: str,
    unknown: str,
    corrections: Corrections | str | PathLike[str] | None,
) -> Labelling:
    """Return the policies for labels, including the corrections of documents."""
    if corrections is None:
        return Labelling(None if tree is None else tree.known_labels, unlabelled, unknown)
    if tree is None:
        raise InputError("corrections are of labels", remedy="Give the tree as well.")
    if isinstance(corrections, str | os.PathLike):
        corrections = read_corrections(corrections)
    known = tree.known_labels
    return Labelling(known, unlabelled, unknown, corrections.columns(known))

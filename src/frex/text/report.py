"""The report of `frex.text.prepare`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from frex.text.documents import Broken

MESSAGES = 20
"""Most skipped places that a report names."""


@dataclass
class PrepareReport:
    """Numbers of documents that were read, dropped and skipped.

    Attributes
    ----------
    path
        The corpus folder.
    read
        Number of documents in the input, without broken ones.
    documents, words, tokens
        Size of the corpus.
    stems
        Number of distinct stems in the input, of which `words` were chosen.
    dropped
        Numbers of items dropped by a policy, by reason: the `report` of the corpus.
    skipped
        Numbers of skipped broken places, by reason.
    messages
        The first skipped places, each with file and line.
    several_parents
        The topics with several parents, each with all of them, the corpus tree's first.
    known
        Numbers of documents with a title, a url, a date, and so on.
    """

    path: Path
    read: int = 0
    documents: int = 0
    words: int = 0
    tokens: int = 0
    stems: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    several_parents: dict[str, list[str]] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)

    def drop(self, reason: str, number: int) -> None:
        """Count dropped items."""
        if number:
            self.dropped[reason] = self.dropped.get(reason, 0) + number

    def skip(self, place: Broken) -> None:
        """Count a skipped place."""
        self.skipped[place.reason] = self.skipped.get(place.reason, 0) + 1
        if len(self.messages) < MESSAGES:
            self.messages.append(str(place.error()))

"""What `frex.text.prepare` tells of the documents that it read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from frex.text.documents import Broken

MESSAGES = 20
"""How many of the skipped places a report names."""


@dataclass
class PrepareReport:
    """What became of the documents.

    Attributes
    ----------
    path
        The corpus folder.
    read
        Documents found in the input, without the broken ones.
    documents, words, tokens
        Size of the corpus.
    stems
        Distinct stems in the input, of which `words` were chosen.
    dropped
        What was dropped by a policy, by reason: the `report` of the corpus.
    skipped
        Broken places that were passed over, by reason.
    messages
        The first of those, each with file and line.
    several_parents
        The topics that have several parents, each with all of them, the corpus tree's first.
    known
        Of how many documents read a title, a url, a date, and so on, is known.
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
        """Count what was dropped."""
        if number:
            self.dropped[reason] = self.dropped.get(reason, 0) + number

    def skip(self, place: Broken) -> None:
        """Count a place that was passed over."""
        self.skipped[place.reason] = self.skipped.get(place.reason, 0) + 1
        if len(self.messages) < MESSAGES:
            self.messages.append(str(place.error()))

"""What an audit says of a topic: a finding, and the table of all."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Kind: TypeAlias = Literal[
    "merge", "duplicate", "split", "move", "catch-all", "together", "tiny", "empty"
]


@dataclass(frozen=True)
class Group:
    """Words and documents that show one side of a finding."""

    name: str  #: a topic's title, or which part it is
    words: tuple[str, ...]
    documents: tuple[str, ...]  #: ids


@dataclass(frozen=True)
class TopicFinding:
    """Something about a topic that an editor should look at.

    Attributes
    ----------
    kind
        ``"merge"``: siblings that words do not tell apart; ``"duplicate"``: the same of topics of
        different branches; ``"split"``: documents in two groups that differ as siblings do;
        ``"move"``: closer to another parent; ``"catch-all"``: not told apart from its siblings
        together; ``"together"``: a label that nearly always comes with another; ``"tiny"`` and
        ``"empty"``.
    topic, other
        Names of the topic, and of the one that the finding is about besides, or None.
    probability
        That it is so.
    estimate, low, high
        The figure behind it, and its interval of 90 %: of ``merge``, ``duplicate``, ``catch-all``
        and ``split`` the share of pairs of documents told apart rightly; of ``move`` the share of
        documents that are closer to the other parent; of ``together`` the share of the topic's
        documents that have the other label; of ``tiny`` and ``empty`` its documents.
    documents
        Filed under the topic.
    groups
        The words and example documents of each side.
    finding, advice
        In words: what was found, and what an editor could do.
    """

    kind: Kind
    topic: str
    other: str | None
    probability: float
    estimate: float
    low: float
    high: float
    documents: int
    groups: tuple[Group, ...]
    finding: str
    advice: str

    def to_json(self) -> dict[str, Any]:
        """Return the finding as JSON can say it."""
        plain = asdict(self)
        for name in ("probability", "estimate", "low", "high"):
            plain[name] = round(plain[name], 4)
        return plain


def topic_columns(findings: Iterable[TopicFinding]) -> dict[str, list[Any]]:
    """Return findings as plain columns, a row each; groups become texts."""
    names = (
        "kind", "topic", "other", "probability", "estimate", "low", "high", "documents", "finding",
        "advice",
    )  # fmt: skip
    rows = list(findings)
    columns: dict[str, list[Any]] = {name: [getattr(row, name) for row in rows] for name in names}
    columns["other"] = [row.other or "" for row in rows]
    columns["words"] = ["; ".join(_words(row)) for row in rows]
    columns["examples"] = ["; ".join(_documents(row)) for row in rows]
    return columns


def _words(row: TopicFinding) -> Iterator[str]:
    for group in row.groups:
        if group.words:
            yield f"{group.name}: {' '.join(group.words)}"


def _documents(row: TopicFinding) -> Iterator[str]:
    for group in row.groups:
        if group.documents:
            yield f"{group.name}: {' '.join(group.documents)}"

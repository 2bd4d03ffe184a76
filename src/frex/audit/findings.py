"""What an audit says: findings about labels of documents and about topics, and their tables."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Kind: TypeAlias = Literal[
    "merge", "duplicate", "split", "move", "catch-all", "together", "tiny", "empty"
]

Wrong: TypeAlias = Literal[
    "wrong", "sibling", "too general", "too specific", "elsewhere", "missing", "redundant"
]
Backend: TypeAlias = Literal["pandas", "polars", "pyarrow"]


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
        different branches; ``"split"``: documents as of two siblings filed together;
        ``"move"``: closer to another parent; ``"catch-all"``: not told apart from its siblings
        together; ``"together"``: a label that nearly always comes with another; ``"tiny"`` and
        ``"empty"``.
    topic, other
        Names of the topic, and of the one that the finding is about besides, or None.
    probability
        That it is so.
    estimate, low, high
        The figure behind it, and its interval of 90 %: of ``merge``, ``duplicate`` and
        ``catch-all`` the share of pairs of documents told apart rightly; of ``split`` the share of
        pairs of siblings, filed together, whose groups differ less; of ``move`` the share of
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


def topic_table(findings: Iterable[TopicFinding], *, backend: Backend = "pandas") -> Any:
    """Return findings about topics as a data frame, a row each.

    Parameters
    ----------
    findings
        What `frex.audit.audit_topics` found.
    backend
        The data frame library of the result: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.

    Returns
    -------
    DataFrame
        With the columns of `topic_columns`.

    Examples
    --------
    >>> from frex.audit import topic_table
    >>> len(topic_table([]))
    0
    """
    import narwhals as nw  # noqa: PLC0415 - keeps `import frex` quick

    return nw.from_dict(topic_columns(findings), backend=backend).to_native()


@dataclass(frozen=True)
class LabelFinding:
    """A label of a document that is likely to be wrong, or one that is likely to be missing.

    Attributes
    ----------
    kind
        What seems to be wrong with `label`. In its place belongs `other`, which is its
        ``"sibling"``; below it (``"too general"``); above it (``"too specific"``); or
        ``"elsewhere"`` in the tree. ``"wrong"``: it is too much, and nothing takes its place.
        ``"missing"``: the document lacks `other`, and `label` is None. ``"redundant"``: `other`,
        which the document has, is below `label` and says more.
    document, title, link
        Its id, and what else is known of it.
    label, other
        Names of topics: to take away, and to add; of ``"redundant"`` the one that stays.
    probability
        That it is so.
    expected
        Labels to take away from the document, and to add to it, that are expected in all.
    words_for, words_against
        Words of the document that argue for the change, and against it.
    given
        All labels of the document.
    labels_for
        Those of them that mostly come with `other`.
    """

    kind: Wrong
    document: str
    title: str
    link: str
    label: str | None
    other: str | None
    probability: float
    expected: float
    words_for: tuple[str, ...]
    words_against: tuple[str, ...]
    given: tuple[str, ...]
    labels_for: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the finding as JSON can say it."""
        plain = asdict(self)
        for name in ("probability", "expected"):
            plain[name] = round(plain[name], 4)
        return plain


def label_columns(findings: Iterable[LabelFinding]) -> dict[str, list[Any]]:
    """Return findings as plain columns, a row each; what is several is a text."""
    rows = list(findings)
    names = ("document", "title", "link", "kind", "label", "other", "probability", "expected")
    columns: dict[str, list[Any]] = {name: [getattr(row, name) for row in rows] for name in names}
    for name in ("label", "other"):
        columns[name] = [value or "" for value in columns[name]]
    for name, separator in (
        ("words_for", " "), ("words_against", " "), ("given", "|"), ("labels_for", "|"),
    ):  # fmt: skip
        columns[name] = [separator.join(getattr(row, name)) for row in rows]
    return columns


def label_table(findings: Iterable[LabelFinding], *, backend: Backend = "pandas") -> Any:
    """Return findings about labels as a data frame, a row each.

    Parameters
    ----------
    findings
        What `frex.audit.audit_labels` found.
    backend
        The data frame library of the result: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.

    Returns
    -------
    DataFrame
        With the columns of `label_columns`.

    Examples
    --------
    >>> from frex.audit import label_table
    >>> len(label_table([]))
    0
    """
    import narwhals as nw  # noqa: PLC0415 - keeps `import frex` quick

    return nw.from_dict(label_columns(findings), backend=backend).to_native()

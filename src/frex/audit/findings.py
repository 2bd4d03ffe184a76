"""The findings of an audit, about labels of documents and about topics, and their tables."""

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

    name: str  #: a topic's title, or the name of a part
    words: tuple[str, ...]
    documents: tuple[str, ...]  #: ids


@dataclass(frozen=True)
class TopicFinding:
    """A finding about a topic, for an editor.

    Attributes
    ----------
    kind
        ``"merge"``: siblings that words do not distinguish; ``"duplicate"``: the same for topics of
        different branches; ``"split"``: documents like those of two merged siblings;
        ``"move"``: closer to another parent; ``"catch-all"``: not distinguished from its siblings
        together; ``"together"``: a label that almost always occurs with another; ``"tiny"`` and
        ``"empty"``.
    topic, other
        Names of the topic, and of the other topic of the finding, or None.
    probability
        Probability of the finding.
    estimate, low, high
        The statistic, and its interval of 90 %: for ``merge``, ``duplicate`` and ``catch-all`` the
        share of pairs of documents in the right order; for ``split`` the share of merged pairs of
        siblings whose groups differ less; for ``move`` the share of documents that are closer to
        the other parent; for ``together`` the share of the topic's documents that have the other
        label; for ``tiny`` and ``empty`` its documents.
    documents
        Number of documents of the topic.
    groups
        The words and example documents of each side.
    finding, advice
        The finding, and what an editor could do, as sentences.
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
    """Return findings as columns, one row each; groups become texts."""
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
    """Return findings about topics as a data frame, one row each.

    Parameters
    ----------
    findings
        The result of `frex.audit.audit_topics`.
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
    """A label of a document that is probably wrong or missing.

    Attributes
    ----------
    kind
        The error of `label`. `other` should replace it: its ``"sibling"``, a topic below it (``"too
        general"``), a topic above it (``"too specific"``), or a topic ``"elsewhere"`` in the tree.
        ``"wrong"``: no label should replace it. ``"missing"``: the document lacks `other`, and
        `label` is None. ``"redundant"``: the document also has `other`, which is below `label`.
    document, title, link
        Id, title and link of the document.
    label, other
        Names of the topics to remove and to add; for ``"redundant"``, `other` stays.
    probability
        Probability of the finding.
    expected
        Expected number of labels to remove from the document or add to it.
    words_for, words_against
        Words of the document for the change, and against it.
    given
        All labels of the document.
    labels_for
        Labels of the document that usually occur with `other`.
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
    """Return findings as columns, one row each; lists become texts."""
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
    """Return findings about labels as a data frame, one row each.

    Parameters
    ----------
    findings
        The result of `frex.audit.audit_labels`.
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

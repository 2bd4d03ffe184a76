"""Findings about labels in the forms that annotation tools import."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from frex import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from frex.audit.findings import LabelFinding
    from frex.tree import TopicTree

AGENT = f"frex {__version__}"


def label_studio_tasks(
    findings: Iterable[LabelFinding], texts: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Return a task of Label Studio for each document, with the changed labels as a prediction.

    Parameters
    ----------
    findings
        The result of `frex.audit.audit_labels`.
    texts
        Texts, or how they begin, by the document's id; its title stands before it.

    Returns
    -------
    list of dict
        To be imported as JSON into a project with the interface of `label_studio_interface`.

    Examples
    --------
    >>> from frex.audit import label_studio_tasks
    >>> label_studio_tasks([])
    []
    """
    return [
        {
            "data": {
                "id": name, "text": _text(own[0], texts), "link": own[0].link,
                "given": ", ".join(own[0].given), "findings": "; ".join(map(_said, own)),
            },
            "predictions": [{
                "model_version": AGENT,
                "score": round(own[0].probability, 4),
                "result": [{
                    "from_name": "labels", "to_name": "text", "type": "choices",
                    "value": {"choices": _changed(own)},
                }],
            }],
        }
        for name, own in _by_document(findings)
    ]  # fmt: skip


def label_studio_interface(tree: TopicTree) -> str:
    """Return the labelling interface of Label Studio for the topics of a tree.

    Parameters
    ----------
    tree
        Its topics are the choices.

    Examples
    --------
    >>> from frex import TopicTree
    >>> from frex.audit import label_studio_interface
    >>> '<Choice value="golf"/>' in label_studio_interface(TopicTree(['golf'], [None]))
    True
    """
    choices = "\n".join(f'    <Choice value="{escape(name)}"/>' for name in tree.topics)
    return (
        '<View>\n  <Text name="text" value="$text"/>\n'
        '  <Header value="Filed under: $given"/>\n  <Header value="$findings"/>\n'
        f'  <Choices name="labels" toName="text" choice="multiple" showInline="false">\n{choices}\n'
        "  </Choices>\n</View>\n"
    )


def argilla_records(
    findings: Iterable[LabelFinding], texts: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Return a record of Argilla for each document, with the changed labels as a suggestion.

    Log them with ``dataset.records.log(records, mapping={"score": "labels.suggestion.score",
    "agent": "labels.suggestion.agent"})`` into a dataset with the text field ``text`` and the
    multi-label question ``labels``.

    Parameters
    ----------
    findings, texts
        As for `label_studio_tasks`.

    Examples
    --------
    >>> from frex.audit import argilla_records
    >>> argilla_records([])
    []
    """
    return [
        {
            "id": name, "text": _text(own[0], texts), "labels": _changed(own),
            "score": round(own[0].probability, 4), "agent": AGENT,
            "given": list(own[0].given), "findings": "; ".join(map(_said, own)),
        }
        for name, own in _by_document(findings)
    ]  # fmt: skip


def _by_document(
    findings: Iterable[LabelFinding],
) -> Iterator[tuple[str, list[LabelFinding]]]:
    """Yield documents with their findings, the likeliest first, in the order of the findings."""
    found: dict[str, list[LabelFinding]] = {}
    for one in findings:
        found.setdefault(one.document, []).append(one)
    for name, own in found.items():
        yield name, sorted(own, key=lambda one: -one.probability)


def _text(one: LabelFinding, texts: Mapping[str, str] | None) -> str:
    begins = (texts or {}).get(one.document, "")
    return "\n\n".join(part for part in (one.title, begins) if part) or one.document


def _changed(own: list[LabelFinding]) -> list[str]:
    """Return the labels of a document after all changes that are more likely than not."""
    labels = list(own[0].given)
    for one in own:
        if one.probability < 0.5:
            continue
        if one.label in labels:
            labels.remove(one.label)
        if one.other is not None and one.other not in labels:
            labels.append(one.other)
    return labels


def _said(one: LabelFinding) -> str:
    change = " -> ".join(name for name in (one.label, one.other) if name)
    return f"{one.kind} ({100 * one.probability:.0f} %): {change}"

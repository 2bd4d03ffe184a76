"""Prepare a known corpus without some of its topics.

Documents of a topic that is left out are labelled with its parent instead. If it was a top-level
topic, they lose the label; documents that then have no label are dropped and counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.errors import InputError
from frex.text import prepare_documents

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from frex.text import Document, PrepareReport
    from frex.tree import TopicTree


def prepare_labelled(
    documents: Iterable[Document],
    tree: TopicTree | None,
    out: Path,
    *,
    without: Collection[str] = (),
    **options: Any,
) -> PrepareReport:
    """Make a corpus folder of a corpus's documents.

    Parameters
    ----------
    documents, tree, out
        As for `frex.text.prepare_documents`.
    without
        Topics to leave out, by name or title; all topics below one of them have to be among them.
    **options
        Those of `frex.text.prepare_documents`.
    """
    if without:
        tree, instead = leave_out(tree, without)
        options.setdefault("unlabelled", "drop")
        documents = (
            document._replace(labels=_relabelled(document.labels, instead))
            for document in documents
        )
    return prepare_documents(documents, tree, out, **options)


def leave_out(
    tree: TopicTree | None, without: Collection[str]
) -> tuple[TopicTree, dict[str, str | None]]:
    """Return the tree of the other topics, and for each one left out the topic that it goes to.

    None stands for no topic: nothing above it is left.
    """
    if tree is None:
        raise InputError(
            f"the corpus has no topics, so it cannot leave out {', '.join(without)}",
            remedy="Leave such names out.",
        )
    gone = sorted({tree.find(name) for name in without})
    for node in gone:
        below = [tree.names[child] for child in tree.children(node) if child not in gone]
        if below:
            raise InputError(
                f"topic {tree.names[node]} cannot be left out: {below[0]} is below it",
                remedy="Leave out what is below it too, or keep it.",
            )
    heirs: dict[int, int] = {}
    for node in gone:  # parents come first
        parent = int(tree.parents[node])
        heirs[node] = heirs.get(parent, parent)
    kept = [node for node in range(1, tree.n_nodes) if node not in heirs]
    if not kept:
        raise InputError("no topic is left", remedy="Leave out fewer topics.")
    instead = {tree.names[node]: tree.names[heir] if heir else None for node, heir in heirs.items()}
    return tree.take(kept), instead


def _relabelled(labels: Iterable[str], instead: dict[str, str | None]) -> tuple[str, ...]:
    moved = (instead.get(label, label) for label in labels)
    return tuple(label for label in dict.fromkeys(moved) if label is not None)

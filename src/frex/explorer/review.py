"""The page of an audit: findings to be accepted or rejected, in any browser, by keyboard."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from frex import __version__
from frex.explorer.packing import bundle
from frex.explorer.page import assemble, save
from frex.storage.files import check_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from frex.audit import LabelFinding, TopicFinding
    from frex.tree import TopicTree

_SCRIPTS = ("dom", "unpack", "review/findings", "review/decisions", "review/cards", "review/app")


def write_review(
    labels: Sequence[LabelFinding],
    topics: Sequence[TopicFinding],
    tree: TopicTree,
    path: str | PathLike[str],
    *,
    title: str = "An audit",
    texts: Mapping[str, str] | None = None,
    known: Mapping[str, tuple[str, str]] | None = None,
    overwrite: bool = False,
) -> None:
    """Write findings as a page on which they are reviewed.

    Decisions are kept in the browser, and exported as a file that ``frex prepare --corrections``
    and `frex.Corpus.with_corrections` apply.

    Parameters
    ----------
    labels, topics
        What `frex.audit.audit_labels` and `frex.audit.audit_topics` found.
    tree
        The corpus' topics.
    path
        The file to write, in a folder that exists.
    title
        Title of the page.
    texts
        Beginnings of documents, by id, to be shown beside their findings.
    known
        Titles and addresses, by id, of the documents that findings about topics name.
    overwrite
        Replace an existing file.

    Examples
    --------
    >>> from frex import read_corpus
    >>> from frex.explorer import write_review
    >>> write_review([], [], read_corpus('CORPUS').tree, 'audit.html', overwrite=True)
    """
    place = check_file(path, overwrite=overwrite)
    save(make_review(labels, topics, tree, title=title, texts=texts, known=known), place)


def make_review(
    labels: Sequence[LabelFinding],
    topics: Sequence[TopicFinding],
    tree: TopicTree,
    *,
    title: str = "An audit",
    texts: Mapping[str, str] | None = None,
    known: Mapping[str, tuple[str, str]] | None = None,
) -> str:
    """Return the page as text. `write_review` explains the parameters."""
    ids = dict.fromkeys(one.document for one in labels)
    found = {
        "labels": [one.to_json() for one in labels],
        "topics": [one.to_json() for one in topics],
        "names": list(tree.names),
        "titles": list(tree.titles),
        "parents": tree.parents.tolist(),
        "texts": {name: texts[name] for name in ids if name in texts} if texts else {},
        "known": {name: known[name] for name in _shown(topics) if name in known} if known else {},
    }
    digest = hashlib.sha256(
        json.dumps(found, sort_keys=True, allow_nan=False).encode()
    ).hexdigest()[:16]
    return assemble(
        "review/page.html",
        ["page.css", "review/page.css"],
        _SCRIPTS,
        title=title,
        index={"title": title, "version": __version__, "digest": digest},
        pieces={"findings": bundle(found, {})},
    )


def _shown(topics: Sequence[TopicFinding]) -> list[str]:
    """Return the ids of the documents that findings about topics name."""
    groups = (group for one in topics for group in one.groups)
    return list(dict.fromkeys(name for group in groups for name in group.documents))

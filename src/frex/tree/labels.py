"""The names by which documents may refer to topics of a tree."""

from __future__ import annotations

import difflib
import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from frex.tree.topics import TopicTree


PARTING = "|;,/\t"
"""Possible separators of labels in a column of text."""


class KnownLabels(NamedTuple):
    """The valid labels: names of topics, and unique aliases."""

    topics: tuple[str, ...]
    columns: Mapping[str, int]  #: the column of a label
    shared: Mapping[str, tuple[str, ...]]  #: aliases of several topics, which are not valid

    @classmethod
    def of(cls, topics: Sequence[str], aliases: Sequence[Sequence[str]]) -> KnownLabels:
        """Return the valid labels of topics.

        Parameters
        ----------
        topics
            The names of topics, which take precedence over aliases.
        aliases
            The aliases of each topic.
        """
        columns = {topic: column for column, topic in enumerate(topics)}
        owners: dict[str, list[int]] = {}
        for column, others in enumerate(aliases):
            for alias in others:
                if alias not in columns:
                    owners.setdefault(alias, []).append(column)
        columns |= {alias: found[0] for alias, found in owners.items() if len(found) == 1}
        shared = {
            alias: tuple(topics[column] for column in found)
            for alias, found in owners.items()
            if len(found) > 1
        }
        return cls(tuple(topics), columns, shared)

    def error(
        self,
        label: str,
        *,
        document: str | None = None,
        path: str | None = None,
        line: int | None = None,
    ) -> InputError:
        """Return the error for a label that is unknown or ambiguous."""
        where = "" if document is None else f"document {document!r}: "
        if label in self.shared:
            return InputError(
                f"{where}the label {label!r} may be any of {', '.join(self.shared[label])}",
                path=path,
                line=line,
                remedy="Name the topic.",
            )
        parting = self._parting(label)
        if parting:
            remedy = (
                "It looks like several labels: say what stands between them, "
                f"--separator '{parting}', separator='{parting}'."
            )
        else:
            remedy = (
                f"{suggest(label, tuple(self.columns))} Add it to the tree, or drop such labels: "
                "--unknown drop, unknown='drop'."
            )
        return InputError(
            f"{where}the label {label!r} is not a topic of the tree",
            path=path,
            line=line,
            remedy=remedy,
        )

    def _parting(self, label: str) -> str | None:
        """Return the separator if a text consists of several labels, else None."""
        for parting in PARTING:
            parts = [part.strip() for part in label.split(parting)]
            if len(parts) > 1 and all(part in self.columns for part in parts if part):
                return parting
        return None


def titled_node(tree: TopicTree, text: str) -> int:
    """Return the node with a unique title, ignoring case."""
    wanted = text.casefold()
    titled = [node for node, title in enumerate(tree.titles) if title.casefold() == wanted]
    if len(titled) == 1:
        return titled[0]
    if titled:
        names = ", ".join(tree.names[node] for node in titled)
        raise InputError(
            f"{len(titled)} topics have the title {text!r}", remedy=f"Choose one of: {names}."
        )
    known = tuple(dict.fromkeys([*tree.topics, *tree.titles[1:]]))
    raise InputError(f"there is no topic {text!r} in the tree", remedy=suggest(text, known))


def suggest(name: str, known: Sequence[str]) -> str:
    """Return a sentence that suggests the closest known names."""
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    # ignoring case; or a word of a longer name, whose edit distance is too large
    wanted = name.casefold().split()
    if wanted:
        found = (text for text in known if _begin(wanted, text.casefold()))
        close = list(dict.fromkeys([*islice(found, 3), *close]))[:3]
    if close:
        return f"Did you mean {' or '.join(close)}?"
    few = ", ".join(known[:5])
    return f"The topics are: {few}{', ...' if len(known) > 5 else '.'}"


def _begin(wanted: Sequence[str], text: str) -> bool:
    """Whether each given word is a prefix of a word of the text."""
    words = re.split(r"\W+", text)
    return all(any(word.startswith(part) for word in words) for part in wanted)

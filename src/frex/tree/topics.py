"""`TopicTree`: topics in parents-first order, so that a pass up or down is a plain loop."""

from __future__ import annotations

import difflib
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import InputError
from frex.tree.records import ROOT, TopicRecord, check_records, parent_name, raise_cycle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from numpy.typing import ArrayLike, NDArray


class TopicTree:
    """Topics of a taxonomy, one parent each, any shape and depth.

    Node 0 is the root; the topics are nodes 1 to K in depth-first order, siblings in the order in
    which they were given, so every parent comes before its children and a subtree is contiguous.
    Column k of a label matrix belongs to node k + 1.

    Parameters
    ----------
    topics
        Names of the topics, in any order.
    parents
        For each topic the name of its parent; None (or ``"ROOT"``) for a top-level topic.
    titles
        Names for people; the topic's own name where left out.
    """

    def __init__(
        self,
        topics: Sequence[str],
        parents: Sequence[str | None],
        titles: Sequence[str] | None = None,
    ) -> None:
        if len(topics) != len(parents) or (titles is not None and len(titles) != len(topics)):
            raise InputError(
                f"{len(topics)} topics, {len(parents)} parents"
                + (f", {len(titles)} titles" if titles is not None else ""),
                remedy="Give one parent (and one title) for each topic.",
            )
        named = titles if titles is not None else [None] * len(topics)
        self._build([TopicRecord(*row) for row in zip(topics, parents, named, strict=True)])

    def _build(
        self, records: Sequence[TopicRecord], path: str | PathLike[str] | None = None
    ) -> None:
        by_name = check_records(records, path)
        children: dict[str, list[TopicRecord]] = {}
        for record in records:
            children.setdefault(parent_name(record), []).append(record)
        names, parents, titles = [ROOT], [-1], [ROOT]
        stack = [(record, 0) for record in reversed(children.get(ROOT, []))]
        while stack:
            record, parent = stack.pop()
            node = len(names)
            names.append(record.topic)
            parents.append(parent)
            titles.append(record.title or record.topic)
            stack.extend((child, node) for child in reversed(children.get(record.topic, [])))
        if len(names) <= len(records):
            raise_cycle(by_name, set(names), path)
        self.names: tuple[str, ...] = tuple(names)
        self.titles: tuple[str, ...] = tuple(titles)
        self.parents: NDArray[np.int32] = np.array(parents, dtype=np.int32)
        self.parents.setflags(write=False)

    @classmethod
    def from_records(
        cls, records: Iterable[TopicRecord], path: str | PathLike[str] | None = None
    ) -> TopicTree:
        """Build from what a reader found; errors name `path` and the record's line."""
        tree = cls.__new__(cls)
        tree._build(list(records), path)  # noqa: SLF001 - an alternative constructor of the same class
        return tree

    @classmethod
    def from_paths(cls, paths: Iterable[str], *, separator: str = "/") -> TopicTree:
        """Build from paths such as ``news/politics/elections``.

        A topic's name is its whole path, its title the last part; the topics on the way are made.
        """
        from frex.tree.readers import path_records  # noqa: PLC0415 - readers import this module

        return cls.from_records(path_records(enumerate(paths, start=1), separator=separator))

    @classmethod
    def from_nested(cls, nested: Any) -> TopicTree:
        """Build from nested mappings or lists, e.g. ``{"sport": ["football", "golf"]}``."""
        from frex.tree.readers import nested_records  # noqa: PLC0415 - readers import this module

        return cls.from_records(nested_records(nested))

    @property
    def topics(self) -> tuple[str, ...]:
        """The K topic names, in the order of the label matrix's columns."""
        return self.names[1:]

    @property
    def n_nodes(self) -> int:
        """Number of nodes: the topics and the root."""
        return len(self.names)

    @property
    def n_topics(self) -> int:
        """Number of topics K."""
        return len(self.names) - 1

    def __len__(self) -> int:
        return self.n_topics

    def __iter__(self) -> Iterator[str]:
        return iter(self.topics)

    def __contains__(self, name: object) -> bool:
        return name in self._nodes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TopicTree):
            return NotImplemented
        return (
            self.names == other.names
            and self.titles == other.titles
            and bool(np.array_equal(self.parents, other.parents))
        )

    def __hash__(self) -> int:
        return hash((self.names, self.parents.tobytes()))

    def __repr__(self) -> str:
        return f"TopicTree({self.n_topics} topics, {int(self.levels.max())} levels)"

    def __str__(self) -> str:
        return self.draw()

    @cached_property
    def _nodes(self) -> dict[str, int]:
        return {name: node for node, name in enumerate(self.names)}

    @cached_property
    def levels(self) -> NDArray[np.int32]:
        """Distance of every node from the root."""
        levels = np.zeros(self.n_nodes, dtype=np.int32)
        for node in range(1, self.n_nodes):
            levels[node] = levels[self.parents[node]] + 1
        levels.setflags(write=False)
        return levels

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        children: list[list[int]] = [[] for _ in self.names]
        for node in range(1, self.n_nodes):
            children[self.parents[node]].append(node)
        return tuple(tuple(group) for group in children)

    @cached_property
    def _topic_nodes(self) -> tuple[int, ...]:
        return tuple(range(1, self.n_nodes))

    def node(self, name: str) -> int:
        """Return the number of the node with this name."""
        try:
            return self._nodes[name]
        except (KeyError, TypeError):
            raise InputError(
                f"there is no topic {name!r} in the tree", remedy=suggest(str(name), self.topics)
            ) from None

    def find(self, text: str) -> int:
        """Return the node that a person means: by its name, or by a title that only one node has.

        A title may be written in capitals or not.
        """
        if text in self:
            return self.node(text)
        wanted = text.casefold()
        titled = [node for node, title in enumerate(self.titles) if title.casefold() == wanted]
        if len(titled) == 1:
            return titled[0]
        if titled:
            names = ", ".join(self.names[node] for node in titled)
            raise InputError(
                f"{len(titled)} topics have the title {text!r}", remedy=f"Choose one of: {names}."
            )
        known = tuple(dict.fromkeys([*self.topics, *self.titles[1:]]))
        raise InputError(f"there is no topic {text!r} in the tree", remedy=suggest(text, known))

    def _as_node(self, node: str | int) -> int:
        if isinstance(node, str):
            return self.node(node)
        if not 0 <= node < self.n_nodes:
            raise InputError(
                f"there is no node {node}", remedy=f"Nodes go from 0 to {self.n_topics}."
            )
        return int(node)

    def children(self, node: str | int) -> tuple[int, ...]:
        """Return the nodes directly below a node."""
        return self._children[self._as_node(node)]

    def siblings(self, node: str | int) -> tuple[int, ...]:
        """Return the other children of a node's parent."""
        number = self._as_node(node)
        if number == 0:
            return ()
        return tuple(n for n in self._children[self.parents[number]] if n != number)

    def ancestors(self, node: str | int) -> tuple[int, ...]:
        """Return the topics above a node, nearest first; the root is not among them."""
        above = []
        number = int(self.parents[self._as_node(node)])
        while number > 0:
            above.append(number)
            number = int(self.parents[number])
        return tuple(above)

    def sum_up(self, values: ArrayLike) -> NDArray[Any]:
        """Return for each topic the sum of a value over it and all topics below it.

        Parameters
        ----------
        values
            One for each topic, such as its number of documents.
        """
        sums = np.array(values)
        for node in range(self.n_topics, 0, -1):  # children come after their parents
            parent = self.parents[node]
            if parent > 0:
                sums[parent - 1] += sums[node - 1]
        return sums

    def take(self, nodes: ArrayLike) -> TopicTree:
        """Return the tree of some topics, in their order here.

        Parameters
        ----------
        nodes
            Their numbers; the parent of each is among them, or is the root.
        """
        kept = np.unique(np.asarray(nodes, dtype=np.int64))
        above = self.parents[kept]
        if not (len(kept) and kept[0] > 0 and np.isin(above[above > 0], kept).all()):
            raise InputError(
                "these topics make no tree", remedy="Take topics together with their parents."
            )
        parents = [None if parent == 0 else self.names[parent] for parent in above]
        return TopicTree(
            [self.names[node] for node in kept], parents, [self.titles[node] for node in kept]
        )

    def at_level(self, level: int) -> tuple[int, ...]:
        """Return the topics at a level; level 1 holds the top-level topics."""
        deepest = int(self.levels.max())
        if not 1 <= level <= deepest:
            raise InputError(
                f"the tree has no level {level}", remedy=f"Choose a level from 1 to {deepest}."
            )
        return tuple(int(n) for n in np.flatnonzero(self.levels == level))

    def comparison_set(
        self, node: str | int, compare: str | int | Iterable[str] = "siblings"
    ) -> tuple[int, ...]:
        """Return the nodes S(k) against which a topic's exclusivity is measured, itself included.

        Parameters
        ----------
        node
            The topic.
        compare
            ``"siblings"``: the topic and its siblings; an only child against its parent.
            ``"all"``: all topics. A number: the topics at that level. Names: those topics.
        """
        number = self._as_node(node)
        others = self.compared_with(number, compare)
        return others if number in others else tuple(sorted((number, *others)))

    def compared_with(
        self, node: str | int, compare: str | int | Iterable[str] = "siblings"
    ) -> tuple[int, ...]:
        """Return the comparison set as topics share it: the topic itself may be in it or not.

        What is summed once over such a set serves all topics that share it.

        Parameters
        ----------
        node, compare
            As for `comparison_set`.
        """
        number = self._as_node(node)
        if number == 0:
            raise InputError("the root has no comparison set", remedy="Name a topic.")
        if isinstance(compare, str) and compare == "siblings":
            parent = int(self.parents[number])
            group = self._children[parent]
            return group if len(group) > 1 else (parent,)
        if isinstance(compare, str) and compare == "all":
            return self._topic_nodes
        if isinstance(compare, str):
            raise InputError(
                f"there is no comparison set {compare!r}",
                remedy="Use 'siblings', 'all', a level's number, or a list of topics.",
            )
        if isinstance(compare, int):
            return self.at_level(compare)
        return tuple(sorted({self.node(name) for name in compare}))

    def outline(self) -> list[str]:
        """Return each topic's name with the branches that lead to it, one line a topic."""
        lines = []
        prefixes = {0: ""}  # what stands before the branches of each node's children
        for node in range(1, self.n_nodes):
            parent = int(self.parents[node])
            last = self._children[parent][-1] == node
            lines.append(f"{prefixes[parent]}{'└── ' if last else '├── '}{self.names[node]}")
            prefixes[node] = prefixes[parent] + ("    " if last else "│   ")
        return lines

    def draw(self, notes: Mapping[str, str] | None = None) -> str:
        """Draw the tree as text.

        Parameters
        ----------
        notes
            What to write behind a topic's name, e.g. its best words or number of documents.
        """
        lines = [f"{ROOT}  {self.n_topics} topic{'s' if self.n_topics != 1 else ''}"]
        for line, name, title in zip(self.outline(), self.topics, self.titles[1:], strict=True):
            told = name.endswith(title)  # a path ends in its own title
            note = (notes or {}).get(name)
            lines.append(line + ("" if told else f"  {title}") + (f"  {note}" if note else ""))
        return "\n".join(lines)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the tree as plain lists, for JSON; `from_dict` reads it back."""
        return {
            "topics": list(self.topics),
            "parents": [int(p) for p in self.parents[1:]],
            "titles": list(self.titles[1:]),
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Sequence[Any]]) -> TopicTree:
        """Rebuild a tree from `to_dict`."""
        names = [ROOT, *saved["topics"]]
        return cls(saved["topics"], [names[p] for p in saved["parents"]], saved["titles"])


def suggest(name: str, known: Sequence[str]) -> str:
    """Return a sentence that offers the closest known names."""
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    if close:
        return f"Did you mean {' or '.join(close)}?"
    few = ", ".join(known[:5])
    return f"The topics are: {few}{', ...' if len(known) > 5 else '.'}"

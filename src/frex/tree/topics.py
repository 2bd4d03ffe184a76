"""`TopicTree`: topics in parents-first order, so that a pass up or down is a simple loop.

In a taxonomy a topic may have several parents. The model needs a tree, so one of them is *the*
parent, which determines the order of nodes; the others are stored separately.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import InputError
from frex.tree.comparisons import compared_with
from frex.tree.drawing import draw, outline
from frex.tree.graph import find_ancestry
from frex.tree.labels import KnownLabels, suggest, titled_node
from frex.tree.markup import as_html
from frex.tree.order import in_order
from frex.tree.parts import records_of, saved_records
from frex.tree.records import TopicRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from numpy.typing import ArrayLike, NDArray

    from frex.tree.graph import Ancestry


class TopicTree:
    """The topics of a taxonomy, of any shape and depth.

    Node 0 is the root. The topics are nodes 1 to K in depth-first order, with siblings in the given
    order, so every parent comes before its children and every subtree is contiguous.
    Column k of a label matrix belongs to node k + 1.

    Parameters
    ----------
    topics
        Names of the topics, in any order. A topic with several parents is listed several times.
    parents
        For each topic the name of its parent; None (or ``"ROOT"``) for a top-level topic.
    titles
        Display names; by default the topics' names.

    Attributes
    ----------
    names, titles
        Name and title of each node; the root is ``"ROOT"``.
    parents
        Parent of each node in the tree: the first that was given, unless `with_parents` chose
        another. The root's is -1.
    other_parents
        Further parents of each node, ascending; usually none. 0 means that the topic is also a
        top-level topic. A child may come before one of these.
    aliases
        Other names of each node in documents, e.g. the address and the preferred labels of a SKOS
        concept.

    Examples
    --------
    >>> from frex import TopicTree
    >>> tree = TopicTree(['trade', 'metal', 'grain'], [None, 'trade', 'trade'])
    >>> print(tree)
    ROOT  3 topics
    └── trade
        ├── metal
        └── grain
    """

    names: tuple[str, ...]
    titles: tuple[str, ...]
    parents: NDArray[np.int32]
    other_parents: tuple[tuple[int, ...], ...]
    aliases: tuple[tuple[str, ...], ...]

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
        ordered = in_order(records, path)
        self.names, self.titles, self.aliases = ordered.names, ordered.titles, ordered.aliases
        self.parents = np.array(ordered.parents, dtype=np.int32)
        self.parents.setflags(write=False)
        self.other_parents = ordered.other_parents
        self._second_parent = ordered.second_parent

    @classmethod
    def from_records(
        cls, records: Iterable[TopicRecord], path: str | PathLike[str] | None = None
    ) -> TopicTree:
        """Build from a reader's records; errors name `path` and the record's line."""
        tree = cls.__new__(cls)
        tree._build(list(records), path)  # noqa: SLF001 - an alternative constructor of the same class
        return tree

    @classmethod
    def from_paths(cls, paths: Iterable[str], *, separator: str = "/") -> TopicTree:
        """Build from paths such as ``news/politics/elections``.

        A topic's name is its whole path, and its title the last part.

        Parameters
        ----------
        paths
            One for each topic; paths of topics above them may be left out.
        separator
            Separator of the parts.

        Returns
        -------
        TopicTree
            The tree.

        Examples
        --------
        >>> from frex import TopicTree
        >>> TopicTree.from_paths(['trade/metal', 'trade/grain']).topics
        ('trade', 'trade/metal', 'trade/grain')
        """
        from frex.tree.readers import path_records  # noqa: PLC0415 - readers import this module

        return cls.from_records(path_records(enumerate(paths, start=1), separator=separator))

    @classmethod
    def from_nested(cls, nested: Any) -> TopicTree:
        """Build from nested mappings or lists, e.g. ``{"sport": ["football", "golf"]}``.

        Parameters
        ----------
        nested
            Mappings of topics to their children, or lists of topics.

        Returns
        -------
        TopicTree
            The tree.

        Examples
        --------
        >>> from frex import TopicTree
        >>> tree = TopicTree.from_nested({'trade': ['metal', 'grain'], 'sport': []})
        >>> tree.topics
        ('trade', 'metal', 'grain', 'sport')
        """
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
            and self.other_parents == other.other_parents
        )

    def __hash__(self) -> int:
        return hash((self.names, self.parents.tobytes()))

    def __repr__(self) -> str:
        levels = int(self.levels.max())
        return f"TopicTree({self.n_topics} topics, {levels} level{'' if levels == 1 else 's'})"

    def __str__(self) -> str:
        return self.draw()

    def _repr_html_(self) -> str:
        """Return the tree as HTML for a notebook."""
        return as_html(self)

    @property
    def several_parents(self) -> tuple[int, ...]:
        """The topics with several parents."""
        return tuple(node for node, others in enumerate(self.other_parents) if others)

    @cached_property
    def known_labels(self) -> KnownLabels:
        """The valid labels of documents: names, aliases from the file, and titles."""
        besides = zip(self.aliases[1:], self.titles[1:], strict=True)
        return KnownLabels.of(
            self.topics, [tuple(dict.fromkeys((*aliases, title))) for aliases, title in besides]
        )

    @cached_property
    def ancestry(self) -> Ancestry:
        """All ancestors of each node, by all parents."""
        return find_ancestry([self.all_parents(node) for node in range(self.n_nodes)])

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
    def topic_nodes(self) -> tuple[int, ...]:
        """The numbers of all topics, 1 to K."""
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
        """Return a node by its name, or by a unique title, ignoring the case of titles.

        Parameters
        ----------
        text
            A name or a title.

        Returns
        -------
        int
            The node's number.

        Examples
        --------
        >>> from frex import TopicTree
        >>> tree = TopicTree.from_nested({'trade': ['metal', 'grain'], 'sport': []})
        >>> tree.find('Metal')
        2
        """
        if text in self:
            return self.node(text)
        return titled_node(self, text)

    def _as_node(self, node: str | int) -> int:
        if isinstance(node, str):
            return self.node(node)
        if not 0 <= node < self.n_nodes:
            raise InputError(
                f"there is no node {node}", remedy=f"Nodes go from 0 to {self.n_topics}."
            )
        return int(node)

    def children(self, node: str | int) -> tuple[int, ...]:
        """Return the nodes directly below a node.

        Parameters
        ----------
        node
            Its number or its name.

        Returns
        -------
        tuple of int
            In the order of the tree.

        Examples
        --------
        >>> from frex import TopicTree
        >>> tree = TopicTree.from_nested({'trade': ['metal', 'grain'], 'sport': []})
        >>> [tree.names[child] for child in tree.children('trade')]
        ['metal', 'grain']
        """
        return self._children[self._as_node(node)]

    def siblings(self, node: str | int) -> tuple[int, ...]:
        """Return the other children of a node's parent.

        Parameters
        ----------
        node
            Its number or its name.

        Returns
        -------
        tuple of int
            In the order of the tree; empty for the root.

        Examples
        --------
        >>> from frex import TopicTree
        >>> tree = TopicTree.from_nested({'trade': ['metal', 'grain'], 'sport': []})
        >>> [tree.names[other] for other in tree.siblings('metal')]
        ['grain']
        """
        number = self._as_node(node)
        if number == 0:
            return ()
        return tuple(n for n in self._children[self.parents[number]] if n != number)

    def ancestors(self, node: str | int) -> tuple[int, ...]:
        """Return the topics above a node in the tree, nearest first, without the root.

        Parameters
        ----------
        node
            Its number or its name.

        Returns
        -------
        tuple of int
            The parent first.

        Examples
        --------
        >>> from frex import TopicTree
        >>> tree = TopicTree.from_nested({'trade': ['metal', 'grain'], 'sport': []})
        >>> [tree.names[above] for above in tree.ancestors('grain')]
        ['trade']
        """
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

    def all_parents(self, node: str | int) -> tuple[int, ...]:
        """Return all parents of a node, that of the tree first."""
        number = self._as_node(node)
        return () if number == 0 else (int(self.parents[number]), *self.other_parents[number])

    def all_ancestors(self, node: str | int) -> tuple[int, ...]:
        """Return the topics above a node by any of its parents, ascending, without the root."""
        number = self._as_node(node)
        starts, nodes = self.ancestry
        return tuple(nodes[starts[number] : starts[number + 1]].tolist())

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
        """Return the nodes S(k) of a topic's comparison set, including the topic.

        Parameters
        ----------
        node
            The topic.
        compare
            ``"siblings"``: the topic and its siblings, or an only child and its parent. ``"all"``:
            all topics. A number: the topics at that level. Names: those topics.

        Returns
        -------
        tuple of int
            Ascending.

        Examples
        --------
        >>> from frex import TopicTree
        >>> tree = TopicTree.from_nested({'trade': ['metal', 'grain'], 'sport': []})
        >>> [tree.names[other] for other in tree.comparison_set('metal')]
        ['metal', 'grain']
        """
        number = self._as_node(node)
        others = self.compared_with(number, compare)
        return others if number in others else tuple(sorted((number, *others)))

    def compared_with(
        self, node: str | int, compare: str | int | Iterable[str] = "siblings"
    ) -> tuple[int, ...]:
        """Return the shared form of a comparison set, which may or may not include the topic.

        Topics with the same set share sums over it.

        Parameters
        ----------
        node, compare
            As for `comparison_set`.
        """
        return compared_with(self, self._as_node(node), compare)

    def require_one_parent(self) -> None:
        """Raise an error if a topic has several parents."""
        if self._second_parent is not None:
            raise self._second_parent

    def with_parents(self, chosen: Mapping[int, int]) -> TopicTree:
        """Return the tree in which some topics are below another of their parents.

        The nodes are in the order of the new tree; `label_columns` maps columns to it.

        Parameters
        ----------
        chosen
            The chosen parent of some nodes, one of `all_parents`.
        """
        return self.from_records(records_of(self, range(1, self.n_nodes), chosen))

    def take(self, nodes: ArrayLike) -> TopicTree:
        """Return the tree of some topics, in the order of this tree.

        Parameters
        ----------
        nodes
            Their numbers, in any order. The parent of each must be included, or be the root; other
            parents that are not included are left out.
        """
        kept = sorted({self._as_node(int(node)) for node in np.ravel(nodes)} - {0})
        lost = {int(self.parents[node]) for node in kept} - {0, *kept}
        if lost:
            missing = self.names[min(lost)]
            raise InputError(
                f"topics below {missing!r} are to be kept without it",
                remedy="Keep the topics above a topic too.",
            )
        return self.from_records(records_of(self, kept, {}))

    def label_columns(self, other: TopicTree) -> NDArray[np.int32]:
        """Return each topic's column in label matrices of another tree with the same topics."""
        return np.array([other.node(name) - 1 for name in self.topics], dtype=np.int32)

    def outline(self) -> list[str]:
        """Return each topic's name with the branches that lead to it, one line a topic."""
        return outline(self)

    def draw(self, notes: Mapping[str, str] | None = None) -> str:
        """Draw the tree as text.

        Parameters
        ----------
        notes
            Text after a topic's name, e.g. its best words or number of documents.

        Returns
        -------
        str
            A line for each topic.

        Examples
        --------
        >>> from frex import TopicTree
        >>> tree = TopicTree.from_nested({'trade': ['metal', 'grain'], 'sport': []})
        >>> print(tree.draw({'metal': '120 documents'}))
        ROOT  4 topics
        ├── trade
        │   ├── metal  120 documents
        │   └── grain
        └── sport
        """
        return draw(self, notes or {})

    def also_under(self, node: str | int) -> str:
        """Return a phrase with the other parents of a node; empty if it has none."""
        others = self.other_parents[self._as_node(node)]
        if not others:
            return ""
        return f"also under {', '.join(self.names[parent] for parent in others)}"

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the tree as lists, for JSON; `from_dict` reads it back."""
        return {
            "topics": list(self.topics),
            "parents": [int(p) for p in self.parents[1:]],
            "titles": list(self.titles[1:]),
            "other_parents": [list(others) for others in self.other_parents[1:]],
            "aliases": [list(others) for others in self.aliases[1:]],
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Sequence[Any]]) -> TopicTree:
        """Rebuild a tree from `to_dict`; one of version 0.1 has one parent each and no aliases."""
        return cls.from_records(saved_records(saved))

"""The corpus on the device, with the room that a scan needs; the chains of a run share it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import InputError
from frex.sampler.cuda.memory import check_memory, copied, room
from frex.sampler.kernels.cuda import layout
from frex.sampler.kernels.cuda.affinities import Course, Documents
from frex.sampler.kernels.cuda.blocks import Tree
from frex.sampler.kernels.cuda.interweaving_words import Room
from frex.sampler.kernels.cuda.options import LANES, STRETCH_PAIRS
from frex.sampler.kernels.cuda.rates import Path, Words
from frex.sampler.kernels.cuda.sums import ByNode

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.sampler.data import KernelData
    from frex.sampler.kernels.affinities import DocumentData
    from frex.sampler.kernels.rates import WordData

CHUNK = 4096
"""Labels of one node that a block sums."""

WORDS_AT_A_TIME = 64
"""Words over which a block sums rates."""

NODES_LIMIT = 1 << 16
"""Nodes are 16 bits wide on the device."""


@dataclass
class DeviceCorpus:
    """What does not change during a run, and room for what a scan forgets."""

    tree: Tree
    words: Words
    documents: Documents
    by_node: ByNode
    group_parents: Any  #: P, the node whose children a group has
    label_places: NDArray[np.int64]  #: on the host: where a flat label is on the device
    square_places: NDArray[np.int64]  #: likewise, the entries of the flat curvatures
    slots: NDArray[np.int32]  #: on the host: the documents of the slots, -1 for none
    n_stretches: int
    n_chunks: int
    n_labels: int  #: places of labels on the device
    n_squares: int  #: places of matrix entries
    theta: Any
    gathered: Any
    path: Path
    room: Room
    course: Course

    @property
    def n_words(self) -> int:
        """V."""
        return int(self.words.single_counts.shape[0])

    @property
    def n_nodes(self) -> int:
        """N."""
        return int(self.words.single_counts.shape[1])

    @property
    def n_groups(self) -> int:
        """P."""
        return len(self.group_parents)

    @classmethod
    def of(cls, data: KernelData) -> DeviceCorpus:
        """Lay a corpus out and copy it."""
        words, documents = data
        n_words, n_nodes = words.single_counts.shape
        if n_nodes > NODES_LIMIT:
            raise InputError(
                f"the tree has {n_nodes:,} nodes, and the GPU can have {NODES_LIMIT:,}",
                remedy="Use device='cpu'.",
            )
        slots, group_m = _slots(documents)
        laid, label_places, square_places, sizes = _lay_documents(documents, slots, group_m)
        stretched = _lay_words(words, label_places, documents.most_labels)
        n_pairs, n_stretches = len(stretched.labels), len(stretched.stretch_words)
        n_groups = int(words.groups.max()) + 1
        n_labels, n_squares, n_rates = sizes
        floats = (
            n_pairs + n_rates + n_words * (18 * n_nodes + 8 * n_groups) + n_stretches * n_nodes
            + 20 * n_labels + 8 * n_squares
        )  # fmt: skip
        by_word = (n_words, n_nodes)
        by_node = _by_node(laid.nodes, label_places, n_nodes)
        check_memory(sum(a.nbytes for a in (*stretched, *laid)) + 8 * floats)
        return cls(
            tree=_lay_tree(words.parents, words.groups),
            words=Words(*map(copied, stretched)),
            documents=Documents(*map(copied, laid)),
            by_node=by_node,
            group_parents=copied(_group_parents(words.parents, words.groups)),
            label_places=label_places,
            square_places=square_places,
            slots=slots,
            n_stretches=n_stretches,
            n_chunks=len(by_node.chunk_starts) - 1,
            n_labels=n_labels,
            n_squares=n_squares,
            theta=room(n_pairs),
            gathered=room(n_rates),
            path=Path(
                position=room(by_word),
                rates=room(by_word),
                momentum=room(by_word),
                velocity=room(by_word),
                pivots=room(by_word),
                multipliers=room(by_word),
                gradients=room((n_stretches, n_nodes)),
                values=room(n_stretches),
                scalars=room((n_words, 3)),
                moving=copied(np.ones(n_words, np.int32)),
                end_slopes=room(by_word),
            ),
            room=Room(
                t=room((3, n_words, n_groups)),
                a=room((3, *by_word)),
                b=room((3, *by_word)),
                mu=room((3, *by_word)),
                terms=room((3, n_words)),
            ),
            course=Course(
                position=room(n_labels),
                theta=room(n_labels),
                gradient=room(n_labels),
                momentum=room(n_labels),
                velocity=room(n_labels),
                lower=room(n_squares),
            ),
        )


def _group_parents(parents: NDArray[np.int32], groups: NDArray[np.int32]) -> NDArray[np.int32]:
    out = np.zeros(int(groups.max()) + 1, np.int32)
    out[groups[1:]] = parents[1:]
    return out


def _lay_tree(parents: NDArray[np.int32], groups: NDArray[np.int32]) -> Tree:
    """Find every node's children, latest first, and the nodes of every level."""
    n_nodes = len(parents)
    latest_first = np.arange(n_nodes - 1, 0, -1)
    children = latest_first[np.argsort(parents[latest_first], kind="stable")]
    levels = np.zeros(n_nodes, np.int64)
    for node in range(1, n_nodes):
        levels[node] = levels[parents[node]] + 1
    parts: tuple[NDArray[Any], ...] = (
        parents,
        groups,
        _starts(np.bincount(parents[1:], minlength=n_nodes)),
        children.astype(np.int32),
        _starts(np.bincount(levels)),
        np.argsort(levels, kind="stable").astype(np.int32),
    )
    return Tree(*map(copied, parts))


def _lay_words(data: WordData, label_places: NDArray[np.int64], most: int) -> Words:
    """Cut every word's tokens into stretches."""
    n_words, n_nodes = data.single_counts.shape
    if most > STRETCH_PAIRS:
        raise InputError(
            f"a document has {most:,} labels, and on the GPU it can have {STRETCH_PAIRS:,}",
            remedy="Use device='cpu'.",
        )
    order = np.empty(len(data.documents), np.int64)
    n_stretches, n_rows, n_pairs = (np.empty(n_words, np.int64) for _ in range(3))
    layout.measure_words(data, most, STRETCH_PAIRS, order, n_stretches, n_rows, n_pairs)
    word_stretches, word_rows, word_pairs = map(_starts, (n_stretches, n_rows, n_pairs))
    total = int(word_pairs[-1])
    words = Words(
        word_stretches=word_stretches,
        stretch_words=np.empty(int(word_stretches[-1]), np.int32),
        token_starts=np.full(int(word_stretches[-1]) + 1, len(order), np.int64),
        counts=np.empty(len(order), np.int32),
        row_starts=np.full(int(word_stretches[-1]) + 1, int(word_rows[-1]), np.int64),
        rows=np.full(int(word_rows[-1]) + 1, total, np.int64),
        labels=np.empty(total, np.int32),
        nodes=np.empty(total, np.uint16),
        places=np.empty(total, np.uint16),
        segments=np.empty((int(word_stretches[-1]), n_nodes + 1), np.uint16),
        single_counts=data.single_counts,
    )
    layout.fill_words(
        data, label_places, STRETCH_PAIRS, order, word_stretches, word_rows, word_pairs,
        words.stretch_words, words.token_starts, words.row_starts, words.counts,
        words.rows, words.labels, words.nodes, words.places, words.segments,
    )  # fmt: skip
    return words


def _slots(data: DocumentData) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Seat the documents, as many labels and about as many words side by side.

    Return the slots' documents, and how many labels those of each group of slots have.
    """
    n_labels, n_words = np.diff(data.label_starts), np.diff(data.starts)
    order = np.lexsort((n_words, n_labels))
    slots: list[NDArray[np.int32]] = []
    group_m: list[NDArray[np.int32]] = []
    for m in np.unique(n_labels):
        own = order[n_labels[order] == m].astype(np.int32)
        own = np.append(own, np.full(-len(own) % LANES, -1, np.int32))
        slots.append(own)
        group_m.append(np.full(len(own) // LANES, m, np.int32))
    if not slots:  # one empty group
        slots, group_m = [np.full(LANES, -1, np.int32)], [np.zeros(1, np.int32)]
    return np.concatenate(slots), np.concatenate(group_m)


def _lay_documents(
    data: DocumentData, slots: NDArray[np.int32], group_m: NDArray[np.int32]
) -> tuple[Documents, NDArray[np.int64], NDArray[np.int64], tuple[int, int, int]]:
    """Lay documents side by side; return also where flat labels and curvatures go, and sizes."""
    taken = np.flatnonzero(slots >= 0)
    n_words = np.zeros(len(slots), np.int32)
    n_words[taken] = np.diff(data.starts)[slots[taken]]
    longest = n_words.reshape(-1, LANES).max(axis=1, initial=0)
    m, n = group_m.astype(np.int64) * LANES, longest.astype(np.int64)
    label_starts, square_starts, word_starts, rate_starts = map(
        _starts, (m, m * group_m, n * LANES, m * n)
    )
    label_places = _places(data.label_starts, slots, label_starts)
    square_places = _places(data.square_starts, slots, square_starts)
    nodes = np.zeros(int(label_starts[-1]), np.int32)
    nodes[label_places] = data.nodes
    exposures = np.zeros(len(slots))
    exposures[taken] = data.exposures[slots[taken]]
    laid = Documents(
        documents=slots,
        n_words=n_words,
        exposures=exposures,
        n_labels=group_m,
        longest=longest,
        label_starts=label_starts[:-1],
        square_starts=square_starts[:-1],
        word_starts=word_starts[:-1],
        rate_starts=rate_starts[:-1],
        words=np.zeros(int(word_starts[-1]), np.int32),
        counts=np.zeros(int(word_starts[-1]), np.float32),
        nodes=nodes,
    )
    layout.fill_documents(data, slots, LANES, laid.word_starts, laid.words, laid.counts)
    sizes = (int(label_starts[-1]), int(square_starts[-1]), int(rate_starts[-1]))
    return laid, label_places, square_places, sizes


def _places(
    starts: NDArray[np.int64], slots: NDArray[np.int32], group_starts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return where the entries of ragged rows, one a document, are when rows lie side by side."""
    taken = np.flatnonzero(slots >= 0)
    first = np.empty(len(starts) - 1, np.int64)
    first[slots[taken]] = group_starts[taken // LANES] + taken % LANES
    sizes = np.diff(starts)
    within = np.arange(int(starts[-1])) - np.repeat(starts[:-1], sizes)
    places: NDArray[np.int64] = np.repeat(first, sizes) + within * LANES
    return places


def _by_node(nodes: NDArray[np.int32], label_places: NDArray[np.int64], n_nodes: int) -> ByNode:
    """Sort the labels by node, and cut each node's into chunks."""
    own = nodes[label_places]
    order = np.argsort(own, kind="stable")
    node_starts = _starts(np.bincount(own, minlength=n_nodes))
    chunks = [np.arange(first, last, CHUNK) for first, last in pairwise(node_starts)]
    parts = (
        label_places[order],
        np.concatenate([*chunks, node_starts[-1:]]).astype(np.int64),
        _starts(np.array([len(c) for c in chunks])),
    )
    return ByNode(*map(copied, parts))


def _starts(sizes: NDArray[Any]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])

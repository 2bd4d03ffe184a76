"""The corpus on the device, with the workspace of a scan; all chains of a run share it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import InputError
from frex.sampler.engines.cuda.memory import Places, check_memory, copied, cuda, zeros
from frex.sampler.engines.cuda.sums import Cells
from frex.sampler.engines.cuda.tables import Tables, allowance
from frex.sampler.formulas.affinities import Buffers
from frex.sampler.kernels.cuda import layout
from frex.sampler.kernels.cuda.blocks import Tree
from frex.sampler.kernels.cuda.documents import Course, Documents
from frex.sampler.kernels.cuda.interweaving_words import Work
from frex.sampler.kernels.cuda.options import LANES, STRETCH_PAIRS
from frex.sampler.kernels.cuda.rates import Path, Words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.sampler.arrays import Ints
    from frex.sampler.data import KernelData
    from frex.sampler.exchange import Exchange
    from frex.sampler.kernels.documents import DocumentData
    from frex.sampler.kernels.words import WordData

CHUNK = 4096
"""Number of documents, or of labels of one node, over which a thread block sums."""

WORDS_AT_A_TIME = 512
"""Number of words over which a thread block sums."""

RATES_AT_A_TIME = 64
"""Number of words over which a thread sums rates."""

NODES_LIMIT = 1 << 16
"""Nodes are 16 bits wide on the device."""


@dataclass
class DeviceCorpus:
    """The corpus, which is constant during a run, and the workspace of a scan.

    It has the words and documents of the bins of the host's data, which may be a part of all.
    """

    exchange: Exchange
    tables: Tables
    tree: Tree
    words: Words
    documents: Documents
    word_bins: Cells
    rate_bins: Cells  #: of words too
    document_bins: Cells
    label_bins: Cells  #: with a cell for each node
    group_parents: Any  #: P, the node whose children a group has
    words_at: Places
    documents_at: Places
    labels_at: Places
    squares_at: Places  #: entries of the flat curvatures
    slots: NDArray[np.int32]  #: on the host, the document of each slot, -1 for none
    n_words: int
    n_stretches: int
    n_labels: int  #: number of positions of labels on the device
    n_squares: int  #: number of positions of matrix entries
    theta: Any
    gathered: Any
    path: Path
    along: Work  #: of the interweaving of nu and sigma2 with the words
    course: Course

    @property
    def n_nodes(self) -> int:
        """N."""
        return len(self.tree.parents)

    @property
    def n_groups(self) -> int:
        """P."""
        return len(self.group_parents)

    @classmethod
    def of(
        cls, data: KernelData, exchange: Exchange, *, n_chains: int = 1, n_sets: int = 1
    ) -> DeviceCorpus:
        """Copy a corpus, or the part in the data's bins, to the device.

        Memory is checked for the given numbers of chains and comparison sets.
        """
        words, documents = _words_here(data.words), data.documents
        n_words, n_nodes = words.single_counts.shape
        if n_nodes > NODES_LIMIT:
            raise InputError(
                f"the tree has {n_nodes:,} nodes, and the GPU can have {NODES_LIMIT:,}",
                remedy="Use device='cpu'.",
            )
        slots, group_m = _slots(documents)
        laid, labels_at, squares_at, sizes = _lay_documents(documents, slots, group_m)
        tables = Tables(exchange, n_nodes, labels_at.device)
        stretched = _lay_words(words, data.words.bin_words, tables.label_places, documents)
        n_pairs, n_stretches = len(stretched.labels), len(stretched.stretch_words)
        n_groups = int(words.groups.max()) + 1
        n_labels, n_squares, n_rates = sizes
        # the arrays of `DeviceCorpus`, of each chain's words, documents and state, of the search
        # for the mode, and of the record; a table of all rates for each chain
        cells, groups, every = n_words * n_nodes, n_words * n_groups, exchange.sizes["words"]
        floats = (
            n_pairs + n_rates + n_stretches * n_nodes + n_words * (9 + 10 * n_chains)
            + cells * (16 + 7 * n_chains + 3 + 2 + 2 * n_sets)
            + groups * (3 + 5 * n_chains + 2 + 2)
            + every * n_nodes * (n_chains + 1 + n_sets)
            + n_labels * (9 + 9 * n_chains + 4) + n_squares * (1 + 3 * n_chains)
            + len(slots) * 8 * n_chains
        )  # fmt: skip
        by_word = (n_words, n_nodes)
        documents_at = _seats(slots, len(documents.exposures))
        free = allowance(exchange, cuda.current_context().get_memory_info()[0])
        check_memory(sum(a.nbytes for a in (*stretched, *laid)) + 8 * floats, free)
        return cls(
            exchange=exchange,
            tables=tables,
            tree=_lay_tree(words.parents, words.groups),
            words=Words(*map(copied, stretched)),
            documents=Documents(*map(copied, laid)),
            word_bins=Cells.cut(np.arange(n_words), words.bin_starts, WORDS_AT_A_TIME),
            rate_bins=Cells.cut(np.arange(n_words), words.bin_starts, RATES_AT_A_TIME),
            document_bins=Cells.cut(documents_at.device, documents.bin_starts, CHUNK),
            label_bins=_label_bins(documents, labels_at, n_nodes),
            group_parents=copied(_group_parents(words.parents, words.groups)),
            words_at=Places(exchange.sizes["words"], data.words.bin_words, np.arange(n_words)),
            documents_at=documents_at,
            labels_at=labels_at,
            squares_at=squares_at,
            slots=slots,
            n_words=n_words,
            n_stretches=n_stretches,
            n_labels=n_labels,
            n_squares=n_squares,
            theta=zeros(n_pairs),
            gathered=zeros(n_rates),
            path=Path(
                position=zeros(by_word),
                rates=zeros(by_word),
                momentum=zeros(by_word),
                velocity=zeros(by_word),
                inverses=zeros(by_word),
                multipliers=zeros(by_word),
                gradients=zeros((n_stretches, n_nodes)),
                values=zeros(n_stretches),
                scalars=zeros((n_words, 3)),
                moving=copied(np.ones(n_words, np.int32)),
                end_slopes=zeros(by_word),
            ),
            along=Work(
                t=zeros((3, n_words, n_groups)),
                a=zeros((3, *by_word)),
                b=zeros((3, *by_word)),
                mu=zeros((3, *by_word)),
                terms=zeros((3, n_words)),
            ),
            course=_course(n_labels, n_squares),
        )


def _course(n_labels: int, n_squares: int) -> Course:
    """Return buffers of all documents; sums over words are the gradient."""
    *by_label, gradient, first_slopes, last_slopes = (zeros(n_labels) for _ in range(9))
    mean, expected, position, theta, momentum, velocity = by_label
    every = Buffers(
        mean=mean, expected=expected, position=position, theta=theta, gradient=gradient,
        momentum=momentum, velocity=velocity, sums=gradient, lower=zeros(n_squares),
        memory=gradient,
    )  # fmt: skip
    return Course(every, first_slopes, last_slopes)


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


def _words_here(data: WordData) -> WordData:
    """Return the word data restricted to the words of the bins.

    They are in the corpus's order, and no other words have counts.
    """
    own = data.bin_words
    return data._replace(
        starts=np.append(data.starts[own], data.starts[-1]),
        single_counts=data.single_counts[own],
        bin_words=np.arange(len(own)),
    )


def _lay_words(data: WordData, ids: Ints, label_places: Ints, documents: DocumentData) -> Words:
    """Divide every word's tokens into segments."""
    most = documents.most_labels
    n_words, n_nodes = data.single_counts.shape
    if most > STRETCH_PAIRS:
        raise InputError(
            f"a document has {most:,} labels, and on the GPU it can have {STRETCH_PAIRS:,}",
            remedy="Use device='cpu'.",
        )
    sizes = _sizes(data, documents)
    order = np.empty(len(sizes), np.int64)
    n_stretches, n_rows, n_pairs = (np.empty(n_words, np.int64) for _ in range(3))
    layout.measure_words(data, sizes, most, STRETCH_PAIRS, order, n_stretches, n_rows, n_pairs)
    word_stretches, word_rows, word_pairs = map(_starts, (n_stretches, n_rows, n_pairs))
    total = int(word_pairs[-1])
    words = Words(
        ids=ids.astype(np.int32),
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
        data, sizes, label_places, documents.nodes, STRETCH_PAIRS, order, word_stretches, word_rows,
        word_pairs,
        words.stretch_words, words.token_starts, words.row_starts, words.counts,
        words.rows, words.labels, words.nodes, words.places, words.segments,
    )  # fmt: skip
    return words


def _sizes(data: WordData, documents: DocumentData) -> NDArray[np.int32]:
    """Return the number of labels of every token's document."""
    starts = documents.label_starts
    from_first = np.zeros(int(starts[-1]), np.int32)
    from_first[starts[:-1]] = np.diff(starts)
    sizes: NDArray[np.int32] = from_first[data.firsts]
    return sizes


def _slots(data: DocumentData) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Assign documents to slots, so that neighbours have equally many labels and similar lengths.

    Return the document of every slot, and the number of labels in each group of slots.
    """
    here = data.bin_documents
    n_labels, n_words = np.diff(data.label_starts), np.diff(data.starts)
    order = here[np.lexsort((n_words[here], n_labels[here]))]
    slots: list[NDArray[np.int32]] = []
    group_m: list[NDArray[np.int32]] = []
    for m in np.unique(n_labels[here]):
        own = order[n_labels[order] == m].astype(np.int32)
        own = np.append(own, np.full(-len(own) % LANES, -1, np.int32))
        slots.append(own)
        group_m.append(np.full(len(own) // LANES, m, np.int32))
    if not slots:  # one empty group
        slots, group_m = [np.full(LANES, -1, np.int32)], [np.zeros(1, np.int32)]
    return np.concatenate(slots), np.concatenate(group_m)


def _lay_documents(
    data: DocumentData, slots: NDArray[np.int32], group_m: NDArray[np.int32]
) -> tuple[Documents, Places, Places, tuple[int, int, int]]:
    """Interleave documents; return also the positions of flat labels and curvatures, and sizes."""
    taken = np.flatnonzero(slots >= 0)
    n_words = np.zeros(len(slots), np.int32)
    n_words[taken] = np.diff(data.starts)[slots[taken]]
    longest = n_words.reshape(-1, LANES).max(axis=1, initial=0)
    m, n = group_m.astype(np.int64) * LANES, longest.astype(np.int64)
    label_starts, square_starts, word_starts, rate_starts = map(
        _starts, (m, m * group_m, n * LANES, m * n)
    )
    labels_at = _places(data.label_starts, slots, label_starts)
    squares_at = _places(data.square_starts, slots, square_starts)
    nodes = np.zeros(int(label_starts[-1]), np.int32)
    nodes[labels_at.device] = data.nodes[labels_at.host]
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
    return laid, labels_at, squares_at, sizes


def _seats(slots: NDArray[np.int32], n_documents: int) -> Places:
    """Return the slots of documents, in the documents' order."""
    taken = np.flatnonzero(slots >= 0)
    order = np.argsort(slots[taken])
    return Places(n_documents, slots[taken][order].astype(np.int64), taken[order])


def _places(starts: Ints, slots: NDArray[np.int32], group_starts: Ints) -> Places:
    """Return the positions of the entries of ragged rows, one per document, after interleaving."""
    seats = _seats(slots, len(starts) - 1)
    sizes = np.diff(starts)[seats.host]
    within = np.arange(int(sizes.sum())) - np.repeat(_starts(sizes)[:-1], sizes)
    first = group_starts[seats.device // LANES] + seats.device % LANES
    return Places(
        int(starts[-1]),
        np.repeat(starts[seats.host], sizes) + within,
        np.repeat(first, sizes) + within * LANES,
    )


def _label_bins(data: DocumentData, labels_at: Places, n_nodes: int) -> Cells:
    """Sort the labels of every bin by node."""
    n_bins = len(data.bin_starts) - 1
    n_labels = np.diff(data.label_starts)[data.bin_documents]
    bin_of = np.repeat(np.arange(n_bins), np.diff(_starts(n_labels)[data.bin_starts]))
    cell = bin_of * n_nodes + data.nodes[labels_at.host]
    cell_starts = _starts(np.bincount(cell, minlength=n_bins * n_nodes))
    order = np.argsort(cell, kind="stable")
    return Cells.cut(labels_at.device[order], cell_starts, CHUNK, n_nodes)


def _starts(sizes: NDArray[Any]) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])

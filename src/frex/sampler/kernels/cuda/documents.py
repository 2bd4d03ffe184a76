"""The documents on the GPU, and where each finds its own; a thread has a document.

Documents are sorted by their labels, then by their words, and `LANES` of them lie side by side: the
threads of a warp read one stretch of memory. What a document has of numbers (k-th label, entry of
its matrix, word) is `LANES` apart.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import cuda

from frex.sampler.formulas.affinities import Buffers
from frex.sampler.formulas.documents import Place, Words, softmax
from frex.sampler.formulas.interweaving_documents import Spot
from frex.sampler.kernels.cuda.options import LANES, device, kernel


class Documents(NamedTuple):
    """The documents with two or more labels, side by side in groups with as many labels."""

    documents: Any  #: of the slots, their rows in the reduced corpus; -1 where a slot is empty
    n_words: Any  #: of the slots
    exposures: Any  #: of the slots
    n_labels: Any  #: of the groups
    longest: Any  #: of the groups, words of the document that has most
    label_starts: Any  #: of the groups, where their labels start
    square_starts: Any  #: of the groups, where their matrices start
    word_starts: Any  #: of the groups, where their words start
    rate_starts: Any  #: of the groups, where their gathered rates start
    words: Any
    counts: Any
    nodes: Any  #: of the labels


class Around(NamedTuple):
    """What the affinities are conditional on."""

    gathered: Any  #: rates of each document's words, a row for each label
    rate_sums: Any  #: N
    affinity_mean: Any  #: N
    affinity_variance: float


class Course(NamedTuple):
    """Where all documents are on their trajectories, or searches."""

    every: Any  #: the buffers of all
    first_slopes: Any  #: of the likelihood, where a trajectory starts; by label
    last_slopes: Any  #: and where it ends


@device
def has_document(slot, docs):
    """Tell whether there is a document for a thread."""
    return slot < len(docs.documents) and docs.documents[slot] >= 0


@device
def spot_of(slot, docs):
    """Return where a document's labels and matrix are."""
    group, lane = slot // LANES, slot % LANES
    first, square = docs.label_starts[group] + lane, docs.square_starts[group] + lane
    return Spot(docs.n_labels[group], first, square, LANES)


@device
def place_of(slot, docs):
    """Return where a document's words are."""
    group, lane = slot // LANES, slot % LANES
    return Place(
        docs.n_labels[group], docs.n_words[slot], docs.word_starts[group] + lane,
        docs.rate_starts[group] + lane, docs.longest[group] * LANES, LANES,
    )  # fmt: skip


@device
def buffers_of(spot, course):
    """Return a document's part of the buffers, in which rows of sums are the gradient."""
    every = course.every
    gradient = every.gradient[spot.label :: LANES]
    return Buffers(
        every.mean[spot.label :: LANES], every.expected[spot.label :: LANES],
        every.position[spot.label :: LANES], every.theta[spot.label :: LANES], gradient,
        every.momentum[spot.label :: LANES], every.velocity[spot.label :: LANES], gradient,
        every.lower[spot.square :: LANES], gradient,
    )  # fmt: skip


@device
def take_given(slot, spot, docs, around, own):
    """Copy eta of a document's labels, and l B."""
    for k in range(spot.n_labels):
        node = docs.nodes[spot.label + k * LANES]
        own.mean[k] = around.affinity_mean[node]
        own.expected[k] = docs.exposures[slot] * around.rate_sums[node]


@device
def take_means(spot, docs, affinity_mean, out):
    """Copy eta of a document's labels."""
    for k in range(spot.n_labels):
        out[k] = affinity_mean[docs.nodes[spot.label + k * LANES]]


@device
def at_work(slot, docs, around, course):
    """Return where a document and its words are, all words, and its buffers with what is given."""
    spot = spot_of(slot, docs)
    own = buffers_of(spot, course)
    take_given(slot, spot, docs, around, own)
    return spot, place_of(slot, docs), Words(around.gathered, docs.counts), own


@kernel
def gather(docs, rates, gathered):
    """Copy the rates of all documents' words at their labels."""
    slot = cuda.grid(1)
    if not has_document(slot, docs):
        return
    spot, place = spot_of(slot, docs), place_of(slot, docs)
    for word in range(place.n_rows):
        f = docs.words[place.first + word * LANES]
        for k in range(place.n_labels):
            rate = rates[f, docs.nodes[spot.label + k * LANES]]
            gathered[place.rate + word * LANES + k * place.label_stride] = rate


@kernel
def memberships_of(docs, affinities, memberships):
    """Fill all memberships from the affinities."""
    slot = cuda.grid(1)
    if has_document(slot, docs):
        spot = spot_of(slot, docs)
        softmax(spot.n_labels, affinities[spot.label :: LANES], memberships[spot.label :: LANES])


@kernel
def weigh(docs, memberships, out):
    """Fill l theta of every label."""
    slot = cuda.grid(1)
    if has_document(slot, docs):
        spot = spot_of(slot, docs)
        for k in range(spot.n_labels):
            label = spot.label + k * LANES
            out[0, label] = docs.exposures[slot] * memberships[label]


@kernel
def deviate(docs, affinities, affinity_mean, out):
    """Fill every label's affinity less its mean, and the square of that."""
    slot = cuda.grid(1)
    if has_document(slot, docs):
        spot = spot_of(slot, docs)
        for k in range(spot.n_labels):
            label = spot.label + k * LANES
            deviation = affinities[label] - affinity_mean[docs.nodes[label]]
            out[0, label] = deviation
            out[1, label] = deviation * deviation

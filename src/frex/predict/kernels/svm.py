"""Linear SVMs of several topics, trained side by side by dual coordinate descent.

With targets y = 1 or -1, penalty C, and x_d the features of document d and a 1 for the intercept,
the dual problem of the squared hinge loss is

    minimise    |w|^2 / 2 + sum_d (a_d^2 / (4 C) - a_d),    w = sum_d a_d y_d x_d,    a_d >= 0,

and a step to the minimum over a_d alone has the gradient and the curvature

    y_d w' x_d - 1 + a_d / (2 C),    |x_d|^2 + 1 / (2 C)          (Hsieh et al. 2008).

Documents are visited in random order. One that is at 0 and has a larger gradient than any other had
in the pass before is set aside until the rest has converged.

This is what liblinear does, for eight topics at a time: what a pass costs is to read the documents'
words, and all eight share that. liblinear itself also copies the documents for every topic.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from frex.sampler.formulas.rows import load, spread, store
from frex.sampler.kernels.options import inner, parallel, routine
from frex.sampler.kernels.vectors import LANES

STILL = 1e-12
"""Gradient below which a document does not move."""

MULTIPLIER, INCREMENT = np.uint64(6364136223846793005), np.uint64(1442695040888963407)
SHIFT = np.uint64(33)
"""Knuth's linear congruential generator, of which the upper bits are used."""


class Documents(NamedTuple):
    """The features of documents."""

    starts: Any  #: documents + 1: document d has words starts[d] to starts[d + 1]
    words: Any
    values: Any
    squares: Any  #: documents, |x_d|^2


class Block(NamedTuple):
    """Eight topics."""

    weights: Any  #: words + 1 x topics, w, the intercepts last
    steps: Any  #: documents x topics, a
    signs: Any  #: documents x topics, y
    order: Any  #: documents, those that were set aside last
    done: Any  #: topics, whether they have converged
    highest: Any  #: topics, the highest gradient of the pass before
    ends: Any  #: 2 x topics, the lowest and the highest gradient of the pass
    row: Any  #: 2 x topics, work space


@inner
def margin_of(words, values, weights):
    """Return w' x of a document."""
    even, odd = load(weights, len(weights) - 1), spread(0.0)
    paired = len(words) // 2 * 2
    for i in range(0, paired, 2):
        even = even + spread(np.float64(values[i])) * load(weights, words[i])
        odd = odd + spread(np.float64(values[i + 1])) * load(weights, words[i + 1])
    for i in range(paired, len(words)):
        even = even + spread(np.float64(values[i])) * load(weights, words[i])
    return even + odd


@inner
def add(words, values, moves, weights):
    """Add a document's features to w, so many times."""
    intercepts = len(weights) - 1
    store(weights, intercepts, load(weights, intercepts) + moves)
    for i in range(len(words)):
        f = words[i]
        store(weights, f, load(weights, f) + spread(np.float64(values[i])) * moves)


@inner
def move(d, square, ridge, block):
    """Step to the minimum over a document's a; return whether it is needed, and if it moved."""
    needed, moved = False, False
    for t in range(LANES):
        block.row[1, t] = 0.0
        y, a = block.signs[d, t], block.steps[d, t]
        gradient = y * block.row[0, t] - 1.0 + ridge * a
        if block.done[t] or (a == 0.0 and gradient > block.highest[t]):
            continue
        needed = True
        pull = gradient if a > 0.0 else min(gradient, 0.0)
        block.ends[0, t] = min(block.ends[0, t], pull)
        block.ends[1, t] = max(block.ends[1, t], pull)
        if abs(pull) > STILL:
            block.steps[d, t] = max(a - gradient / (square + ridge), 0.0)
            block.row[1, t] = y * (block.steps[d, t] - a)
            moved = True
    return needed, moved


@routine
def visit(documents, block, n_left, ridge):
    """Visit the documents that are not set aside; return how many are left."""
    at = 0
    while at < n_left:
        d = block.order[at]
        first, last = documents.starts[d], documents.starts[d + 1]
        words, values = documents.words[first:last], documents.values[first:last]
        store(block.row, 0, margin_of(words, values, block.weights))
        needed, moved = move(d, documents.squares[d], ridge, block)
        if moved:
            add(words, values, load(block.row, 1), block.weights)
        if needed:
            at += 1
        else:
            n_left -= 1
            block.order[at], block.order[n_left] = block.order[n_left], d
    return n_left


@inner
def shuffle(order, n, state):
    """Shuffle the first n numbers; return the generator's new state."""
    for i in range(n - 1, 0, -1):
        state = state * MULTIPLIER + INCREMENT
        j = np.int64((state >> SHIFT) % np.uint64(i + 1))
        order[i], order[j] = order[j], order[i]
    return state


@routine
def descend(documents, block, penalty, tolerance, most_passes):
    """Train the topics of a block that are not done."""
    n, ridge, state = len(block.order), 0.5 / penalty, np.uint64(0)
    n_left = n
    block.highest[:] = np.inf
    for _ in range(most_passes):
        state = shuffle(block.order, n_left, state)
        block.ends[0], block.ends[1] = np.inf, -np.inf
        before, n_left = n_left, visit(documents, block, n_left, ridge)
        whole, settled = before == n and n_left == n, True
        for t in range(LANES):
            if block.ends[1, t] - block.ends[0, t] > tolerance:
                settled = False
            elif whole:
                block.done[t] = True
            block.highest[t] = block.ends[1, t] if block.ends[1, t] > 0.0 else np.inf
        if settled:
            if whole:
                break
            n_left = n
            block.highest[:] = np.inf


@routine
def fill(block, first, starts, members):
    """Begin with the topics from the first on; those without documents, or with all, are done."""
    n, n_topics = len(block.order), len(starts) - 1
    block.weights[:], block.steps[:], block.signs[:] = 0.0, 0.0, -1.0
    for d in range(n):
        block.order[d] = d
    for t in range(LANES):
        topic = min(first + t, n_topics - 1)
        size = starts[topic + 1] - starts[topic]
        block.done[t] = first + t >= n_topics or size in (0, n)
        for i in range(starts[topic], starts[topic + 1]):
            block.signs[members[i], t] = 1.0


@parallel("firsts")
def train_topics(
    stretch,
    documents,
    starts,
    members,
    penalty,
    tolerance,
    most_passes,
    firsts,
    weights,
    intercepts,
):
    """Fill weights, words x topics, and intercepts; not of topics without documents, or with all.

    Topic k has the documents `members[starts[k]:starts[k + 1]]`. Blocks of topics begin at
    `firsts`. A topic has converged when its gradients differ by less than the tolerance.
    """
    n, n_words = len(documents.squares), len(weights)
    block = Block(
        np.empty((n_words + 1, LANES)),
        np.empty((n, LANES)),
        np.empty((n, LANES), np.float32),
        np.empty(n, np.int64),
        np.empty(LANES, np.bool_),
        np.empty(LANES),
        np.empty((2, LANES)),
        np.empty((2, LANES)),
    )
    for number in range(*stretch):
        first = firsts[number]
        fill(block, first, starts, members)
        trained = ~block.done
        descend(documents, block, penalty, tolerance, most_passes)
        for t in range(LANES):
            if trained[t]:
                intercepts[first + t] = block.weights[n_words, t]
                for f in range(n_words):
                    weights[f, first + t] = block.weights[f, t]

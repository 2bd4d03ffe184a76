"""Topics whose documents fall into two groups that differ as much as siblings do.

A topic's documents are put into two groups by one half of the vocabulary, and held against each
other by the other half: groups that were found in noise are not told apart there. Both halves take
turns. What varies within all topics, such as the form of a document or its source, makes groups
that no editor wants: the leading directions in which documents differ from their own topic's
centroid are taken out first, but for those in which the topic itself has a large part. The distance
of two groups is compared with those of close siblings, measured in the same way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import ndtr
from sklearn.preprocessing import normalize

from frex.audit.alike import typical_distances
from frex.audit.findings import TopicFinding
from frex.audit.own_words import FOLDS
from frex.audit.pairs import Judged, neighbours
from frex.audit.separation import Separation, tell_apart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.audit.examples import Examples
    from frex.audit.findings import Group
    from frex.audit.own_words import OwnWords

    Array: TypeAlias = NDArray[np.float64]
    Rows: TypeAlias = NDArray[np.int64]
    Sides: TypeAlias = NDArray[np.bool_]

FEWEST = 10
"""Documents of a topic that is looked at, and of a part so many in ten of these at least."""

DIRECTIONS = 30
"""Common to all topics. `benchmarks/audit_trees.py` says how little merged siblings show."""

OWN = 0.25
"""Of the variance along a direction, the part of one topic that makes it the topic's own."""

STARTS, STEPS, POWER_STEPS = 8, 20, 6
MOST_PAIRS = 200
"""Of siblings, whose distances say what is usual."""


class View(NamedTuple):
    """Half of the vocabulary, or all of it."""

    usage: csr_array[np.float32]
    common: NDArray[np.float32]  #: words x directions, orthonormal
    parts: NDArray[np.float32]  #: topics x directions: of its variance the topic's part

    def of(self, topic: int) -> View:
        """Return the view without the directions that are the topic's own."""
        return self._replace(common=self.common[:, self.parts[topic] < OWN])

    def project(self, towards: Array) -> Array:
        """Return what is left of a direction without those common to all topics."""
        return np.asarray(towards - self.common @ (self.common.T @ towards))


def split_topics(
    examples: Examples,
    sizes: Rows,
    *,
    least: float = 0.5,
    seed: int = 0,
    step: Callable[[int], None] = lambda _: None,
) -> Iterator[TopicFinding]:
    """Yield topics of two groups of documents that are likely to differ as siblings do.

    Parameters
    ----------
    examples
        Of the fit.
    sizes
        Documents of each topic.
    least
        Of the probability.
    seed
        Of the halves, and of where the search for groups begins.
    step
        Told of topics done.
    """
    own, rng = examples.own, np.random.default_rng(seed)
    first = rng.random(own.usage.shape[1]) < 0.5
    halves = [view_of(own, half, rng) for half in (first, ~first)]
    whole = view_of(own, np.ones_like(first), rng)
    usual, spread = _usual(examples, halves, rng)
    for topic in range(len(own.sizes)):
        rows = np.arange(own.starts[topic], own.starts[topic + 1])
        seen = [half.of(topic) for half in halves]
        found = _distance(seen, own, rows, rng) if len(rows) >= FEWEST else None
        step(1)
        if found is None:
            continue
        chance = float(ndtr((found.distance - usual) / np.hypot(found.error, spread)))
        if chance >= least:
            parts = _parts(examples, whole, topic, rng)
            yield _split(examples, Judged((topic, -1), found, chance), sizes, usual, parts)


def view_of(own: OwnWords, words: Sides, rng: np.random.Generator) -> View:
    """Return rows of length 1 over some of the words, and what varies within all topics."""
    usage = csr_array(normalize(own.usage[:, np.flatnonzero(words)]))
    n_rows, topics = usage.shape[0], own.topics
    weights = 1 / np.maximum(own.sizes, 1)[topics]
    shape = len(own.sizes), n_rows
    mean = csr_array((weights.astype(np.float32), (topics, np.arange(n_rows))), shape=shape)
    centroids, filed = csr_array(mean @ usage), csr_array(mean > 0).astype(np.float32)
    wanted = min(DIRECTIONS, n_rows // 20, usage.shape[1] // 20)
    basis = rng.normal(size=(usage.shape[1], wanted)).astype(np.float32)
    for _ in range(POWER_STEPS if wanted else 0):
        within = usage @ basis - (centroids @ basis)[topics]
        basis = np.linalg.qr(usage.T @ within - centroids.T @ (filed @ within))[0]
    variances = filed @ (usage @ basis - (centroids @ basis)[topics]) ** 2
    parts = variances / np.maximum(variances.sum(axis=0), np.finfo(np.float32).tiny)
    return View(usage, basis.astype(np.float32), parts.astype(np.float32))


def two_groups(view: View, rows: Rows, rng: np.random.Generator) -> Sides | None:
    """Return which rows are in the first of two groups, by spherical k-means."""
    usage = view.usage[rows]
    length = np.sqrt(np.maximum(1 - ((usage @ view.common) ** 2).sum(axis=1), 1e-3))
    usage = csr_array(usage.multiply((1 / length)[:, None]))
    best, found = -np.inf, None
    side: Sides
    for _ in range(STARTS):
        seeds = [usage[[row]].toarray()[0] for row in rng.choice(len(rows), 2, replace=False)]
        side = np.asarray(usage @ view.project(seeds[0] - seeds[1])) > 0
        for _ in range(STEPS):
            if side.all() or not side.any():
                break
            sums = [view.project(usage[part].sum(axis=0)) for part in (side, ~side)]
            lengths = [max(float(np.linalg.norm(one)), 1e-9) for one in sums]
            if sum(lengths) > best:
                best, found = sum(lengths), side
            closer = np.asarray(usage @ (sums[0] / lengths[0] - sums[1] / lengths[1])) > 0
            if (closer == side).all():
                break
            side = closer
    if found is None or min(found.sum(), (~found).sum()) * 10 < max(len(rows), FEWEST):
        return None
    return found


def _distance(
    halves: list[View], own: OwnWords, rows: Rows, rng: np.random.Generator
) -> Separation | None:
    """Return how far the groups of one half of the vocabulary lie apart by the other."""
    told = []
    for here, there in (halves, halves[::-1]):
        side = two_groups(here, rows, rng)
        if side is not None:
            folds = np.zeros(len(own.folds), np.int64)
            folds[rows] = rng.permutation(len(rows)) % FOLDS
            told.append(tell_apart(there.usage, folds, rows[side], rows[~side], there.project))
    found = [apart for apart in told if apart is not None]
    if not found:
        return None
    distance = float(np.mean([apart.distance for apart in found]))
    return found[0]._replace(distance=distance)


def _usual(examples: Examples, halves: list[View], rng: np.random.Generator) -> tuple[float, float]:
    """Return how far close siblings lie apart by half of the vocabulary, and the spread of that."""
    own = examples.own
    pairs = sorted(neighbours(own, examples.posterior.tree)[0])
    told = []
    for place in rng.permutation(len(pairs))[:MOST_PAIRS].tolist():
        rows = [np.arange(own.starts[k], own.starts[k + 1]) for k in pairs[place]]
        if min(map(len, rows)) * 2 >= FEWEST:
            told.append(tell_apart(halves[0].usage, own.folds, rows[0], rows[1], halves[0].project))
    return typical_distances([apart for apart in told if apart is not None])


def _parts(
    examples: Examples, whole: View, topic: int, rng: np.random.Generator
) -> tuple[tuple[Group, ...], list[int]]:
    """Return the groups of a topic's documents by all words, the larger first, and their shares."""
    own = examples.own
    rows = np.arange(own.starts[topic], own.starts[topic + 1])
    side = two_groups(whole.of(topic), rows, rng)
    side = np.arange(len(rows)) < len(rows) / 2 if side is None else side
    parts = (rows[side], rows[~side]) if side.mean() >= 0.5 else (rows[~side], rows[side])
    shares = [round(100 * len(part) / len(rows)) for part in parts]
    named = zip((1, 2), shares, parts, parts[::-1], strict=True)
    groups = tuple(
        examples.group(f"part {number}, {share} % of documents", part, rest)
        for number, share, part, rest in named
    )
    return groups, shares


def _split(
    examples: Examples,
    judged: Judged,
    sizes: Rows,
    usual: float,
    parts: tuple[tuple[Group, ...], list[int]],
) -> TopicFinding:
    topic, (groups, shares) = judged.pair[0], parts
    title, right = examples.title(topic), judged.apart.right
    middle, low, high = (round(100 * share) for share in right)
    return TopicFinding(
        "split", examples.posterior.tree.topics[topic], None, judged.chance, *right,
        int(sizes[topic]), groups,
        f"The documents of {title} fall into two groups, {shares[0]} % and {shares[1]} %: of 100 "
        f"pairs, one of each, {middle} ({low} to {high}) are told apart by words that did not "
        f"make the groups, of siblings here {100 * ndtr(usual / np.sqrt(2)):.0f}.",
        f"If the words of the two parts name two topics, make them children of {title}.",
    )  # fmt: skip

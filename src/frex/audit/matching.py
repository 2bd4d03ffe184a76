"""Matching of wrong labels with the missing labels that belong in their place.

A document has given labels k and absent ones j. Relative to no error, u[k] is the weight of k being
wrong by itself, w[j] of j being missing by itself, and v[j,k] of both, k in place of j. At most one
of these holds for each label. Belief propagation computes the sum over all matchings, exactly if
the pairs of a document have no cycle:

    s[k,j] = 1 / (1 + u[k] + sum over i != j of v[i,k] r[i,k]),
    r[j,k] = 1 / (1 + w[j] + sum over i != k of v[j,i] s[i,j]).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]
    Rows: TypeAlias = NDArray[np.int64]

ROUNDS = 20
"""Rounds of messages. With cycles the result is approximate: the largest error was 0.05."""


class Pairs(NamedTuple):
    """Given labels and absent ones of the same documents, by entry."""

    given: Rows
    absent: Rows


class Matched(NamedTuple):
    """Probabilities, by entry and by pair."""

    wrong: Array  #: for entries that are given labels
    missing: Array  #: for entries that are absent labels
    pairs: Array  #: probability that the absent label belongs in place of the given one
    messages: Array  #: r, a warm start for similar weights


def pairs_within(documents: Rows, given: Rows, absent: Rows) -> Pairs:
    """Return all pairs of a given label and an absent one of the same document.

    Parameters
    ----------
    documents
        The document of each entry, in order.
    given, absent
        Entries, in order.
    """
    of_given, of_absent = documents[given], documents[absent]
    first = np.searchsorted(of_absent, of_given, "left")
    sizes = np.searchsorted(of_absent, of_given, "right") - first
    start = np.repeat(np.cumsum(sizes) - sizes - first, sizes)
    return Pairs(np.repeat(given, sizes), absent[np.arange(sizes.sum()) - start])


def match(
    pairs: Pairs, alone: Array, both: Array, *, rounds: int = ROUNDS, messages: Array | None = None
) -> Matched:
    """Return the probability that each entry is wrong or missing, and that each pair is one error.

    Parameters
    ----------
    pairs
        Pairs of entries.
    alone
        u of given labels and w of absent ones, by entry.
    both
        v, by pair.
    rounds
        Rounds of messages.
    messages
        Messages for other weights, as a warm start.
    """
    n = len(alone)
    base = 1 + alone
    from_absent = 1 / base[pairs.absent] if messages is None else messages

    def totals(at: Rows, terms: Array) -> Array:
        return np.asarray(np.bincount(at, terms, n), np.float64)

    for _ in range(rounds):
        terms = both * from_absent
        rest = totals(pairs.given, terms)[pairs.given] - terms
        terms = both / (base[pairs.given] + np.maximum(rest, 0.0))
        rest = totals(pairs.absent, terms)[pairs.absent] - terms
        from_absent = 1 / (base[pairs.absent] + np.maximum(rest, 0.0))
    # messages to given labels from absent ones, and to absent labels from given ones
    said = both * from_absent
    towards = totals(pairs.given, said)
    from_given = 1 / (base[pairs.given] + np.maximum(towards[pairs.given] - said, 0.0))
    away = totals(pairs.absent, both * from_given)
    weight = said * from_given
    return Matched(
        (alone + towards) / (base + towards),
        (alone + away) / (base + away),
        weight / (1 + weight),
        from_absent,
    )

"""Wrong labels matched with the missing ones in whose place they stand.

A document has given labels k and absent ones j. Relative to no error, u[k] is the weight of k being
wrong by itself, w[j] of j being missing by itself, and v[j,k] of both, k in place of j. Of each
label at most one of these holds. The sum over all ways to match them is what messages between the
two sides find (belief propagation), exactly where the pairs of a document have no circle:

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
"""Of messages. Where they run in circles they end near the sum: 0.05 was the farthest."""


class Pairs(NamedTuple):
    """Given labels and absent ones of the same documents, by place."""

    given: Rows
    absent: Rows


class Matched(NamedTuple):
    """Probabilities, by place and by pair."""

    wrong: Array  #: of places that are given labels
    missing: Array  #: of places that are absent ones
    pairs: Array  #: that the given label stands in place of the absent one
    messages: Array  #: r, from which a search for slightly other weights can begin


def pairs_within(documents: Rows, given: Rows, absent: Rows) -> Pairs:
    """Return all pairs of a given label and an absent one of the same document.

    Parameters
    ----------
    documents
        The document of each place, in order.
    given, absent
        Places, in order.
    """
    of_given, of_absent = documents[given], documents[absent]
    first = np.searchsorted(of_absent, of_given, "left")
    sizes = np.searchsorted(of_absent, of_given, "right") - first
    start = np.repeat(np.cumsum(sizes) - sizes - first, sizes)
    return Pairs(np.repeat(given, sizes), absent[np.arange(sizes.sum()) - start])


def match(
    pairs: Pairs, alone: Array, both: Array, *, rounds: int = ROUNDS, messages: Array | None = None
) -> Matched:
    """Return how likely each place is an error, and each pair one error of both.

    Parameters
    ----------
    pairs
        Of places.
    alone
        u of given labels and w of absent ones, by place.
    both
        v, by pair.
    rounds
        Of messages.
    messages
        Those of before, of other weights.
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
    # of a given label by what its absent ones say, of an absent one by what its given ones say
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

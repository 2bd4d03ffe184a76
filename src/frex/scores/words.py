"""Scores of words in topics: frequency, exclusivity, FREX, lift and relevance.

The scores take any topic-by-word matrix of rates or probabilities. Topics are compared with one
another, so their rows need a common scale: apply `frequency` to counts first. The defaults are
those of Bischof and Airoldi (2012); R's stm uses ``weight_on="frequency", ties="average"``, and
with word counts ``shrink="james-stein"``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from frex.errors import InputError
from frex.scores.checks import as_counts, as_matrix, as_numbers, check_choice, check_weight
from frex.tree import TopicTree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Scores: TypeAlias = NDArray[np.float64]

Compare: TypeAlias = "Literal['all'] | Sequence[Sequence[int]] | TopicTree"
Ties: TypeAlias = Literal["max", "average"]
WeightOn: TypeAlias = Literal["exclusivity", "frequency"]
Shrink: TypeAlias = Literal["james-stein"]


def frequency(rates: Any) -> Scores:
    """Return each topic's rates as shares of their sum: p[k,f] = beta[k,f] / sum_g beta[k,g].

    A topic whose rates are all 0 has frequencies of 0.

    Parameters
    ----------
    rates
        Topics x words, none negative.

    Returns
    -------
    numpy.ndarray
        Topics x words.

    Examples
    --------
    >>> from frex.scores import frequency
    >>> frequency([[3.0, 1.0], [0.0, 2.0]]).tolist()
    [[0.75, 0.25], [0.0, 1.0]]
    """
    matrix = as_matrix(rates)
    sums = matrix.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(matrix, sums, out=np.zeros_like(matrix), where=sums > 0))


def exclusivity(
    rates: Any, *, compare: Compare = "all", shrink: Shrink | None = None, counts: Any = None
) -> Scores:
    """Return the exclusivity of words: phi[k,f] = beta[k,f] / sum_{j in S(k)} beta[j,f].

    Parameters
    ----------
    rates
        Topics x words, none negative. A word with rate 0 in all n topics of S(k) has an exclusivity
        of 1 / n.
    compare
        The comparison sets S(k). ``"all"``: all topics. A sequence: for each topic the row numbers
        of its set, including its own. A tree whose topics are the rows: the topic and its siblings,
        or an only child and its parent. The root has no row, so an only top-level topic is alone in
        its set, and every word has an exclusivity of 1.
    shrink
        ``"james-stein"``: shrink the shares of a rare word towards 1 / n, as stm does.
    counts
        With `shrink`: counts of each word in the corpus.

    Returns
    -------
    numpy.ndarray
        Topics x words.

    Raises
    ------
    InputError
        `shrink` and `counts` do not go together, or the sets do not fit the rates.

    Examples
    --------
    >>> from frex.scores import exclusivity
    >>> rates = [[4.0, 1.0, 1.0], [1.0, 1.0, 4.0]]
    >>> exclusivity(rates).tolist()
    [[0.8, 0.5, 0.2], [0.2, 0.5, 0.8]]
    """
    matrix = as_matrix(rates)
    if (shrink is None) != (counts is None):
        raise InputError("shrink and counts go together", remedy="Give both or neither.")
    if shrink is not None:
        check_choice("shrink", shrink, "james-stein")
        counts = as_counts(counts, matrix.shape[1])
    topics_of: dict[tuple[int, ...], list[int]] = {}
    for topic, members in enumerate(_comparison_sets(compare, len(matrix))):
        topics_of.setdefault(members, []).append(topic)
    phi = np.empty_like(matrix)
    for members, topics in topics_of.items():
        shares = _shares(matrix[list(members)])
        if shrink is not None:
            shares = _james_stein(shares, counts)
        phi[topics] = shares[np.searchsorted(members, topics)]
    return phi


def frex(
    rates: Any,
    *,
    weight: float = 0.5,
    weight_on: WeightOn = "exclusivity",
    compare: Compare = "all",
    ties: Ties = "max",
    shrink: Shrink | None = None,
    counts: Any = None,
) -> Scores:
    """Return the FREX score of every word in every topic, in the shape of `rates`.

    FREX[k,f] = (w / ECDF(phi[k,f]) + (1 - w) / ECDF(beta[k,f]))^-1, with each ECDF over the words
    of topic k, and phi the `exclusivity`.

    Parameters
    ----------
    rates
        Topics x words, none negative.
    weight, weight_on, ties
        As for `frex_from`.
    compare, shrink, counts
        As for `exclusivity`.

    Returns
    -------
    numpy.ndarray
        Topics x words.

    Examples
    --------
    >>> from frex.scores import frex
    >>> rates = [[4.0, 1.0, 1.0], [1.0, 1.0, 4.0]]
    >>> frex(rates).round(2).tolist()
    [[1.0, 0.67, 0.44], [0.44, 0.67, 1.0]]
    """
    matrix = as_matrix(rates)
    phi = exclusivity(matrix, compare=compare, shrink=shrink, counts=counts)
    return frex_from(phi, matrix, weight=weight, weight_on=weight_on, ties=ties)


def frex_from(
    exclusivity: Any,
    frequency: Any,
    *,
    weight: float = 0.5,
    weight_on: WeightOn = "exclusivity",
    ties: Ties = "max",
) -> Scores:
    """Return FREX from a given exclusivity and frequency, such as posterior means.

    It is the weighted harmonic mean of their ECDFs: (w / ECDF(phi) + (1 - w) / ECDF(mu))^-1.

    Parameters
    ----------
    exclusivity, frequency
        Topics x words, or the words of one topic. Only ranks matter, so logarithms may be given.
    weight, weight_on
        The weight w, from 0 to 1, and the component that it applies to; the other has weight 1 - w.
        In the paper w applies to exclusivity, in stm's ``calcfrex`` to frequency.
    ties
        Ranks of equal values, as for `ecdf`.

    Returns
    -------
    numpy.ndarray
        In the shape of the input.

    Raises
    ------
    InputError
        The shapes differ, or an option is not valid.

    Examples
    --------
    >>> from frex.scores import frex_from
    >>> frex_from([0.8, 0.5, 0.2], [4.0, 1.0, 1.0]).round(2).tolist()
    [1.0, 0.67, 0.44]
    """
    check_choice("weight_on", weight_on, "exclusivity", "frequency")
    check_weight(weight)
    phi, mu = as_numbers("exclusivity", exclusivity), as_numbers("frequency", frequency)
    if phi.shape != mu.shape:
        shapes = f"exclusivity has shape {phi.shape} and frequency {mu.shape}"
        raise InputError(shapes, remedy="Give both for the same topics and words.")
    on, off = (phi, mu) if weight_on == "exclusivity" else (mu, phi)
    if weight in {0, 1}:  # 1 / (1 / x) need not be x
        return ecdf(on if weight == 1 else off, ties=ties)
    return np.asarray(1 / (weight / ecdf(on, ties=ties) + (1 - weight) / ecdf(off, ties=ties)))


def ecdf(values: Any, *, ties: Ties = "max") -> Scores:
    """Return the share of the words of the same topic (the last axis) that are no greater.

    Equal values share the highest of their ranks (``"max"``), or the average (``"average"``).

    Parameters
    ----------
    values
        Topics x words, or the words of one topic.
    ties
        ``"max"`` or ``"average"``.

    Returns
    -------
    numpy.ndarray
        In the shape of `values`.

    Examples
    --------
    >>> from frex.scores import ecdf
    >>> ecdf([4.0, 1.0, 1.0, 2.0]).tolist()
    [1.0, 0.5, 0.5, 0.75]
    """
    check_choice("ties", ties, "max", "average")
    array = as_numbers("values", values)
    return np.asarray(_ranks(array, ties) / array.shape[-1])


def _ranks(values: Scores, ties: Ties) -> Scores:
    """Return ranks along the last axis, from 1, as SciPy's `rankdata`, which is slow to load."""
    order = np.argsort(values, axis=-1)
    ordered = np.take_along_axis(values, order, axis=-1)
    differs = ordered[..., 1:] != ordered[..., :-1]
    places = np.arange(1.0, values.shape[-1] + 1)
    ranks = np.broadcast_to(places, values.shape).copy()  # rank of the last equal value
    ranks[..., :-1][~differs] = np.inf
    ranks = np.minimum.accumulate(ranks[..., ::-1], axis=-1)[..., ::-1]
    if ties == "average":
        first = np.broadcast_to(places, values.shape).copy()
        first[..., 1:][~differs] = 0.0
        ranks = 0.5 * (ranks + np.maximum.accumulate(first, axis=-1))
    found = np.empty(values.shape)
    np.put_along_axis(found, order, ranks, axis=-1)
    return found


def lift(rates: Any, *, counts: Any = None) -> Scores:
    """Return the lift of each word, its probability in the topic over that overall: p[k,f] / p[f].

    p[k,f] is the `frequency`. p[f] is the word's share of `counts`, its occurrences in the corpus,
    each at least 1; without them it is the mean of p[k,f] over topics. A word with rate 0 in all
    topics has a lift of 0.

    Parameters
    ----------
    rates
        Topics x words, none negative.
    counts
        How often each word occurs in the corpus.

    Returns
    -------
    numpy.ndarray
        Topics x words.

    Examples
    --------
    >>> from frex.scores import lift
    >>> rates = [[4.0, 1.0, 1.0], [1.0, 1.0, 4.0]]
    >>> lift(rates).round(2).tolist()
    [[1.6, 1.0, 0.4], [0.4, 1.0, 1.6]]
    """
    p = frequency(rates)
    return np.asarray(p / _overall(p, counts))


def relevance(rates: Any, *, weight: float = 0.6, counts: Any = None) -> Scores:
    """Return the relevance of Sievert and Shirley (2014): w log p[k,f] + (1 - w) log lift[k,f].

    Their weight w is 0.6. A word with rate 0 in the topic has a relevance of -inf.

    Parameters
    ----------
    rates
        Topics x words, none negative.
    weight
        The weight w of the probability.
    counts
        As for `lift`.

    Returns
    -------
    numpy.ndarray
        Topics x words.

    Examples
    --------
    >>> from frex.scores import relevance
    >>> rates = [[4.0, 1.0, 1.0], [1.0, 1.0, 4.0]]
    >>> relevance(rates).round(2).tolist()
    [[-0.06, -1.08, -1.44], [-1.44, -1.08, -0.06]]
    """
    check_weight(weight)
    p = frequency(rates)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p) - (1 - weight) * np.log(_overall(p, counts)))


def _overall(p: Scores, counts: Any) -> Scores:
    """Return the words' overall probabilities, with 1 for a word of rate 0 in all topics."""
    if counts is None:
        mean = p.mean(axis=0)
        return np.where(mean > 0, mean, 1.0)
    floored = np.maximum(as_counts(counts, p.shape[1]), 1.0)
    return np.asarray(floored / floored.sum())


def _shares(rates: Scores) -> Scores:
    """Divide every word's rates by their sum over topics."""
    # .sum adds in the same order for all words, so that equal words tie exactly; BLAS may not
    sums, even = rates.sum(axis=0), np.full_like(rates, 1 / len(rates))
    return np.asarray(np.divide(rates, sums, out=even, where=sums > 0))


def _james_stein(shares: Scores, counts: Scores) -> Scores:
    """Shrink every word's shares p over n topics: lambda / n + (1 - lambda) p.

    lambda = sum p (1 - p) / (c - 1) / sum (p - 1/n)^2, at most 1; a word with a count c of 1 or
    less, and one with equal shares, has 1.
    """
    even = 1 / len(shares)
    spread = ((shares - even) ** 2).sum(axis=0)
    noise = (shares * (1 - shares)).sum(axis=0)
    pull = np.ones_like(counts)
    known = (counts > 1) & (spread > 0)
    pull[known] = np.minimum(1, noise[known] / (counts[known] - 1) / spread[known])
    return np.asarray(pull * even + (1 - pull) * shares)


def _comparison_sets(compare: Compare, n_topics: int) -> list[tuple[int, ...]]:
    """Return every topic's comparison set as sorted row numbers."""
    if isinstance(compare, str):
        if compare != "all":
            raise InputError(f"compare is {compare!r}", remedy="For siblings, pass the TopicTree.")
        return [tuple(range(n_topics))] * n_topics
    if len(compare) != n_topics:
        mismatch = f"there are {n_topics} rows of rates and {len(compare)} topics to compare"
        raise InputError(mismatch, remedy="Give rates as topics x words, a row for each topic.")
    if isinstance(compare, TopicTree):  # the topic of row k is node k + 1
        groups = [compare.comparison_set(row + 1) for row in range(n_topics)]
        rows = {group: tuple(node - 1 for node in group if node > 0) for group in set(groups)}
        return [rows[group] for group in groups]
    return [_comparison_set(topic, rows, n_topics) for topic, rows in enumerate(compare)]


def _comparison_set(topic: int, rows: Any, n_topics: int) -> tuple[int, ...]:
    members = set(rows) if isinstance(rows, Iterable) else set()
    if not {topic} <= members <= set(range(n_topics)):
        expected = f"Give row numbers from 0 to {n_topics - 1}, {topic} among them."
        raise InputError(f"the comparison set of topic {topic} is {rows!r}", remedy=expected)
    return tuple(sorted(map(int, members)))

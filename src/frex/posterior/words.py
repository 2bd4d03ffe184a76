"""A topic's words, ranked by FREX, frequency or exclusivity, with their uncertainty.

Words are sorted by the scores of posterior means: as in the paper, FREX compares the mean
exclusivity and the mean log rate of a word with those of all others. Intervals and probabilities
come from draws, in each of which all words are ranked again. The score of the means is not the mean
of the draws' scores, and may lie outside their interval. So the value shown beside an interval is
the median of the same draws.

An inner topic without documents of its own is shown by the words of its branch
(`frex.posterior.branches`), which has no draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from scipy.special import expit, logit, ndtri

from frex.errors import InputError
from frex.posterior.compared import (
    averaged,
    exclusivity_of,
    exclusivity_of_means,
    fitted_set,
    frequency_of,
    set_name,
)
from frex.posterior.contents import LARGEST_LOG
from frex.posterior.intervals import quantiles
from frex.posterior.posterior import SCORED, Moment
from frex.scores import frex_from, lift, relevance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from frex.posterior.branches import Of
    from frex.posterior.compared import Compare
    from frex.posterior.measures import Backend
    from frex.posterior.posterior import Posterior, Scored

    Array: TypeAlias = NDArray[np.float64]

By: TypeAlias = Literal["frex", "frequency", "exclusivity", "lift", "relevance"]
_SCORES: tuple[By, ...] = ("frex", "frequency", "exclusivity")
"""The orders with draws."""


def score(
    posterior: Posterior,
    *,
    by: By = "frex",
    weight: float = 0.5,
    compare: Compare = None,
    of: Of = "auto",
) -> Array:
    """Return a score of every word in every topic, topics x words, from posterior means.

    Parameters
    ----------
    posterior
        The fit.
    by
        ``"frex"``; ``"frequency"``, the rate; ``"exclusivity"``; ``"lift"`` or ``"relevance"``,
        which compare with all topics.
    weight
        Weight of exclusivity in FREX, or of the probability in relevance.
    compare
        The comparison set of exclusivity: the name of a set that the fit averaged, by default its
        first; or any other, as for `TopicTree.comparison_set`, with the exclusivity of the typical
        rates, `Posterior.rates`.
    of
        ``"topic"``: the topic's own words; ``"branch"``: those of all documents filed under it or
        below it; ``"auto"``: the branch for an inner topic without documents of its own, else the
        topic.

    Returns
    -------
    numpy.ndarray
        Topics x words.

    Examples
    --------
    >>> from frex.posterior import read_posterior, score
    >>> score(read_posterior('FIT'), by='exclusivity').shape
    (4, 25)
    """
    _check_by(by)
    tree, branches = posterior.tree, posterior.branches
    by_branch = [n for n in range(1, tree.n_nodes) if branches.of(n, of) == "branch"]
    rates = np.ascontiguousarray(posterior.frequency.T)
    for node in by_branch:
        rates[node - 1] = branches.rates(node)
    if by == "frequency":
        return rates
    if by == "lift":
        return lift(rates)
    if by == "relevance":
        return relevance(rates, weight=weight)
    moment = averaged(posterior, compare)
    if moment is not None:
        exclusivity = np.ascontiguousarray(moment.mean.T)
    else:
        exclusivity = exclusivity_of_means(posterior, compare)
    for node in by_branch:
        exclusivity[node - 1] = branches.exclusivity(node, fitted_set(posterior, compare))
    return exclusivity if by == "exclusivity" else frex_from(exclusivity, rates, weight=weight)


def top_words(
    posterior: Posterior,
    topic: str,
    n: int = 14,
    *,
    by: By = "frex",
    weight: float = 0.5,
    compare: Compare = None,
    of: Of = "auto",
    level: float = 0.9,
    backend: Backend = "pandas",
) -> Any:
    """Return a topic's best words, a row each, with intervals.

    Columns: `word` as it is displayed, `stem`; `frex`, `frequency` and `exclusivity`, each the
    median of the posterior, with `_low` and `_high`, the ends of a central interval; `in_top`, the
    probability that the word is among the topic's `n` best; `of`, whether these are words of the
    ``"topic"`` or of its ``"branch"``. The order is that of `score`, from posterior means, so the
    medians need not decrease from row to row.

    A fit stores draws of the scores for a hundred leading words of each topic. Any other word has
    intervals of frequency and exclusivity from the moments, log-normal and logit-normal, and NaN
    for the interval of FREX and for `in_top`. With a comparison set that the fit did not average,
    exclusivity and FREX are those of the typical rates, without intervals; name the set in
    `compare` when fitting. A branch has no intervals either, because it is computed from posterior
    means.

    Parameters
    ----------
    posterior
        The fit.
    topic
        Its name, or a unique title.
    n
        Number of words.
    by, weight, compare, of
        As for `score`. Lift and relevance have no draws and no `in_top`.
    level
        Probability of the intervals.
    backend
        The data frame library of the result: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.

    Returns
    -------
    DataFrame
        A data frame of the library that `backend` names.

    Examples
    --------
    >>> from frex.posterior import read_posterior, top_words
    >>> top_words(read_posterior('FIT'), 'metal', 1)[['word', 'of']]
       word     of
    0  gold  topic
    """
    import narwhals as nw  # noqa: PLC0415 - keeps `import frex` quick

    columns = word_columns(
        posterior, topic, n, by=by, weight=weight, compare=compare, of=of, level=level
    )
    return nw.from_dict(columns, backend=backend).to_native()


def word_columns(
    posterior: Posterior,
    topic: str,
    n: int,
    *,
    by: By = "frex",
    weight: float = 0.5,
    compare: Compare = None,
    of: Of = "auto",
    level: float = 0.9,
) -> dict[str, Any]:
    """Return the columns of `top_words` as plain arrays."""
    if not 0 < level < 1:
        raise InputError(f"the level is {level}", remedy="Choose one between 0 and 1, such as 0.9.")
    view = _View.of(posterior, topic, compare, of)
    points = {name: view.point(name, weight) for name in _SCORES}
    ranked = points[by] if by in points else _of_all_topics(posterior, view, by, weight, of)
    words = _best(ranked, n)
    display = posterior.surface or posterior.words
    columns: dict[str, Any] = {
        "word": [display[word] for word in words],
        "stem": [posterior.words[word] for word in words],
    }
    for name, (low, middle, high) in view.quantiles(words, points, weight, level).items():
        columns |= {name: middle, f"{name}_low": low, f"{name}_high": high}
    columns["in_top"] = view.chances(words, by, weight, n)
    return columns | {"of": [view.shown] * len(words)}


def best_words(
    posterior: Posterior,
    topic: str,
    n: int = 14,
    *,
    by: By = "frex",
    weight: float = 0.5,
    compare: Compare = None,
    of: Of = "auto",
) -> NDArray[np.int64]:
    """Return the numbers of a topic's best words, the best first; ties go to the first word.

    Parameters
    ----------
    posterior, topic, n, by, weight, compare, of
        As for `top_words`.

    Returns
    -------
    numpy.ndarray
        Positions in the vocabulary.
    """
    _check_by(by)
    view = _View.of(posterior, topic, compare, of)
    if by in _SCORES:
        return _best(view.point(by, weight), n)
    return _best(_of_all_topics(posterior, view, by, weight, of), n)


def _of_all_topics(posterior: Posterior, view: _View, by: By, weight: float, of: Of) -> Array:
    """Return the words' lift or relevance, which compare a topic with all topics."""
    _check_by(by)
    return np.asarray(score(posterior, by=by, weight=weight, of=of)[view.node - 1])


def _best(scores: Array, n: int) -> NDArray[np.int64]:
    if n < 1:
        raise InputError(f"n is {n}", remedy="Ask for at least one word.")
    return np.argsort(-scores, kind="stable")[:n]


class _View(NamedTuple):
    """One topic, or its branch, with one comparison set; arrays are over words."""

    node: int
    shown: str  #: whether it is the topic or its branch
    rate: Array
    exclusivity: Array
    log_rate: Moment | None  #: None of a branch
    spread: Array | None  #: of the exclusivity; None where the fit did not average it
    candidates: NDArray[np.int32]  #: in increasing order
    scored: Scored | None

    @classmethod
    def of(cls, posterior: Posterior, topic: str, compare: Compare, of: Of) -> _View:
        node = posterior.find(topic)
        if node == 0:
            raise InputError("the root is no topic, it has no words", remedy="Name a topic.")
        rate = frequency_of(posterior, node, of)
        exclusivity = exclusivity_of(posterior, node, compare, of)
        if posterior.branches.of(node, of) == "branch":
            return cls(node, "branch", rate, exclusivity, None, None, np.empty(0, np.int32), None)
        moment = averaged(posterior, compare)
        scored = posterior.scored.get(set_name(posterior, compare))
        if scored is not None and len(scored.values) < 2:  # one draw has no interval
            scored = None
        return cls(
            node=node,
            shown="topic",
            rate=rate,
            exclusivity=exclusivity,
            log_rate=Moment(*(part[:, node] for part in posterior.log_rates)),
            spread=None if moment is None else np.array(moment.sd[:, node - 1]),
            candidates=np.empty(0, np.int32) if scored is None else scored.words[node - 1],
            scored=scored,
        )

    def point(self, by: By, weight: float) -> Array:
        """Return the score of every word, from posterior means."""
        if by == "frex":
            return frex_from(self.exclusivity, self.rate, weight=weight)
        return self.rate if by == "frequency" else self.exclusivity

    def draws(self, by: By, weight: float) -> Array:
        """Return the score of the candidates in every draw, draws x candidates."""
        assert self.scored is not None
        kept = self.scored.values[:, :, self.node - 1].astype(np.float64)
        values: dict[str, Array] = {name: kept[:, part] for part, name in enumerate(SCORED)}
        if by == "frequency":
            return np.exp(values["log_rate"])
        if by == "exclusivity":
            return values["exclusivity"]
        on, off = values["exclusivity_ecdf"], values["rate_ecdf"]
        if weight in {0, 1}:  # as `frex_from` has it: 1 / (1 / x) need not be x
            return on if weight == 1 else off
        return np.asarray(1 / (weight / on + (1 - weight) / off))

    def places(self, words: NDArray[np.integer]) -> tuple[NDArray[np.bool_], NDArray[np.integer]]:
        """Return which words are candidates, and the positions of these among the candidates."""
        followed = np.isin(words, self.candidates)
        return followed, np.searchsorted(self.candidates, words[followed])

    def quantiles(
        self, words: NDArray[np.integer], points: Mapping[By, Array], weight: float, level: float
    ) -> dict[By, Array]:
        """Return each score's lower end, median and upper end, 3 x words.

        Without draws of a score the ends are NaN, and the middle is the score of the means, which
        `points` has for all words.
        """
        at = np.array([[(1 - level) / 2], [0.5], [(1 + level) / 2]])
        found = {name: np.full((3, len(words)), np.nan) for name in points}
        for name, values in found.items():
            values[1] = points[name][words]
        if self.log_rate is not None:
            mean, sd = (part[words] for part in self.log_rate)
            found["frequency"] = np.exp(np.minimum(mean + ndtri(at) * sd, LARGEST_LOG))
        if self.spread is not None:
            found["exclusivity"] = _logit_normal(self.exclusivity[words], self.spread[words], at)
        followed, places = self.places(words)
        if len(places):
            for name, values in found.items():
                draws = self.draws(name, weight)[:, places]
                values[:, followed] = quantiles(draws, at.ravel())
        return found

    def chances(self, words: NDArray[np.integer], by: By, weight: float, n: int) -> Array:
        """Return the probability of each word to be among the n best; NaN without draws."""
        found = np.full(len(words), np.nan)
        followed, places = self.places(words)
        n_candidates = len(self.candidates)
        all_followed = n_candidates == len(self.rate)
        if (
            by in {"lift", "relevance"}
            or not len(places)
            or (n > n_candidates and not all_followed)
        ):
            return found
        scores = self.draws(by, weight)
        last = max(n_candidates - n, 0)
        least = np.partition(scores, last, axis=1)[:, last]  # the n-th best of each draw
        found[followed] = (scores[:, places] >= least[:, None]).mean(axis=0)
        return found


def _logit_normal(mean: Array, sd: Array, ends: Array) -> Array:
    """Return quantiles of a logit-normal, with its variance by the delta method."""
    inside = (mean > 0) & (mean < 1)
    share = np.where(inside, mean, 0.5)
    quantiles = expit(logit(share) + ndtri(ends) * sd / (share * (1 - share)))
    return np.where(inside, quantiles, mean)


def _check_by(by: str) -> None:
    if by not in get_args(By):
        raise InputError(
            f"there is no order by {by!r}", remedy=f"Choose {', '.join(get_args(By))}."
        )


def in_thousand(posterior: Posterior, columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return columns of words with rates as displayed, per 1,000 words about the topic.

    Parameters
    ----------
    posterior
        The fit.
    columns
        Columns from `word_columns`, in which `frequency` is per document of mean length.
    """
    factor = 1000 / posterior.mean_length
    return {
        name.replace("frequency", "in_1000"): factor * values if "frequency" in name else values
        for name, values in columns.items()
    }


def in_line(words: Sequence[str]) -> str:
    """Return words in a line, separated by commas if one of them is a phrase.

    Examples
    --------
    >>> from frex.posterior.words import in_line
    >>> in_line(['gold', 'mine']), in_line(['gold', 'central bank'])
    ('gold mine', 'gold, central bank')
    """
    return (", " if any(" " in word for word in words) else " ").join(words)

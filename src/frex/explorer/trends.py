"""Topics over time: each period's share of documents, with intervals, and words that come and go.

Of n documents of a period k are about a topic; its share has the posterior Beta(k + 1/2,
n - k + 1/2) with Jeffreys' prior, and the page shows its quantiles. Documents
without labels have a membership in every topic: then k is the sum of these, a quick approximation.

A word rises in a topic if its rate in the second half of the documents is above that in the first.
With counts y in the halves, weighted by memberships, and a prior of `PRIOR` tokens with the topic's
own frequencies, the log odds ratio has a spread of about sqrt(1 / y1 + 1 / y2), and the words are
ranked by their ratio (Monroe, Colaresi and Quinn, 2008).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.stats import beta

from frex.explorer.documents import is_unsupervised, with_all_below

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.posterior import Posterior

    Array: TypeAlias = NDArray[np.float64]
    Days: TypeAlias = NDArray[np.datetime64]

PERIODS = (("Y", 1), ("M", 3), ("M", 1), ("W", 1), ("D", 1))
"""Possible periods: the longest that divides the documents well is chosen."""

FEWEST, MOST = 8, 60
"""Number of periods of a good choice."""

PRIOR = 500.0
"""Prior tokens of each half, with the topic's frequencies over both halves."""

LEAST_RATIO = 2.0
"""A word whose log odds ratio is within this many spreads of 0 has not changed."""

MOVERS = 8
"""Words that rise, and words that fall, of each topic."""


LEVEL = 0.9
"""Probability of the intervals."""


class Trends(NamedTuple):
    """Data of topics over time."""

    periods: Periods
    shares: Array  #: lower ends, shares, upper ends: 3 x topics x periods
    movers: Movers | None

    def overview(self) -> dict[str, Any]:
        """Return what all topics share."""
        return {
            "names": self.periods.names,
            "documents": self.periods.documents.tolist(),
            "since": None if self.movers is None else self.movers.since,
        }

    def words(self, topic: int) -> dict[str, Any]:
        """Return a topic's words that rise and fall."""
        if self.movers is None:
            return {}
        return {"rising": self.movers.rising[topic], "falling": self.movers.falling[topic]}


def make_trends(
    posterior: Posterior, corpus: Corpus | None, rows: NDArray[np.int64] | None
) -> Trends | None:
    """Return topics over time; None if documents have no dates.

    Parameters
    ----------
    posterior
        The fit.
    corpus, rows
        Its corpus, and the row of each document there; None where it is not given.
    """
    days = posterior.details.days()
    periods = find_periods(days)
    if periods is None:
        return None
    about = with_all_below(posterior, posterior.membership_matrix())
    has = about
    if not is_unsupervised(posterior):
        has = with_all_below(posterior, posterior.labels.astype(np.float64))
        has.data = np.minimum(has.data, 1.0)
    movers = None
    if corpus is not None and rows is not None:
        movers = find_movers(days, corpus, rows, about)
    return Trends(periods, shares(periods, has, LEVEL), movers)


class Periods(NamedTuple):
    """Periods of the dated documents."""

    names: list[str]
    number: NDArray[np.int64]  #: of each document, -1 where it has no date
    documents: NDArray[np.int64]  #: in each period


def find_periods(days: Days) -> Periods | None:
    """Divide time into periods; None if documents have no dates, or all the same date.

    Parameters
    ----------
    days
        Of each document, NaT if unknown.
    """
    known = ~np.isnat(days) if len(days) else np.zeros(0, np.bool_)
    if not known.any():
        return None
    for unit, step in PERIODS:
        numbers = days.astype(f"datetime64[{unit}]").astype(np.int64) // step
        first, last = int(numbers[known].min()), int(numbers[known].max())
        if last - first + 1 >= FEWEST:
            break
    if last == first:
        return None
    if last - first + 1 > MOST:  # a long time of few years, or of years without end
        several = -(-(last - first + 1) // MOST)
        step, numbers = step * several, numbers // several
        first, last = int(numbers[known].min()), int(numbers[known].max())
    number = np.where(known, numbers - first, -1)
    starts = (np.arange(first, last + 1) * step).astype(f"datetime64[{unit}]")
    names = [_name(start, unit, step) for start in starts]
    return Periods(names, number, np.bincount(number[known], minlength=len(names)))


def _name(start: np.datetime64, unit: str, step: int) -> str:
    if unit == "M" and step == 3:
        year, month = str(start).split("-")
        return f"{year} Q{(int(month) + 2) // 3}"
    return str(start)


def shares(periods: Periods, about: csr_array[np.float64], level: float) -> Array:
    """Return lower ends, shares and upper ends, 3 x topics x periods.

    Parameters
    ----------
    periods
        Of the documents.
    about
        Documents x topics: 1 where one is about the topic, or how far it is.
    level
        Probability of the intervals.
    """
    rows = np.flatnonzero(periods.number >= 0)
    ones = np.ones(len(rows))
    shape = (len(periods.names), about.shape[0])
    in_period = csr_array((ones, (periods.number[rows], rows)), shape=shape)
    hits = np.asarray((in_period @ about).todense(), dtype=np.float64).T
    n = periods.documents.astype(np.float64)
    tail = (1 - level) / 2
    low, high = (beta.ppf(p, hits + 0.5, n - hits + 0.5) for p in (tail, 1 - tail))
    share = hits / np.maximum(n, 1.0)
    # the share itself, at an end of what is possible, is an end of its interval
    return np.stack([np.minimum(low, share), share, np.maximum(high, share)])


class Movers(NamedTuple):
    """Words that rise and fall in each topic."""

    since: str  #: the day on which the second half begins
    rising: list[list[int]]
    falling: list[list[int]]


def find_movers(
    days: Days, corpus: Corpus, rows: NDArray[np.int64], about: csr_array[np.float64]
) -> Movers | None:
    """Return the words of each topic that are used more, and less, in the second half of time.

    Parameters
    ----------
    days
        Of the documents of the fit.
    corpus, rows
        Their counts: the corpus, and the row of each document.
    about
        Documents x topics: how much of each is about the topic.
    """
    known = np.flatnonzero(~np.isnat(days))
    middle = np.sort(days[known])[len(known) // 2]
    halves = []
    for half in (known[days[known] < middle], known[days[known] >= middle]):
        if not len(half):
            return None
        halves.append(csr_array(about[half].T @ corpus.counts[rows[half]]))
    rising, falling = [], []
    for topic in range(about.shape[1]):
        before, after = (half[[topic]].toarray().ravel() for half in halves)
        ratio = _ratios(before, after)
        up, down = np.argsort(-ratio, kind="stable"), np.argsort(ratio, kind="stable")
        rising.append([int(w) for w in up[:MOVERS] if ratio[w] > LEAST_RATIO])
        falling.append([int(w) for w in down[:MOVERS] if ratio[w] < -LEAST_RATIO])
    return Movers(str(middle), rising, falling)


def _ratios(before: Array, after: Array) -> Array:
    """Return each word's log odds ratio over its spread; 0 where a half has no text."""
    both = before + after
    if not before.sum() or not after.sum():
        return np.zeros(len(both))
    prior = PRIOR * both / both.sum()
    odds = []
    for counts in (before, after):
        y, n = counts + prior, counts.sum() + PRIOR
        odds.append((np.log(np.maximum(y, 1e-9)) - np.log(np.maximum(n - y, 1e-9)), y))
    spread = np.sqrt(sum(1 / np.maximum(y, 1e-9) for _, y in odds))
    return np.asarray((odds[1][0] - odds[0][0]) / spread)

"""Results of a study by strategy, with intervals that are robust to two-way clustering.

Answers by one evaluator are correlated, and so are answers about one topic. So the bootstrap
resamples evaluators, topics, and pairs of both. The variance of an estimate is V(evaluators) +
V(topics) - V(pairs) (Cameron, Gelbach and Miller), because all three contain the noise of single
answers; if this is too small, it is the smaller of the first two. The interval is that of Student's
t with m - 1 degrees of freedom and m / (m - 1) of the variance, where m is the smaller of the
numbers of evaluators and topics. (Resampling both at once would count the noise three times.)
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from scipy.special import stdtrit

from frex.errors import InputError
from frex.study.design import RATINGS
from frex.study.records import MEASURES, NOBODY, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]

COLUMNS = (
    "measure", "group", "strategy", "minus", "estimate", "low", "high", "answers", "evaluators",
    "topics",
)  # fmt: skip

_LIMITS = {"intrusion": (0, 1), "rating": (RATINGS[0], RATINGS[-1]), "preference": (0, 1)}


def analyse(
    rows: pd.DataFrame,
    *,
    level: float = 0.95,
    draws: int = 2000,
    seed: int = 0,
) -> pd.DataFrame:
    """Return the mean of each measure and strategy, and the differences between strategies.

    Columns: `measure`, `group`, `strategy`; `minus`, the strategy that is subtracted, or empty;
    `estimate`, `low`, `high`; and the numbers of `answers`, `evaluators` and `topics`. An interval
    is NaN if there is only one evaluator or one topic, or if all answers are equal, because
    resampling then has no variation. Differences are of an earlier strategy minus a later one.

    Parameters
    ----------
    rows
        The result of `frex.study.answer_table`.
    level
        Probability of the intervals.
    draws
        Number of replicates.
    seed
        The same seed gives the same intervals.
    """
    import pandas as pd  # noqa: PLC0415 - as everywhere in this package

    if rows.empty:
        raise InputError("there are no answers yet", remedy="Let evaluators answer first.")
    if not 0 < level < 1:
        raise InputError(
            f"the level is {level}", remedy="Choose one between 0 and 1, such as 0.95."
        )
    rng = np.random.default_rng(seed)
    found = []
    for measure in MEASURES:
        about = rows[rows["measure"] == measure]
        for group in in_order(about["group"]):
            own = about[about["group"] == group]
            # "no preference" has no topic, so it is resampled separately
            nobody = own["strategy"] == NOBODY
            for some in (own[~nobody], own[nobody]):
                lines = _lines(some, _LIMITS[measure], level, draws, rng)
                found += [(measure, group, *line) for line in lines]
    return pd.DataFrame(found, columns=COLUMNS)


class _Cells(NamedTuple):
    """Sums of answers by strategy, evaluator and topic."""

    sums: Array
    counts: Array

    @classmethod
    def of(cls, rows: pd.DataFrame, strategies: Sequence[str]) -> _Cells:
        evaluators, topics = (
            np.unique(rows[name].astype(str), return_inverse=True)[1]
            for name in ("evaluator", "topic")
        )
        place = {name: number for number, name in enumerate(strategies)}
        where = (np.array([place[name] for name in rows["strategy"]]), evaluators, topics)
        shape = (len(strategies), evaluators.max() + 1, topics.max() + 1)
        sums, counts = np.zeros(shape), np.zeros(shape)
        np.add.at(sums, where, rows["value"].to_numpy(float))
        np.add.at(counts, where, 1.0)
        return cls(sums, counts)


class _Draws(NamedTuple):
    """Bootstrap draws of the strategies' means, draws x strategies."""

    evaluators: Array
    topics: Array
    pairs: Array

    @classmethod
    def of(cls, cells: _Cells, n: int, rng: np.random.Generator) -> _Draws:
        filled = cells.counts.sum(axis=0) > 0

        def draw(by_cluster: Sequence[Array]) -> Array:
            """Resample the last axis of sums and counts, strategies x clusters."""
            size = by_cluster[0].shape[1]
            times = rng.multinomial(size, np.full(size, 1 / size), n).astype(np.float64)
            sums, counts = (times @ cluster.T for cluster in by_cluster)
            return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)

        return cls(
            draw([cell.sum(axis=2) for cell in cells]),
            draw([cell.sum(axis=1) for cell in cells]),
            draw([cell[:, filled] for cell in cells]),
        )

    def deviation(self, weights: Array, clusters: int) -> float:
        """Return the standard deviation of a sum of weighted means; NaN if it is unknown."""
        used = weights != 0  # a replicate may lack answers about others
        evaluators, topics, pairs = (
            float(np.nanvar(kind[:, used] @ weights[used])) for kind in self
        )
        variance = max(evaluators + topics - pairs, min(evaluators, topics))
        if clusters < 2 or variance < 1e-12:
            return np.nan
        return float(np.sqrt(variance * clusters / (clusters - 1)))


def _lines(
    rows: pd.DataFrame,
    limits: tuple[int, int],
    level: float,
    n: int,
    rng: np.random.Generator,
) -> Iterator[tuple[object, ...]]:
    """Yield the columns after `group` in `COLUMNS`, for each strategy and then for each pair."""
    if rows.empty:
        return
    names = in_order(rows["strategy"])
    cells = _Cells.of(rows, names)
    draws = _Draws.of(cells, n, rng)
    sums, answers = (cell.sum(axis=(1, 2)) for cell in cells)
    single = [[k] for k in range(len(names))]
    for chosen in single + [list(pair) for pair in combinations(range(len(names)), 2)]:
        weights = np.zeros(len(names))
        weights[chosen] = [1, -1][: len(chosen)]
        estimate = float(weights[chosen] @ (sums[chosen] / answers[chosen]))
        asked = cells.counts[chosen] > 0
        evaluators, topics = asked.any(axis=2), asked.any(axis=1)
        fewest = int(min(evaluators.sum(axis=1).min(), topics.sum(axis=1).min()))
        reach = stdtrit(fewest - 1, (1 + level) / 2) * draws.deviation(weights, fewest)
        least, most = limits if len(chosen) == 1 else (limits[0] - limits[1], limits[1] - limits[0])
        yield (
            names[chosen[0]],
            names[chosen[1]] if len(chosen) > 1 else "",
            estimate,
            float(np.maximum(estimate - reach, least)),
            float(np.minimum(estimate + reach, most)),
            int(answers[chosen].sum()),
            int(evaluators.any(axis=0).sum()),
            int(topics.any(axis=0).sum()),
        )

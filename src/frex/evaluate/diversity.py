"""The share of unique words in the topics' summaries: the paper's Table 6."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from frex.evaluate.comparison import PAPER_WORDS, check_words, compare, summary_cells
from frex.evaluate.unsupervised import RANKINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from frex.evaluate.fitted import Fits
    from frex.evaluate.unsupervised import Topics


def unique_share(summaries: NDArray[np.int64]) -> float:
    """Return the number of distinct words divided by the number of positions.

    Parameters
    ----------
    summaries
        Topics x words: the numbers of each topic's best words.
    """
    return len(np.unique(summaries)) / summaries.size


def diversity(
    fits: Fits,
    *,
    words: Sequence[int] = PAPER_WORDS,
    repeats: int = 1,
    out: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Return the share of unique words by seed, model, ranking, topics and words.

    Columns: `experiment`, `model`, `topics`, `seed`, `ranking`, `words` (in a summary), `unique`.

    Parameters
    ----------
    fits
        The fitted models.
    words
        Lengths of summaries.
    repeats
        Number of seeds, starting from the design's.
    out, progress
        As for `frex.evaluate.comparison.compare`.
    """
    check_words(fits.corpus, words)

    def measure(topics: Topics) -> list[dict[str, float]]:
        best = {ranking: topics.best(ranking, max(words)) for ranking in RANKINGS}
        return [
            {"unique": unique_share(best[ranking][:, :n])} for ranking in RANKINGS for n in words
        ]

    seeds = range(fits.design.seed, fits.design.seed + repeats)
    tables = [
        compare(
            fits.with_seed(seed),
            measure,
            cells=[{"seed": seed, **cell} for cell in summary_cells(words)],
            values=["unique"],
            settings={"measure": "diversity"},
            out=out,
            progress=progress,
        )
        for seed in seeds
    ]
    return pd.concat(tables, ignore_index=True)


def over_seeds(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the mean over seeds as `unique`, the range as `low` and `high`.

    Parameters
    ----------
    rows
        The result of `diversity`.
    """
    keys = ["model", "topics", "ranking", "words"]
    shares = rows.groupby(keys, sort=False)["unique"]
    return shares.agg(unique="mean", low="min", high="max").reset_index()

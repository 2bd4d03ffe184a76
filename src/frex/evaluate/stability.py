"""Whether rare words look more exclusive than they are: the paper's Figures 11 and 12.

A word with few occurrences falls into few topics by chance. If a model regularises the rates of a
topic, but not those of a word, such words get the largest exclusivities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from frex.evaluate.comparison import compare

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from frex.evaluate.fitted import Fits
    from frex.evaluate.unsupervised import Topics

MEASURES = {
    "exclusivity": "maximum exclusivity",
    "variance": "variance of rates",
    "relative_variance": "variance of relative rates",
    "log_variance": "variance of log rates",
}
"""Statistics of a word over topics. The paper's figures show the variance of the estimated rates.
It increases with the count for any model, so the variances of relative rates (divided by their mean
over topics) and of log rates are computed too."""


def word_measures(topics: Topics, counts: NDArray[np.int64]) -> pd.DataFrame:
    """Return a row for each word that occurs: `word` (its number), `count` and `MEASURES`.

    Parameters
    ----------
    topics
        What a model found.
    counts
        How often each word occurs in the corpus.
    """
    seen = np.flatnonzero(counts)
    rates = topics.rates[:, seen]
    return pd.DataFrame({
        "word": seen,
        "count": counts[seen],
        "exclusivity": topics.exclusivity[:, seen].max(axis=0),
        "variance": rates.var(axis=0),
        "relative_variance": (rates / rates.mean(axis=0)).var(axis=0),
        "log_variance": np.log(rates).var(axis=0),
    })  # fmt: skip


def stability(
    fits: Fits,
    *,
    out: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Return Spearman's correlation of word counts with each of `MEASURES`, by fit.

    Columns: `experiment`, `model`, `topics`, `measure`, `correlation`. A negative correlation means
    that the measure is larger for rare words than for frequent ones.

    Parameters
    ----------
    fits
        The fitted models.
    out, progress
        As for `frex.evaluate.comparison.compare`.
    """
    counts = word_counts(fits)

    def measure(topics: Topics) -> list[dict[str, float]]:
        words = word_measures(topics, counts)
        return [
            {"correlation": float(spearmanr(words["count"], words[name]).statistic)}
            for name in MEASURES
        ]

    return compare(
        fits,
        measure,
        cells=[{"measure": name} for name in MEASURES],
        values=["correlation"],
        settings={"measure": "stability"},
        out=out,
        progress=progress,
    )


def stability_words(fits: Fits, models: Sequence[str], n_topics: int) -> pd.DataFrame:
    """Return `word_measures` of some models for one number of topics, with a column `model`."""
    counts = word_counts(fits)
    tables = [
        word_measures(fits.topics(model, n_topics), counts).assign(model=model) for model in models
    ]
    return pd.concat(tables, ignore_index=True)


def word_counts(fits: Fits) -> NDArray[np.int64]:
    """Return the count of each word in the corpus."""
    matrix = fits.corpus.counts
    return np.bincount(matrix.indices, matrix.data, matrix.shape[1]).astype(np.int64)

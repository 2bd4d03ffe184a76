"""How many words of the topics' summaries are unique: the paper's Table 6."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.evaluate.comparison import PAPER_WORDS, check_words, compare, summary_cells
from frex.evaluate.unsupervised import RANKINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    import pandas as pd
    from numpy.typing import NDArray

    from frex.evaluate.fitted import Fits
    from frex.evaluate.unsupervised import Topics


def unique_share(summaries: NDArray[np.int64]) -> float:
    """Return the number of distinct words over the number of places for them.

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
    out: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Return the share of unique words, a row for each model, ranking, topics and words.

    Columns: `experiment`, `model`, `topics`, `ranking`, `words` (in a summary), `unique`.

    Parameters
    ----------
    fits
        Where the models come from.
    words
        Lengths of summaries.
    out, progress
        As for `frex.evaluate.comparison.compare`.
    """
    check_words(fits.corpus, words)

    def measure(topics: Topics) -> list[dict[str, float]]:
        best = {ranking: topics.best(ranking, max(words)) for ranking in RANKINGS}
        return [
            {"unique": unique_share(best[ranking][:, :n])} for ranking in RANKINGS for n in words
        ]

    return compare(
        fits,
        measure,
        cells=summary_cells(words),
        values=["unique"],
        settings={"measure": "diversity"},
        out=out,
        progress=progress,
    )

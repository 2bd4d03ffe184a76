"""Coherence of summaries: NPMI, and C_V of Röder, Both and Hinneburg."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from frex.evaluate.comparison import check_words, compare, summary_cells
from frex.evaluate.cooccurrence import Documents, associations
from frex.evaluate.unsupervised import RANKINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    import pandas as pd
    from numpy.typing import NDArray

    from frex.evaluate.cooccurrence import Reference
    from frex.evaluate.fitted import Fits
    from frex.evaluate.unsupervised import Topics

    Array: TypeAlias = NDArray[np.float64]

MEASURES = {"npmi": "NPMI", "c_v": "C_V"}
WORDS = (5, 10)
"""Lengths of summaries; most published figures use ten words."""


def mean_npmi(associations: Array) -> float:
    """Return the mean over pairs of different words.

    Parameters
    ----------
    associations
        NPMI of all pairs of words of a summary, symmetric.
    """
    return float(associations[np.triu_indices(len(associations), 1)].mean())


def c_v(associations: Array) -> float:
    """Return the mean cosine between each word's associations and those of all words together.

    Parameters
    ----------
    associations
        As for `mean_npmi`, including each word with itself.
    """
    together = associations.sum(axis=0)
    lengths = np.linalg.norm(associations, axis=1) * np.linalg.norm(together)
    cosines = np.divide(
        associations @ together, lengths, out=np.zeros(len(lengths)), where=lengths > 0
    )
    return float(cosines.mean())


def coherence(
    fits: Fits,
    *,
    words: Sequence[int] = WORDS,
    reference: Reference | None = None,
    out: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Return both measures' means over topics, by model, ranking, topics and words.

    Columns: `experiment`, `model`, `topics`, `ranking`, `words` (the length of a summary), and
    `MEASURES`.

    Parameters
    ----------
    fits
        The fitted models.
    words
        Lengths of summaries.
    reference
        The reference for co-occurrences; by default the documents of the models' corpus.
    out, progress
        As for `frex.evaluate.comparison.compare`.
    """
    check_words(fits.corpus, words, least=2)
    places = reference or Documents(fits.corpus, fits.corpus.words)

    def measure(topics: Topics) -> list[dict[str, float]]:
        best = {ranking: topics.best(ranking, max(words)) for ranking in RANKINGS}
        listed = np.unique(np.concatenate([summary.ravel() for summary in best.values()]))
        together = associations(places, listed)
        rows = []
        for ranking in RANKINGS:
            for n in words:
                summaries = np.searchsorted(listed, best[ranking][:, :n])
                parts = [together[np.ix_(summary, summary)] for summary in summaries]
                rows.append({
                    "npmi": float(np.mean([mean_npmi(part) for part in parts])),
                    "c_v": float(np.mean([c_v(part) for part in parts])),
                })  # fmt: skip
        return rows

    return compare(
        fits,
        measure,
        cells=summary_cells(words),
        values=list(MEASURES),
        settings={"measure": "coherence", "reference": places.mark},
        out=out,
        progress=progress,
    )

"""Word intrusion without people: word vectors find the intruder in a topic's summary.

A question shows the topic's five best words and one of the twenty best words of another topic
(Chang and others, 2009; the paper's section 4.6). The answer is the word with the smallest mean
cosine with the other five. All possible questions are evaluated, each weighted by its probability
in the study (`frex.scores.intruders`), so that the result is not random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from frex.errors import InputError
from frex.evaluate.comparison import compare
from frex.evaluate.cooccurrence import Documents
from frex.evaluate.unsupervised import RANKINGS
from frex.evaluate.vectors import company
from frex.scores.intruders import INTRUDERS, SHOWN, intruders

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    import pandas as pd
    from numpy.typing import NDArray

    from frex.evaluate.fitted import Fits
    from frex.evaluate.unsupervised import Topics
    from frex.evaluate.vectors import Vectors

    Array: TypeAlias = NDArray[np.float64]

CHANCE = 1 / (SHOWN + 1)
RESAMPLES, LEVEL = 2000, 0.95
"""Replicates of the bootstrap over topics, and the probability of its interval."""


def detection(best: NDArray[np.int64], directions: Array) -> Array:
    """Return for each topic the share of its questions that are answered correctly.

    A tie counts as not found. A topic without a question has NaN.

    Parameters
    ----------
    best
        Topics x 20: the numbers of each topic's best words.
    directions
        Words x dimensions, each of length 1.
    """
    shares = np.full(len(best), np.nan)
    lists = best.tolist()
    for topic, own in enumerate(best[:, :SHOWN]):
        others = [intruders(lists[topic], other) for other in lists]
        asked = [words for words in others if words]
        if not asked:
            continue
        words = np.concatenate(asked)
        starts = np.cumsum([len(part) for part in asked])[:-1]
        among = directions[own] @ directions[own].T
        with_intruder = directions[words] @ directions[own].T
        fit_of_own = among.sum(axis=1) - 1.0 + with_intruder  # questions x 5
        found = with_intruder.sum(axis=1) < fit_of_own.min(axis=1)
        shares[topic] = np.mean([part.mean() for part in np.split(found, starts)])
    return shares


def interval(shares: Array) -> tuple[float, float]:
    """Return the ends of an interval of the mean, by a bootstrap over topics."""
    draws = np.random.default_rng(0).choice(shares, (RESAMPLES, len(shares))).mean(axis=1)
    tail = 50 * (1 - LEVEL)
    low, high = np.percentile(draws, [tail, 100 - tail])
    return float(low), float(high)


def intrusion(
    fits: Fits,
    *,
    vectors: Vectors | None = None,
    out: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Return the share of intruders found, by model, ranking and number of topics.

    Columns: `experiment`, `model`, `topics`, `ranking`, `accuracy`, and `low` and `high`, the ends
    of its 95 % interval.

    Parameters
    ----------
    fits
        The fitted models.
    vectors
        Word vectors; by default their NPMI with frequent words in the documents of the corpus. A
        word without a vector is ignored, as if it were not in the vocabulary.
    out, progress
        As for `frex.evaluate.comparison.compare`.
    """
    corpus = fits.corpus
    vectors = vectors or company(Documents(corpus, corpus.words), corpus.n_words)
    if vectors.known.sum() < INTRUDERS:
        raise InputError(
            f"{vectors.known.sum()} words of the corpus have vectors",
            remedy=f"Use vectors for {INTRUDERS} or more.",
        )

    def measure(topics: Topics) -> list[dict[str, float]]:
        rows = []
        for ranking in RANKINGS:
            best = topics.best(ranking, INTRUDERS, among=vectors.known)
            shares = detection(best, vectors.directions)
            shares = shares[~np.isnan(shares)]
            low, high = interval(shares)
            rows.append({"accuracy": float(shares.mean()), "low": low, "high": high})
        return rows

    return compare(
        fits,
        measure,
        cells=[{"ranking": ranking} for ranking in RANKINGS],
        values=["accuracy", "low", "high"],
        settings={"measure": "intrusion", "vectors": vectors.mark},
        out=out,
        progress=progress,
    )

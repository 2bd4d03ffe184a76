"""Quality of a topic's words: their exclusivity and their coherence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.errors import InputError
from frex.evaluate.coherence import mean_npmi
from frex.evaluate.cooccurrence import Documents, associations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.posterior import Posterior

WORDS = 10
"""Number of words of a topic that are evaluated: its best by FREX."""


def check_corpus(posterior: Posterior, corpus: Corpus) -> NDArray[np.int64]:
    """Return for each document of the fit its row in the corpus.

    Parameters
    ----------
    posterior
        The fit.
    corpus
        Its corpus, or one that holds its documents.

    Raises
    ------
    InputError
        A document of the fit is not in it, or its words differ.
    """
    rows = {name: row for row, name in enumerate(corpus.ids)}
    missing = next((name for name in posterior.ids if name not in rows), None)
    if missing is not None or tuple(corpus.words) != tuple(posterior.words):
        what = f"has no document {missing!r}" if missing is not None else "has other words"
        raise InputError(
            f"the corpus {what}: it is not that of the fit",
            remedy="Give the corpus that was fitted (--corpus, in Python corpus=), or none.",
        )
    return np.array([rows[name] for name in posterior.ids], dtype=np.int64)


def coherence(corpus: Corpus, lists: Sequence[NDArray[np.int64]]) -> list[float]:
    """Return the mean NPMI over pairs of each list's words, in the corpus' documents.

    Parameters
    ----------
    corpus
        The corpus in which co-occurrences are counted.
    lists
        Numbers of words.
    """
    places = Documents(corpus, corpus.words)
    return [
        round(mean_npmi(associations(places, np.sort(words))), 3) if len(words) > 1 else 0.0
        for words in lists
    ]

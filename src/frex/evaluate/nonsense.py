"""Topics that are about nothing: how many, by model and number of topics.

The paper's concluding remarks say that fewer topics are nonsense where exclusivity is regularised,
by the ratings of people. Here a labelled fit is the judge: topics that are none of its nodes are
junk (see `frex.evaluate.alignment`).
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from frex.errors import InputError
from frex.evaluate.alignment import TOPIC_KINDS, alignment
from frex.evaluate.comparison import compare
from frex.scores import TopicWords

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    import pandas as pd

    from frex.evaluate.fitted import Fits
    from frex.evaluate.unsupervised import Topics
    from frex.posterior import Posterior

FIGURES = (*(f"topics_{kind}" for kind in TOPIC_KINDS), "nodes_missing", "coverage",
           "coverage_low", "coverage_high")  # fmt: skip
"""What is measured of a fit: counts of topics by kind, nodes that no topic is about, coverage."""


def nonsense(
    fit: Posterior,
    fits: Fits,
    *,
    out: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Return how many topics are resolved, split, fused and junk, a row for each model's fit.

    Columns: `experiment`, `model`, `topics`, and `FIGURES`.

    Parameters
    ----------
    fit
        A fit with labels.
    fits
        Where the models come from; their corpus has words of the fit.
    out, progress
        As for `frex.evaluate.comparison.compare`.
    """
    words = fits.corpus.words
    if not set(words) & set(fit.words):
        raise InputError(
            "the corpus and the fit have no word in common",
            remedy="Name the corpus of the fit, or one that was prepared in the same way.",
        )

    def measure(topics: Topics) -> list[dict[str, float]]:
        found = alignment(fit, TopicWords(topics.rates, words)).figures
        return [{name: found[name] for name in FIGURES}]

    return compare(
        fits,
        measure,
        cells=[{}],
        values=FIGURES,
        settings={"measure": "nonsense", "fit": _mark(fit)},
        out=out,
        progress=progress,
    )


def _mark(fit: Posterior) -> str:
    """Return a short text that another fit would not have."""
    rates = np.ascontiguousarray(fit.log_rates.mean, dtype="<f8")
    return hashlib.sha256(rates.tobytes()).hexdigest()[:16]

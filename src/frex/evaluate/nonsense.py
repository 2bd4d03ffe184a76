"""The number of junk topics, by model and number of topics.

The paper's concluding remarks say that regularised exclusivity gives fewer nonsense topics, as
rated by people. Here topics are compared with a labelled fit: topics that correspond to none of its
nodes are junk (see `frex.evaluate.alignment`).
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
"""The measured values: numbers of topics by kind, missing nodes, and coverage."""


def nonsense(
    fit: Posterior,
    fits: Fits,
    *,
    out: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Return the numbers of resolved, split, fused and junk topics, one row for each fit.

    Columns: `experiment`, `model`, `topics`, and `FIGURES`.

    Parameters
    ----------
    fit
        A fit with labels.
    fits
        The fitted models; their corpus must share words with the fit.
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
    """Return a fingerprint of a fit."""
    rates = np.ascontiguousarray(fit.log_rates.mean, dtype="<f8")
    return hashlib.sha256(rates.tobytes()).hexdigest()[:16]

"""The paper's human experiment with the models of `frex evaluate`.

Its strategies are PCM FREX, LDA FREX and LDA FREQ, and each number of topics is a group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from frex.errors import InputError
from frex.evaluate.fitted import read_kept
from frex.evaluate.unsupervised import strategy
from frex.study.summaries import Summary, summaries_from_scores

if TYPE_CHECKING:
    from os import PathLike

    from frex.evaluate.unsupervised import Ranking

LDA = ("lda", "lda-sklearn", "lda-asymmetric")
"""Models that may represent LDA, in order of preference."""


def summaries_from_evaluated(folder: str | PathLike[str]) -> list[Summary]:
    """Return the summaries of the paper's three strategies, in a group for each number of topics.

    Parameters
    ----------
    folder
        The folder of `frex evaluate diversity CORPUS --fits FOLDER`.

    Raises
    ------
    InputError
        PCM or LDA is missing, or they have no common number of topics.
    """
    kept = {(entry.model, entry.n_topics): entry for entry in read_kept(folder)}
    there = {model for model, _ in kept}
    lda = next((model for model in LDA if model in there), None)
    if lda is None or "pcm" not in there:
        raise InputError(
            f"holds fits of {', '.join(sorted(there))}, and the experiment compares PCM and LDA",
            path=folder,
            remedy="frex evaluate diversity CORPUS --models pcm,lda --fits FOLDER",
        )
    numbers = sorted(n for model, n in kept if model == "pcm" and (lda, n) in kept)
    if not numbers:
        raise InputError(
            "has no number of topics that both PCM and LDA were fitted with",
            path=folder,
            remedy="frex evaluate diversity CORPUS --models pcm,lda --topics 10,25 --fits FOLDER",
        )
    asked: tuple[tuple[str, Ranking], ...] = (("pcm", "frex"), (lda, "frex"), (lda, "frequency"))
    return [
        summary
        for n in numbers
        for model, ranking in asked
        for summary in summaries_from_scores(
            strategy(model, ranking),
            kept[model, n].topics.scores(ranking),
            kept[model, n].words,
            group=f"{n} topics",
        )
    ]

"""Topics for a free text: those whose names have it, and those that use its words most.

A text of words w has in topic k the probability p(k) of a topic drawn evenly, given that its words
were drawn from the rates beta[w,k]: proportional to prod_w beta[w,k] / sum_j beta[w,j].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import softmax

from frex.errors import InputError
from frex.posterior import score
from frex.predict.documents import analyzer_of, count_in_words

if TYPE_CHECKING:
    from frex.posterior import Posterior
    from frex.posterior.measures import Backend

TELLING = 5
"""Words of the text that are shown for each topic."""


def find_topics(
    posterior: Posterior,
    text: str,
    n: int = 10,
    *,
    stem: bool | None = None,
    backend: Backend = "pandas",
) -> Any:
    """Return the topics that a free text asks for, a row each, the likeliest first.

    A topic whose name or title has the text in it comes before all others.

    Parameters
    ----------
    posterior
        The fit.
    text
        Some words, or a whole document.
    n
        How many topics.
    stem
        Whether the fit's words are stems, where it does not tell.
    backend
        The data frame library of the result: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.

    Returns
    -------
    DataFrame
        `topic`, `title`; `probability` of the topic by the text's words, if one was as likely as
        another before; `named`, whether the text is in its name or title; `words`, those of the
        text that speak for it.

    Raises
    ------
    InputError
        The text has no word of the fit, and is in no topic's name.

    Examples
    --------
    >>> from frex.posterior import read_posterior
    >>> from frex.predict import find_topics
    >>> 'metal' in find_topics(read_posterior('FIT'), 'gold and silver', 2)['topic'].tolist()
    True
    """
    import narwhals as nw  # noqa: PLC0415 - scores need no data frames

    tree, wanted = posterior.tree, " ".join(text.split()).casefold()
    counts = count_in_words([text], posterior.words, analyzer_of(posterior, stem=stem))
    named = np.array(
        [
            bool(wanted) and any(wanted in name.casefold() for name in (tree.names[k], title))
            for k, title in enumerate(tree.titles)
        ][1:]
    )
    if not counts.nnz and not named.any():
        raise InputError(
            f"no word of {text!r} is among the fit's, and no topic's name has it",
            remedy="Use other words.",
        )
    shares = score(posterior, by="exclusivity", compare="all")[:, counts.indices]
    speaks = np.log(np.maximum(shares, np.finfo(np.float64).tiny)) * counts.data
    chance = softmax(speaks.sum(axis=1))
    best = np.lexsort((-chance, ~named))[:n]
    display = posterior.surface or posterior.words
    above = shares * tree.n_topics > 1  # more than a topic's even part of the word
    words = [
        ", ".join(
            display[counts.indices[place]]
            for place in np.argsort(-shares[topic], kind="stable")[:TELLING]
            if above[topic, place]
        )
        for topic in best
    ]
    columns: dict[str, Any] = {
        "topic": [tree.topics[topic] for topic in best],
        "title": [tree.titles[topic + 1] for topic in best],
        "probability": chance[best],
        "named": named[best],
        "words": words,
    }
    return nw.from_dict(columns, backend=backend).to_native()

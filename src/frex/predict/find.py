"""Search for topics by a free text: in their names, and by the words that they use.

Given a text of words w, the probability of topic k, with equal prior probabilities, is proportional
to prod_w beta[w,k] / sum_j beta[w,j].
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
"""Number of words of the text that are shown for each topic."""


def find_topics(
    posterior: Posterior,
    text: str,
    n: int = 10,
    *,
    stem: bool | None = None,
    backend: Backend = "pandas",
) -> Any:
    """Return the topics that match a free text, one row each, the most probable first.

    Topics whose name or title contains the text come before all others.

    Parameters
    ----------
    posterior
        The fit.
    text
        Some words, or a whole document.
    n
        Number of topics.
    stem
        Whether the fit's words are stems, if it does not store this.
    backend
        The data frame library of the result: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.

    Returns
    -------
    DataFrame
        `topic`, `title`; `probability` of the topic given the text's words, with equal prior
        probabilities; `named`, whether its name or title contains the text; `words`, those of the
        text that are evidence for it.

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
    above = shares * tree.n_topics > 1  # more than an equal share of the word
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

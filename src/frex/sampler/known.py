"""Topics of a fit as the prior of a fit without labels.

`model/known.py` has the model.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from frex.errors import InputError
from frex.model.known import known_topics
from frex.tree import TopicTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.model.known import KnownTopics
    from frex.posterior import Posterior
    from frex.sampler.settings import Settings


class Prior(NamedTuple):
    """The topics and rates that a fit provides as a prior.

    Attributes
    ----------
    tree
        All topics: those of the fit that have documents of their own, then the extra ones.
    known
        Means and variances of the log rates.
    """

    tree: TopicTree
    known: KnownTopics

    def of(self, settings: Settings) -> Settings:
        """Return settings of a fit with this prior."""
        digest = hashlib.blake2b(digest_size=16)
        for array in (self.known.offsets, self.known.spreads):
            digest.update(np.ascontiguousarray(array).data)
        n_known, n_topics = self.known.n_known, self.tree.n_topics
        return replace(settings, n_topics=n_topics, n_known=n_known, prior=digest.hexdigest())


def prior_of(fit: Posterior, corpus: Corpus, n_extra: int) -> Prior:
    """Return a fit as the prior of a corpus's topics.

    Parameters
    ----------
    fit
        A fit, usually with labels.
    corpus
        Documents, whose labels are ignored.
    n_extra
        Number of extra topics.

    Returns
    -------
    Prior
        The topics and their prior.
    """
    if n_extra < 0:
        raise InputError(f"{n_extra} extra topics were asked for", remedy="Ask for 0 or more.")
    topics = topics_with_documents(fit)
    if len(topics) + n_extra < 2:
        raise InputError(
            f"the prior has {len(topics)} topic{'' if len(topics) == 1 else 's'} with documents, "
            f"and {n_extra} extra ones were asked for: a document needs two to be about",
            remedy="Ask for more extra topics: --extra, extra_topics.",
        )
    rows = rows_of(fit, corpus)
    nodes = np.concatenate([[0], 1 + topics])
    means, sds = (np.asarray(moment)[:, nodes] for moment in fit.log_rates)
    if not np.isfinite(means).all():
        raise InputError(
            "the prior has log rates that are not finite numbers",
            remedy="Fit it again; frex diagnose says what is wrong with it.",
        )
    variances = np.where(np.isfinite(sds), sds, 0.0) ** 2  # one draw has no variance
    lengths = corpus.n_tokens / max(float(corpus.exposures.sum()), 1e-300), fit.mean_length
    level = float(np.log(lengths[0] / lengths[1])) if min(lengths) > 0 else 0.0
    names = [fit.tree.topics[topic] for topic in topics]
    titles = [fit.tree.titles[1 + topic] for topic in topics]
    extra = extra_names(n_extra, names)
    tree = TopicTree([*names, *extra], [None] * (len(names) + n_extra), [*titles, *extra])
    return Prior(tree, known_topics(means, variances, rows, n_extra, level))


def topics_with_documents(fit: Posterior) -> NDArray[np.int64]:
    """Return the topics that label a document; others are only the centre of their children."""
    return np.flatnonzero(np.bincount(fit.labels.indices, minlength=fit.tree.n_topics))


def rows_of(fit: Posterior, corpus: Corpus) -> NDArray[np.int64]:
    """Return for each word of a corpus its row in a fit, -1 for a word that is not in the fit."""
    place = {word: row for row, word in enumerate(fit.words)}
    rows = np.array([place.get(word, -1) for word in corpus.words], np.int64)
    if not (rows >= 0).any():
        raise InputError(
            "the corpus and the prior have no word in common",
            remedy="Prepare the documents as those of the prior were: with the same --stem, and "
            "best with its words.",
        )
    return rows


def extra_names(n_extra: int, taken: list[str]) -> list[str]:
    """Return names ``extra 1``, ``extra 2``, ... for topics, skipping names in use."""
    numbers = range(1, n_extra + len(taken) + 1)
    free = (name for name in (f"extra {number}" for number in numbers) if name not in set(taken))
    return [next(free) for _ in range(n_extra)]

"""The topics of a tree that need an editor."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from frex.audit.examples import Examples
from frex.audit.habits import labels_together, unused_topics
from frex.audit.moves import moved_topics
from frex.audit.own_words import own_words
from frex.audit.pairs import alike_topics, catch_alls
from frex.audit.parts import split_topics
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.audit.findings import TopicFinding
    from frex.corpus import Corpus
    from frex.posterior import Posterior

LEAST = 0.2
"""Least probability of a finding."""

UNUSED = ("tiny", "empty")
"""Kinds at the end of the list: there may be hundreds, and they need no reading."""

PASSES = 3
"""Number of progress reports for each topic."""


def audit_topics(
    posterior: Posterior,
    corpus: Corpus,
    *,
    least: float = LEAST,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> list[TopicFinding]:
    """Return findings about the tree, the most probable first, unused topics last.

    Parameters
    ----------
    posterior
        A fit.
    corpus
        The corpus that was fitted.
    least
        Least probability of a finding.
    seed
        Seed of all random choices.
    progress
        Called with the number of steps done, `PASSES` for each topic of the fit.

    Returns
    -------
    list of TopicFinding
        `frex.audit.topic_table` makes a data frame of it.

    Raises
    ------
    InputError
        The corpus is not the one that was fitted, or has no labels.

    Examples
    --------
    >>> from frex import read_corpus
    >>> from frex.audit import audit_topics
    >>> from frex.posterior import read_posterior
    >>> found = audit_topics(read_posterior('FIT'), read_corpus('CORPUS'))
    """
    fitted = fitted_corpus(posterior, corpus)
    step = progress or (lambda _: None)
    examples = Examples(posterior, own_words(posterior, fitted, seed=seed))
    sizes = np.bincount(fitted.labels.indices, minlength=fitted.n_topics)
    assert corpus.tree is not None
    found = chain(
        alike_topics(examples, sizes, least=least, step=step),
        split_topics(examples, sizes, least=least, seed=seed, step=step),
        moved_topics(examples, sizes, least=least, seed=seed, step=step),
        catch_alls(examples, sizes, least=least, seed=seed),
        labels_together(examples, fitted.labels, least=least),
        (one for one in unused_topics(corpus.labels, corpus.tree) if one.probability >= least),
    )
    return sorted(found, key=lambda one: (one.kind in UNUSED, -one.probability, -one.documents))


def fitted_corpus(posterior: Posterior, corpus: Corpus) -> Corpus:
    """Return the corpus over the topics of its fit; raise an error if it is another corpus.

    Parameters
    ----------
    posterior, corpus
        The fit, and the corpus.
    """
    if corpus.tree is None:
        raise InputError("the corpus has no labels", remedy="Prepare it with a tree.")
    fitted = corpus.without_empty_topics()
    same = (
        fitted.tree == posterior.tree
        and len(corpus) == len(posterior.ids)
        and tuple(corpus.words) == tuple(posterior.words)
        and np.array_equal(fitted.labels.indices, posterior.labels.indices)
        and np.array_equal(fitted.labels.indptr, posterior.labels.indptr)
    )
    if not same:
        raise InputError(
            "the corpus is not the one that was fitted: documents, words, topics or labels differ",
            remedy="Name the corpus of the fit, or fit this one.",
        )
    return fitted

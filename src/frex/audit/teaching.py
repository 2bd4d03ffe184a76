"""Active learning: the unlabelled documents whose labels are most informative.

A document is informative if it is uncertain whether it has a label, the more so if the topic has
few documents:

    worth[d] = sum_k entropy(p[d,k]) / sqrt(n[k] + 1),

with the probability p of each label and the number n of documents of each topic. After a document
is chosen, n[k] increases by p[d,k], so that the next document is not a similar one if topics are
rare.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import entr, expit

from frex.errors import InputError
from frex.predict import Predictor, learn_join, out_of_fold
from frex.predict.judges import Judge
from frex.predict.linear import learn_linear

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.predict import OutOfFold
    from frex.predict.documents import Documents

    Array: TypeAlias = NDArray[np.float64]

N_TOPICS = 3
"""Number of most probable topics that are listed."""

KEPT = 32
"""Number of a document's topics with the largest worth that the choice uses."""


class Lesson(NamedTuple):
    """A document that should be labelled."""

    document: str
    title: str
    link: str
    worth: float
    topics: tuple[str, ...]  #: the topics with the largest worth
    probabilities: tuple[float, ...]


class _Known(NamedTuple):
    """A document's topics with the largest worth."""

    document: str
    title: str
    link: str
    topics: NDArray[np.int64]
    probabilities: Array

    def worth(self, sizes: Array) -> Array:
        """Return the worth of each topic's label."""
        p = self.probabilities
        return np.asarray((entr(p) + entr(1 - p)) / np.sqrt(sizes[self.topics] + 1))


def label_next(
    posterior: Posterior,
    corpus: Corpus,
    documents: Iterable[Documents],
    *,
    limit: int = 100,
    judged: OutOfFold | None = None,
    seed: int = 0,
    threads: int = 0,
    progress: Callable[[int], None] | None = None,
) -> list[Lesson]:
    """Return the unlabelled documents whose labels are most informative, the best first.

    Parameters
    ----------
    posterior
        A fit.
    corpus
        The corpus that was fitted.
    documents
        Documents over the fit's words, as from `frex.predict.documents`.
    limit
        Number of documents to choose.
    judged, seed, threads, progress
        As for `audit_labels`.

    Examples
    --------
    >>> from frex import read_corpus
    >>> from frex.audit import label_next
    >>> from frex.posterior import read_posterior
    >>> from frex.predict.documents import corpus_documents
    >>> corpus, posterior = read_corpus('CORPUS'), read_posterior('FIT')
    >>> lessons = label_next(posterior, corpus, corpus_documents(corpus, posterior.words), limit=3)
    >>> len(lessons)
    3
    """
    if limit < 1:
        raise InputError(f"the limit is {limit}", remedy="Ask for at least one document.")
    fitted = corpus.without_empty_topics()
    if judged is None:
        judged = out_of_fold(corpus, seed=seed, threads=threads, progress=progress)
    sizes = np.bincount(fitted.labels.indices, minlength=fitted.n_topics)
    linear = learn_linear(
        fitted.counts, fitted.labels, penalty=judged.whole_penalty, threads=threads
    )
    judge = Judge(Predictor(posterior, threads=threads), linear, sizes, len(fitted))
    join = learn_join(judged)
    known: list[_Known] = []
    for some in documents:
        features = judge.features(judge.read(some.counts, some.exposures), judged.saturation)
        known += _known(some, expit(join.log_odds_of_planes(features)).astype(float), sizes)
    return _choose(known, sizes.astype(np.float64), posterior.tree.topics, limit)


def _known(some: Documents, probabilities: Array, sizes: NDArray[np.int64]) -> list[_Known]:
    worth = (entr(probabilities) + entr(1 - probabilities)) / np.sqrt(sizes + 1)
    kept = min(KEPT, worth.shape[1])
    best = np.argpartition(-worth, kept - 1, axis=1)[:, :kept]
    return [
        _Known(some.ids[row], some.details.title(row), some.details.link(row), topics, own[topics])
        for row, (topics, own) in enumerate(zip(best, probabilities, strict=True))
    ]


def _choose(
    known: Sequence[_Known], sizes: Array, names: Sequence[str], limit: int
) -> list[Lesson]:
    """Choose documents greedily; worth only decreases, so few are evaluated again."""
    waiting = [(-float(one.worth(sizes).sum()), place) for place, one in enumerate(known)]
    heapq.heapify(waiting)
    chosen: list[Lesson] = []
    while waiting and len(chosen) < limit:
        _, place = heapq.heappop(waiting)
        one = known[place]
        worth = one.worth(sizes)
        total = float(worth.sum())
        if waiting and total < -waiting[0][0]:
            heapq.heappush(waiting, (-total, place))
            continue
        best = np.argsort(-worth, kind="stable")[:N_TOPICS]
        topics = tuple(names[topic] for topic in one.topics[best].tolist())
        chances = tuple(one.probabilities[best].tolist())
        chosen.append(Lesson(*one[:3], total, topics, chances))
        sizes[one.topics] += one.probabilities
    return chosen

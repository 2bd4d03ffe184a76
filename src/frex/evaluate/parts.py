"""What every model of the experiment is given, what it answers, and how scores become labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from frex.corpus import Corpus
from frex.corpus.documents import joined
from frex.corpus.splits import split
from frex.predict import choose_labels, find_thresholds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.tree import TopicTree

    Array: TypeAlias = NDArray[np.float64]
    Labels: TypeAlias = sparse.csr_array[np.bool_]


class Parts(NamedTuple):
    """Three parts of a corpus, in which topics have the same shares."""

    training: Corpus
    validation: Corpus
    test: Corpus

    @classmethod
    def of(cls, corpus: Corpus, fractions: Sequence[float], seed: int) -> Parts:
        """Split a corpus at random; the same seed gives the same parts."""
        return cls(*split(corpus, fractions, seed=seed))

    @property
    def tree(self) -> TopicTree:
        """The topics."""
        tree = self.training.tree
        assert tree is not None, "a corpus without labels is refused before it is split"
        return tree

    @property
    def both(self) -> Corpus:
        """Training and validation together: all that has labels before the test."""
        first, second = self.training, self.validation
        exposures = None
        if first.given_exposures is not None and second.given_exposures is not None:
            exposures = np.concatenate([first.given_exposures, second.given_exposures])
        return Corpus(
            sparse.csr_array(sparse.vstack([first.counts, second.counts])),
            sparse.csr_array(sparse.vstack([first.labels, second.labels])),
            first.words,
            [*first.ids, *second.ids],
            first.tree,
            first.surface,
            exposures,
            details=joined([(len(part), part.details) for part in (first, second)]),
        )


class Answer(NamedTuple):
    """What a model says of the test documents."""

    scores: Array  #: documents x topics, from 0 to 1: the larger, the likelier
    labels: Labels  #: documents x topics


def decide(parts: Parts, score: Callable[[Corpus], Array]) -> Answer:
    """Answer with one threshold for all topics, the best on the validation part.

    Parameters
    ----------
    parts
        The parts.
    score
        Scores from 0 to 1 of documents, by a model that saw the training part only.
    """
    known: NDArray[np.bool_] = parts.validation.labels.toarray()
    thresholds = find_thresholds(score(parts.validation), known)
    scores = score(parts.test)
    return Answer(scores, choose_labels(scores, thresholds, parts.tree))


def decide_at_half(parts: Parts, score: Callable[[Corpus], Array]) -> Answer:
    """Answer with what scores 1/2 or more, a classifier's own rule.

    Parameters
    ----------
    parts, score
        As for `decide`; the model may have seen the validation part too.
    """
    scores = score(parts.test)
    return Answer(scores, choose_labels(scores, np.full(scores.shape[1], 0.5), parts.tree))

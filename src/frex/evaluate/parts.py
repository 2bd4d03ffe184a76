"""The parts of a corpus, a model's answer, and the rule from scores to labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from scipy import sparse

from frex.corpus import Corpus
from frex.corpus.documents import joined
from frex.corpus.splits import PAPER_FRACTIONS
from frex.corpus.splits import split as split_corpus
from frex.predict import choose_labels, find_thresholds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.predict.thresholds import By, Criterion
    from frex.tree import TopicTree

    Array: TypeAlias = NDArray[np.float64]
    Labels: TypeAlias = sparse.csr_array[np.bool_]


SPOKEN = {
    "train": "train", "training": "train", "validation": "validation", "valid": "validation",
    "dev": "validation", "test": "test", "testing": "test",
}  # fmt: skip
"""Names of parts, as splits are published."""

TRAINING_SHARE = PAPER_FRACTIONS[0] / (PAPER_FRACTIONS[0] + PAPER_FRACTIONS[1])
"""Share of the training part for validation, if a split has no validation part."""


class Parts(NamedTuple):
    """Three stratified parts of a corpus."""

    training: Corpus
    validation: Corpus
    test: Corpus

    @classmethod
    def of(cls, corpus: Corpus, fractions: Sequence[float], seed: int) -> Parts:
        """Split a corpus at random; the same seed gives the same parts."""
        return cls(*split_corpus(corpus, fractions, seed=seed))

    @classmethod
    def given(cls, corpus: Corpus, split: Sequence[str], seed: int) -> Parts:
        """Split a corpus as given; without a validation part, the training part is divided.

        Parameters
        ----------
        corpus
            The corpus.
        split
            For each document ``"train"``, ``"validation"`` or ``"test"``; documents with any other
            value are left out.
        seed
            The same seed gives the same validation part.
        """
        named = np.array([SPOKEN.get(name.strip().lower(), "") for name in split])
        training, validation, test = (
            corpus.take(np.flatnonzero(named == part)) for part in ("train", "validation", "test")
        )
        if not len(validation) and len(training) > 1:
            shares = [TRAINING_SHARE, 1.0 - TRAINING_SHARE]
            training, validation = split_corpus(training, shares, seed=seed)
        return cls(training, validation, test)

    @property
    def tree(self) -> TopicTree:
        """The topics."""
        tree = self.training.tree
        assert tree is not None, "a corpus without labels is refused before it is split"
        return tree

    @property
    def both(self) -> Corpus:
        """Training and validation parts together."""
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
    """A model's predictions for the test documents."""

    scores: Array  #: documents x topics, from 0 to 1; larger means more probable
    labels: Labels  #: documents x topics


class Rule(NamedTuple):
    """How scores become labels."""

    thresholds: By | Literal["expected"]
    criterion: Criterion | Literal["both"]


PAPER = Rule("global", "micro")
"""The default rule of the models that the paper compares."""

OUT_OF_THE_BOX = Rule("expected", "both")
"""The rule of `frex predict` and of its rivals."""


def decide(parts: Parts, score: Callable[[Corpus], Array], rule: Rule = PAPER) -> Answer:
    """Predict with the thresholds that are best on the validation part.

    Parameters
    ----------
    parts
        The parts.
    score
        Returns scores of documents from 0 to 1, by a model of the training part only.
    rule
        Whether each topic has a threshold, and the criterion to maximise.
    """
    known: NDArray[np.bool_] = parts.validation.labels.toarray()
    how: Any = {"by": rule.thresholds, "criterion": rule.criterion}
    thresholds = find_thresholds(score(parts.validation), known, **how)
    scores = score(parts.test)
    return Answer(scores, choose_labels(scores, thresholds, parts.tree))


def decide_at_half(parts: Parts, score: Callable[[Corpus], Array]) -> Answer:
    """Predict labels with a score of at least 1/2, a classifier's own rule.

    Parameters
    ----------
    parts, score
        As for `decide`; the model may have been trained on the validation part too.
    """
    scores = score(parts.test)
    return Answer(scores, choose_labels(scores, np.full(scores.shape[1], 0.5), parts.tree))

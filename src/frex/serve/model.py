"""Prediction of topics by a fit; the only module of the server that predicts labels."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import softmax

from frex.errors import InputError
from frex.posterior import read_posterior
from frex.predict import (
    Predictor,
    analyzer_of,
    calibration_of,
    explain,
    predict,
)
from frex.predict.documents import Documents, WordCounter
from frex.predict.reasons import give_reasons
from frex.serve.languages import CODES, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from frex.posterior import Posterior
    from frex.predict import Calibration
    from frex.predict.reasons import Reasons
    from frex.text import Analyzer
    from frex.tree import TopicTree

N_WORDS = 8
"""Words shown for a topic, and against it."""


class Subject(NamedTuple):
    """A topic, in Annif's format."""

    uri: str  #: its address, if the tree has one, or its name
    label: str
    notation: str | None  #: its name, if that is not its address


class Scored(NamedTuple):
    """Documents that were read."""

    counts: csr_array[np.int32]
    affinities: NDArray[np.float64] | None  #: documents x topics; None if explanations need none
    scores: NDArray[np.float64]  #: documents x topics, from 0 to 1
    are_shares: bool  #: whether scores are shares of the document, not probabilities
    sure: NDArray[np.bool_]  #: documents x topics: the labels


class Model:
    """A fit that is ready for requests; it is immutable.

    Parameters
    ----------
    posterior
        The fit.
    calibration
        Its calibration, from labelled documents.
    """

    def __init__(self, posterior: Posterior, calibration: Calibration | None = None) -> None:
        self.calibration = calibration
        self.predictor = Predictor(posterior, threads=1)
        self.tree: TopicTree = self.predictor.tree
        self.subjects = subjects(self.tree)
        self.n_topics = posterior.taxonomy.n_topics
        self._analyzer: Analyzer = analyzer_of(posterior)
        self.language = CODES.get(self._analyzer.language, UNKNOWN)
        self._words: Sequence[str] = tuple(posterior.words)
        self._shown = self._words if posterior.surface is None else tuple(posterior.surface)

    @cached_property
    def _counter(self) -> WordCounter:
        return WordCounter(self._words, self._analyzer)

    def warm(self) -> None:
        """Answer one request in advance, so that the first one need not wait."""
        word = self._words[0] if self._words else ""
        self.explain(self.score([word]), [0] if self.subjects else [])

    def above(self, topic: int) -> list[str]:
        """Return the titles of the topics above one, the topmost first."""
        return [self.tree.titles[node] for node in reversed(self.tree.ancestors(topic + 1))]

    def score(self, texts: Sequence[str]) -> Scored:
        """Read texts.

        Parameters
        ----------
        texts
            One for each document.
        """
        counts = self._counter.count(texts)
        documents = Documents([""] * len(texts), counts, None)
        made = predict(self.predictor, self.calibration, documents, at_least_one=False)
        # without a calibration labels depend on memberships, so these are shown
        are_shares = self.calibration is None
        scores = softmax(made.affinities, axis=1) if are_shares else made.probabilities
        return Scored(counts, made.affinities, scores, are_shares, made.labels.toarray())

    def explain(self, scored: Scored, topics: Sequence[int]) -> list[dict[str, Any]]:
        """Return for each topic the words of the first document that argue for and against it.

        Parameters
        ----------
        scored
            The document.
        topics
            Columns of the tree's topics.
        """
        counts, columns = scored.counts[[0]], np.array(topics, np.int64)
        if self.calibration is not None and self.calibration.joined is not None:
            reasons = give_reasons(self.predictor, self.calibration.joined, counts, columns)
            return [self._sum(one) for one in reasons]
        assert scored.affinities is not None, "there are none only where the calibration is joined"
        return [
            {**self._arguments(one.words, one.gains, N_WORDS), "missing": rounded(one.missing),
             "gain": rounded(one.gain)}
            for one in explain(self.predictor, counts, scored.affinities[0], columns)
        ]  # fmt: skip

    def _sum(self, reasons: Reasons) -> dict[str, Any]:
        """Return the terms of a topic's log odds: its words for and against, and the rest."""
        strongest = np.sort(np.argsort(-np.abs(reasons.gains), kind="stable")[:N_WORDS])
        words, gains = reasons.words[strongest], reasons.gains[strongest]
        return {
            **self._arguments(words, gains, N_WORDS),
            "log_odds": rounded(reasons.log_odds),
            "prior": rounded(reasons.prior),
            "others": rounded(float(reasons.gains.sum() - gains.sum())),
            "missing": rounded(reasons.missing),
            "tree": rounded(reasons.tree),
        }

    def _arguments(
        self, words: NDArray[np.int64], gains: NDArray[np.float64], most: int
    ) -> dict[str, Any]:
        """Return the words for and against, from words sorted best first."""
        pairs = [
            {"word": self._shown[word], "gain": rounded(gain)}
            for word, gain in zip(words.tolist(), gains.tolist(), strict=True)
        ]
        return {
            "for": [pair for pair in pairs[:most] if pair["gain"] > 0],
            "against": [pair for pair in pairs[: -most - 1 : -1] if pair["gain"] < 0],
        }


def read_model(path: str) -> tuple[Model, Posterior]:
    """Read a fit, with all its checks.

    Parameters
    ----------
    path
        Its folder.
    """
    posterior = read_posterior(path)
    if posterior.settings.get("n_topics") is not None:
        raise InputError(
            f"{path} is a fit without labels, so there are none to suggest",
            remedy="Serve a fit of labelled documents.",
        )
    return Model(posterior, calibration_of(path)), posterior


def subjects(tree: TopicTree) -> tuple[Subject, ...]:
    """Return the topics of a tree in Annif's format."""
    found = []
    for name, title, aliases in zip(tree.topics, tree.titles[1:], tree.aliases[1:], strict=True):
        address = next((other for other in (name, *aliases) if "://" in other), None)
        uri = name if address is None else address
        found.append(Subject(uri, title or name, name if name not in (uri, title) else None))
    return tuple(found)


def rounded(value: float) -> float:
    """Round to four digits, which exceeds their precision."""
    return float(f"{value:.4g}")

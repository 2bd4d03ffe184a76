"""`Predictor`: scores of unlabelled documents, given a fit.

Log rates and hyperparameters are fixed at their posterior means (section 3.3 of the paper).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import log_softmax
from sklearn.preprocessing import normalize

from frex.errors import InputError
from frex.model.labels import log_label_probability
from frex.posterior.guards import refuse_not_finite
from frex.predict.evidence import Evidence
from frex.predict.judges import branches_above
from frex.predict.kernels.modes import Topics, find_modes
from frex.sampler.threads import use_threads

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from frex.posterior import Posterior
    from frex.predict.judges import Branches

    Array: TypeAlias = NDArray[np.float64]

MOST_PASSES = 200
"""Most passes; 7 are typical, and 38 were the most among 2,000 documents each of Reuters-21578 and
debtags."""

TOLERANCE = 5e-2
"""Length of the last steps, relative to the upper bound of the curvature. The log density is then
within 0.001 of the mode's on average, and the largest error of an affinity is typically 0.03; their
posterior standard deviation is above 1."""

_LEAST_RATE = 1e-30  # well above the smallest number of single precision


class Scores(NamedTuple):
    """Scores of documents, one row each."""

    affinities: Array  #: documents x topics, at the mode given the words
    evidence: Array  #: documents x topics, mean log rate of the words, minus that over all topics
    lengths: Array  #: documents, number of tokens in the vocabulary
    usage: csr_array[np.float32]  #: documents x words, 1 + log of the count, rows of length 1

    @property
    def log_memberships(self) -> Array:
        """Log of the share of the document that is about a topic, documents x topics."""
        logs: Array = log_softmax(self.affinities, axis=1)
        return logs


class Predictor:
    """Scores unlabelled documents by the topics of the fit, `tree`.

    Topics of the `taxonomy` without documents are never predicted.

    Parameters
    ----------
    posterior
        The fit.
    threads
        Number of threads; 0 for one per core. The result does not depend on it.
    """

    def __init__(self, posterior: Posterior, *, threads: int = 0) -> None:
        hyper = posterior.hyperparameters
        refuse_not_finite(posterior)
        rates = posterior.frequency
        self.tree = posterior.tree
        self.taxonomy = posterior.taxonomy
        self.columns = posterior.columns
        """Columns of the tree's topics among those of the taxonomy."""
        self.words = posterior.words
        self.labelled = posterior.settings.get("n_topics") is None
        """Whether the fit has labels; without labels, only memberships are meaningful."""
        self.mean_length = max(posterior.mean_length, np.finfo(np.float64).tiny)
        self.threads = threads
        self.topics = Topics(
            np.maximum(rates, _LEAST_RATE).astype(np.float32),
            rates.sum(axis=0),
            np.asarray(hyper.affinity_mean, dtype=np.float64),
            float(hyper.affinity_variance),
        )
        never, ever = log_label_probability(hyper.affinity_mean, hyper.affinity_variance**0.5)
        self.log_odds: Array = ever - never
        """Prior log odds of each label, with the affinity integrated out."""
        self.log_rates: Array = np.array(posterior.log_rates.mean[:, 1:])
        """Posterior means, words x topics."""

    @cached_property
    def evidence(self) -> Evidence:
        """The evidence of words by the fit's rates."""
        return Evidence.of(self.log_rates, self.topics.rate_sums, self.log_odds)

    @cached_property
    def branches(self) -> Branches:
        """The branch that each topic lies in."""
        return branches_above(self.tree)

    def exposures(self, counts: csr_array[np.int32]) -> Array:
        """Return the documents' lengths over the fit's mean."""
        lengths: Array = np.asarray(counts.sum(axis=1, dtype=np.int64), dtype=np.float64)
        return lengths / self.mean_length

    def check(self, counts: csr_array[np.int32]) -> None:
        """Raise an error if counts do not have the fit's words."""
        if counts.shape[1] != len(self.words):
            raise InputError(
                f"the documents have {counts.shape[1]} words, and the fit {len(self.words)}",
                remedy="Bring them to the fit's vocabulary.",
            )

    def over_taxonomy(self, values: Array) -> Array:
        """Expand an array from the tree's topics to those of the taxonomy, with 0 for the others.

        Parameters
        ----------
        values
            Documents x topics of the tree.
        """
        if len(self.columns) == self.taxonomy.n_topics:
            return values
        spread = np.zeros((len(values), self.taxonomy.n_topics), values.dtype)
        spread[:, self.columns] = values
        return spread

    def affinities(self, counts: csr_array[np.int32], exposures: Array | None = None) -> Array:
        """Return every topic's affinity at the mode, documents x topics.

        Parameters
        ----------
        counts
            Documents x words of the fit.
        exposures
            The documents' relative lengths; by default those of the counts.
        """
        self.check(counts)
        modes = np.empty((counts.shape[0], len(self.topics.rate_sums)))
        with use_threads(self.threads):
            find_modes(
                counts.indptr.astype(np.int64),
                np.asarray(counts.indices, dtype=np.int32),
                np.asarray(counts.data, dtype=np.float64),
                self.exposures(counts) if exposures is None else exposures,
                self.topics,
                MOST_PASSES,
                TOLERANCE,
                modes,
                np.empty(len(modes), dtype=np.int64),
            )
        return modes

    def scores(self, counts: csr_array[np.int32], exposures: Array | None = None) -> Scores:
        """Return all scores for the calibration of label probabilities.

        Parameters
        ----------
        counts, exposures
            As for `affinities`.
        """
        given = self.exposures(counts) if exposures is None else exposures
        lengths = self.exposures(counts) * self.mean_length
        evidence = counts @ self.log_rates - np.outer(given, self.topics.rate_sums)
        evidence -= evidence.mean(axis=1, keepdims=True)
        evidence /= np.maximum(lengths, 1.0)[:, None]
        return Scores(self.affinities(counts, given), evidence, lengths, _usage(counts))


def _usage(counts: csr_array[np.int32]) -> csr_array[np.float32]:
    """Return the usage of each word: 1 + log of the count, rows of length 1."""
    usage = counts.astype(np.float32)
    np.log(usage.data, out=usage.data)
    usage.data += 1.0
    unit: csr_array[np.float32] = normalize(usage, copy=False)
    return unit

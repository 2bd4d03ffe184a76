"""The evidence of a document's words for each topic, by HPC's rates.

A document of n tokens that is about topic k alone has the log likelihood

    sum_f w_f mu_fk - l B_k,        B_k = sum_f exp(mu_fk),

and the probability of each topic follows by Bayes' rule. But the words of a document are
correlated, and a likelihood that treats them as independent is overconfident for long documents. So
the likelihood is tempered, as for over-dispersed counts: n tokens count as

    n / (1 + n / A)

independent ones, at most A. A is the *saturation*, the only parameter that must be learned from
held-out documents. Without it (A infinite) this is the model of the paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import softmax

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Array: TypeAlias = NDArray[np.float64]
    Single: TypeAlias = NDArray[np.float32]

SATURATION = 10.0
"""The saturation if there are too few documents to learn it. The tested corpora learn 5 to 20."""

SATURATIONS = (3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0, 1000.0)
"""Candidate values of the saturation."""


class Evidence(NamedTuple):
    """The fixed estimates of a fit for words and topics."""

    log_rates: Single  #: words x topics, minus each word's mean over topics
    sums: Single  #: topics, B minus its mean over topics
    prior: Single  #: topics, prior log odds

    @classmethod
    def of(cls, log_rates: Array, sums: Array, prior: Array) -> Evidence:
        """Return the evidence of a fit, given log rates, sums of rates, and prior log odds."""
        centred = log_rates - log_rates.mean(axis=1, keepdims=True)
        return cls(
            centred.astype(np.float32),
            (sums - sums.mean()).astype(np.float32),
            prior.astype(np.float32),
        )

    def likelihoods(self, counts: csr_array[np.int32], exposures: Array) -> Single:
        """Return log likelihoods, documents x topics, up to a constant for each document.

        Parameters
        ----------
        counts
            Documents x words.
        exposures
            Their relative lengths.
        """
        values: Single = counts.astype(np.float32) @ self.log_rates
        values -= np.outer(exposures.astype(np.float32), self.sums)
        return values

    def probabilities(self, likelihoods: Single, lengths: Array, saturation: float) -> Single:
        """Return the probability that a document is about each topic; rows sum to 1.

        Parameters
        ----------
        likelihoods
            The result of `likelihoods`.
        lengths
            Numbers of tokens of the documents.
        saturation
            The limit of the effective number of independent tokens.
        """
        worth = weight(lengths, saturation).astype(np.float32)
        shares: Single = softmax(worth[:, None] * likelihoods + self.prior, axis=1)
        return shares


def weight(lengths: Array, saturation: float) -> Array:
    """Return the weight of a token, by the number of tokens of its document."""
    worth: Array = 1.0 / (1.0 + np.asarray(lengths, np.float64) / saturation)
    return worth

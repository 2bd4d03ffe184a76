"""What HPC's rates say of a document: its words as witnesses for each topic.

A document of n tokens that is about topic k alone has the log likelihood

    sum_f w_f mu_fk - l B_k,        B_k = sum_f exp(mu_fk),

and a probability of each topic follows by Bayes' rule. But words come in company: the tenth word of
a document is hardly news, and a likelihood that takes each for an independent witness is far too
sure of long documents. So the likelihood is tempered, as that of over-dispersed counts is: n tokens
are worth

    n / (1 + n / A)

independent ones, at most A. A is the *saturation*, the one number that documents which took no part
in the fit have to teach. Without it (A infinite) this is the model as the paper has it.
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
"""Where there are too few documents to learn it. The corpora at hand learn 5 to 20."""

SATURATIONS = (3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0, 1000.0)
"""Among which it is chosen."""


class Evidence(NamedTuple):
    """What a fit says of words and topics, held fixed."""

    log_rates: Single  #: words x topics, less the mean over topics of each word
    sums: Single  #: topics, B less its mean over topics
    prior: Single  #: topics, log odds before any word is read

    @classmethod
    def of(cls, log_rates: Array, sums: Array, prior: Array) -> Evidence:
        """Return that of a fit: its log rates, the sums of its rates, each label's log odds."""
        centred = log_rates - log_rates.mean(axis=1, keepdims=True)
        return cls(
            centred.astype(np.float32),
            (sums - sums.mean()).astype(np.float32),
            prior.astype(np.float32),
        )

    def likelihoods(self, counts: csr_array[np.int32], exposures: Array) -> Single:
        """Return log likelihoods, documents x topics, up to a number for each document.

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
        """Return how probable it is that a document is about each topic, rows of sum 1.

        Parameters
        ----------
        likelihoods
            As `likelihoods` returns them.
        lengths
            Tokens of the documents.
        saturation
            How many independent words the longest document is worth.
        """
        worth = weight(lengths, saturation).astype(np.float32)
        shares: Single = softmax(worth[:, None] * likelihoods + self.prior, axis=1)
        return shares


def weight(lengths: Array, saturation: float) -> Array:
    """Return what a token of a document counts, of documents of so many tokens."""
    worth: Array = 1.0 / (1.0 + np.asarray(lengths, np.float64) / saturation)
    return worth

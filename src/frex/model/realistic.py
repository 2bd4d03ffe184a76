"""Settings under which a simulated corpus looks like a real one.

Three things replace draws from the priors, and nothing else of the process changes: the root's log
rates follow a Zipf-Mandelbrot law, all log rates are shifted by one constant so that documents have
the length asked for, and topics are of unequal popularity with the number of labels asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq

from frex.errors import InputError
from frex.model.labels import log_label_probability
from frex.model.priors import Hyperparameters

if TYPE_CHECKING:
    from numpy.typing import NDArray

ZIPF_EXPONENT = 1.05
ZIPF_OFFSET = 2.7  # Mandelbrot's: flattens the law at the most frequent words
POPULARITY_EXPONENT = 0.8  # exp(affinity mean) falls with this power of a topic's rank

AFFINITY_SD = 2.0
DISPERSION_DF = 8.0
DISPERSION_SCALE = 0.5


def zipf_log_rates(n_words: int) -> NDArray[np.float64]:
    """Return Zipf-Mandelbrot log rates, the most frequent word first; the rates sum to 1."""
    log_rates = -ZIPF_EXPONENT * np.log(np.arange(1, n_words + 1) + ZIPF_OFFSET)
    shares: NDArray[np.float64] = log_rates - np.logaddexp.reduce(log_rates)
    return shares


def realistic_hyperparameters(
    n_words: int, n_topics: int, labels_per_document: float, rng: np.random.Generator
) -> Hyperparameters:
    """Return hyperparameters as they are on real corpora.

    Parameters
    ----------
    n_words, n_topics
        Sizes.
    labels_per_document
        Expected number of labels of a document, met exactly by the choice of ``affinity_mean``.
    rng
        Decides which topics are popular.
    """
    if not 0 < labels_per_document < n_topics:
        raise InputError(
            f"labels_per_document is {labels_per_document} with {n_topics} topics",
            remedy=f"Give a number above 0 and below {n_topics}.",
        )
    popularity = -POPULARITY_EXPONENT * np.log(1 + rng.permutation(n_topics))

    def excess(shift: float) -> float:
        expected = np.exp(log_label_probability(popularity + shift, AFFINITY_SD)[1]).sum()
        return float(expected - labels_per_document)

    reach = 100.0 + float(np.ptp(popularity))
    root = zipf_log_rates(n_words)
    return Hyperparameters(
        root_mean=float(root.mean()),
        root_variance=float(root.var()),
        affinity_mean=popularity + brentq(excess, -reach, reach, xtol=1e-10),
        affinity_variance=AFFINITY_SD**2,
        dispersion_df=DISPERSION_DF,
        dispersion_scale=DISPERSION_SCALE,
    )


def length_shift(
    log_rates: NDArray[np.float64], hyper: Hyperparameters, mean_length: float
) -> float:
    """Return what to add to all log rates for labelled documents of ``mean_length`` tokens.

    Topics are weighted by their probability of being a label, which is what their share of the
    memberships is but for the documents with several.
    """
    if not (np.isfinite(mean_length) and mean_length > 0):
        raise InputError(f"mean_length is {mean_length}", remedy="Give a positive number.")
    log_p1 = log_label_probability(hyper.affinity_mean, np.sqrt(hyper.affinity_variance))[1]
    log_weights = log_p1 - np.logaddexp.reduce(log_p1)
    log_total = np.logaddexp.reduce(log_rates[:, 1:] + log_weights, axis=None)
    return float(np.log(mean_length) - log_total)

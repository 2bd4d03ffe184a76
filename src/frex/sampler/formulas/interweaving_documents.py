"""One document when (eta, log lambda) moves along: `model/interweaving.py`, documents.

Numbers of all documents are in arrays in which a document's first label and first entry of its
matrix have a place, and the others follow `step` apart; what is of the document alone is in arrays
of its own.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from frex.sampler.formulas.elementary import log, log_logistic, logistic
from frex.sampler.formulas.options import formula, scalar


class DocumentGaussians(NamedTuple):
    """What stands for the documents' likelihoods, flat over labels; fixed after the warm-up."""

    basis: Any  #: flat m x m, eigenvectors in columns
    precisions: Any  #: c
    pulls: Any  #: r, in the basis


class Spot(NamedTuple):
    """Where a document is."""

    n_labels: int
    label: int
    square: int
    step: int


@scalar
def gaussian_of(pull, precision, mean, prior):
    """Return mean and precision of an affinity, given its prior's."""
    total = precision + prior
    return (pull + prior * mean) / total, total


@scalar
def moved(held, centre, precision, mean, prior):
    """Return how far from its mean an affinity is, and its slopes in its eta and log lambda."""
    deviation = held / math.sqrt(precision)
    share = prior / precision
    return deviation, share, share * (2.0 * (centre - mean) + deviation)


@formula
def rotated(j, spot, basis, x):
    """Return the j-th coordinate of a document's numbers in its basis."""
    m, step, total = spot.n_labels, spot.step, 0.0
    for k in range(m):
        total += basis[spot.square + (k * m + j) * step] * x[k]
    return total


@formula
def standardise(spot, own, affinities, mean, prior, out):
    """Fill u, which the move holds fixed, of a document's affinities."""
    for j in range(spot.n_labels):
        label = spot.label + j * spot.step
        centre, precision = gaussian_of(
            own.pulls[label], own.precisions[label], rotated(j, spot, own.basis, mean), prior
        )
        out[label] = (rotated(j, spot, own.basis, affinities) - centre) * math.sqrt(precision)


@formula
def place(spot, own, held, mean, prior, position, in_mean, in_log_sd, with_value):
    """Fill a document's affinities at (eta, lambda); return the sum of log precisions if asked for.

    Filled is, too, how much a rotated affinity moves with its rotated eta, and with log lambda.
    """
    m, step, log_precisions = spot.n_labels, spot.step, 0.0
    for k in range(m):
        position[k] = 0.0
    for j in range(m):
        label = spot.label + j * step
        own_mean = rotated(j, spot, own.basis, mean)
        centre, precision = gaussian_of(own.pulls[label], own.precisions[label], own_mean, prior)
        deviation, in_mean[j], in_log_sd[j] = moved(held[label], centre, precision, own_mean, prior)
        if with_value:
            log_precisions += log(precision)
        for k in range(m):
            position[k] += own.basis[spot.square + (k * m + j) * step] * (centre + deviation)
    return log_precisions


@formula
def add_prior(m, mean, prior, log_prior, position, gradient, slopes, with_value):
    """Add the slopes in the affinities of their prior and labels to the gradient.

    Fills the prior's slopes in eta; returns value and slope in log lambda.
    """
    value, in_log_sd = 0.0, 0.0
    for k in range(m):
        deviation = position[k] - mean[k]
        if with_value:
            value += log_logistic(position[k])
        value += 0.5 * (log_prior - prior * deviation * deviation)
        gradient[k] += logistic(-position[k]) - prior * deviation
        slopes[k] = prior * deviation
        in_log_sd += prior * deviation * deviation - 1.0
    return value, in_log_sd


@formula
def add_moved(spot, own, gradient, in_mean, in_log_sd, slopes):
    """Add to the slopes in eta what comes by way of the affinities; return that in log lambda."""
    m, step, total = spot.n_labels, spot.step, 0.0
    for j in range(m):
        slope = rotated(j, spot, own.basis, gradient)
        total += slope * in_log_sd[j] + in_mean[j]  # d log v^-1/2 is the share
        for k in range(m):
            slopes[k] += slope * own.basis[spot.square + (k * m + j) * step] * in_mean[j]
    return total


@scalar
def shrunk(precision, prior):
    """Return the precision that a coordinate's eta has, its affinity integrated out."""
    return prior * precision / (precision + prior)


@scalar
def pull_at(mode, precision, mean, prior):
    """Return the pull with which the mode is where it is."""
    return (precision + prior) * mode - prior * mean

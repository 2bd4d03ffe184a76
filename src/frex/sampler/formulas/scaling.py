"""A document's affinities grow with (eta, lambda) by one factor: `model/scaling.py` says which how.

The log ratio of the densities, with the Jacobian, for a document of m active labels:

    sum_f w_f log(s'_f / s_f) - l B' (theta' - theta)
        + sum_k log logistic(xi'_k) - log logistic(xi_k)
        - |xi' - c eta|^2 / (2 c^2 lambda2) + |xi - eta|^2 / (2 lambda2)
        + (1 + number far below - m) log c
"""

from __future__ import annotations

from frex.sampler.formulas.affinities import prior_log_density
from frex.sampler.formulas.documents import mixture, softmax
from frex.sampler.formulas.elementary import log
from frex.sampler.formulas.options import formula, routine
from frex.sampler.formulas.rows import across, load, spread


@formula
def tokens_of(words, place):
    """Return how many tokens a document has."""
    total = spread(0.0)
    for c in range(place.n_rows):
        total = total + load(words.counts, place.first + c * place.row_stride)
    return across(total)


@formula
def scale(m, affinities, n_tokens, factor, out):
    """Fill the affinities after the move; return how many labels are far below."""
    highest, lowest, n_far = affinities[0], affinities[0], 0
    for k in range(1, m):
        highest, lowest = max(highest, affinities[k]), min(lowest, affinities[k])
    worth = log(max(n_tokens, 1.0))  # a label so far below is worth a token
    for k in range(m):
        n_far += highest - affinities[k] > worth
    anchor = worth if n_far > 0 else highest - lowest
    rise = (factor - 1.0) * (highest - anchor)
    for k in range(m):
        far = highest - affinities[k] > worth
        out[k] = factor * affinities[k] if far else affinities[k] + rise
    return n_far


@routine
def words_log_ratio(words, place, before, after):
    """Return what the words say of other memberships: sum_f w_f log(s'_f / s_f)."""
    m, stride, rates, counts = place.n_labels, place.label_stride, words.rates, words.counts
    logs = spread(0.0)
    for c in range(place.n_rows):
        rate = place.rate + c * place.row_stride
        mixed = mixture(m, before, rates, rate, stride)
        moved = mixture(m, after, rates, rate, stride)
        logs = logs + load(counts, place.first + c * place.row_stride) * log(moved / mixed)
    return across(logs)


@formula
def scaled_log_ratio(words, place, own, variance, factor):
    """Return the log ratio of a document's densities after and before, with the Jacobian.

    `own` has the position and theta; the momentum and the velocity are filled with those after.
    """
    m, position, theta, moved, after = (
        place.n_labels,
        own.position,
        own.theta,
        own.momentum,
        own.velocity,
    )
    n_far = scale(m, position, tokens_of(words, place), factor, moved)
    softmax(m, moved, after)
    change = words_log_ratio(words, place, theta, after) + (1 + n_far - m) * log(factor)
    change -= prior_log_density(m, own.mean, variance, position)
    for k in range(m):
        change -= own.expected[k] * (after[k] - theta[k])
        own.mean[k] *= factor
    return change + prior_log_density(m, own.mean, factor * factor * variance, moved)

"""The likelihood of one document's words.

With active labels 1..m, B_k = sum_f beta_fk and s_f = theta' beta_f:

    log likelihood   -l sum_k B_k theta_k + sum_f w_f log s_f
    gradient         theta (g - theta' g),  g_k = sum_f w_f beta_fk / s_f - l B_k
    curvature        sum_f w_f (r_f - theta)(r_f - theta)',  r_fk = theta_k beta_fk / s_f

in the affinities. The rates of its words at its labels are gathered: those of a label follow one
another, and so do labels. On the CPU words are taken eight at a time, a row (`rows.py`); on the GPU
one by one, and documents lie side by side, so that all of a document is a stride of `row_stride`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from frex.sampler.formulas.elementary import exp, log
from frex.sampler.formulas.options import FASTMATH, for_cpu, formula, formulas
from frex.sampler.formulas.rows import across, load, spread, store

FEW = 4
"""Labels whose sums are in registers, at most."""


class Words(NamedTuple):
    """The words of all documents."""

    rates: Any  #: gathered
    counts: Any


class Place(NamedTuple):
    """Where a document's words are among them."""

    n_labels: int
    n_rows: int  #: of words, eight each or one
    first: int  #: where its counts start
    rate: int  #: where its rates start
    label_stride: int  #: from one label's rates to the next's
    row_stride: int  #: from one row to the next


@formula
def softmax(m, affinities, theta):
    """Fill memberships with the softmax of affinities."""
    highest = affinities[0]
    for k in range(1, m):
        highest = max(highest, affinities[k])
    for k in range(m):
        theta[k] = exp(affinities[k] - highest)
    total = 0.0  # in a loop of its own, whose order of adding does not depend on addresses
    for k in range(m):
        total += theta[k]
    for k in range(m):
        theta[k] /= total


@formula
def mixture(m, theta, rates, rate, stride):
    """Return s = theta' beta of a row of words, whose rates start somewhere."""
    mixed = theta[0] * load(rates, rate)
    for k in range(1, m):
        mixed = mixed + theta[k] * load(rates, rate + k * stride)
    return mixed


@formula
def weighed(count, mixed, logs, with_value):
    """Return w / s of a row of words, and the sum of w log s with theirs, if asked for."""
    if with_value:
        logs = logs + count * log(mixed)
    return count / mixed, logs


@formula
def add_rates(m, weight, rates, rate, stride, sums):
    """Add a row's rates, weighted by w / s, to the sums."""
    for k in range(m):
        store(sums, k, load(sums, k) + weight * load(rates, rate + k * stride))


@formula
def add_words(words, place, theta, sums, with_value):
    """Fill sum_f w_f beta_fk / s_f of every label; return sum_f w_f log s_f if asked for."""
    m, stride, rates, counts = place.n_labels, place.label_stride, words.rates, words.counts
    logs = spread(0.0)
    for k in range(m):
        store(sums, k, logs)
    for c in range(place.n_rows):
        rate = place.rate + c * place.row_stride
        mixed = mixture(m, theta, rates, rate, stride)
        count = load(counts, place.first + c * place.row_stride)
        weight, logs = weighed(count, mixed, logs, with_value)
        add_rates(m, weight, rates, rate, stride, sums)
    return logs


@formula
def add_words_of_two(words, place, theta, sums, with_value):
    """Do the same for two labels, as most documents have: all sums are in registers."""
    stride, rates, counts = place.label_stride, words.rates, words.counts
    logs = spread(0.0)
    sum0, sum1 = logs, logs
    for c in range(place.n_rows):
        rate = place.rate + c * place.row_stride
        rate0, rate1 = load(rates, rate), load(rates, rate + stride)
        count = load(counts, place.first + c * place.row_stride)
        weight, logs = weighed(count, theta[0] * rate0 + theta[1] * rate1, logs, with_value)
        sum0 = sum0 + weight * rate0
        sum1 = sum1 + weight * rate1
    store(sums, 0, sum0)
    store(sums, 1, sum1)
    return logs


@formula
def add_words_of_few(words, place, theta, sums, with_value):
    """Do the same for three or four."""
    fourth, stride, rates, counts = (
        place.n_labels > 3,
        place.label_stride,
        words.rates,
        words.counts,
    )
    theta3 = theta[3] if fourth else 0.0
    logs = spread(0.0)
    sum0, sum1, sum2, sum3, rate3 = logs, logs, logs, logs, logs
    for c in range(place.n_rows):
        rate = place.rate + c * place.row_stride
        rate0, rate1 = load(rates, rate), load(rates, rate + stride)
        rate2 = load(rates, rate + 2 * stride)
        mixed = theta[0] * rate0 + theta[1] * rate1 + theta[2] * rate2
        if fourth:
            rate3 = load(rates, rate + 3 * stride)
            mixed = mixed + theta3 * rate3
        count = load(counts, place.first + c * place.row_stride)
        weight, logs = weighed(count, mixed, logs, with_value)
        sum0 = sum0 + weight * rate0
        sum1 = sum1 + weight * rate1
        sum2 = sum2 + weight * rate2
        if fourth:
            sum3 = sum3 + weight * rate3
    store(sums, 0, sum0)
    store(sums, 1, sum1)
    store(sums, 2, sum2)
    if fourth:
        store(sums, 3, sum3)
    return logs


def add_all_words(words, place, theta, sums, with_value):
    """Do the same for any number; on the CPU sums of three and more are as quick in memory."""
    if place.n_labels == 2:
        return add_words_of_two(words, place, theta, sums, with_value)
    if place.n_labels <= FEW:
        return add_words_of_few(words, place, theta, sums, with_value)
    return add_words(words, place, theta, sums, with_value)


def _add_all_words(words, place, theta, sums, with_value):
    if place.n_labels == 2:
        return add_words_of_two(words, place, theta, sums, with_value)
    return add_words(words, place, theta, sums, with_value)


for_cpu(add_all_words, lambda *_: _add_all_words, forceinline=True, fastmath=FASTMATH)
formulas.append(add_all_words)


@formula
def finish_gradient(m, expected, theta, gradient):
    """Turn sums over words into the gradient, l B being expected of each label.

    Returns what is to be added to the sum of logarithms.
    """
    value = 0.0
    mean = 0.0
    for k in range(m):
        value -= expected[k] * theta[k]
        gradient[k] -= expected[k]
        mean += theta[k] * gradient[k]
    for k in range(m):
        gradient[k] = theta[k] * (gradient[k] - mean)
    return value


@formula
def likelihood(words, place, expected, theta, sums, gradient, with_value):
    """Fill the gradient of the words' log likelihood; return that, or nothing where not asked for.

    `sums` is a buffer for a row of each label; it may be the gradient where rows are numbers.
    """
    m = place.n_labels
    logs = add_all_words(words, place, theta, sums, with_value)
    for k in range(m):
        gradient[k] = across(load(sums, k))
    return across(logs) + finish_gradient(m, expected, theta, gradient)


@formula
def word_curvature(words, place, theta, out):
    """Fill the words' curvature, m x m flat; rows are single words."""
    m, stride, rates, counts = place.n_labels, place.label_stride, words.rates, words.counts
    for k in range(m * m):
        out[k] = 0.0
    for c in range(place.n_rows):
        rate = place.rate + c * place.row_stride
        mixed = mixture(m, theta, rates, rate, stride)
        count = load(counts, place.first + c * place.row_stride)
        for k in range(m):
            excess = theta[k] * (load(rates, rate + k * stride) / mixed - 1.0)
            for j in range(k + 1):
                other = theta[j] * (load(rates, rate + j * stride) / mixed - 1.0)
                out[k * m + j] += count * excess * other
    for k in range(m):
        for j in range(k):
            out[j * m + k] = out[k * m + j]

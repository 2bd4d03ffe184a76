"""The words' likelihood, which `formulas/words.py` has: loops over the words' tokens.

Tokens are those of multi-label documents. Their labels lie in the words' order, so that a word's
tokens are read one after the other: the nodes always, the memberships since the documents last
moved (`gather`).

Arrays over nodes are of one word, or of eight side by side (`kernels/vectors.py`); tokens are taken
one word at a time. No slice is taken of what threads share: Numba counts references to an array,
and threads would wait for one another to count.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from frex.sampler.formulas.documents import add_rates, mixture
from frex.sampler.formulas.elementary import exp, log
from frex.sampler.formulas.rows import load, store
from frex.sampler.formulas.words import single_value, slope_of
from frex.sampler.kernels.options import inlined, inner, parallel, routine
from frex.sampler.kernels.vectors import LANES

ONE, TWO = np.uint64(1), np.uint64(2)


class WordData(NamedTuple):
    """What does not change during a run. Words are columns; nodes are topics plus one."""

    starts: Any  #: V + 1, where a word's tokens start
    counts: Any  #: tokens, fewest labels first: how often a multi-label document has the word
    firsts: Any  #: tokens: where the document's labels start
    more_starts: Any  #: V + 1, where the sizes of a word's tokens of more than two labels start
    sizes: Any  #: those tokens, a word's last: how many labels the document has; all others two
    label_starts: Any  #: V + 1, where the labels of a word's tokens start
    nodes: Any  #: those labels' nodes; unsigned, for an index that may be negative costs a test
    single_counts: Any  #: V x N, counts in single-label documents; column 0 is zero
    parents: Any  #: N
    groups: Any  #: N, the column of the dispersions of a node's parent; the root's is not used
    bin_starts: Any  #: where a bin's words start
    bin_words: Any  #: words, in bins of equal work
    bin_order: Any  #: bins, in the order in which threads take them
    factors: Any  #: V x N, exp of the log rates' offsets; 0 x 0 where they have none
    n_groups: int  #: P; a node whose group is not below it has a variance of `RateState.fixed`
    longest: int  #: tokens of the word that has most
    width: int = 0  #: K where every topic is in every document, and labels need no nodes; else 0


class RateState(NamedTuple):
    """What log rates are conditional on."""

    log_rates: Any  #: V x N, changed
    dispersions: Any  #: V x P
    fixed: Any  #: V x A, variances of nodes with a known mean, the root's first; 0 x 0 without any
    theta: Any  #: memberships of the tokens' labels; as documents have them where all have all
    exposure: Any  #: N, E; 0 for the root
    root_mean: float
    root_variance: float
    curvature: Any  #: V x N, minus the likelihood's Hessian, held fixed


class WordLikelihood(NamedTuple):
    """The words' log likelihood and its slopes at some log rates."""

    value: Any  #: V
    slopes: Any  #: V x N


@inner
def tokens_of(f, data):
    """Return where a word's tokens start, where those of more than two labels do, and the end."""
    first, last = data.starts[f], data.starts[f + 1]
    n_more = data.more_starts[f + 1] - data.more_starts[f]
    return np.uint64(first), np.uint64(last - n_more), np.uint64(last)


@parallel("data.bin_order")
def gather(stretch, data, memberships, theta):
    """Copy the documents' memberships to the words' tokens."""
    for turn in range(*stretch):
        b = data.bin_order[turn]
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[place]
            first, middle, last = tokens_of(f, data)
            label, more = np.uint64(data.label_starts[f]), data.more_starts[f]
            for token in range(first, middle):
                of_document = np.uint64(data.firsts[token])
                theta[label] = memberships[of_document]
                theta[label + ONE] = memberships[of_document + ONE]
                label += TWO
            for token in range(middle, last):
                start = np.uint64(data.firsts[token])
                for of_document in range(start, start + np.uint64(data.sizes[more])):
                    theta[label] = memberships[of_document]
                    label += ONE
                more += 1


@routine
def rates_of(log_rates, rates):
    """Fill rates with exp(log_rates)."""
    for i in range(len(rates)):
        rates[i] = exp(log_rates[i])


@inner
def add_offsets(f, data, rates):
    """Take rates to those of the log rates with their offsets, where there are any."""
    if len(data.factors) > 0:
        for i in range(len(rates)):
            rates[i] *= data.factors[f, i]


@inner
def add_tokens(f, data, theta, rates, pulls, mixed):
    """Add w_d theta_d / s_d of a word's tokens to pulls; fill their mixtures s = theta' beta."""
    first, middle, last = tokens_of(f, data)
    start, nodes = np.uint64(data.label_starts[f]), data.nodes
    for token in range(first, middle):
        one, two = nodes[start], nodes[start + ONE]
        theta_one, theta_two = theta[start], theta[start + ONE]
        total = theta_one * rates[one] + theta_two * rates[two]
        mixed[token - first] = total
        weight = data.counts[token] / total
        pulls[one] += weight * theta_one
        pulls[two] += weight * theta_two
        start += TWO
    more = np.uint64(data.more_starts[f])
    for token in range(middle, last):
        end = start + np.uint64(data.sizes[more])
        total = 0.0
        for label in range(start, end):
            total += theta[label] * rates[nodes[label]]
        mixed[token - first] = total
        weight = data.counts[token] / total
        for label in range(start, end):
            pulls[nodes[label]] += weight * theta[label]
        start = end
        more += ONE


@inner
def add_tokens_of_all(f, data, theta, rates, pulls, mixed):
    """Do the same where every document has all topics; rates and pulls are without the root's."""
    first, last = np.uint64(data.starts[f]), np.uint64(data.starts[f + 1])
    width = np.uint64(data.width)
    for token in range(first, last):
        start = np.uint64(data.firsts[token])
        total = mixture(width, rates, theta, start, ONE)
        mixed[token - first] = total
        add_rates(width, data.counts[token] / total, theta, start, ONE, pulls)


@inner
def token_logs(f, data, mixed):
    """Return sum_d w_d log s_d of tokens that are mixed."""
    first, last = np.uint64(data.starts[f]), np.uint64(data.starts[f + 1])
    total = 0.0
    for token in range(first, last):
        total += data.counts[token] * log(mixed[token - first])
    return total


@inner
def finish_gradient(single_counts, exposure, rates, pulls):
    """Turn what the tokens pull into the gradient: n + beta (pulls - E)."""
    for i in range(len(exposure)):
        slope = slope_of(load(single_counts, i), load(rates, i), load(pulls, i), exposure[i])
        store(pulls, i, slope)


@inner
def single_part(single_counts, exposure, log_rates, rates):
    """Return n' mu - E' beta."""
    total = 0.0 * load(rates, 0)
    for i in range(len(exposure)):
        total = total + single_value(
            load(single_counts, i), load(log_rates, i), load(rates, i), exposure[i]
        )
    return total


@routine
def likelihood(f, data, state, log_rates, rates, gradient, mixed):
    """Return one word's log likelihood; fill its rates and its gradient."""
    rates_of(log_rates, rates)
    add_offsets(f, data, rates)
    for i in range(len(rates)):
        gradient[i] = 0.0
    if data.width:
        add_tokens_of_all(f, data, state.theta, rates[1:], gradient[1:], mixed)
    else:
        add_tokens(f, data, state.theta, rates, gradient, mixed)
    single = data.single_counts[f]
    finish_gradient(single, state.exposure, rates, gradient)
    return single_part(single, state.exposure, log_rates, rates) + token_logs(f, data, mixed)


@inner
def variance_of(f, g, dispersions, fixed):
    """Return the variance of a group's nodes about their parent."""
    n_groups = dispersions.shape[1]
    return dispersions[f, g] if g < n_groups else fixed[f, g - n_groups]


@inner
def precisions(f, data, state, out):
    """Fill each node's precision about its parent, first the root's about its mean."""
    out[0] = 1.0 / state.root_variance
    if len(state.fixed) > 0:
        out[0] = 1.0 / state.fixed[f, 0]
    for i in range(1, len(out)):
        out[i] = 1.0 / variance_of(f, data.groups[i], state.dispersions, state.fixed)


# Eight words side by side


@inner
def choose(place, end, words, chosen):
    """Fill the eight words from a place of a bin on; return how many there are.

    Where the bin ends before, its last word is there again, and nobody looks at it.
    """
    for lane in range(LANES):
        chosen[lane] = words[min(place + lane, end - 1)]
    return min(LANES, end - place)


@routine
def put_side_by_side(chosen, rows, out):
    """Copy the words' rows of an array to columns: all eight at once, so that columns are filled.

    One word after the other took twice as long with 871 nodes, whose columns fill a cache.
    """
    a, b, c, d, e, f, g, h = (
        chosen[0], chosen[1], chosen[2], chosen[3], chosen[4], chosen[5], chosen[6], chosen[7],
    )  # fmt: skip
    for i in range(rows.shape[1]):
        out[i, 0] = rows[a, i]
        out[i, 1] = rows[b, i]
        out[i, 2] = rows[c, i]
        out[i, 3] = rows[d, i]
        out[i, 4] = rows[e, i]
        out[i, 5] = rows[f, i]
        out[i, 6] = rows[g, i]
        out[i, 7] = rows[h, i]


@routine
def put_below(chosen, rows, first, out):
    """Copy the words' rows to columns, from a row of these on."""
    put_side_by_side(chosen, rows, out[first:])


@inlined
def add_offsets_of_eight(data, factors, rates):
    """Do what `add_offsets` does; `factors` are the eight words'."""
    if len(data.factors) > 0:
        for i in range(len(rates)):
            store(rates, i, load(rates, i) * load(factors, i))


@routine
def leave(chosen, n, columns, out):
    """Copy columns to the rows of the first n words."""
    if n == LANES:
        a, b, c, d, e, f, g, h = (
            chosen[0], chosen[1], chosen[2], chosen[3], chosen[4], chosen[5], chosen[6], chosen[7],
        )  # fmt: skip
        for i in range(out.shape[1]):
            out[a, i] = columns[i, 0]
            out[b, i] = columns[i, 1]
            out[c, i] = columns[i, 2]
            out[d, i] = columns[i, 3]
            out[e, i] = columns[i, 4]
            out[f, i] = columns[i, 5]
            out[g, i] = columns[i, 6]
            out[h, i] = columns[i, 7]
        return
    for lane in range(n):
        f = chosen[lane]
        for i in range(out.shape[1]):
            out[f, i] = columns[i, lane]


@routine
def add_all_tokens(chosen, n, data, theta, rates, pulls, mixed, one, with_logs, logs):
    """Fill what the tokens of n words of the eight pull; and, if asked for, their logarithms.

    `one` is work space for rates and pulls of one word.
    """
    for i in range(len(pulls)):
        for lane in range(LANES):
            pulls[i, lane] = 0.0
    for lane in range(n):
        f = chosen[lane]
        if data.width:  # long rows, for which the word's own had better lie together
            for i in range(len(rates)):
                one[0, i] = rates[i, lane]
                one[1, i] = 0.0
            add_tokens_of_all(f, data, theta, one[0, 1:], one[1, 1:], mixed)
            for i in range(len(rates)):
                pulls[i, lane] = one[1, i]
        else:
            add_tokens(f, data, theta, rates[:, lane], pulls[:, lane], mixed)
        if with_logs:
            logs[0, lane] = token_logs(f, data, mixed)

"""Where topics come from before there are any: a collapsed Gibbs sampler.

It goes through the tokens as that of LDA does (Griffiths and Steyvers, 2004), but regularises a
word's rates across topics, as the model that it starts does, and not a topic's rates across words:
they have a gamma prior whose mean is the word's rate in the corpus and whose shape a is the same
for all. With n_k tokens for the exposure of topic k and p_f the word's share of all tokens

    E[rate of f in k | n_fk] = (n_fk + a) / (n_k + a / p_f)

so that a word that occurs once says nothing of its topic, where LDA would send it to the smallest.
Of a topic of which a fit is the prior, p is its own share of the word, and a what the fit knows.

It only makes starts: several, each on a thread of its own, so that their bits do not depend on how
many there are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from frex.sampler.formulas.random import uniforms
from frex.sampler.kernels.options import inner, parallel


class Tokens(NamedTuple):
    """All tokens, in the order of the documents."""

    documents: Any
    words: Any


class Prior(NamedTuple):
    """Of memberships a symmetric Dirichlet, of every word's rates a gamma."""

    alpha: float
    shapes: Any  #: V x K; one number everywhere may be broadcast
    rates: Any  #: V x K, the shape over the word's share of all tokens; the same


@inner
def choose(weights, u):
    """Return the number that a uniform falls on, among cumulated weights."""
    level = u * weights[-1]
    low, high = 0, len(weights) - 1
    while low < high:
        middle = (low + high) // 2
        if weights[middle] > level:
            high = middle
        else:
            low = middle + 1
    return low


@inner
def count(f, d, k, change, in_document, in_word, in_all):
    """Put a token into a topic, or take it out."""
    in_document[d, k] += change
    in_word[f, k] += change
    in_all[k] += change


@inner
def sweep(tokens, address, scan, prior, topics, in_document, in_word, work, again):
    """Draw the topic of every token given those of all others; at first of those before it."""
    in_all, cumulated = work[0], work[1]
    n_topics = len(in_all)
    alpha, shapes, rates = prior.alpha, prior.shapes, prior.rates
    for token in range(len(tokens.words)):
        d, f = tokens.documents[token], tokens.words[token]
        if again:
            count(f, d, topics[token], -1.0, in_document, in_word, in_all)
        total = 0.0
        for k in range(n_topics):
            words = in_word[f, k] + shapes[f, k]
            total += (in_document[d, k] + alpha) * words / (in_all[k] + rates[f, k])
            cumulated[k] = total
        u, _ = uniforms(address.key, token, scan, address.stream, 0)
        topics[token] = choose(cumulated, u)
        count(f, d, topics[token], 1.0, in_document, in_word, in_all)


@parallel("topics")
def run_gibbs(stretch, tokens, address, first, n_sweeps, prior, topics, in_document, in_word):
    """Go on with all starts by some sweeps, the first of which has a number.

    Changed are the tokens' topics, starts x tokens, and how many tokens of each document and word
    are in each topic, starts x D x K and starts x V x K.
    """
    n_starts, n_words, n_topics = in_word.shape
    for start in range(*stretch):
        work = np.zeros((2, n_topics))
        for f in range(n_words):
            for k in range(n_topics):
                work[0, k] += in_word[start, f, k]
        for number in range(first, first + n_sweeps):
            sweep(
                tokens, address, number * n_starts + start, prior,
                topics[start], in_document[start], in_word[start], work, number > 0,
            )  # fmt: skip

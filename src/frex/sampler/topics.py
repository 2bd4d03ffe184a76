"""Starting topics for a fit without labels: the better of two collapsed Gibbs runs.

Each run (`kernels/gibbs.py`) ends with an allocation of the tokens to topics, which is scored by
the log likelihood of the words under this model. The search for the mode starts from the topics of
the better run, the largest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment

from frex.model.contrasts import centred
from frex.model.reductions import exposure
from frex.sampler.data import document_data
from frex.sampler.kernels.contrasts import ContrastState, word_log_likelihoods
from frex.sampler.kernels.gibbs import Prior, Tokens, run_gibbs
from frex.sampler.state import Clock, Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from frex.model.known import KnownTopics
    from frex.model.reductions import Reduced
    from frex.sampler.arrays import Floats
    from frex.sampler.engines.verbs import Engine
    from frex.sampler.kernels.documents import DocumentData
    from frex.sampler.scan import Sampler
    from frex.sampler.state import State

N_STARTS, N_SWEEPS = 2, 1000
"""Numbers of runs and of their sweeps. A chain keeps the topics that it starts from, so a sweep,
which takes a sixth of the time of a scan, is worth more than a scan. On AP with 50 topics, four
runs of 100 sweeps lead to a log likelihood of the words that is lower by 3,400 after 300 scans;
4,000 sweeps give 600 more."""

N_BATCHES = 50
"""Number of progress reports of the sweeps."""

KNOWN_VARIANCE = 0.1
"""Additional variance of the log rates of a topic whose prior is a fit."""

FIRST_SCALE, FIRST_SD = 4.0, 3.5
"""Starting values of dispersions and affinities. Topics found in the words are sharper than those
of editors: AP has sigma2 of 4 to 7 and lambda2 of 10 to 18. From values that are too low, the
search for the mode blurs the topics first, and a chain needs hundreds of scans to undo that."""

ALPHA, SHAPE = 0.2, 0.05
"""Dirichlet pseudo-counts of topics in a document, and of words in a topic. On AP with 100 topics
the words' log likelihood is -1,192,900 after 100 scans. Plain LDA leads to -1,195,700 with the best
of eight pairs of priors, and to -1,206,200 with 0.1 and 0.05. Values from 0.1 to 0.2 and from 0.03
to 0.1 make little difference."""


def find_topics(
    sampler: Sampler, state: State, seed: int, progress: Callable[[int], None] | None = None
) -> None:
    """Set rates, affinities and memberships of a state to the starting topics.

    The first of several processes finds them, from all counts, and broadcasts them.
    """
    exchange = sampler.engine.exchange
    found = _best_topics(sampler.engine, seed, progress) if exchange.first else None
    rates, memberships = exchange.broadcast(found)  # type: ignore[misc]  # the first has them
    affinities = centred(np.log(memberships))
    known = sampler.known
    state.log_rates[:, 1:] = np.log(rates) - (0.0 if known is None else known.offsets[:, 1:])
    state.memberships[:] = memberships.ravel()
    state.affinities[:] = affinities.ravel()
    state.dispersions[:] = FIRST_SCALE
    state.hyper = state.hyper._replace(
        affinity_mean=affinities.mean(axis=0),
        affinity_variance=FIRST_SD**2,
        dispersion_scale=FIRST_SCALE,
    )


def _best_topics(
    engine: Engine, seed: int, progress: Callable[[int], None] | None
) -> tuple[Floats, Floats]:
    """Return rates, words x topics, and memberships, documents x topics, of the better run."""
    reduced = engine.whole()
    data = document_data(reduced.counts, reduced.labels, reduced.exposures)
    best, found = -np.inf, None
    prior, n_known = _gibbs_prior(reduced), 0 if reduced.known is None else reduced.known.n_known
    n_tokens = float(reduced.counts.sum())
    for documents, words in _allocations(reduced, prior, seed, progress):
        extra = n_known + np.argsort(-words[:, n_known:].sum(axis=0), kind="stable")
        order = np.concatenate([np.arange(n_known), extra])
        memberships = documents[:, order] + ALPHA
        memberships /= memberships.sum(axis=1, keepdims=True)
        exposures = np.maximum(exposure(reduced, memberships.ravel()), SHAPE)
        rates = words[:, order] + prior.shapes
        rates /= exposures + prior.rates * (exposures.sum() / n_tokens)
        score = _log_likelihood(data, memberships, rates)
        if found is None or score > best:
            best, found = score, (rates, memberships)
    assert found is not None
    return found


def _gibbs_prior(reduced: Reduced) -> Prior:
    """Return the gamma prior of every word's rates: about those of the corpus, or of a fit."""
    n_tokens = np.bincount(reduced.counts.indices, reduced.counts.data, reduced.counts.shape[1])
    shape, known = (len(n_tokens), reduced.tree.n_topics), reduced.known
    of_corpus = SHAPE * n_tokens.sum() / np.maximum(n_tokens, 1)
    shapes, rates = np.full((1, 1), SHAPE), of_corpus[:, None]
    if known is not None:
        of_fit = 1 / (known.spreads[:, 1:] + KNOWN_VARIANCE)
        means = known.factors[:, 1 : 1 + known.n_known]
        extra = np.ones((1, known.n_extra))
        shapes = np.hstack([of_fit, SHAPE * np.repeat(extra, shape[0], axis=0)])
        rates = np.hstack([of_fit * means.sum(axis=0) / means, rates * extra])
    return Prior(ALPHA, np.broadcast_to(shapes, shape), np.broadcast_to(rates, shape))


def _allocations(
    reduced: Reduced, prior: Prior, seed: int, progress: Callable[[int], None] | None
) -> Iterator[tuple[Floats, Floats]]:
    """Yield the results of the runs: tokens by document and topic, and by word and topic."""
    (n_documents, n_words), n_topics = reduced.counts.shape, reduced.tree.n_topics
    times = reduced.counts.data
    rows = np.repeat(np.arange(n_documents, dtype=np.int32), np.diff(reduced.counts.indptr))
    words = reduced.counts.indices.astype(np.int32)
    tokens = Tokens(np.repeat(rows, times), np.repeat(words, times))
    topics = np.empty((N_STARTS, len(tokens.words)), dtype=np.int32)
    in_document = np.zeros((N_STARTS, n_documents, n_topics))
    in_word = np.zeros((N_STARTS, n_words, n_topics))
    address = Clock(seed, 0, 0).address(Stream.TOPICS)
    batch = N_SWEEPS // N_BATCHES
    for first in range(0, N_SWEEPS, batch):
        run_gibbs(tokens, address, first, batch, prior, topics, in_document, in_word)
        if progress is not None:
            progress(1)
    yield from zip(in_document, in_word, strict=True)


def _log_likelihood(data: DocumentData, memberships: Floats, rates: Floats) -> float:
    """Return the words' log likelihood under the model."""
    with_root = np.ones((len(rates), 1 + rates.shape[1]))  # C order for any order of `rates`
    with_root[:, 1:] = rates
    given = ContrastState(
        affinities=memberships,
        memberships=memberships,
        rates=with_root,
        rate_sums=with_root.sum(axis=0),
        affinity_mean=np.empty(0),
        affinity_variance=1.0,
        weights=memberships,
    )
    values = np.empty(len(memberships))
    word_log_likelihoods(data, given, values)
    return float(values.sum())


def align(sampler: Sampler, state: State, other: State) -> None:
    """Permute a state's topics into the order of another's, by the cosines of their rates.

    The posterior is invariant under permutations of topics. Topics whose prior is another fit are
    not permuted.
    """
    exchange, n_topics = sampler.engine.exchange, len(state.hyper.affinity_mean)
    exchange.share("words", state.log_rates, other.log_rates)
    own, others = (_directions(log_rates_of_extra(sampler.known, s)) for s in (state, other))
    _, order = linear_sum_assignment(-(others.T @ own))
    n_known = n_topics - len(order)
    order = np.concatenate([np.arange(n_known), n_known + order])
    state.log_rates[:, 1:] = state.log_rates[:, 1:][:, order]
    labels = exchange.own("labels")
    for flat in (state.affinities, state.memberships):
        flat[labels] = flat[labels].reshape(-1, n_topics)[:, order].ravel()
    state.hyper = state.hyper._replace(affinity_mean=state.hyper.affinity_mean[order])


def log_rates_of_extra(known: KnownTopics | None, state: State) -> Floats:
    """Return the log rates of the exchangeable topics, which have no prior from another fit."""
    if known is None:
        return state.log_rates[:, 1:]
    first = 1 + known.n_known
    return state.log_rates[:, first:] + known.offsets[:, first:]


def _directions(log_rates: Floats) -> Floats:
    """Return the rates of each topic, normalised to unit length."""
    rates = np.exp(log_rates - log_rates.max(axis=0))
    directions: Floats = rates / np.sqrt((rates**2).sum(axis=0))
    return directions

"""Joint draws of the unsupervised variant: parameters, and documents in which every topic is."""

from dataclasses import replace

import numpy as np
from calibration import PRIORS, Drawn, exposures

from frex.corpus import Corpus
from frex.model import process
from frex.model.contrasts import centred, reduce_unlabelled, with_every_topic
from frex.model.known import known_topics
from frex.model.priors import HalfNormal, Normal
from frex.sampler.state import State
from frex.tree import TopicTree

N_TOPICS = 4


def flat_tree(n_topics):
    return TopicTree([f"topic {k + 1}" for k in range(n_topics)], [None] * n_topics)


def draw_unlabelled(rng, n_documents, n_words, n_topics=N_TOPICS, hyper=None):
    """Draw hyperparameters, words, documents and data; affinities keep their contrasts alone."""
    state = _draw_state(rng, n_documents, n_words, n_topics, hyper)
    theta = process.memberships(_every(state.affinities.reshape(n_documents, n_topics)))
    lengths = exposures(n_documents)
    counts = process.draw_counts(np.exp(state.log_rates[:, 1:]), theta, lengths, rng)
    corpus = Corpus.from_matrices(counts, exposures=lengths, empty="keep")
    return Drawn(reduce_unlabelled(with_every_topic(corpus, n_topics)), state)


def draw_unlabelled_elsewhere(reduced, rng):
    """Draw a state from the prior, which has seen nothing of the data."""
    (n_documents, n_words), n_topics = reduced.counts.shape, reduced.tree.n_topics
    return _draw_state(rng, n_documents, n_words, n_topics, None)


def _draw_state(rng, n_documents, n_words, n_topics, hyper):
    tree = flat_tree(n_topics)
    hyper = PRIORS.sample(rng, n_topics) if hyper is None else hyper
    dispersions = process.draw_dispersions(tree, hyper, n_words, rng)
    root = process.draw_root_log_rates(hyper, n_words, rng)
    affinities = process.draw_affinities(hyper, n_documents, rng)
    return State(
        process.draw_log_rates(tree, root, dispersions, rng),
        dispersions,
        centred(affinities).ravel(),
        process.memberships(_every(affinities)).data,
        hyper._replace(affinity_mean=centred(hyper.affinity_mean)),
    )


def _every(affinities):
    return process.active_affinities(affinities, np.ones(affinities.shape, dtype=bool))


# with topics of which a fit is the prior

N_KNOWN = 2
PRIORS_OF_DRIFTS = replace(PRIORS, drift_sd=HalfNormal(0.7), drift_level=Normal(0.1, 0.5))


def draw_known(rng, n_documents, n_words, n_topics=N_TOPICS):
    """Draw what a fit knows, of all words but every third, and then as `draw_unlabelled` does."""
    known = draw_fit(rng, n_words, n_topics - N_KNOWN)
    state = _draw_state_of_known(rng, known, n_documents)
    return draw_counts_of_known(rng, known, state, n_documents)


def draw_fit(rng, n_words, n_extra, n_known=N_KNOWN):
    """Draw a fit of as many words, of which a third are not the corpus'."""
    root = rng.normal(0.4, 0.8, n_words)[:, None]
    means = np.hstack([root, root + rng.normal(0, 0.6, (n_words, n_known))])
    variances = rng.gamma(1.0, 0.2, means.shape)
    rows = np.where(np.arange(n_words) % 3 == 2, -1, np.arange(n_words))
    return known_topics(means, variances, rows, n_extra, level=-0.1)


def draw_counts_of_known(rng, known, state, n_documents):
    """Draw documents' counts given a state."""
    theta = state.memberships.reshape(n_documents, -1)
    lengths = exposures(n_documents)
    rates = np.exp(state.log_rates + known.offsets)[:, 1:]
    counts = rng.poisson(lengths[:, None] * (theta @ rates.T))
    corpus = Corpus.from_matrices(counts, exposures=lengths, empty="keep")
    with_topics = with_every_topic(corpus, rates.shape[1])
    return Drawn(reduce_unlabelled(with_topics, known), state)


def draw_known_elsewhere(reduced, rng):
    """Draw a state from the prior, which has seen nothing of the data."""
    return _draw_state_of_known(rng, reduced.known, reduced.counts.shape[0])


def _draw_state_of_known(rng, known, n_documents):
    """Draw what `model/known.py` says, without its functions."""
    (n_words, n_nodes), n_known = known.offsets.shape, known.n_known
    priors = PRIORS_OF_DRIFTS
    gamma2, *delta = rng.normal(0, priors.drift_sd.scale, 1 + n_known) ** 2
    level = rng.normal(priors.drift_level.location, priors.drift_level.scale)
    hyper = PRIORS.sample(rng, n_nodes - 1)
    nu, sigma2 = hyper.dispersion_df, hyper.dispersion_scale
    dispersions = nu * sigma2 / rng.chisquare(nu, (n_words, 1))
    variances = np.repeat(dispersions, n_nodes, axis=1)
    variances[:, 1 : 1 + n_known] = known.spreads[:, 1:] + delta
    root = rng.normal(level, np.sqrt(known.spreads[:, 0] + gamma2))
    log_rates = rng.normal(root[:, None], np.sqrt(variances))
    log_rates[:, 0] = root
    affinities = process.draw_affinities(hyper, n_documents, rng)
    return State(
        log_rates,
        dispersions,
        centred(affinities).ravel(),
        process.memberships(_every(affinities)).data,
        hyper._replace(
            affinity_mean=centred(hyper.affinity_mean),
            root_mean=level,
            root_variance=gamma2,
            drift_variance=np.array(delta),
        ),
    )

"""Joint draws of the unsupervised variant: parameters, and documents in which every topic is."""

import numpy as np
from calibration import PRIORS, Drawn, exposures

from frex.corpus import Corpus
from frex.model import process
from frex.model.contrasts import centred, reduce_unlabelled, with_every_topic
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

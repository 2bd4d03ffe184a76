"""An explanation adds up to the gain in log likelihood."""

import numpy as np
from scipy import sparse
from scipy.special import softmax
from scipy.stats import poisson

from frex.predict import explain


def test_it_sums_to_the_difference_of_poisson_log_likelihoods(world):
    predictor, rates = world.predictor, np.array(world.posterior.frequency)
    for row in range(5):
        counts = world.new.counts[[row]]
        affinities = predictor.affinities(counts)[0]
        topics = np.argsort(-affinities)[:2]
        for found in explain(predictor, counts, affinities, topics):
            theta = softmax(affinities)
            without = theta.copy()
            without[found.topic] = 0.0
            without /= without.sum()
            length = counts.sum() / predictor.mean_length
            terms = [
                poisson.logpmf(counts.toarray()[0], length * (rates @ shares))
                for shares in (theta, without)
            ]
            each = terms[0] - terms[1]
            np.testing.assert_allclose(found.gains, each[found.words], atol=1e-4)
            assert found.words.tolist() == sorted(counts.indices, key=lambda f: -each[f])
            np.testing.assert_allclose(found.gain, each.sum(), atol=1e-3)


def test_words_of_the_topic_argue_for_it(world):
    rates = np.array(world.posterior.frequency)
    exclusive = rates[:, 0] / rates.sum(axis=1)
    for_it, against = np.argsort(-exclusive)[:3], np.argsort(exclusive)[:1]
    counts = np.zeros((1, len(rates)), dtype=np.int32)
    counts[0, for_it], counts[0, against] = 4, 1
    document = sparse.csr_array(counts)
    affinities = world.predictor.affinities(document)[0]
    (found,) = explain(world.predictor, document, affinities, np.array([0]))
    assert set(found.words[:3]) == set(for_it)
    assert (found.gains[:3] > 0).all()
    assert found.gains[-1] < 0
    assert found.words[-1] == against[0]

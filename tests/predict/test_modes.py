"""Affinities are modes of the density as the paper has it, whoever else is asked for."""

from dataclasses import replace

import numpy as np
import pytest
from derivatives import assert_derivative
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import softmax

from frex.errors import InputError
from frex.posterior import Moment
from frex.predict import Predictor
from frex.predict.modes import TOLERANCE
from frex.sampler.threads import most_threads
from frex.tree import TopicTree


def density(predictor, counts, exposure=None):
    """Return the log density of a document's affinities, and its gradient, in plain NumPy."""
    topics = predictor.topics
    rates = topics.rates.astype(np.float64)
    times = counts.toarray()[0].astype(float)
    length = times.sum() / predictor.mean_length if exposure is None else exposure

    def of(xi):
        theta = softmax(xi)
        mixed = rates @ theta
        away = xi - topics.affinity_mean
        value = times @ np.log(mixed) - length * topics.rate_sums @ theta
        pull = rates.T @ (times / mixed) - length * topics.rate_sums
        slope = theta * (pull - theta @ pull) - away / topics.affinity_variance
        return value - away @ away / (2 * topics.affinity_variance), slope

    return of


def test_they_are_modes(world):
    counts = world.new.counts[:40]
    found = world.predictor.affinities(counts)
    gaps = []
    for row, xi in enumerate(found):
        of = density(world.predictor, counts[[row]])
        value, slope = of(xi)
        assert_derivative(slope, lambda x: of(x)[0], xi, tolerance=1e-7)  # noqa: B023
        bound = 1 / world.predictor.topics.affinity_variance + softmax(xi) * counts[[row]].sum()
        assert (np.abs(slope) < TOLERANCE * bound).all()
        starts = [np.full(len(xi), xi.mean()), world.predictor.topics.affinity_mean, xi]
        best = max(
            -minimize(lambda x: tuple(-v for v in of(x)), start, jac=True).fun  # noqa: B023
            for start in starts
        )
        gaps.append(best - value)
    # several modes: what is found is the highest one, or is nearly as high
    assert np.median(gaps) < 1e-3
    assert np.mean(gaps) < 0.3


def test_a_document_does_not_depend_on_neighbours_or_threads(world, monkeypatch):
    monkeypatch.setattr("frex.sampler.threads.WORTH_SHARING", 0.0)
    counts = world.new.counts[:70]
    together = world.predictor.affinities(counts)
    alone = np.vstack([world.predictor.affinities(counts[[row]]) for row in range(70)])
    np.testing.assert_array_equal(alone, together)
    many = Predictor(world.posterior, threads=min(2, most_threads()))
    np.testing.assert_array_equal(many.affinities(counts), together)


def test_the_order_of_the_vocabulary_does_not_matter(world):
    order = np.random.default_rng(0).permutation(len(world.posterior.words))
    moments = {
        name: Moment(moment.mean[order], moment.sd[order])
        if name in ("log_rates", "log_dispersions")
        else moment
        for name, moment in world.posterior.moments.items()
    }
    words = [world.posterior.words[number] for number in order]
    other = Predictor(replace(world.posterior, moments=moments, words=words), threads=1)
    counts = world.new.counts[:50]
    expected = world.predictor.scores(counts)
    found = other.scores(sparse.csr_array(counts[:, order]))
    np.testing.assert_allclose(found.affinities, expected.affinities, atol=0.05)
    np.testing.assert_allclose(found.evidence, expected.evidence, atol=1e-9)


def test_documents_at_the_edge(world):
    topics = world.predictor.topics
    n_words = len(world.posterior.words)
    empty = sparse.csr_array((1, n_words), dtype=np.int32)
    np.testing.assert_allclose(
        world.predictor.affinities(empty)[0], topics.affinity_mean, atol=0.02
    )
    assert world.predictor.scores(empty).lengths[0] == 0
    # a thousand times as long as the mean: the words leave no doubt
    longest = sparse.csr_array(1000 * world.new.counts[[0]])
    found = world.predictor.affinities(longest)
    assert np.isfinite(found).all()
    _, slope = density(world.predictor, longest)(found[0])
    assert np.abs(slope).max() < 1e-4 * longest.sum()
    with pytest.raises(InputError, match=f"the documents have {n_words - 1} words"):
        world.predictor.affinities(world.new.counts[:, 1:])


def test_a_single_topic_is_what_every_document_is_about(world):
    one = {
        name: Moment(moment.mean[:, :2], moment.sd[:, :2])
        for name, moment in world.posterior.moments.items()
        if name == "log_rates"
    }
    hyper = dict(world.posterior.moments)
    hyper["affinity_mean"] = Moment(hyper["affinity_mean"].mean[:1], hyper["affinity_mean"].sd[:1])
    posterior = replace(world.posterior, tree=TopicTree(["all"], [None]), moments=hyper | one)
    found = Predictor(posterior, threads=1).scores(world.new.counts[:5])
    np.testing.assert_allclose(found.affinities, hyper["affinity_mean"].mean[0], atol=1e-9)
    np.testing.assert_allclose(found.log_memberships, 0.0, atol=1e-12)

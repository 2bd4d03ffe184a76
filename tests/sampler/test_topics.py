"""Topics to start from, their order, and a fit of them from start to end."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from bits import assert_same_bits, fit, small_corpus, stop_at
from calibration import PRIORS, copied
from unlabelled import N_KNOWN, N_TOPICS, draw_known, draw_unlabelled

from frex.corpus import Corpus
from frex.errors import InputError
from frex.model import branching_tree
from frex.model.contrasts import reduce_unlabelled, with_every_topic
from frex.sampler.exchange import OneProcess
from frex.sampler.kernels.gibbs import Prior, Tokens, run_gibbs
from frex.sampler.scan import Sampler
from frex.sampler.settings import Settings
from frex.sampler.start import first_state
from frex.sampler.state import Clock, Stream
from frex.sampler.topics import align, find_topics

SETTINGS = Settings(warmup=12, draws=8, chains=2, n_topics=3)


def test_topics_that_share_no_word_are_found():
    blocks = np.kron(np.eye(3, dtype=int), np.full((10, 4), 5))
    counts = np.vstack([blocks, blocks[:5]])  # the first topic is the largest
    corpus = with_every_topic(Corpus.from_matrices(counts), 3)
    sampler = Sampler(reduce_unlabelled(corpus), PRIORS)
    state = first_state(sampler)
    find_topics(sampler, state, 0)
    own = state.log_rates[:, 1:].argmax(axis=1)
    assert [len(set(own[i : i + 4])) for i in (0, 4, 8)] == [1, 1, 1]
    assert len(set(own)) == 3
    assert own[0] == 0
    shares = state.memberships.reshape(-1, 3)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (shares.argmax(axis=1)[:10] == 0).all()
    assert shares.max(axis=1).min() > 0.9


def test_a_tokens_topic_is_drawn_by_its_document_and_by_its_word_across_topics():
    """Of two words that are met with three others, one is rare and one is common in the corpus."""
    rates = np.repeat(0.5 / np.array([[0.02], [0.6]]), 3, axis=1)
    prior = Prior(0.4, np.full((2, 3), 0.5), rates)
    others = np.array([[2.0, 0.0, 1.0], [30.0, 60.0, 1.0]]), np.array([[1.0, 3.0, 0.0]])
    n_draws = 4000
    for word in range(2):
        in_word, in_document = (counts.copy()[None] for counts in others)
        tokens = Tokens(np.zeros(1, np.int32), np.array([word], np.int32))
        topics = np.zeros((1, 1), np.int32)
        in_word[0, word, 0] += 1  # where the token is at first
        in_document[0, 0, 0] += 1
        address = Clock(3, 0, 0).address(Stream.TOPICS)
        seen = np.zeros(3)
        for sweep in range(1, n_draws + 1):
            run_gibbs(tokens, address, sweep, 1, prior, topics, in_document, in_word)
            seen[topics[0, 0]] += 1
        weights = (others[1][0] + 0.4) * (others[0][word] + 0.5)
        weights /= others[0].sum(axis=0) + prior.rates[word]
        expected = weights / weights.sum()
        error = np.sqrt(expected * (1 - expected) / n_draws)
        assert (np.abs(seen / n_draws - expected) < 4 * error).all()


def test_a_state_gets_the_order_of_another():
    _, state = draw_unlabelled(np.random.default_rng(0), 6, 30)
    order = np.array([2, 0, 3, 1])
    other = copied(state)
    other.log_rates[:, 1:] = state.log_rates[:, 1:][:, order]
    for name in ("affinities", "memberships"):
        getattr(other, name)[:] = getattr(state, name).reshape(-1, N_TOPICS)[:, order].ravel()
    other.hyper = state.hyper._replace(affinity_mean=state.hyper.affinity_mean[order])
    sampler = SimpleNamespace(engine=SimpleNamespace(exchange=OneProcess({})), known=None)
    align(sampler, other, state)
    for name in ("log_rates", "dispersions", "affinities", "memberships"):
        np.testing.assert_array_equal(getattr(other, name), getattr(state, name))
    np.testing.assert_array_equal(other.hyper.affinity_mean, state.hyper.affinity_mean)


@pytest.fixture(scope="module")
def corpus():
    return small_corpus(branching_tree([2, 2]))


@pytest.fixture(scope="module")
def whole(corpus):
    return fit(corpus, SETTINGS)


def test_a_fit_without_labels_is_whole(corpus, whole):
    assert whole.tree.topics == ("topic 1", "topic 2", "topic 3")
    assert all(len(title.split(", ")) == 3 for title in whole.tree.titles[1:])
    np.testing.assert_allclose(whole.membership_matrix().sum(axis=1), 1)
    np.testing.assert_allclose(whole.draws["affinity_mean"].sum(axis=-1), 0, atol=1e-10)
    for moment in (*whole.moments.values(), *whole.exclusivity.values()):
        assert np.isfinite(moment.mean).all()
        assert np.isfinite(moment.sd).all()


def test_labels_are_not_looked_at(corpus, whole):
    bare = Corpus.from_matrices(
        corpus.counts, words=corpus.words, ids=corpus.ids, exposures=corpus.exposures, empty="keep"
    )
    assert_same_bits(fit(bare, SETTINGS), whole)


def test_the_same_bits_for_any_number_of_threads_and_after_a_stop(
    corpus, whole, tmp_path, monkeypatch
):
    monkeypatch.setattr("frex.sampler.threads.WORTH_SHARING", 0.0)
    assert_same_bits(fit(corpus, SETTINGS, threads=2), whole)
    other = fit(corpus, replace(SETTINGS, seed=1))
    assert (other.draws["root_mean"] != whole.draws["root_mean"]).all()
    place = tmp_path / "run"
    stopped = fit(corpus, SETTINGS, checkpoint=place, progress=stop_at(14))
    assert not stopped.complete
    assert_same_bits(fit(corpus, SETTINGS, checkpoint=place, resume=True), whole)


def test_the_gaussian_about_a_mode(corpus):
    mode = fit(corpus, replace(SETTINGS, method="map"))
    np.testing.assert_allclose(mode.membership_matrix().sum(axis=1), 1)
    assert mode.hyperparameters.affinity_mean.sum() == pytest.approx(0, abs=1e-10)
    with pytest.raises(InputError, match="n_topics is 1"):
        replace(SETTINGS, n_topics=1)


def test_topics_of_a_prior_stay_where_they_are():
    """Were they free, the known topics would change places too: each has the other's rates."""
    reduced, state = draw_known(np.random.default_rng(0), 6, 60)
    offsets = reduced.known.offsets
    order = np.array([1, 0, 3, 2])
    mu = state.log_rates + offsets
    other = copied(state)
    other.log_rates[:, 1:] = mu[:, 1:][:, order] - offsets[:, 1:]
    other.hyper = state.hyper._replace(affinity_mean=state.hyper.affinity_mean[order])
    before = other.log_rates.copy()
    sampler = SimpleNamespace(engine=SimpleNamespace(exchange=OneProcess({})), known=reduced.known)
    align(sampler, other, state)
    np.testing.assert_array_equal(other.log_rates[:, :3], before[:, :3])
    np.testing.assert_allclose(other.log_rates[:, 3:], state.log_rates[:, 3:])
    expected = state.hyper.affinity_mean[[1, 0, 2, 3]]
    np.testing.assert_array_equal(other.hyper.affinity_mean, expected)
    assert sampler.known.n_known == N_KNOWN

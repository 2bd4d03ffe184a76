"""Draws of the scores: of the words that matter, and so many that memory does not grow."""

from functools import partial

import numpy as np
import pytest
from bits import fit, small_corpus

from frex.model import branching_tree
from frex.sampler import scored as module
from frex.sampler.kernels.scored import score_words
from frex.sampler.scored import MOST_DRAWS, ScoredDraws, choose_candidates
from frex.sampler.settings import Settings
from frex.scores import frex_from


def draw(number, n_words=6, n_topics=2):
    """Return rates, all with a number as their logarithm, and exclusivities."""
    rates = np.full((n_words, n_topics + 1), np.exp(number / 100))
    return rates, np.full((n_words, n_topics), 0.5)


def scored(words, n_chains):
    """Return draws of the scores of some words, of which none has been taken in."""
    return ScoredDraws(words, n_chains, partial(score, words))


def score(words, rates, exclusivity, out):
    score_words(rates, exclusivity, words, out)


def kept(draws):
    return np.rint(100 * draws.to_scored().values[:, 0, 0, 0]).astype(int).tolist()


@pytest.mark.parametrize("block", [1, 2, 3])
def test_candidates_are_high_up_in_one_of_three_orders(monkeypatch, block):
    monkeypatch.setattr(module, "N_CANDIDATES", 9)
    monkeypatch.setattr(module, "BLOCK", block)
    rng = np.random.default_rng(0)
    rates, exclusivity = rng.gamma(1.0, size=(60, 4)), rng.random((60, 3))
    chosen = choose_candidates(rates, exclusivity)
    assert chosen.shape == (3, 9)
    for k, words in enumerate(chosen):
        frex = frex_from(exclusivity[:, k], rates[:, k + 1])
        orders = [np.argsort(-s) for s in (rates[:, k + 1], exclusivity[:, k], frex)]
        top = {word for order in orders for word in order[:3]}
        assert top <= set(words)
        assert (np.diff(words) > 0).all()


def test_a_small_vocabulary_is_kept_whole():
    rng = np.random.default_rng(0)
    chosen = choose_candidates(rng.gamma(1.0, size=(5, 3)), rng.random((5, 2)))
    assert chosen.tolist() == [[0, 1, 2, 3, 4]] * 2


@pytest.mark.parametrize("n_chains", [1, 2, 3])
def test_scans_are_thinned_evenly_and_for_all_chains_alike(n_chains):
    draws = scored(np.array([[0, 3], [1, 2]], np.int32), n_chains)
    for number in range(1000 * n_chains):
        draws.add(*draw(number))
    most_scans = MOST_DRAWS // n_chains // 2 * 2
    stride = 1
    while stride * most_scans < 1000:
        stride *= 2
    expected = [s * n_chains + c for s in range(0, 1000, stride) for c in range(n_chains)]
    assert kept(draws) == expected
    assert MOST_DRAWS / 2 - n_chains <= len(expected) <= MOST_DRAWS


def test_memory_does_not_depend_on_the_draws():
    short, long = (scored(np.zeros((2, 2), np.int32), 2) for _ in range(2))
    size = short._values.nbytes
    for number in range(5000):
        long.add(*draw(number))
    assert long._values.nbytes == size
    assert len(long.to_scored().values) <= MOST_DRAWS


@pytest.mark.parametrize("stop", [0, 1, 5, 128, 129, 700])
def test_what_was_saved_goes_on_to_the_same_bits(stop):
    words = np.array([[0, 3], [1, 2]], np.int32)
    whole, part = scored(words, 2), scored(words, 2)
    for number in range(stop):
        part.add(*draw(number))
    part = ScoredDraws.from_arrays({k: v.copy() for k, v in part.to_arrays().items()}, 2)
    part.score = partial(score, words)
    for number in range(900):
        whole.add(*draw(number))
        if number >= stop:
            part.add(*draw(number))
    assert kept(part) == kept(whole)


@pytest.mark.parametrize("warmup", [0, 12])
@pytest.mark.parametrize("method", ["sample", "map"])
def test_a_fit_scores_every_draw_and_averages_only_draws(method, warmup):
    corpus = small_corpus(branching_tree([2, 2]))
    settings = Settings(method=method, warmup=warmup, draws=5, compare=("siblings", "all"))
    posterior = fit(corpus, settings)
    assert list(posterior.scored) == ["siblings", "all"]
    for name, scored in posterior.scored.items():
        assert scored.values.dtype == np.float32
        assert scored.values.shape == (10 if method == "sample" else 5, 4, 6, corpus.n_words)
        # all words are candidates, so the draws have the moments' means
        log_rates, exclusivity = scored.values[:, :2].mean(axis=0, dtype=np.float64)
        np.testing.assert_allclose(exclusivity.T, posterior.exclusivity[name].mean, rtol=1e-6)
        if method == "sample":  # about a mode log rates are known without draws
            expected = posterior.log_rates.mean[:, 1:]
            np.testing.assert_allclose(log_rates.T, expected, rtol=1e-5, atol=1e-5)

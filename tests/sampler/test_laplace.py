"""The Gaussian about the mode: what is known of it in closed form is what its draws have."""

import numpy as np
import pytest
from bits import fit, small_corpus

from frex.model import branching_tree
from frex.model.reductions import reduce
from frex.posterior.words import word_columns
from frex.sampler.laplace import draw_about_mode, moments_about_mode
from frex.sampler.scan import Sampler
from frex.sampler.settings import MAP_DRAWS, Settings
from frex.sampler.start import find_map

TREE = branching_tree((2, 3))
N_DRAWS = 2000


@pytest.fixture(scope="module")
def corpus():
    return small_corpus(TREE, 60, 30)


@pytest.fixture(scope="module")
def about(corpus):
    """Return a sampler and the mode."""
    sampler = Sampler(reduce(corpus), Settings().prior_family)
    return sampler, find_map(sampler)


@pytest.fixture(scope="module")
def drawn(about):
    """Return many draws of the log rates and of the memberships."""
    states = draw_about_mode(*about, Settings(method="map", draws=N_DRAWS))
    both = [(state.log_rates.copy(), state.memberships.copy()) for state in states]
    return tuple(np.array(values) for values in zip(*both, strict=True))


def test_means_and_spreads_are_those_of_many_draws(about, drawn):
    log_rates = moments_about_mode(*about)["log_rates"]
    sd = drawn[0].std(axis=0, ddof=1)
    # pairs on either side of the mode have its mean
    np.testing.assert_allclose(drawn[0].mean(axis=0), log_rates.mean, atol=1e-10)
    # half of the draws are free; 240 spreads, four standard errors
    np.testing.assert_allclose(sd / log_rates.sd, 1, atol=4 / np.sqrt(N_DRAWS))
    assert (sd / log_rates.sd).mean() == pytest.approx(1, abs=0.01)


def test_dispersions_are_held_and_hyperparameters_have_no_spread(about):
    sampler, mode = about
    moments = moments_about_mode(sampler, mode)
    np.testing.assert_array_equal(moments["log_dispersions"].mean, np.log(mode.dispersions))
    assert not moments["log_dispersions"].sd.any()
    assert np.isnan(moments["affinity_mean"].sd).all()
    assert float(moments["root_mean"].mean) == mode.hyper.root_mean


def test_a_fit_has_the_closed_form_whatever_the_draws(corpus, about):
    log_rates = moments_about_mode(*about)["log_rates"]
    for draws in (1, 7):
        posterior = fit(corpus, Settings(method="map", draws=draws))
        np.testing.assert_array_equal(posterior.log_rates.mean, log_rates.mean)
        np.testing.assert_array_equal(posterior.log_rates.sd, log_rates.sd)
        assert len(posterior.scored["siblings"].values) == draws
    assert len(fit(corpus, Settings(method="map")).scored["siblings"].values) == MAP_DRAWS


def test_few_draws_say_what_many_say(corpus):
    few, many = (fit(corpus, Settings(method="map", draws=draws)) for draws in (MAP_DRAWS, 2000))
    shares, expected = few.exclusivity["siblings"], many.exclusivity["siblings"]
    away = (shares.mean - expected.mean) / expected.sd
    assert np.sqrt((away**2).mean()) < 0.1
    assert (shares.sd / expected.sd).mean() == pytest.approx(1, abs=0.05)
    n_labels = np.diff(corpus.labels.indptr)
    several = np.repeat(n_labels, n_labels) > 1
    away = (few.memberships.mean - many.memberships.mean)[several] / many.memberships.sd[several]
    assert np.sqrt((away**2).mean()) < 0.2


def test_intervals_from_draws_are_those_of_the_closed_form(corpus):
    posterior = fit(corpus, Settings(method="map", draws=128))
    ratios = []
    for node, topic in enumerate(TREE.topics, 1):
        columns = word_columns(posterior, topic, corpus.n_words)
        words = [posterior.words.index(stem) for stem in columns["stem"]]
        mean, sd = (part[words, node] for part in posterior.log_rates)
        for name, sign in (("frequency_low", -1), ("frequency_high", 1)):
            expected = 1.6449 * sign * sd
            ratios.append((np.log(columns[name]) - mean) / expected)
        assert (columns["exclusivity_low"] <= columns["exclusivity"]).all()
        assert (columns["exclusivity"] <= columns["exclusivity_high"]).all()
    assert np.mean(ratios) == pytest.approx(1, abs=0.03)
    assert np.std(ratios) < 0.2

import numpy as np
import pytest

from frex.errors import InputError
from frex.model import realistic
from frex.model.labels import log_label_probability
from frex.model.priors import Hyperparameters


def test_zipf_rates_are_shares_that_fall_with_rank():
    log_rates = realistic.zipf_log_rates(3000)
    assert np.exp(log_rates).sum() == pytest.approx(1)
    assert (np.diff(log_rates) < 0).all()
    # far down the list the law is a straight line in log rank
    slope = (log_rates[2999] - log_rates[999]) / np.log(3000 / 1000)
    assert slope == pytest.approx(-realistic.ZIPF_EXPONENT, abs=0.01)


@pytest.mark.parametrize(("n_topics", "labels"), [(1, 0.3), (1, 0.999), (100, 1.6), (500, 4.0)])
def test_affinity_means_give_the_labels_asked_for(n_topics, labels):
    hyper = realistic.realistic_hyperparameters(50, n_topics, labels, np.random.default_rng(1))
    _, log_p1 = log_label_probability(hyper.affinity_mean, np.sqrt(hyper.affinity_variance))
    assert np.exp(log_p1).sum() == pytest.approx(labels, rel=1e-8)
    assert len(set(hyper.affinity_mean)) == n_topics


def test_topics_differ_in_popularity_in_an_order_that_chance_decides():
    first, second = (
        realistic.realistic_hyperparameters(50, 40, 2.0, np.random.default_rng(seed)).affinity_mean
        for seed in (1, 2)
    )
    assert first.argmax() != second.argmax()
    assert np.sort(first) == pytest.approx(np.sort(second))
    assert np.ptp(first) == pytest.approx(realistic.POPULARITY_EXPONENT * np.log(40))


def test_the_shift_weighs_topics_by_their_probability_of_being_a_label():
    hyper = Hyperparameters(0.0, 1.0, np.array([0.0, -3.0]), 4.0, 8.0, 0.5)
    rates = np.array([[5.0, 6.0, 70.0], [5.0, 4.0, 30.0]])  # topic totals 10 and 100
    p1 = np.exp(log_label_probability(hyper.affinity_mean, 2.0)[1])
    before = (10 * p1[0] + 100 * p1[1]) / p1.sum()
    shift = realistic.length_shift(np.log(rates), hyper, 60.0)
    assert np.exp(shift) * before == pytest.approx(60)


@pytest.mark.parametrize("labels", [0, -1, 5, np.nan])
def test_an_impossible_number_of_labels_is_refused(labels):
    with pytest.raises(InputError, match="labels_per_document"):
        realistic.realistic_hyperparameters(50, 5, labels, np.random.default_rng(1))

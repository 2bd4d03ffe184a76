"""Every model finds clear themes; exclusivity is the probability of a topic given a word."""

import numpy as np
import pytest

from frex.evaluate.unsupervised import MODELS, Topics, lda_asymmetric, strategy
from frex.scores import frex

RATES = np.array([[0.5, 0.3, 0.2], [0.1, 0.3, 0.6]])


def test_exclusivity_is_weighed_by_the_marginals():
    topics = Topics.of(RATES, np.array([0.8, 0.2]))
    joint = RATES * [[0.8], [0.2]]
    np.testing.assert_allclose(topics.exclusivity, joint / joint.sum(axis=0))
    np.testing.assert_array_equal(topics.rates, RATES)
    alike = Topics.of(RATES)
    np.testing.assert_allclose(alike.exclusivity[0], [5 / 6, 1 / 2, 1 / 4])
    np.testing.assert_array_equal(alike.scores("frex"), frex(RATES))


def test_the_best_words_come_first():
    topics = Topics.of(RATES)
    assert topics.best("frequency", 2).tolist() == [[0, 1], [2, 1]]
    among = np.array([False, True, True])
    assert topics.best("frequency", 2, among=among).tolist() == [[1, 2], [2, 1]]


@pytest.mark.parametrize("model", MODELS)
def test_themes_are_found(themes, model):
    options = {"method": "map", "threads": 1} if model == "pcm" else {}
    topics = MODELS[model](themes, 3, seed=0, **options)
    assert topics.rates.shape == topics.exclusivity.shape == (3, 23)
    np.testing.assert_allclose(topics.exclusivity.sum(axis=0), 1.0, atol=1e-6)
    found = topics.best("frex", 3) // 7  # the theme of each word
    assert (found == found[:, :1]).all()
    assert sorted(found[:, 0]) == [0, 1, 2]
    again = MODELS[model](themes, 3, seed=0, **options)
    np.testing.assert_array_equal(again.rates, topics.rates)


def test_a_learned_prior_tells_how_common_topics_are(themes):
    """A word of all themes is likeliest to stand for the theme that most documents have."""
    rows = [*range(30), *range(30, 36), *range(60, 66)]
    topics = lda_asymmetric(themes.take(rows), 3, seed=1)
    common = topics.rates[:, :7].sum(axis=1).argmax()
    assert topics.exclusivity[:, 21].argmax() == common
    unweighed = Topics.of(topics.rates).exclusivity
    assert topics.exclusivity[common, 21] > unweighed[common, 21] + 0.1


def test_strategies_have_the_names_of_the_paper():
    assert [strategy("pcm", "frex"), strategy("lda", "frequency")] == ["PCM FREX", "LDA FREQ"]

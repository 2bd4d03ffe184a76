import numpy as np
import pytest

from frex.explorer.layout import distances, lay_out


def groups(rng, n_groups=3, each=6):
    """Return rates of topics in groups that use words alike, groups in a row."""
    centres = rng.dirichlet(np.full(50, 0.1), n_groups).repeat(each, axis=0)
    return centres + 0.002 * rng.random((n_groups * each, 50))


def test_topics_without_a_word_in_common_are_farthest_apart():
    found = distances(np.array([[1.0, 1.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 5.0]]))
    assert found[0, 1] == pytest.approx(0, abs=1e-7)
    assert found[0, 2] == pytest.approx(1)


def test_topics_that_use_words_alike_stand_close():
    rates = groups(np.random.default_rng(0))
    places = lay_out(rates)
    assert places.min() == 0
    assert places.max() == 1
    apart = np.linalg.norm(places[:, None] - places, axis=-1)
    np.fill_diagonal(apart, np.inf)
    assert (apart.argmin(axis=1) // 6 == np.arange(18) // 6).all()
    assert np.array_equal(places, lay_out(rates))


@pytest.mark.parametrize("n_topics", [1, 2, 3, 7])
def test_few_topics_have_a_map_too(n_topics):
    places = lay_out(np.random.default_rng(0).random((n_topics, 20)))
    assert places.shape == (n_topics, 2)
    assert np.isfinite(places).all()


@pytest.mark.parametrize("n_topics", [3, 9, 20])
@pytest.mark.parametrize("n_words", [1, 2, 3, 5])
@pytest.mark.parametrize("alike", [True, False])
def test_few_words_and_topics_that_are_all_alike_have_a_map_too(n_topics, n_words, alike):
    shape = n_topics, n_words
    places = lay_out(np.ones(shape) if alike else np.random.default_rng(0).random(shape))
    assert places.shape == (n_topics, 2)
    assert np.isfinite(places).all()

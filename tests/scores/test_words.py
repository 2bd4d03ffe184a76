"""FREX and its kin: stm's own numbers, and what must hold of any topics."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.sparse import csr_array
from scipy.stats import rankdata

from frex.errors import InputError
from frex.scores import ecdf, exclusivity, frequency, frex, frex_from, lift, relevance
from frex.tree import TopicTree

STM = {"weight_on": "frequency", "ties": "average"}

# few values, so that words tie, and zeros, so that some are never seen
MATRICES = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, max_side=6),
    elements=st.sampled_from([0.0, 0.1, 0.3, 1.0, 7.0]),
)


@pytest.fixture(scope="session")
def golden(shared_data):
    folder = shared_data.parent / "reference" / "stm_golden"
    if not folder.is_dir():
        pytest.skip(f"no golden numbers at {folder}")
    return lambda name: np.loadtxt(folder / f"{name}.csv", delimiter=",", skiprows=1)


def best_first(scores):
    """Order words as R's `order(decreasing = TRUE)`: from 1, words x topics, ties as they come."""
    return np.argsort(-scores, axis=1, kind="stable").T + 1


@pytest.mark.parametrize(
    ("name", "weight", "shrink"),
    [("w0.5_raw", 0.5, None), ("w0.7_raw", 0.7, None), ("w0.5_js", 0.5, "james-stein")],
)
def test_calcfrex_of_stm(golden, name, weight, shrink):
    counts = golden("wc") if shrink else None
    scores = frex(np.exp(golden("lb")), weight=weight, shrink=shrink, counts=counts, **STM)
    np.testing.assert_allclose(scores.T, golden(f"frex_{name}"), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(best_first(scores), golden(f"order_{name}"))


def test_exclusivity_of_stm(golden):
    rates = np.exp(golden("lb"))
    scores = frex(rates, weight=0.7, ties="average")
    top = best_first(rates)[:10].T - 1
    sums = np.take_along_axis(scores, top, axis=1).sum(axis=1)
    np.testing.assert_allclose(sums, golden("excl_M10"), rtol=0, atol=1e-12)


def test_lift_and_relevance_at_weight_0_order_words_as_stm_does(golden):
    rates, counts = np.exp(golden("lb")), golden("wc")
    np.testing.assert_array_equal(best_first(lift(rates, counts=counts)), golden("lift"))
    scores = relevance(rates, weight=0, counts=counts)
    np.testing.assert_array_equal(best_first(scores), golden("lift"))


def test_a_case_done_by_hand():
    rates = [[1.0, 2.0, 4.0], [3.0, 2.0, 1.0]]
    np.testing.assert_allclose(exclusivity(rates), [[0.25, 0.5, 0.8], [0.75, 0.5, 0.2]])
    rates = [[1.0, 4.0, 2.0], [3.0, 6.0, 1.0]]  # exclusivity 1/4, 2/5, 2/3 and 3/4, 3/5, 1/3
    expected = [
        [1 / 3, 1 / (0.8 / (2 / 3) + 0.2 / 1), 1 / (0.8 / 1 + 0.2 / (2 / 3))],
        [1 / (0.8 / 1 + 0.2 / (2 / 3)), 1 / (0.8 / (2 / 3) + 0.2 / 1), 1 / 3],
    ]
    np.testing.assert_allclose(frex(rates, weight=0.8), expected)


def test_ties_share_the_highest_or_the_average_rank():
    assert ecdf([5.0, 1.0, 5.0, 9.0]).tolist() == [0.75, 0.25, 0.75, 1.0]
    assert ecdf([5.0, 1.0, 5.0, 9.0], ties="average").tolist() == [0.625, 0.25, 0.625, 1.0]


@given(MATRICES, st.sampled_from(["max", "average"]))
def test_ranks_are_scipys(values, ties):
    ranks = rankdata(values, method=ties, axis=-1)
    assert np.array_equal(ecdf(values, ties=ties), ranks / values.shape[-1])


def test_words_never_seen_belong_to_all_topics_alike():
    rates = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [0.0, 2.0, 5.0]])
    np.testing.assert_array_equal(
        exclusivity(rates), [[1 / 3, 0.5, 0.0], [1 / 3, 0.0, 0.0], [1 / 3, 0.5, 1.0]]
    )
    assert exclusivity(rates, compare=[[0, 1], [0, 1], [2]])[:, 0].tolist() == [0.5, 0.5, 1.0]
    assert frequency(rates)[1].tolist() == [0, 0, 0]
    assert lift(rates)[:, 0].tolist() == [0, 0, 0]
    assert np.isneginf(relevance(rates, weight=0)[:, 0]).all()
    assert np.isfinite(frex(rates)).all()


def test_a_tree_compares_siblings_and_an_only_child_with_its_parent():
    tree = TopicTree.from_nested({"a": {"b": {}}, "c": {"d": {}, "e": {}}})
    rates = np.array([[1.0], [3.0], [4.0], [2.0], [6.0]])
    assert tree.topics == ("a", "b", "c", "d", "e")
    phi = exclusivity(rates, compare=tree)
    np.testing.assert_allclose(phi[:, 0], [1 / 5, 3 / 4, 4 / 5, 1 / 4, 3 / 4])
    sets = [[0, 2], [1, 0], (2, 0), np.array([3, 4]), {3, 4}]
    np.testing.assert_array_equal(exclusivity(rates, compare=sets), phi)


def test_an_only_top_level_topic_stands_alone():
    tree = TopicTree.from_nested({"a": ["b", "c"]})
    rates = np.array([[1.0, 0.0, 3.0], [3.0, 1.0, 1.0], [4.0, 2.0, 1.0]])
    assert exclusivity(rates, compare=tree)[0].tolist() == [1, 1, 1]


def test_one_topic_is_ranked_by_frequency():
    rates = [[3.0, 1.0, 0.0, 2.0]]
    assert exclusivity(rates).tolist() == [[1, 1, 1, 1]]
    assert np.argsort(-frex(rates)).tolist() == [[0, 3, 1, 2]]


def test_james_stein_draws_rare_words_to_even_shares():
    rates = np.array([[9.0, 9.0, 9.0, 5.0, 0.0], [1.0, 1.0, 1.0, 5.0, 0.0]])
    counts = [0, 1, 51, 8, 0]
    pull = (2 * 0.9 * 0.1 / 50) / (2 * 0.4**2)
    np.testing.assert_allclose(
        exclusivity(rates, shrink="james-stein", counts=counts)[0],
        [0.5, 0.5, pull / 2 + (1 - pull) * 0.9, 0.5, 0.5],
    )


def test_one_topic_and_logarithms_will_do_for_frex_from():
    rates = np.array([[3.0, 1.0, 0.5, 2.0], [1.0, 1.0, 4.0, 0.2]])
    phi = exclusivity(rates)
    expected = frex(rates, weight=0.3)[0]
    np.testing.assert_array_equal(frex_from(phi[0], np.log(rates[0]), weight=0.3), expected)


def test_relevance_is_between_log_frequency_and_log_lift():
    rates = np.array([[3.0, 1.0, 0.5], [1.0, 1.0, 4.0]])
    expected = 0.6 * np.log(frequency(rates)) + 0.4 * np.log(lift(rates))
    np.testing.assert_allclose(relevance(rates), expected)
    np.testing.assert_allclose(lift(rates, counts=[7, 2, 0]), frequency(rates) / [0.7, 0.2, 0.1])


def test_a_sparse_matrix_is_a_matrix():
    rates = np.array([[3.0, 0.0, 0.5], [1.0, 0.0, 4.0]])
    np.testing.assert_array_equal(frex(csr_array(rates)), frex(rates))


@given(MATRICES, st.sampled_from(["max", "average"]))
def test_the_ends_of_the_weight_are_pure(rates, ties):
    by_exclusivity, by_frequency = ecdf(exclusivity(rates), ties=ties), ecdf(rates, ties=ties)
    for on, ends in [("exclusivity", (0, 1)), ("frequency", (1, 0))]:
        for weight, expected in zip(ends, (by_frequency, by_exclusivity), strict=True):
            scores = frex(rates, weight=weight, weight_on=on, ties=ties)
            np.testing.assert_array_equal(scores, expected)


@given(MATRICES, st.floats(0, 1))
def test_frex_lies_between_its_two_parts(rates, weight):
    parts = np.stack([ecdf(exclusivity(rates)), ecdf(rates)])
    scores = frex(rates, weight=weight)
    assert scores.shape == rates.shape
    assert (scores >= parts.min(axis=0) - 1e-12).all()
    assert (scores <= parts.max(axis=0) + 1e-12).all()


@given(MATRICES, st.randoms(use_true_random=False))
def test_the_order_of_words_does_not_matter(rates, random):
    order = list(range(rates.shape[1]))
    random.shuffle(order)
    np.testing.assert_array_equal(frex(rates[:, order]), frex(rates)[:, order])


# every word is seen, as 0/0 has no scale; powers of 2 keep ties to the last bit
@given(MATRICES, st.integers(-20, 20), st.integers(-20, 20))
def test_the_scale_of_all_topics_or_of_the_topic_itself_does_not_matter(rates, own, everyone):
    rates = rates + 0.125
    scaled = rates * 2.0**everyone
    np.testing.assert_array_equal(frex(scaled), frex(rates))
    two = rates[:2].copy()
    two[0] *= 2.0**own
    ratio = two[0] / two[-1]
    if len(two) == 2 and len(np.unique(ratio)) == len(ratio):
        np.testing.assert_array_equal(frex(two)[0], frex(rates[:2])[0])


@given(MATRICES)
def test_exclusivities_of_all_topics_sum_to_1(rates):
    counts = np.arange(rates.shape[1])
    for phi in (exclusivity(rates), exclusivity(rates, shrink="james-stein", counts=counts)):
        np.testing.assert_allclose(phi.sum(axis=0), 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: frex([[1.0, np.nan]]), r"rates\[0, 1\] is nan"),
        (lambda: frex([[1.0, 2.0], [-3.0, 1.0]]), r"rates\[1, 0\] is -3.0.*exponentiate"),
        (lambda: frex([[1.0, np.inf]]), "is inf"),
        (lambda: frex([1.0, 2.0]), r"shape \(2,\).*topics x words"),
        (lambda: frex([["a"]]), "not an array of numbers"),
        (lambda: frex(np.empty((2, 0))), "rates is empty"),
        (lambda: frex([[1.0]], weight=1.5), "weight is 1.5"),
        (lambda: relevance([[1.0]], weight=np.nan), "weight is nan"),
        (lambda: frex([[1.0]], weight_on="both"), "weight_on is 'both'"),
        (lambda: frex([[1.0]], ties="min"), "max or average"),
        (lambda: frex([[1.0]], shrink="js", counts=[1]), "shrink is 'js'"),
        (lambda: frex([[1.0]], shrink="james-stein"), "go together"),
        (lambda: frex([[1.0]], counts=[1]), "go together"),
        (lambda: lift([[1.0]], counts=[1, 2]), "1 words"),
        (lambda: lift([[1.0, 1.0]], counts=[1, 0.2]), r"counts\[1\] is 0.2"),
        (lambda: frex([[1.0]], compare="siblings"), "TopicTree"),
        (lambda: frex([[1.0]], compare=TopicTree(["a", "b"], [None, None])), "1 rows.* 2 topics"),
        (lambda: frex([[1.0], [1.0]], compare=[[0, 1], [0]]), "set of topic 1 .*from 0 to 1"),
        (lambda: frex([[1.0]], compare=[[0, 1]]), "set of topic 0"),
        (lambda: frex([[1.0]], compare=[[0, -1]]), "set of topic 0"),
        (lambda: frex([[1.0]], compare=[[0, 0.5]]), "set of topic 0"),
        (lambda: frex([[1.0]], compare=[0]), "set of topic 0"),
        (lambda: frex_from([1.0, 2.0], [1.0]), r"\(2,\) and frequency \(1,\)"),
    ],
)
def test_what_cannot_be_scored_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call()

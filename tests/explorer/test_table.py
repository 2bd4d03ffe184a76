from dataclasses import replace

import numpy as np
from pages import TREE, make_fit

from frex.explorer.table import SHARES, make_table
from frex.posterior.words import score
from frex.scores import ecdf
from frex.tree import TopicTree


def test_ranks_are_ecdfs_to_the_bit():
    fit = make_fit()
    table = make_table(fit)
    for topic in range(TREE.n_topics):
        assert np.array_equal(table.rates.ecdf(topic), ecdf(fit.frequency[:, topic]))
        for compare, column in table.exclusivity.items():
            shares = score(fit, by="exclusivity", compare=compare)[topic]
            assert np.array_equal(column.ecdf(topic), ecdf(shares))


def test_values_are_those_of_the_fit():
    fit = make_fit()
    table = make_table(fit)
    assert [node for node, _ in table.lists[: TREE.n_topics]] == list(range(1, TREE.n_nodes))
    logs = table.scale.low + table.scale.step * table.rates.values[: TREE.n_topics]
    assert np.allclose(logs, np.log(fit.frequency.T), rtol=0, atol=table.scale.step)
    shares = SHARES.step * table.exclusivity["siblings"].values[: TREE.n_topics]
    assert np.allclose(shares, fit.exclusivity["siblings"].mean.T, rtol=0, atol=SHARES.step)


def test_averaged_sets_come_first_and_the_two_usual_ones_always():
    fit = make_fit()
    assert list(make_table(fit).exclusivity) == ["siblings", "all"]
    settings = {**fit.settings, "compare": [["golf", "law"]]}
    moments = {"golf,law": fit.exclusivity["siblings"]}
    other = replace(fit, exclusivity=moments, settings=settings)
    assert list(make_table(other).exclusivity) == ["golf,law", "siblings", "all"]


def test_more_words_than_16_bits_can_count():
    words = tuple(f"w{number}" for number in range(65_600))
    fit = make_fit(TopicTree(["a", "b"], [None, None]), words, n_draws=2, n_scored=3)
    assert make_table(fit).rates.ranks.max() == 65_600

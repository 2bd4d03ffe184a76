"""Corpora small enough to be classified in a moment."""

import numpy as np
import pytest

from frex.corpus import Corpus
from frex.model import branching_tree, simulate
from frex.tree import TopicTree

TREE = TopicTree(["art", "sport", "golf", "chess", "never"], [None, None, "sport", "sport", None])


@pytest.fixture(scope="session")
def clear():
    """Return a corpus in which each topic has words of its own; one topic has no documents."""
    words = {"art": (9, 1, 0, 0, 0), "sport": (0, 9, 1, 0, 0), "golf": (0, 0, 9, 1, 0)}
    words["chess"] = (0, 0, 0, 9, 1)
    labels = [[topic] for topic in words for _ in range(20)]
    counts = [words[topic] for (topic,) in labels]
    return Corpus.from_matrices(counts, labels, tree=TREE, exposures=[1.0 + i for i in range(80)])


@pytest.fixture(scope="session")
def simulated():
    """Return a corpus from the model, of 12 topics on two levels."""
    tree = branching_tree([3, 3])
    corpus, _ = simulate(tree, 4000, 200, rates="zipf", mean_length=60, drop_empty=True, seed=5)
    return corpus


@pytest.fixture(scope="session")
def themes():
    """Return a corpus without labels: three themes of seven words each, and two words of all."""
    rng = np.random.default_rng(3)
    rates = np.full((3, 23), 0.02)
    for theme in range(3):
        rates[theme, 7 * theme : 7 * theme + 7] = 3.0
    rates[:, 21:] = 4.0
    counts = np.concatenate([rng.poisson(row, (30, 23)) for row in rates])
    return Corpus.from_matrices(counts, words=[f"w{number}" for number in range(23)])

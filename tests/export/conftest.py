"""A fit whose words and documents are as awkward as they can be."""

from dataclasses import replace

import numpy as np
import pytest
from fits import make_fit

from frex.posterior import Moment
from frex.tree import TopicTree

WORDS = ("=1+1", "</script>", "putt", "rook", "the")
SURFACE = ("=1+1", "</script>", "putts, short", "'rook'", "the")
TREE = TopicTree(
    ["art/é", "sport", "golf", "chess"],
    [None, None, "sport", "sport"],
    ["Art & <b>", "Sport", "+golf", "chess"],
)


@pytest.fixture(scope="session")
def fit():
    """Return a fit of four topics and five words."""
    rng = np.random.default_rng(5)
    log_rates = rng.normal(size=(5, 5))
    moments = {
        "log_rates": Moment(log_rates, np.full((5, 5), 0.1)),
        "memberships": Moment(rng.uniform(0.1, 0.9, 9), rng.uniform(0, 0.1, 9)),
    }
    made = make_fit(tree=TREE, words=WORDS, surface=SURFACE, ids=["-d0", "d1", "@d2", "d3", "d4"])
    typical = made.typical._replace(words=np.array([[1, 2, *[-1] * 6]] * 4, np.int32))
    return replace(made, moments={**made.moments, **moments}, typical=typical)


@pytest.fixture(scope="session")
def leafy(fit):
    """Return the fit with two topics left out, and with sport only known by what is below it."""
    names = [*TREE.topics, "darts", "law"]
    parents = [None, None, "sport", "sport", "sport", None]
    whole = TopicTree(names, parents, [*TREE.titles[1:], "Darts", "Law"])
    exposures = fit.exposures.copy()
    exposures[TREE.node("sport") - 1] = 0
    return replace(fit, given_taxonomy=whole, exposures=exposures)

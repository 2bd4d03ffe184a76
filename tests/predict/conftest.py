"""A fit of a simulated corpus, and documents that took no part in it."""

from typing import NamedTuple

import numpy as np
import pytest
from bits import fit

from frex.corpus import Corpus
from frex.model import branching_tree, simulate
from frex.posterior import Posterior
from frex.predict import Predictor
from frex.sampler.settings import Settings

TREE = branching_tree([3, 2])


class World(NamedTuple):
    posterior: Posterior
    predictor: Predictor
    held_out: Corpus
    new: Corpus


@pytest.fixture(scope="session")
def world():
    corpus, _ = simulate(TREE, 2400, 120, rates="zipf", mean_length=60, drop_empty=True, seed=11)
    parts = np.array_split(np.arange(len(corpus)), [600, 1400])
    fitted, held_out, new = (corpus.take(rows) for rows in parts)
    posterior = fit(fitted, Settings(method="map"))
    return World(posterior, Predictor(posterior, threads=1), held_out, new)

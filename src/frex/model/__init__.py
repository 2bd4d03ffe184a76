"""The statistics in plain NumPy, written to be read beside the paper.

Arrays have one meaning everywhere here: words are rows of what belongs to words (``V x N``
log rates, column 0 the root), documents are rows of what belongs to documents (``D x K``, column
``k`` the tree's node ``k + 1``).
"""

from frex.model.generate import Simulation, branching_tree, simulate
from frex.model.labels import log_label_probability
from frex.model.priors import (
    HalfNormal,
    Hyperparameters,
    Normal,
    StudentAboutLevel,
    WeakPriors,
)
from frex.model.truth import Truth, read_truth

__all__ = [
    "HalfNormal",
    "Hyperparameters",
    "Normal",
    "Simulation",
    "StudentAboutLevel",
    "Truth",
    "WeakPriors",
    "branching_tree",
    "log_label_probability",
    "read_truth",
    "simulate",
]

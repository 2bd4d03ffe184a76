"""What a fit leaves: running means and spreads, kept draws, diagnostics. It samples nothing."""

from frex.posterior.diagnosis import Diagnosis, diagnose
from frex.posterior.folder import read_posterior
from frex.posterior.measures import Block, Quantity
from frex.posterior.posterior import HYPERPARAMETERS, SCORED, Moment, Posterior, Scored, Typical
from frex.posterior.words import score, top_words

__all__ = [
    "HYPERPARAMETERS",
    "SCORED",
    "Block",
    "Diagnosis",
    "Moment",
    "Posterior",
    "Quantity",
    "Scored",
    "Typical",
    "diagnose",
    "read_posterior",
    "score",
    "top_words",
]

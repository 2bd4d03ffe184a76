"""What a fit leaves: running means and spreads, kept draws, diagnostics. It samples nothing."""

from frex.posterior.diagnosis import Diagnosis, diagnose
from frex.posterior.folder import read_posterior
from frex.posterior.measures import Block, Quantity
from frex.posterior.posterior import HYPERPARAMETERS, Moment, Posterior

__all__ = [
    "HYPERPARAMETERS",
    "Block",
    "Diagnosis",
    "Moment",
    "Posterior",
    "Quantity",
    "diagnose",
    "read_posterior",
]

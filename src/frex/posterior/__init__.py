"""The result of a fit: means and standard deviations, stored draws, diagnostics. No sampling."""

from frex.model.priors import HYPERPARAMETERS
from frex.posterior.all_words import top_words_of_all
from frex.posterior.compared import compared_with
from frex.posterior.diagnosis import Diagnosis, diagnose
from frex.posterior.drifts import topic_drifts, word_drifts
from frex.posterior.folder import read_posterior, refuse_taken
from frex.posterior.guards import refuse_not_finite
from frex.posterior.measures import Block, Quantity
from frex.posterior.posterior import SCORED, Moment, Posterior, Scored, Typical
from frex.posterior.words import best_words, score, top_words

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
    "best_words",
    "compared_with",
    "diagnose",
    "read_posterior",
    "refuse_not_finite",
    "refuse_taken",
    "score",
    "top_words",
    "top_words_of_all",
    "topic_drifts",
    "word_drifts",
]

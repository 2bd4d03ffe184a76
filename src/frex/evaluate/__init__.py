"""The paper's experiments, each one function that returns a table."""

from frex.evaluate.classification import DEFAULT_MODELS, MODELS, classification, summarize
from frex.evaluate.coherence import coherence
from frex.evaluate.diversity import diversity
from frex.evaluate.fitted import Design, Fits
from frex.evaluate.intrusion import intrusion
from frex.evaluate.measures import MEASURES, measure
from frex.evaluate.stability import stability, stability_words

__all__ = [
    "DEFAULT_MODELS",
    "MEASURES",
    "MODELS",
    "Design",
    "Fits",
    "classification",
    "coherence",
    "diversity",
    "intrusion",
    "measure",
    "stability",
    "stability_words",
    "summarize",
]

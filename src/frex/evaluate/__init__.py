"""The paper's experiments, each one function that returns a table."""

from frex.evaluate.classification import DEFAULT_MODELS, MODELS, classification, summarize
from frex.evaluate.measures import MEASURES, measure

__all__ = [
    "DEFAULT_MODELS",
    "MEASURES",
    "MODELS",
    "classification",
    "measure",
    "summarize",
]

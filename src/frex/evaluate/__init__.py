"""The paper's experiments; each is a function that returns a table."""

from frex.evaluate.alignment import Alignment, alignment
from frex.evaluate.bands import summarize_bands
from frex.evaluate.classification import DEFAULT_MODELS, MODELS, classification, summarize
from frex.evaluate.coherence import MEASURES as COHERENCES
from frex.evaluate.coherence import coherence
from frex.evaluate.diversity import diversity, over_seeds
from frex.evaluate.fitted import Design, Fits
from frex.evaluate.intrusion import intrusion
from frex.evaluate.measures import MEASURES, measure
from frex.evaluate.nonsense import nonsense
from frex.evaluate.stability import MEASURES as CORRELATIONS
from frex.evaluate.stability import stability, stability_words
from frex.evaluate.vectors import company, read_vectors

__all__ = [
    "COHERENCES",
    "CORRELATIONS",
    "DEFAULT_MODELS",
    "MEASURES",
    "MODELS",
    "Alignment",
    "Design",
    "Fits",
    "alignment",
    "classification",
    "coherence",
    "company",
    "diversity",
    "intrusion",
    "measure",
    "nonsense",
    "over_seeds",
    "read_vectors",
    "stability",
    "stability_words",
    "summarize",
    "summarize_bands",
]

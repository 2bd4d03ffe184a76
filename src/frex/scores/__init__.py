"""FREX and related scores for the topics of any model.

`frex.scores.words` has the scores of a matrix, topics x words; `from_model` reads the matrix and
its words from another library's model or from a file.
"""

from frex.scores.models import from_model
from frex.scores.topics import Scoring, TopicWords
from frex.scores.words import ecdf, exclusivity, frequency, frex, frex_from, lift, relevance

__all__ = [
    "Scoring",
    "TopicWords",
    "ecdf",
    "exclusivity",
    "frequency",
    "frex",
    "frex_from",
    "from_model",
    "lift",
    "relevance",
]

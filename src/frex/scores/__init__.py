"""FREX and its kin, of any topics: ours, another library's, or those in a file.

`frex.scores.words` has the scores of a matrix, topics x words; `from_model` takes the matrix and
its words out of another library's model, or out of a file.
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

"""A corpus: counts, labels, vocabulary, document names and the tree. It knows no text."""

from frex.corpus.corpus import Corpus
from frex.corpus.folder import CorpusWriter, read_corpus
from frex.corpus.labels import remove_redundant_ancestors, with_ancestors
from frex.corpus.membership import membership_table
from frex.corpus.splits import split

__all__ = [
    "Corpus",
    "CorpusWriter",
    "membership_table",
    "read_corpus",
    "remove_redundant_ancestors",
    "split",
    "with_ancestors",
]

"""frex: what each topic is about, in words both frequent in it and exclusive to it."""

from frex.corpus import Corpus, read_corpus
from frex.tree import TopicTree, read_tree

__version__ = "0.1.0"

__all__ = ["Corpus", "TopicTree", "__version__", "read_corpus", "read_tree"]

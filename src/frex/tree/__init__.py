"""The tree of topics: its structure, readers and drawing."""

from frex.tree.readers import read_tree
from frex.tree.records import ROOT
from frex.tree.topics import TopicTree

__all__ = ["ROOT", "TopicTree", "read_tree"]

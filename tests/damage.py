"""Damage done to labels and trees on purpose."""

from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from frex.tree import TopicTree

TWINS = ("t1.1", "t1.2")
MERGED = ("t2.1", "t2.2")
MOVED = ("t3.1", "t4")


def with_labels(corpus, names, tree=None):
    """Return the corpus with other labels, by names for each document, perhaps of another tree."""
    tree = tree or corpus.tree
    columns = [sorted(tree.node(name) - 1 for name in own) for own in names]
    indptr = np.concatenate([[0], np.cumsum([len(own) for own in columns])])
    indices = np.concatenate([np.array(own, np.int32) for own in columns])
    ones = np.ones(len(indices), np.bool_)
    labels = csr_array((ones, indices, indptr), shape=corpus.labels.shape)
    return replace(corpus, tree=tree, labels=labels)


def relabelled(corpus, change):
    """Return the corpus with each document's set of topic names changed."""
    return with_labels(corpus, [change(set(corpus.labels_of(row))) for row in range(len(corpus))])


def moved(corpus, topic, parent):
    """Return the corpus with one topic under another parent."""
    tree = corpus.tree
    parents = [None if p == 0 else tree.names[p] for p in tree.parents[1:]]
    parents[tree.topics.index(topic)] = parent
    names = [corpus.labels_of(row) for row in range(len(corpus))]
    return with_labels(corpus, names, TopicTree(tree.topics, parents))

"""A corpus small enough for the CUDA simulator, with all that the GPU's layout must cope with."""

import numpy as np

from frex.corpus import Corpus
from frex.model import branching_tree

N_WORDS = 5


def small_corpus(n_documents=14, most_labels=6, seed=0):
    """Return documents of one label and of several, more than a thread has registers for.

    The first word is in every document, so that it has several stretches; the last only where there
    is one label, so that it has none.
    """
    rng = np.random.default_rng(seed)
    tree = branching_tree((2, 3))
    counts = rng.poisson(1.5, (n_documents, N_WORDS))
    counts[:, 0] += 1
    labels = []
    for d in range(n_documents):
        m = 1 + d % most_labels
        labels.append(list(rng.choice(tree.topics[2:], m, replace=False)))
        if m > 1:
            counts[d, -1] = 0
    return Corpus.from_matrices(counts, labels, tree=tree)

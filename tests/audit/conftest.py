"""A corpus of the model with damage in its tree and labels, its fit, and what judges say of it."""

from types import SimpleNamespace

import numpy as np
import pytest
from damage import MERGED, MOVED, TWINS, moved, relabelled

from frex.audit.examples import Examples
from frex.audit.own_words import own_words
from frex.model import branching_tree, simulate
from frex.predict import out_of_fold
from frex.sampler.fit import fit
from frex.sampler.settings import Settings


@pytest.fixture(scope="session")
def damaged():
    """Return a corpus in which a topic was split at random, two merged, and one moved.

    The documents of both `TWINS` are dealt out anew at random; those of the second of `MERGED`
    are filed under the first; the first of `MOVED` is under the second.
    """
    drawn = simulate(
        branching_tree((4, 4)), 1600, 800, rates="zipf", drop_empty=True, unlabelled="redraw",
        labels_per_document=0.4, mean_length=150, seed=3,
    ).corpus  # fmt: skip
    rng = np.random.default_rng(0)

    def change(labels):
        if labels & set(TWINS):
            labels = labels - set(TWINS) | {TWINS[int(rng.random() < 0.5)]}
        return labels - {MERGED[1]} | {MERGED[0]} if MERGED[1] in labels else labels

    return moved(relabelled(drawn, change), *MOVED)


@pytest.fixture(scope="session")
def found(damaged):
    """Return the corpus over its fitted topics, its fit, its parts of documents, and examples."""
    corpus = damaged.without_empty_topics()
    posterior = fit(corpus, Settings(method="map", draws=4))
    own = own_words(posterior, corpus)
    sizes = np.bincount(corpus.labels.indices, minlength=corpus.n_topics)
    return SimpleNamespace(
        corpus=corpus, posterior=posterior, own=own, sizes=sizes, examples=Examples(posterior, own)
    )


@pytest.fixture(scope="session")
def judged(damaged):
    """Return what fits that did not see them say of the documents."""
    return out_of_fold(damaged, n_folds=3)

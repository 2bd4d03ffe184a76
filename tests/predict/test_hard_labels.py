"""Labels out of the box, on corpora that nobody would choose."""

from functools import cache

import hard_labels
import numpy as np
import pytest

from frex.corpus import remove_redundant_ancestors

SEEDS = (0, 1)
LARGE = ("200 documents, 10,000 new", "2,000 documents, 30 new")
LITTLE_TO_LEARN = (
    "thirty labels each",
    "words that say nothing",
    "zoo: odd names",
    "zoo: one topic",
    "zoo: twenty labels each",
)
NOT_CALIBRATED = ("10 documents", "15 documents", "zoo: one topic")
NAMES = [name for name in hard_labels.CORPORA if name not in LARGE]


@cache
def found(name, seed):
    old, new = hard_labels.CORPORA[name](seed)
    return old, new, hard_labels.contestants(old, new)


@pytest.mark.parametrize("name", NAMES)
def test_labels_are_some_that_editors_use(name):
    for seed in SEEDS:
        old, new, said = found(name, seed)
        labels = said["frex"].labels
        n_labels = np.diff(labels.indptr)
        used = np.bincount(old.labels.indices, minlength=old.n_topics) > 0
        assert used[labels.indices].all()
        assert (remove_redundant_ancestors(labels, old.tree) != labels).nnz == 0
        assert (n_labels[new.lengths > 0] > 0).all()
        probabilities = said["frex"].probabilities
        assert ((probabilities >= 0) & (probabilities <= 1)).all()


@pytest.mark.parametrize("name", NAMES)
def test_they_are_better_than_the_commonest(name):
    """And not worse where words say nothing."""
    reached = {"frex": [], "commonest": []}
    for seed in SEEDS:
        _, new, said = found(name, seed)
        for who, scores in reached.items():
            scores.append(hard_labels.f1_of(new, said[who].labels))
    micro, macro = np.mean(reached["frex"], axis=0) - np.mean(reached["commonest"], axis=0)
    least = -0.05 if name in LITTLE_TO_LEARN else 0.0
    assert micro > least
    assert macro > least


@pytest.mark.parametrize("name", [name for name in NAMES if name not in NOT_CALIBRATED])
def test_probabilities_are_not_over_sure(name):
    """Where there are enough documents to be calibrated by."""
    cost = {"frex": [], "commonest": []}
    sure = []
    for seed in SEEDS:
        _, new, said = found(name, seed)
        for who, losses in cost.items():
            losses.append(hard_labels.log_loss(new, said[who].probabilities))
        sure.append(hard_labels.sureness(new, said["frex"].probabilities))
    assert np.mean(cost["frex"]) < 1.05 * np.mean(cost["commonest"])
    missing, error = np.mean(sure, axis=0)
    assert missing < 10 + 2 * error

import numpy as np
import pytest
from scipy import sparse

from frex import Corpus
from frex.corpus import split
from frex.corpus.splits import stratify
from frex.errors import InputError


@pytest.fixture(scope="module")
def labels():
    rng = np.random.default_rng(0)
    shares = rng.beta(0.4, 8, size=30)
    return sparse.csr_array(rng.random((4000, 30)) < shares)


@pytest.mark.parametrize("fractions", [(0.15, 0.25, 0.6), (0.5, 0.5), (0.1,) * 10, (1.0,)])
def test_every_topic_keeps_its_share(labels, fractions):
    part = stratify(labels, fractions)
    counts = np.array([labels[part == p].sum(axis=0) for p in range(len(fractions))])
    wanted = np.outer(fractions, labels.sum(axis=0))
    # a random split of n documents of a topic misses by sqrt(n f (1 - f)), here up to 15
    assert np.abs(counts - wanted).max() <= 3
    sizes = np.bincount(part, minlength=len(fractions)) / len(part)
    assert np.allclose(sizes, fractions, atol=0.01)


def test_the_same_seed_gives_the_same_parts(labels):
    assert np.array_equal(
        stratify(labels, (0.5, 0.5), seed=1), stratify(labels, (0.5, 0.5), seed=1)
    )
    assert not np.array_equal(stratify(labels, (0.5, 0.5)), stratify(labels, (0.5, 0.5), seed=1))


def test_parts_are_corpora_that_share_no_document(labels):
    counts = np.arange(1, 4001)[:, None]
    corpus = Corpus.from_matrices(counts, labels, unlabelled="keep")
    parts = split(corpus)
    ids = [name for part in parts for name in part.ids]
    assert sorted(ids) == sorted(corpus.ids)
    assert {part.tree for part in parts} == {corpus.tree}


@pytest.mark.parametrize("fractions", [(), (0.5, 0.6), (1.5, -0.5), (np.nan, 1)])
def test_bad_fractions(labels, fractions):
    with pytest.raises(InputError, match="sum 1"):
        stratify(labels, fractions)

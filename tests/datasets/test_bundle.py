import numpy as np
import pytest

from frex.corpus import Corpus
from frex.datasets.bundle import pack, unpack
from frex.tree import TopicTree


@pytest.fixture
def corpus():
    rng = np.random.default_rng(0)
    counts = rng.poisson(0.3, (30, 600)) * rng.integers(1, 300, (30, 600))
    counts[:, 0] += 1
    labels = rng.random((30, 3)) < 0.4
    labels[:, 2] |= ~labels.any(axis=1)
    return Corpus.from_matrices(
        counts,
        labels,
        tree=TopicTree(["a", "a/é", "b"], [None, "a", None], ["A", "É", "B"]),
        words=[f"wörd{v}" for v in range(600)],
        surface=[f"wörds{v}" for v in range(600)],
        ids=[f"d{d}" for d in range(30)],
    )


def test_a_corpus_comes_back_as_it_was(corpus, tmp_path):
    pack(corpus, tmp_path / "x.npz", {"date": "today"})
    found, about = unpack(tmp_path / "x.npz")
    assert about == {"date": "today"}
    assert found.tree == corpus.tree
    assert list(found.words) == list(corpus.words)
    assert list(found.surface) == list(corpus.surface)
    assert list(found.ids) == list(corpus.ids)
    np.testing.assert_array_equal(found.counts.toarray(), corpus.counts.toarray())
    np.testing.assert_array_equal(found.labels.toarray(), corpus.labels.toarray())


def test_the_same_corpus_gives_the_same_bytes(corpus, tmp_path):
    for name in ("x.npz", "y.npz"):
        pack(corpus, tmp_path / name, {})
    assert (tmp_path / "x.npz").read_bytes() == (tmp_path / "y.npz").read_bytes()

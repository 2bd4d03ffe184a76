"""Topics without documents are left out of a fit, and what is left is the same fit."""

import numpy as np
import pytest
from bits import assert_same_bits, fit, small_corpus

from frex import HPC, Corpus
from frex.errors import InputError
from frex.model import branching_tree
from frex.posterior import diagnose, read_posterior, top_words
from frex.sampler.settings import Settings
from frex.tree import TopicTree

SMALL = branching_tree([2, 2])
EXTRA = ("before", "t1.between", "deep", "deeper")
SETTINGS = Settings(warmup=8, draws=12, compare=("siblings", ("t1.1", "t1.between", "t2")))


def with_empty_topics(corpus):
    """Return the corpus over a tree that has more topics, in front, between and behind."""
    tree = corpus.tree
    names = ["before", *tree.topics, "t1.between", "deep", "deeper"]
    above = [None if p == 0 else tree.names[p] for p in tree.parents[1:]]
    whole = TopicTree(names, [None, *above, "t1", "t2.1", "deep"])
    labels = [corpus.labels_of(d) for d in range(len(corpus))]
    return Corpus.from_matrices(corpus.counts, labels, tree=whole, words=list(corpus.words))


@pytest.fixture(scope="module")
def corpora():
    corpus = small_corpus(SMALL, 80, 30)
    corpus = Corpus.from_matrices(
        corpus.counts, [corpus.labels_of(d) for d in range(len(corpus))], tree=SMALL
    )
    return corpus, with_empty_topics(corpus)


@pytest.mark.parametrize("method", ["sample", "map"])
def test_a_fit_has_the_bits_of_one_to_the_tree_without_them(corpora, method, tmp_path):
    small, whole = corpora
    alone = Settings(method=method, warmup=8, draws=12, compare=("siblings", ("t1.1", "t2")))
    asked = Settings(method=method, warmup=8, draws=12, compare=SETTINGS.compare)
    expected, found = fit(small, alone), fit(whole, asked)
    assert_same_bits(found, expected)
    assert found.tree == SMALL
    assert found.taxonomy == whole.tree
    assert set(found.without_documents) == set(EXTRA)
    found.write(tmp_path / "fit")
    again = read_posterior(tmp_path / "fit")
    assert again.taxonomy == whole.tree
    assert again.columns.tolist() == [whole.tree.node(name) - 1 for name in SMALL.topics]


def test_they_are_named_and_nothing_is_said_of_them(corpora):
    posterior = fit(corpora[1], SETTINGS)
    notes = "\n".join(diagnose(posterior).notes)
    assert "4 of 10 topics have no documents" in notes
    for name in EXTRA:
        assert name in notes
        with pytest.raises(InputError, match="no documents"):
            top_words(posterior, name)
    by_name = top_words(posterior, "t1.1", compare=["t1.1", "t1.between", "t2"])
    assert by_name["exclusivity_low"].notna().all()  # the set that the fit averaged


def test_a_comparison_with_nothing_but_them_is_refused(corpora):
    with pytest.raises(InputError, match="none of the topics to compare with has documents: deep"):
        fit(corpora[1], Settings(warmup=1, draws=1, compare=(("deep",),)))


def test_an_estimator_keeps_their_columns_and_never_predicts_them(corpora):
    whole = corpora[1]
    model = HPC(method="map", tree=whole.tree).fit(whole.counts, whole.labels)
    empty = np.isin(model.classes_, EXTRA)
    assert tuple(model.classes_) == whole.tree.topics
    for values in (
        model.transform(whole.counts),
        model.transform(whole),
        model.predict_proba(whole.counts),
        model.fit_transform(whole),
    ):
        assert values.shape == whole.labels.shape
        assert not values[:, empty].any()
        assert values[:, ~empty].any(axis=0).all()
    labels = model.predict(
        whole.counts
    ).toarray()  # which may be none of a topic with few documents
    assert labels.shape == whole.labels.shape
    assert not labels[:, empty].any()
    assert labels.any()
    calibrated = model.calibrate(whole)
    assert not calibrated.predict_proba(whole.counts)[:, empty].any()
    unknown = model.transform(whole.counts[:2], [["deep"], ["deeper"]])
    np.testing.assert_allclose(unknown, model.transform(whole.counts[:2]))

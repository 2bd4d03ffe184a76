"""Each topic's part of its documents."""

import numpy as np

from frex.audit.own_words import FOLDS, own_words


def test_rows_are_the_labels_topic_by_topic(found):
    own, labels = found.own, found.corpus.labels
    assert own.sizes.tolist() == found.sizes.tolist()
    for topic in range(len(own.sizes)):
        has = np.flatnonzero(labels[:, [topic]].toarray().ravel())
        assert sorted(own.documents[own.rows(topic)]) == has.tolist()
    lengths = np.sqrt(own.usage.multiply(own.usage).sum(axis=1))
    assert np.allclose(lengths[lengths > 0], 1, atol=1e-5)


def test_a_document_with_one_label_is_its_words(found):
    single = np.flatnonzero(np.diff(found.corpus.labels.indptr) == 1)[0]
    row = np.flatnonzero(found.own.documents == single)[0]
    words = found.corpus.counts[[single]].indices
    assert found.own.usage[[row]].indices.tolist() == words.tolist()


def test_other_labels_take_their_part(found):
    """The parts of one document's two topics lie apart, where whole documents would be one."""
    double = np.flatnonzero(np.diff(found.corpus.labels.indptr) == 2)
    cosines = []
    for document in double[:50]:
        first, second = found.own.usage[np.flatnonzero(found.own.documents == document)].toarray()
        cosines.append(first @ second)
    assert np.mean(cosines) < 0.9


def test_large_topics_are_sampled_and_folds_are_even(found):
    few = own_words(found.posterior, found.corpus, most=7)
    assert few.sizes.max() == 7
    counts = [np.bincount(few.folds[few.rows(k)], minlength=FOLDS) for k in range(len(few.sizes))]
    assert max(np.ptp(own) for own in counts) <= 1

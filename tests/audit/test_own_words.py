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


def test_all_topics_share_a_document_by_the_rates_of_the_root(found):
    """Otherwise copies of a topic in two branches would have other parts of the same documents."""
    corpus, posterior, own = found.corpus, found.posterior, found.own
    document = np.flatnonzero(np.diff(corpus.labels.indptr) == 2)[0]
    first, last = corpus.labels.indptr[document : document + 2]
    one, other = corpus.labels.indices[first:last]
    row = own.starts[one] + np.flatnonzero(own.documents[own.rows(one)] == document)[0]
    counts = corpus.counts[[document]]
    words = counts.indices
    theta = posterior.memberships.mean[first:last]
    rates = np.exp(posterior.log_rates.mean[words])
    root, rest = theta[0] * rates[:, 0], theta[1] * rates[:, other + 1]
    having = np.bincount(corpus.counts.indices, minlength=corpus.n_words)[words]
    said = np.log1p(counts.data * root / (root + rest)) * np.log((len(corpus) + 1) / having)
    expected = np.zeros(corpus.n_words)
    expected[words] = said / np.linalg.norm(said)
    assert np.allclose(own.usage[[row]].toarray()[0], expected, atol=1e-5)

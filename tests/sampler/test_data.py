import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from problems import problems
from scipy.sparse import csr_array

from frex.corpus import Corpus
from frex.model import branching_tree
from frex.model.reductions import reduce
from frex.sampler.data import N_BINS, balanced_bins, interleaved, kernel_data

WORK = hnp.arrays(np.int64, st.integers(0, 500), elements=st.integers(0, 10_000))


@given(WORK)
def test_every_item_is_in_one_bin_in_order(work):
    starts, items = balanced_bins(work)
    assert len(starts) == N_BINS + 1
    assert (starts[0], starts[-1]) == (0, len(work))
    assert (np.diff(starts) >= 0).all()
    assert np.array_equal(items, np.arange(len(work)))


@given(WORK)
def test_no_bin_is_heavier_than_its_share_and_an_item(work):
    starts, _ = balanced_bins(work)
    loads = [work[starts[b] : starts[b + 1]].sum() for b in range(N_BINS)]
    assert max(loads) <= work.sum() / N_BINS + work.max(initial=0)


@given(st.integers(1, N_BINS))
def test_bins_are_taken_in_an_order_in_which_every_stretch_is_a_sample(n):
    order = interleaved(n)
    assert np.array_equal(np.sort(order), np.arange(n))
    for own in np.array_split(interleaved(64), 4):
        assert np.array_equal(np.bincount(own // 16), [4] * 4)
    for own in np.array_split(interleaved(64), 32):
        assert own.sum() == 63


@settings(deadline=None, max_examples=30)
@given(problems())
def test_kernels_see_every_count_by_word_and_by_document(problem):
    reduced = problem.reduced
    words, documents = kernel_data(reduced)
    counts = reduced.counts.toarray()
    by_word = np.zeros_like(counts, dtype=float)
    starts, labels = documents.label_starts, documents.nodes
    for f in range(counts.shape[1]):
        own = slice(words.starts[f], words.starts[f + 1])
        met = np.searchsorted(starts, words.firsts[own], side="right") - 1
        by_word[met, f] = words.counts[own]
        nodes = [labels[starts[d] : starts[d + 1]] for d in met]
        more = words.sizes[words.more_starts[f] : words.more_starts[f + 1]].tolist()
        n_two = len(nodes) - len(more)
        assert [2] * n_two + more == [len(n) for n in nodes]
        assert all(size > 2 for size in more)
        found = words.nodes[words.label_starts[f] : words.label_starts[f + 1]]
        assert found.tolist() == [node for own in nodes for node in own]
    by_document = np.zeros_like(by_word)
    for d in range(len(counts)):
        own = slice(documents.starts[d], documents.starts[d + 1])
        of_document = documents.eights[slice(*documents.eight_starts[d : d + 2])].reshape(-1)
        n_words = own.stop - own.start
        by_document[d, documents.words[own]] = of_document[:n_words]
        assert not of_document[n_words:].any()
    assert np.array_equal(by_word, counts)
    assert np.array_equal(by_document, counts)
    assert np.array_equal(words.single_counts[:, 1:], reduced.single_counts)
    assert not words.single_counts[:, 0].any()
    n_labels = np.diff(documents.label_starts)
    assert np.array_equal(documents.nodes - 1, reduced.labels.indices)
    assert np.array_equal(np.diff(documents.square_starts), n_labels**2)
    # buffers are long enough for the longest item
    n_eights = -(-(counts > 0).sum(axis=1) // 8)
    assert np.array_equal(np.diff(documents.eight_starts), n_eights)
    assert np.array_equal(np.diff(documents.rate_starts), n_eights * n_labels)
    for d in range(len(counts)):
        own = documents.eights[documents.eight_starts[d] : documents.eight_starts[d + 1]].ravel()
        n = (counts[d] > 0).sum()
        assert np.array_equal(own[:n], counts[d][counts[d] > 0])
        assert not own[n:].any()
    assert words.longest >= (counts > 0).sum(axis=0).max(initial=0)
    assert documents.most_labels >= n_labels.max(initial=0)


def two_documents(count, n_words=3, n_labels=2, n_topics=2, n_single=1):
    """Return a document with several labels and one with one, whose counts are as said."""
    counts = csr_array(([count, n_single], ([0, 1], [n_words - 1, 0])), shape=(2, n_words))
    labels = np.zeros((2, n_topics), bool)
    labels[0, n_topics - n_labels :] = labels[1, 0] = True
    return Corpus.from_matrices(counts, labels=labels, tree=branching_tree([n_topics]))


def test_what_a_corpus_rarely_has_is_kept_in_wider_types():
    usual = kernel_data(reduce(two_documents(65_535)))
    words, documents = usual
    kinds = words.counts, documents.eights, documents.words, words.nodes, words.sizes
    assert [kept.dtype for kept in kinds] == [np.uint16] * 4 + [np.uint8]
    assert words.single_counts.dtype == np.float32

    counted = kernel_data(reduce(two_documents(65_536, n_single=2**24 + 1)))
    assert counted.words.counts.tolist() == counted.documents.eights[0, :1].tolist() == [65_536]
    assert counted.words.single_counts[0, 1] == 2**24 + 1
    long = kernel_data(reduce(two_documents(1, n_words=65_537)))
    assert long.documents.words.tolist() == [65_536]
    wide = kernel_data(reduce(two_documents(1, n_labels=256, n_topics=300)))
    assert wide.words.sizes.tolist() == [256]
    assert np.array_equal(wide.words.nodes, np.arange(45, 301))

"""Words of a document for and against a change of its labels."""

from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from frex.audit.reasons import Reasons


def test_words_argue_for_the_topic_that_uses_them_more(found):
    reasons, tree = Reasons(found.posterior, found.corpus), found.posterior.tree
    a, b = tree.node("t1.3") - 1, tree.node("t2.3") - 1
    for_change, against = reasons.of(0, a, b)
    other_way = reasons.of(0, b, a)
    assert (for_change, against) == other_way[::-1]
    assert len(for_change) <= 6
    rates = found.posterior.log_rates.mean
    words = [found.posterior.words.index(word) for word in for_change]
    assert (rates[words, b + 1] > rates[words, a + 1]).all()
    assert set(words) <= set(found.corpus.counts[[0]].indices.tolist())


def test_the_parent_stands_for_what_is_not_there(found):
    reasons, tree = Reasons(found.posterior, found.corpus), found.posterior.tree
    topic = tree.node("t1.3") - 1
    added, taken = reasons.of(0, -1, topic), reasons.of(0, topic, -1)
    assert added == taken[::-1]
    words = [found.posterior.words.index(word) for word in added[0]]
    rates = found.posterior.log_rates.mean
    assert (rates[words, topic + 1] > rates[words, int(tree.parents[topic + 1])]).all()
    assert np.isfinite(rates).all()


def test_a_word_that_all_documents_have_is_no_reason(found):
    counts = found.corpus.counts.tolil()
    everywhere = int(np.argmax(np.bincount(found.corpus.counts.indices)))
    topics = range(found.posterior.tree.n_topics)

    def told(corpus):
        reasons = Reasons(found.posterior, corpus)
        sides = [reasons.of(0, -1, k) for k in topics]
        return {word for both in sides for side in both for word in side}

    counts[0, everywhere] = 50
    name = found.posterior.words[everywhere]
    assert name in told(replace(found.corpus, counts=csr_array(counts)))
    counts[:, everywhere] = 50
    assert name not in told(replace(found.corpus, counts=csr_array(counts)))

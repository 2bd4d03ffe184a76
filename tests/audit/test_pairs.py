"""Siblings and topics elsewhere that words do not tell apart; catch-alls."""

from types import SimpleNamespace

import numpy as np
from damage import TWINS
from scipy.sparse import csr_array
from sklearn.preprocessing import normalize

from frex.audit import pairs
from frex.audit.findings import Group
from frex.audit.own_words import OwnWords
from frex.audit.pairs import FEWEST, alike_topics, catch_alls, neighbours
from frex.tree import TopicTree


def test_a_topic_split_at_random_is_found_and_no_other(found):
    told = list(alike_topics(found.examples, found.sizes))
    assert [(one.kind, one.topic, one.other) for one in told] == [("merge", *TWINS)]
    (one,) = told
    assert one.probability > 0.9
    assert one.low < 0.56 < one.high + 0.1
    assert TWINS[0] in one.finding
    assert "Merge" in one.advice
    assert all(group.words and group.documents for group in one.groups)


def test_all_pairs_are_judged_where_nothing_is_too_unlikely(found):
    told = list(alike_topics(found.examples, found.sizes, least=0.0))
    within, across = neighbours(found.own, found.posterior.tree)
    assert len(told) <= len(within) + len(across)
    assert {one.kind for one in told} == {"merge", "duplicate"}
    tree = found.posterior.tree
    for one in told:
        same = tree.parents[tree.node(one.topic)] == tree.parents[tree.node(one.other)]
        assert same == (one.kind == "merge")


def test_steps_are_told(found):
    steps = []
    neighbours(found.own, found.posterior.tree, steps.append)
    assert sum(steps) == found.posterior.tree.n_topics


def test_topics_of_a_drawn_corpus_have_words_of_their_own(found):
    assert list(catch_alls(found.examples, found.sizes)) == []
    judged = list(catch_alls(found.examples, found.sizes, least=0.0))
    assert judged
    assert {one.kind for one in judged} == {"catch-all"}
    assert all(one.other is None and len(one.groups) == 1 for one in judged)


def by_hand(sizes, about, documents=None, seed=0):
    """Return rows of topics below the root, each about one of some themes of 10 words."""
    rng = np.random.default_rng(seed)
    rates = np.full((len(sizes), 10 * (max(about) + 1)), 0.1)
    for topic, theme in enumerate(about):
        rates[topic, 10 * theme : 10 * theme + 10] = 0.5
    usage = csr_array(normalize(rng.poisson(np.repeat(rates, sizes, axis=0)).astype(np.float32)))
    rows = np.arange(sum(sizes))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    own = OwnWords(usage, rows if documents is None else documents, starts, rows % 5)
    return own, TopicTree([f"t{k}" for k in range(len(sizes))], [None] * len(sizes))


def test_a_small_topic_is_held_against_its_twin(monkeypatch):
    """Larger topics have less noise in their means, and are no closer for that."""
    monkeypatch.setattr(pairs, "SIBLINGS", 1)
    met = 0
    for seed in range(20):
        own, tree = by_hand([6, 6] + [200] * 20, [0, 0, *range(1, 21)], seed=seed)
        met += (0, 1) in neighbours(own, tree)[0]
    assert met >= 19


def test_topics_of_few_documents_are_not_close_to_all(monkeypatch):
    monkeypatch.setattr(pairs, "SIBLINGS", 1)
    own, tree = by_hand([FEWEST] * 100 + [40, 40], [*range(1, 101), 0, 0])
    assert (100, 101) in neighbours(own, tree)[0]


def test_closeness_is_a_mean_over_pairs_of_different_documents(monkeypatch):
    """Half of the first topic's documents have the second label too."""
    monkeypatch.setattr(pairs, "USUAL_PAIRS", 0)
    monkeypatch.setattr(pairs, "FEW", 0)
    own, _ = by_hand([10, 10, 10], [0, 1, 0])
    documents, usage = own.documents.copy(), own.usage.toarray()
    documents[10:15], usage[10:15] = documents[:5], usage[:5]
    own = own._replace(documents=documents, usage=csr_array(usage))
    alike = usage @ usage.T
    different = documents[:, None] != documents
    parts = [slice(*own.starts[k : k + 2]) for k in range(3)]
    mean = np.array([[alike[a, b][different[a, b]].mean() for b in parts] for a in parts])
    expected = mean / np.sqrt(np.diag(mean))
    assert np.allclose(pairs._Closeness(own).of(np.arange(3)), expected, rtol=1e-4)


def test_topics_of_fewer_documents_than_that_are_held_against_none():
    own, tree = by_hand([FEWEST - 1, 20, 20], [0, 0, 1])
    assert neighbours(own, tree)[0] == {(1, 2)}


def test_a_topic_of_hardly_any_documents_is_no_catch_all():
    own, tree = by_hand([4, 5, 20, 20], [0, 0, 1, 2])
    shown = SimpleNamespace(
        own=own, posterior=SimpleNamespace(tree=tree), title=str,
        topic=lambda topic: Group(str(topic), (), ()),
    )  # fmt: skip
    told = {one.topic for one in catch_alls(shown, own.sizes, least=0.0)}
    assert told == {"t1", "t2", "t3"}

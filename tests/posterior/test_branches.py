"""Branches against brute force, and against the words of the documents themselves."""

from dataclasses import replace

import numpy as np
import pytest
from bits import fit
from hypothesis import given
from hypothesis import strategies as st
from pages import make_fit
from strategies import trees

from frex import Corpus
from frex.errors import InputError
from frex.model import branching_tree
from frex.model.generate import simulate
from frex.model.priors import Hyperparameters
from frex.posterior import score, top_words
from frex.posterior.branches import Branches
from frex.posterior.compared import compared_with, frequency_of
from frex.posterior.words import best_words
from frex.sampler.settings import Settings
from frex.scores import frex_from, lift
from frex.tree import TopicTree

TREE = TopicTree(
    ["sport", "golf", "tennis", "arts", "music", "opera", "jazz", "law"],
    [None, "sport", "sport", None, "arts", "music", "music", None],
)
WORDS = tuple(f"w{number}" for number in range(60))


@pytest.fixture(scope="module")
def made():
    """Return a fit in which sport and music have no documents of their own, but arts has."""
    whole = make_fit(TREE, WORDS)
    exposures = whole.exposures.copy()
    exposures[[TREE.node(name) - 1 for name in ("sport", "music")]] = 0
    return replace(whole, exposures=exposures)


def below(tree, node):
    """Return a topic and all below it."""
    return [n for n in range(1, tree.n_nodes) if node in (n, *tree.ancestors(n))]


def pooled(tree, log_rates, exposures, node):
    nodes = below(tree, node)
    weights = exposures[[n - 1 for n in nodes]]
    if not weights.sum():
        return np.exp(log_rates[:, node])
    return np.exp(log_rates[:, nodes]) @ weights / weights.sum()


@given(trees(), st.integers(0, 2**32 - 1))
def test_rates_and_exclusivity_on_any_tree(tree, seed):
    rng = np.random.default_rng(seed)
    log_rates = rng.normal(-2, 2, (7, tree.n_nodes))
    exposures = rng.gamma(1.0, size=tree.n_topics) * rng.integers(0, 2, tree.n_topics)
    branches = Branches(tree, log_rates, exposures)
    expected = {n: pooled(tree, log_rates, exposures, n) for n in range(1, tree.n_nodes)}
    for node in rng.permutation(list(expected)).tolist():  # in whatever order they are asked for
        np.testing.assert_allclose(branches.rates(node), expected[node])
        for compare in ("siblings", "all", 1, tree.topics[:2]):
            beside = branches.compared(node, compare)
            assert node in beside
            others = set(beside) - {node}
            assert not others & {*below(tree, node), *tree.ancestors(node)}
            share = expected[node] / sum(expected[n] for n in beside)
            np.testing.assert_allclose(branches.exclusivity(node, compare), share, atol=1e-12)
        if tree.siblings(node):
            assert set(branches.compared(node)) == {node, *tree.siblings(node)}


def test_an_only_child_is_compared_as_its_parent_is():
    branches = Branches(TREE, np.zeros((2, TREE.n_nodes)), np.ones(TREE.n_topics))
    named = {TREE.names[n] for n in branches.compared(TREE.node("music"))}
    assert named == {"music", "sport", "law"}
    alone = TopicTree(["top", "a", "b"], [None, "top", "top"])
    whole = Branches(alone, np.zeros((2, 4)), np.ones(3))
    assert whole.compared(1) == (1,)
    assert whole.exclusivity(1).tolist() == [1, 1]


def test_auto_shows_the_branch_of_an_inner_topic_without_documents_of_its_own(made):
    shown = {name: top_words(made, name, 3)["of"].unique().tolist() for name in TREE.topics}
    assert [name for name, of in shown.items() if of == ["branch"]] == ["sport", "music"]
    assert top_words(made, "arts", 3, of="branch")["of"].tolist() == ["branch"] * 3
    assert top_words(made, "golf", 3, of="branch").equals(top_words(made, "golf", 3))
    own = top_words(made, "sport", 3, of="topic")
    assert own["of"].tolist() == ["topic"] * 3
    assert own["frequency_low"].notna().all()


@pytest.mark.parametrize("by", ["frex", "frequency", "exclusivity", "lift"])
def test_words_of_a_branch_are_ordered_by_plug_in_scores_without_intervals(made, by):
    node = TREE.node("sport")
    table = top_words(made, "sport", 9, by=by, weight=0.7)
    words = [WORDS.index(stem) for stem in table["stem"]]
    rates = frequency_of(made, node)
    share = rates / sum(
        pooled(TREE, made.log_rates.mean, made.exposures, n) for n in TREE.children(0)
    )
    np.testing.assert_allclose(rates, pooled(TREE, made.log_rates.mean, made.exposures, node))
    expected = {
        "frex": frex_from(share, rates, weight=0.7),
        "frequency": rates,
        "exclusivity": share,
        "lift": lift(score(made, by="frequency"))[node - 1],
    }
    np.testing.assert_allclose(score(made, by=by, weight=0.7)[node - 1], expected[by])
    assert words == np.argsort(-expected[by], kind="stable")[:9].tolist()
    for name in ("frex", "frequency", "exclusivity"):
        np.testing.assert_allclose(table[name], expected[name][words])
        assert table[[f"{name}_low", f"{name}_high"]].isna().all(axis=None)
    assert table["in_top"].isna().all()


def test_other_comparisons_and_what_a_branch_is_compared_with(made):
    node = TREE.node("sport")
    assert compared_with(made, node, "all") == (node, *range(TREE.node("arts"), TREE.n_nodes))
    assert compared_with(made, node, "all", "topic") == tuple(range(1, TREE.n_nodes))
    pair = compared_with(made, node, ["golf", "law"])
    assert pair == (node, TREE.node("law"))
    shares = score(made, by="exclusivity", compare=["golf", "law"])[node - 1]
    rates = frequency_of(made, node)
    expected = rates / (rates + np.exp(made.log_rates.mean[:, TREE.node("law")]))
    np.testing.assert_allclose(shares, expected)
    with pytest.raises(InputError, match="no comparison set 'cousins'"):
        top_words(made, "sport", compare="cousins")


def leaf_labelled_corpus():
    """Return a corpus of the model in which only leaves are labels."""
    tree = branching_tree([3, 4])
    inner = np.array([bool(tree.children(node)) for node in range(1, tree.n_nodes)])
    hyper = Hyperparameters(-2.0, 1.0, np.where(inner, -40.0, -3.0), 1.0, 4.0, 1.0)
    corpus, _ = simulate(tree, 900, 80, hyper=hyper, drop_empty=True, seed=2)
    return corpus


@pytest.mark.parametrize("method", ["map", "sample"])
def test_a_branch_says_what_the_documents_below_say(method):
    corpus = leaf_labelled_corpus()
    tree = corpus.tree
    posterior = fit(corpus, Settings(method=method, warmup=40, draws=40))
    topics = tree.children(0)
    labelled = corpus.labels.toarray()
    is_below = np.array([labelled[:, [k - 1 for k in below(tree, n)]].any(axis=1) for n in topics])
    alone = is_below & (is_below.sum(axis=0) == 1)  # documents of one branch only
    shares = np.array([np.asarray(corpus.counts[rows].sum(axis=0)).ravel() for rows in alone])
    shares = shares / shares.sum(axis=1, keepdims=True)
    for node, share in zip(topics, shares, strict=True):
        rates = frequency_of(posterior, node)
        assert np.corrcoef(rates, share)[0, 1] > 0.99
        own = frequency_of(posterior, node, "topic")
        assert np.corrcoef(own, share)[0, 1] < np.corrcoef(rates, share)[0, 1]
        best = np.argsort(-frex_from(share / shares.sum(axis=0), share), kind="stable")
        listed = best_words(posterior, tree.names[node], 10)
        assert len(set(listed) & set(best[:12])) >= 8


def test_exposures_are_lengths_times_memberships():
    tree = TopicTree(["a", "b"], [None, None])
    counts = [[3, 0], [0, 1], [2, 2]]
    corpus = Corpus.from_matrices(counts, [["a"], ["b"], ["a", "b"]], tree=tree)
    posterior = fit(corpus, Settings(method="map", draws=5))
    theta = posterior.membership_matrix().toarray()
    np.testing.assert_allclose(posterior.exposures, corpus.exposures @ theta)

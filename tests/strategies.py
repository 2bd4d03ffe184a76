"""Hypothesis strategies that several packages' tests share."""

from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from frex.corpus import Corpus
from frex.tree import TopicTree


@st.composite
def trees(draw, max_topics=12):
    """Draw trees of any shape: every topic hangs from the root or from an earlier topic.

    Chains of only children and stars are among them more often than chance would have it.
    """
    n_topics = draw(st.integers(1, max_topics))
    names = [f"t{i}" for i in range(n_topics)]
    chain = [None, *names[: n_topics - 1]]
    shape = draw(st.sampled_from(["any", "any", "chain", "star"]))
    if shape == "any":
        parents = [draw(st.sampled_from([None, *names[:i]])) for i in range(n_topics)]
    else:
        parents = chain if shape == "chain" else [None] * n_topics
    return TopicTree(names, parents)


@st.composite
def graphs(draw, max_topics=10):
    """Draw rows of (topic, parent), shuffled, in which topics have any number of parents."""
    n_topics = draw(st.integers(1, max_topics))
    names = [f"t{i}" for i in range(n_topics)]
    rows = []
    for i, name in enumerate(names):
        above = draw(st.lists(st.sampled_from([None, *names[:i]]), min_size=1, unique=True))
        rows += [(name, parent) for parent in above]
    return draw(st.permutations(rows))


@st.composite
def labelled_corpora(draw, max_topics=8, max_documents=10, max_words=5):
    """Draw corpora in which topics have no documents, or one, or all; of any counts."""
    tree = draw(trees(max_topics))
    used = st.sampled_from(draw(st.lists(st.sampled_from(tree.topics), min_size=1, unique=True)))
    one, any_number = st.lists(used, min_size=1, max_size=1), st.lists(used, min_size=1)
    each = draw(st.sampled_from([one, any_number.map(set).map(sorted)]))
    labels = draw(st.lists(each, min_size=1, max_size=max_documents))
    few, many = st.integers(0, 3), st.integers(0, 60_000)  # of two bytes: usual kernels
    shape = len(labels), draw(st.integers(1, max_words))
    counts = draw(hnp.arrays(int, shape, elements=draw(st.sampled_from([few, few | many]))))
    return Corpus.from_matrices(
        counts,
        labels,
        tree=tree,
        ancestors=draw(st.sampled_from(["keep", "remove"])),
        empty="keep",
    )

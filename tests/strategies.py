"""Hypothesis strategies that several rooms' tests share."""

from hypothesis import strategies as st

from frex.tree import TopicTree


@st.composite
def trees(draw, max_topics=12):
    """Draw trees of any shape: every topic hangs from the root or from an earlier topic."""
    n_topics = draw(st.integers(1, max_topics))
    names = [f"t{i}" for i in range(n_topics)]
    parents = [draw(st.sampled_from([None, *names[:i]])) for i in range(n_topics)]
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

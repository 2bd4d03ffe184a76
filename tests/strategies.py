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

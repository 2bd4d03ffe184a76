import numpy as np
from fits import TREE, make_fit

from frex.posterior import top_words, top_words_of_all


def test_all_topics_have_what_each_has():
    fit = make_fit()
    every = top_words_of_all(fit, 3, weight=0.7)
    assert every["topic"].tolist() == list(np.repeat(TREE.topics, 3))
    for topic in TREE.topics:
        part = every[every["topic"] == topic]
        assert part["rank"].tolist() == [1, 2, 3]
        own = top_words(fit, topic, 3, weight=0.7)
        assert part[list(own.columns)].reset_index(drop=True).equals(own)

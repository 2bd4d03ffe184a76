from dataclasses import replace

import numpy as np
import pytest
from fits import WORDS, make_fit

from frex.errors import InputError
from frex.posterior import score
from frex.predict import find_topics


@pytest.fixture(scope="module")
def fit():
    return replace(make_fit(), surface=WORDS)


def test_topics_come_by_the_words_of_the_text(fit):
    found = find_topics(fit, "Goal! A putt, a goal")
    shares = score(fit, by="exclusivity", compare="all")
    speaks = shares[:, WORDS.index("goal")] ** 2 * shares[:, WORDS.index("putt")]
    order = np.argsort(-speaks, kind="stable")
    assert found["topic"].tolist() == [fit.tree.topics[k] for k in order]
    assert found["probability"].to_numpy() == pytest.approx(np.sort(speaks / speaks.sum())[::-1])
    assert not found["named"].any()
    assert set(found["words"][0].split(", ")) <= {"goal", "putt"}


def test_a_topic_of_that_name_comes_first(fit):
    found = find_topics(fit, "CHES", 2)
    assert found["topic"][0] == "chess"
    assert found["named"].tolist() == [True, False]


def test_a_text_of_unknown_words_is_refused(fit):
    with pytest.raises(InputError, match="no word of 'quantum'"):
        find_topics(fit, "quantum")

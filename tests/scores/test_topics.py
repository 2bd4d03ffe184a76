import numpy as np
import pytest

from frex.errors import InputError
from frex.scores import TopicWords, exclusivity, frex

RATES = np.array([[6.0, 0, 4, 2], [0, 5, 5, 1], [1, 1, 7, 1]])
WORDS = ("ball", "vote", "the", "rare")
COUNTS = np.array([7.0, 6, 16, 4])


def test_best_words_have_all_scores_and_come_in_order():
    topics = TopicWords(RATES, WORDS, ("sport", "politics", "rest"))
    table = topics.top_words(2)
    assert table.columns.tolist() == ["topic", "rank", "word", "frex", "frequency", "exclusivity"]
    assert table["topic"].tolist() == ["sport", "sport", "politics", "politics", "rest", "rest"]
    assert table["rank"].tolist() == [1, 2] * 3
    shares = RATES / RATES.sum(axis=1, keepdims=True)
    assert table["word"][0] == "ball"
    assert table["frequency"][0] == pytest.approx(0.5)
    assert table["exclusivity"][0] == pytest.approx(exclusivity(shares)[0, 0])
    assert table["frex"][0] == pytest.approx(frex(shares)[0, 0])
    by_frequency = topics.top_words(1, topics=["rest"], by="frequency")
    assert by_frequency["word"].tolist() == ["the"]


def test_stm_is_an_option():
    topics = TopicWords(RATES, WORDS, counts=COUNTS)
    table = topics.top_words(
        4, weight=0.7, weight_on="frequency", ties="average", shrink="james-stein"
    )
    shares = RATES / RATES.sum(axis=1, keepdims=True)
    expected = frex(
        shares, weight=0.7, weight_on="frequency", ties="average",
        shrink="james-stein", counts=COUNTS,
    )  # fmt: skip
    for k in range(3):
        rows = table[table["topic"] == str(k)]
        found = dict(zip(rows["word"], rows["frex"], strict=True))
        np.testing.assert_allclose([found[word] for word in WORDS], expected[k])


def test_other_data_frames():
    assert TopicWords(RATES, WORDS).top_words(1, backend="polars").shape == (3, 6)


def test_words_that_tie_come_by_frequency():
    topics = TopicWords(np.array([[1.0, 3, 2], [1, 3, 2]]), ("a", "b", "c"))
    assert topics.columns(3, topics=["0"], by="exclusivity")["word"] == ["b", "c", "a"]


def test_wrong_input():
    with pytest.raises(InputError, match="the model has 4 words, and 3 are named"):
        TopicWords(RATES, WORDS[:3])
    with pytest.raises(InputError, match="the model has 3 topics, and 1 are named"):
        TopicWords(RATES, WORDS, ("x",))
    topics = TopicWords(RATES, WORDS)
    with pytest.raises(InputError, match=r"there is no topic 'x'\. The topics are 0, 1, 2"):
        topics.top_words(topics=["x"])
    with pytest.raises(InputError, match="by is 'lift'"):
        topics.top_words(by="lift")
    with pytest.raises(InputError, match="does not say how often words occur"):
        topics.top_words(shrink="james-stein")
    with pytest.raises(InputError, match="the weight is 2"):
        topics.top_words(weight=2)
    with pytest.raises(InputError, match="exponentiate"):
        TopicWords(np.log(RATES + 0.5) - 9, WORDS)

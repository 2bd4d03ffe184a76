import numpy as np
import pytest
from pages import TREE, WORDS, make_fit, unbundle

from frex.explorer.choice import LIST
from frex.explorer.data import INTERVAL, WORDS_A_PIECE, make_data, n_steps
from frex.scores import ecdf
from frex.tree import TopicTree


@pytest.fixture(scope="module")
def fit():
    return make_fit()


@pytest.fixture(scope="module")
def data(fit):
    return make_data(fit, "fit")


def test_there_is_a_piece_for_each_topic_and_for_all_words(data):
    topics = [f"topic-{node}" for node in range(1, TREE.n_nodes)]
    assert list(data.pieces) == [*topics, "words-0", "words-1"]


def test_a_topic_has_its_words_and_their_ranks(fit, data):
    golf = TREE.node("golf")
    meta, arrays = unbundle(data.pieces[f"topic-{golf}"])
    assert meta["list"] == LIST
    assert len(meta["documents"]) == 3
    assert arrays["word"].tolist() == list(range(len(WORDS)))  # few enough to hold them all
    assert np.array_equal(
        arrays["rateRank"] / len(WORDS), ecdf(fit.frequency[:, golf - 1])[arrays["word"]]
    )


def test_a_topic_has_intervals_and_draws_of_its_leading_words(fit, data):
    topic = TREE.node("tennis") - 1
    _, arrays = unbundle(data.pieces[f"topic-{topic + 1}"])
    scored = fit.scored["siblings"]
    assert set(arrays["drawnWord0"]) == set(scored.words[topic])
    assert "drawnWord1" not in arrays  # no draws of the comparison with all topics
    place = int(np.flatnonzero(scored.words[topic] == arrays["drawnWord0"][0])[0])
    log_rates, shares, _, ecdfs = scored.values[:, :, topic, place].T

    tails = [(1 - INTERVAL) / 2, (1 + INTERVAL) / 2]
    low, step = data.overview["logRate"]
    ends = np.exp(low + step * arrays["drawnRate0"].reshape(2, -1)[:, 0])
    expected = 1000 / fit.mean_length * np.exp(np.quantile(log_rates, tails))
    assert ends == pytest.approx(expected, rel=1e-3)
    ends = data.overview["share"] * arrays["drawnShare0"].reshape(2, -1)[:, 0]
    assert ends == pytest.approx(np.quantile(shares, tails), abs=1e-4)

    n_draws, n_words = len(scored.values), len(arrays["drawnWord0"])
    codes = arrays["draw0"].reshape(2, n_words, n_draws)[1, 0]
    least, greatest = (arrays[name].reshape(2, -1)[1, 0] for name in ("drawLow0", "drawHigh0"))
    assert (least + (greatest - least) * codes / 255) / len(WORDS) == pytest.approx(
        ecdfs, abs=0.003
    )


def test_a_word_has_the_topics_that_use_it_most(fit, data):
    word = WORDS_A_PIECE + 5
    _, arrays = unbundle(data.pieces["words-1"])
    n_topics = data.overview["topicsAWord"]
    rows = slice(5 * n_topics, 6 * n_topics)
    assert arrays["topic"][rows].tolist() == (np.argsort(-fit.frequency[word]) + 1).tolist()
    assert (np.diff(arrays["rate"][rows]) <= 0).all()


def test_a_fit_that_was_stopped_early_has_no_intervals(fit):
    scored = fit.scored["siblings"]
    early = make_fit()
    early.scored["siblings"] = scored._replace(values=scored.values[:0])
    made = make_data(early, "fit")
    assert [one["draws"] for one in made.overview["sets"]] == [0, 0]
    assert "draw0" not in unbundle(made.pieces["topic-1"])[1]


def test_other_parents_are_told():
    tree = TopicTree(["sport", "golf", "law", "golf"], [None, "sport", None, "law"])
    overview = make_data(make_fit(tree), "fit").overview
    assert overview["otherParents"] == {tree.node("golf"): (tree.node("law"),)}


def test_progress_is_told_of_every_step(fit):
    steps = []
    make_data(fit, "fit", progress=steps.append)
    assert sum(steps) == n_steps(fit)

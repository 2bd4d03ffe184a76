from dataclasses import replace

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
    others = [f"other-{TREE.node(name)}" for name in ("sport", "music")]
    assert list(data.pieces) == [*topics, *others, "words-0", "words-1"]


def test_a_topic_above_others_has_the_words_of_its_branch_too(fit, data):
    sport = TREE.node("sport")
    meta, arrays = unbundle(data.pieces[f"other-{sport}"])
    assert (meta["of"], meta["compared"]) == ("branch", [3, 5])  # not with what is below it
    assert "draw0" not in arrays
    rates = fit.branches.rates(sport)
    assert np.array_equal(arrays["rateRank"] / len(WORDS), ecdf(rates)[arrays["word"]])
    assert unbundle(data.pieces[f"topic-{sport}"])[0]["of"] == "topic"
    assert data.overview["branches"] == []
    assert data.overview["both"] == [sport, TREE.node("music")]


def test_a_topic_without_documents_of_its_own_is_shown_by_its_branch(fit):
    sport, topic = TREE.node("sport"), TREE.node("sport") - 1
    exposures = fit.exposures.copy()
    exposures[topic] = 0
    leafy = replace(fit, exposures=exposures)
    data = make_data(leafy, "fit")
    assert data.overview["branches"] == [sport]
    meta, arrays = unbundle(data.pieces[f"topic-{sport}"])
    assert meta["of"] == "branch"
    assert len(meta["documents"]) == 3
    for number, compare in enumerate(("siblings", "all")):
        shares = leafy.branches.exclusivity(sport, compare)
        ranks = arrays[f"shareRank{number}"] / len(WORDS)
        assert np.array_equal(ranks, ecdf(shares)[arrays["word"]])
    other = unbundle(data.pieces[f"other-{sport}"])
    assert other[0]["of"] == "topic"
    assert "draw0" in other[1]
    _, words = unbundle(data.pieces["words-0"])
    first = words["rateRank"][: data.overview["topicsAWord"]]
    place = words["topic"][: data.overview["topicsAWord"]].tolist().index(sport)
    assert first[place] / len(WORDS) == ecdf(leafy.branches.rates(sport))[0]


def test_topics_that_were_left_out_have_a_name_and_nothing_else(fit):
    names = ["before", *TREE.topics, "after"]
    parents = [None if p == 0 else TREE.names[p] for p in TREE.parents[1:]]
    whole = TopicTree(names, [None, *parents, "golf"])
    data = make_data(replace(fit, given_taxonomy=whole), "fit")
    plain = make_data(fit, "fit")
    assert data.overview["names"] == whole.names
    assert data.overview["leftOut"] == [whole.node("before"), whole.node("after")]
    assert not {f"topic-{node}" for node in data.overview["leftOut"]} & set(data.pieces)
    for name in TREE.topics:
        assert data.overview["below"][whole.node(name)] == plain.overview["below"][TREE.node(name)]
        moved = unbundle(data.pieces[f"topic-{whole.node(name)}"])
        stayed = unbundle(plain.pieces[f"topic-{TREE.node(name)}"])
        assert moved[1]["rate"].tolist() == stayed[1]["rate"].tolist()
        moved_to = [whole.names[row[0]] for row in moved[0]["neighbours"]]
        assert moved_to == [TREE.names[row[0]] for row in stayed[0]["neighbours"]]
    moved, stayed = (unbundle(each.pieces["words-1"])[1]["topic"] for each in (data, plain))
    assert [whole.names[node] for node in moved] == [TREE.names[node] for node in stayed]


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

    at = [(1 - INTERVAL) / 2, 0.5, (1 + INTERVAL) / 2]
    low, step = data.overview["logRate"]
    ends = np.exp(low + step * arrays["drawnRate0"].reshape(3, -1)[:, 0])
    expected = 1000 / fit.mean_length * np.exp(np.quantile(log_rates, at, method="weibull"))
    assert ends == pytest.approx(expected, rel=1e-3)
    ends = data.overview["share"] * arrays["drawnShare0"].reshape(3, -1)[:, 0]
    assert ends == pytest.approx(np.quantile(shares, at, method="weibull"), abs=1e-4)

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

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from bits import fit, small_corpus

from frex.posterior import top_words
from frex.sampler.settings import Settings
from frex.scores import frex as scores
from frex.tree import TopicTree

TREE = TopicTree(
    ["sport", "golf", "chess", "s12", "art"],
    [None, "sport", "sport", "sport", None],
    ["sport", "golf", "chess", "Women's [football]", "art"],
)
SETTINGS = Settings(method="map", draws=20, compare=("siblings", ("golf", "art")))


@pytest.fixture(scope="module")
def posterior():
    made = fit(small_corpus(TREE, 60, 20), SETTINGS)
    words = [[f"{kind}{number}" for number in range(20)] for kind in ("stem", "word")]
    return replace(made, words=tuple(words[0]), surface=tuple(words[1]))


@pytest.fixture(scope="module")
def folder(posterior, tmp_path_factory):
    place = tmp_path_factory.mktemp("fits") / "fit"
    posterior.write(place)
    return place


def words_in(text):
    return re.findall(r"\b(?:word|stem)\d+\b", text)


def test_without_a_topic_the_tree_has_five_words_on_each_node(frex, folder, posterior):
    result = frex("top", folder)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert [re.split(r"  +word", line)[0] for line in lines] == [
        "├── sport",
        "│   ├── golf",
        "│   ├── chess",
        "│   └── s12  Women's [football]",
        "└── art",
    ]
    for topic, line in zip(TREE.topics, lines, strict=True):
        assert words_in(line) == top_words(posterior, topic, 5)["word"].tolist()


def test_a_branch_of_the_tree(frex, folder):
    result = frex("top", folder, "--tree", "--topic", "golf", "-t", "art", "-n", 2, "--stems")
    assert [len(words_in(line)) for line in result.out.splitlines()] == [2, 2]
    assert "golf" in result.out
    assert "word" not in result.out
    assert len(frex("top", folder, "--tree", "-t", "sport").out.splitlines()) == 4


def test_one_topic_has_intervals_and_the_other_list_beside(frex, folder, posterior):
    result = frex("top", folder, "--topic", "women's [FOOTBALL]", "-n", 4)
    assert result.code == 0
    legend, table = result.out.split("\n\n")
    head, *rows = table.splitlines()
    assert legend.startswith("s12  Women's [football]\n")
    assert "in it, golf, chess\n" in legend
    assert head.split() == (
        ["FREX", "score", "exclusivity", "in", "1,000", "top", "4", "most", "frequent"]
    )
    best, frequent = (top_words(posterior, "s12", 4, by=by) for by in ("frex", "frequency"))
    assert [words_in(row) for row in rows] == [
        list(pair) for pair in zip(best["word"], frequent["word"], strict=True)
    ]
    for row, point, low, high, chance in zip(
        rows, *(best[c] for c in ("frex", "frex_low", "frex_high", "in_top")), strict=True
    ):
        assert f"{point:.3f} ({low:.3f}-{high:.3f})" in row
        assert f"{100 * chance:.0f} %" in row
    assert "\x1b" not in result.out


def test_a_set_without_draws_says_so(frex, folder):
    result = frex("top", folder, "--topic", "golf", "--compare", "all")
    assert "no intervals here: the fit kept draws of it for siblings, golf,art." in result.out
    assert "(0." not in result.out.split("most frequent")[0]
    assert "no intervals" not in frex("top", folder, "-t", "golf", "--compare", "golf,art").out


def test_topics_side_by_side_as_in_table_4(frex, folder, posterior, monkeypatch):
    result = frex("top", folder, "--topic", "golf", "--topic", "art", "-n", 3)
    names, heads, _, *rows = result.out.splitlines()
    assert names.split() == ["golf", "art"]
    assert heads.split("  ")[0] == "FREX"
    lists = [
        top_words(posterior, topic, 3, by=by)["word"]
        for topic in ("golf", "art")
        for by in ("frex", "frequency")
    ]
    assert [row.split() for row in rows] == [list(row) for row in zip(*lists, strict=True)]
    monkeypatch.setenv("COLUMNS", "30")
    narrow = frex("top", folder, "--topic", "golf", "--topic", "art", "-n", 3).out
    assert max(map(len, narrow.splitlines())) <= 30
    assert narrow.index("golf") < narrow.index("\n\nart")


def test_a_topic_beside_those_it_is_compared_with(frex, folder, posterior):
    result = frex("top", folder, "-t", "chess", "--siblings", "-n", 2, "--by", "frequency")
    head, _, names, _, *rows = result.out.splitlines()
    assert head == "most frequent"
    assert re.split("   +", names) == ["chess", "golf", "s12  Women's [football]"]
    assert words_in(rows[0])[0] == top_words(posterior, "chess", 1, by="frequency")["word"][0]
    named = frex("top", folder, "-t", "golf", "--siblings", "--compare", "golf,art")
    assert named.out.splitlines()[2].split() == ["golf", "art"]


def test_csv_and_json_have_every_column(frex, folder, posterior):
    expected = top_words(posterior, "golf", 14, weight=0.2, level=0.5)
    for name in [name for name in expected.columns if "frequency" in name]:
        expected[name] *= 1000 / posterior.mean_length  # as it is printed
    expected = expected.rename(columns=lambda name: name.replace("frequency", "in_1000"))
    options = ("top", folder, "--topic", "golf", "--weight", 0.2, "--level", 0.5)
    rows = list(csv.DictReader(io.StringIO(frex(*options, "--format", "csv").out)))
    objects = json.loads(frex(*options, "--format", "json").out)
    assert list(rows[0]) == list(objects[0]) == ["topic", "title", "rank", *expected.columns]
    assert [int(row["rank"]) for row in rows] == list(range(1, 15))
    for row, found, (_, line) in zip(rows, objects, expected.iterrows(), strict=True):
        assert (row["topic"], row["stem"]) == (found["topic"], found["stem"])
        assert row["word"] == line["word"]
        for name in expected.columns[2:-1]:
            assert float(row[name]) == found[name]
            assert found[name] == pytest.approx(line[name])
        assert row["of"] == found["of"] == "topic"
    everything = json.loads(frex("top", folder, "--format", "json", "-n", 2).out)
    assert [row["topic"] for row in everything[::2]] == list(TREE.topics)


@pytest.fixture(scope="module")
def leafy(posterior, tmp_path_factory):
    """Return a fit, and its folder, in which sport has no documents of its own and go none."""
    names = [*TREE.topics, "go", "go::9x9"]
    parents = [None if p == 0 else TREE.names[p] for p in TREE.parents[1:]]
    whole = TopicTree(names, [*parents, "sport", "go"], [*TREE.titles[1:], "Go", "Nine"])
    exposures = posterior.exposures.copy()
    exposures[0] = 0
    made = replace(posterior, exposures=exposures, given_taxonomy=whole)
    place = tmp_path_factory.mktemp("fits") / "leafy"
    made.write(place)
    return made, place


def test_the_tree_marks_branches_and_topics_without_documents(frex, leafy):
    made, folder = leafy
    tree, _, legend = frex("top", folder).out.rpartition("\n\n")
    assert legend == "* words of all documents filed under the topic or below it\n"
    lines = tree.splitlines()
    assert [line for line in lines if "*" in line] == [lines[0]]
    assert lines[0].startswith("├── sport *  ")
    assert words_in(lines[0]) == top_words(made, "sport", 5, of="branch")["word"].tolist()
    assert words_in(lines[0]) != top_words(made, "sport", 5, of="topic")["word"].tolist()
    assert [line.split()[-3:] for line in lines if "(" in line] == [
        ["go", "(no", "documents)"],
        ["Nine", "(no", "documents)"],
    ]
    own = frex("top", folder, "--words-of", "topic").out
    assert "*" not in own
    assert words_in(own.splitlines()[0]) == top_words(made, "sport", 5, of="topic")["word"].tolist()
    assert "no documents" in frex("top", folder, "-t", "go").err


def test_siblings_without_documents_share_a_line(posterior, frex, tmp_path):
    empty = {"a": None, "b": None, "b1": "b", "c": None, "d": "sport", "e": "sport"}
    names = [*TREE.topics, *empty]
    parents = [None if p == 0 else TREE.names[p] for p in TREE.parents[1:]]
    titles = [*TREE.titles[1:], *empty]
    whole = TopicTree(names, [*parents, *empty.values()], titles)
    replace(posterior, given_taxonomy=whole).write(tmp_path / "fit")
    lines = frex("top", tmp_path / "fit").out.splitlines()
    assert len(lines) == TREE.n_topics + 3
    assert lines[-1].split() == ["└──", "4", "topics", "(no", "documents)"]  # a, b, b1, c
    below = [line.split()[-3:] for line in lines if "documents)" in line][:-1]
    assert below == [["d", "(no", "documents)"], ["e", "(no", "documents)"]]


def test_a_topic_shown_by_its_branch_says_so(frex, leafy, folder):
    made, place = leafy
    shown = frex("top", place, "-t", "sport", "-n", 4).out
    assert "words of all documents filed under the topic or below it." in shown
    assert "There are no intervals" in shown
    assert "top 4" not in shown
    best = top_words(made, "sport", 4)
    rows = shown.split("\n\n")[1].splitlines()[1:]
    assert [words_in(row)[0] for row in rows] == best["word"].tolist()
    assert f"{best['frex'][0]:.3f}" in rows[0]
    own = frex("top", place, "-t", "sport", "-n", 4, "--words-of", "topic").out
    assert own == frex("top", folder, "-t", "sport", "-n", 4).out
    beside = frex("top", place, "-t", "sport", "-t", "art", "-n", 2).out
    assert beside.splitlines()[0].split() == ["sport", "*", "art"]
    assert "\n\n* words of all documents" in beside
    rows = json.loads(frex("top", place, "-t", "sport", "-n", 2, "--format", "json").out)
    assert [(row["of"], row["frex_low"], row["in_top"]) for row in rows] == [
        ("branch", None, None)
    ] * 2
    assert "'leaves'" in frex("top", place, "--words-of", "leaves").err


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--topic", "goff"), "no topic 'goff' in the tree. Did you mean golf?"),
        (("--topic", "ROOT"), "the root is no topic"),
        (("--siblings",), "Name it with --topic"),
        (("--compare", "golf,chees"), "no topic 'chees' in the tree"),
        (("--weight", "1.2"), "the weight is 1.2"),
        (("--topic", "golf", "--level", "0"), "the level is 0"),
        (("--by", "beauty"), "'beauty'"),
        (("-n", "0"), "greater than or equal to 1"),
    ],
)
def test_a_wrong_option_is_told(frex, folder, options, complaint):
    result = frex("top", folder, *options)
    assert (result.code, result.out) == (2, "")
    assert complaint in re.sub(r"[\s│]+", " ", result.err)


@pytest.fixture
def topics_file(tmp_path):
    path = tmp_path / "topics.csv"
    path.write_text(
        "topic,ball,vote,the,a,b,c,d\nsport,60,0,90,5,6,4,3\npolitics,0,60,90,4,3,5,6\n"
    )
    return path


def test_topics_of_another_program(frex, topics_file):
    result = frex("top", "--model", topics_file, "-n", 2)
    assert result.code == 0, result.err
    assert result.out.splitlines() == ["sport     ball b", "politics  vote d"]
    one = frex("top", "--model", topics_file, "--topic", "sport").out
    assert "topic sport" in one
    assert "most frequent" in one
    rows = json.loads(frex("top", "--model", topics_file, "--format", "json").out)
    assert [row["topic"] for row in rows] == ["sport"] * 7 + ["politics"] * 7
    assert rows[0]["word"] == "ball"
    assert rows[0]["exclusivity"] == 1
    by = frex("top", "--model", topics_file, "--by", "frequency", "-n", 1).out
    assert by.split() == ["sport", "the", "politics", "the"]


def test_topics_of_another_program_as_stm_scores_them(frex, tmp_path):
    counts = tmp_path / "counts.txt"
    counts.write_text("0 ball 0:60\n1 vote 1:50\n2 the 0:90 1:90\n3 a 1:5 0:4\n4 rare 0:1\n")
    rates = np.array([[60, 0, 90, 4, 1], [0, 50, 90, 5, 0.0]])
    shares = rates / rates.sum(axis=1, keepdims=True)
    expected = scores(
        shares, weight=0.7, weight_on="frequency", ties="average",
        shrink="james-stein", counts=rates.sum(axis=0),
    )  # fmt: skip
    out = frex("top", "--model", counts, "--stm", "--weight", 0.7, "--format", "json").out
    found = {(row["topic"], row["word"]): row["frex"] for row in json.loads(out)}
    for k, v in np.ndindex(2, 5):
        word = ("ball", "vote", "the", "a", "rare")[v]
        assert found[str(k), word] == pytest.approx(expected[k, v])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "no topics are named. Name a fit folder, or --model FILE"),
        (("fit", "--model", "{file}"), "for topics of other programs"),
        (("fit", "--stm"), "for topics of other programs"),
        (("--model", "{file}", "--siblings"), "--siblings is for fits"),
        (("--model", "{file}", "--compare", "all"), "--compare is for fits"),
        (("--model", "{file}", "--words-of", "branch"), "--words-of is for fits"),
        (("--model", "{file}", "--topic", "golf"), "there is no topic 'golf'"),
        (("--model", "{file}", "--weight", "2"), "the weight is 2"),
        (("--model", "nowhere.csv"), "nowhere.csv: cannot read the topics"),
    ],
)
def test_wrong_orders_of_top_with_a_model(frex, topics_file, options, message):
    result = frex("top", *(str(option).format(file=topics_file) for option in options))
    assert result.code == 2
    assert message in result.err

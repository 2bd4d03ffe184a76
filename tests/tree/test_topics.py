import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import graphs

from frex.errors import InputError
from frex.tree import ROOT, TopicTree


@pytest.fixture
def news():
    return TopicTree.from_nested(
        {"sport": ["football", {"golf": ["ryder cup"]}], "politics": ["elections"]}
    )


def nodes(tree, *names):
    return tuple(sorted(tree.node(name) for name in names))


def test_order_is_depth_first_and_siblings_keep_theirs(news):
    assert news.topics == ("sport", "football", "golf", "ryder cup", "politics", "elections")
    assert news.names[0] == ROOT
    assert news.parents.tolist() == [-1, 0, 1, 1, 3, 0, 5]
    assert news.levels.tolist() == [0, 1, 2, 2, 3, 1, 2]


def test_children_given_before_their_parents_are_sorted():
    tree = TopicTree(["c", "b", "a"], ["b", "a", None])
    assert tree.topics == ("a", "b", "c")


def test_relatives(news):
    assert news.children("sport") == nodes(news, "football", "golf")
    assert news.siblings("football") == nodes(news, "golf")
    assert news.ancestors("ryder cup") == (news.node("golf"), news.node("sport"))
    assert news.ancestors("sport") == ()
    assert news.siblings(0) == ()


def test_a_person_finds_a_topic_by_name_or_title():
    tree = TopicTree(
        ["C1", "C2", "M1", "Gold"],
        [None, "C1", "C1", "M1"],
        ["Corporate", "Funds", "Gold", "funds"],
    )
    assert tree.find("C1") == tree.find("Corporate") == tree.find("corporate") == 1
    assert tree.find(ROOT) == 0
    assert tree.names[tree.find("Gold")] == "Gold"  # a name comes before a title
    with pytest.raises(InputError, match=r"2 topics .* 'Funds'. Choose one of: C2, Gold"):
        tree.find("Funds")
    with pytest.raises(InputError, match=r"no topic 'Corporat'.*Did you mean Corporate"):
        tree.find("Corporat")


@pytest.mark.parametrize(
    ("compare", "expected"),
    [
        ("siblings", ("football", "golf")),
        ("all", ("sport", "football", "golf", "ryder cup", "politics", "elections")),
        (1, ("football", "sport", "politics")),
        (["elections", "politics"], ("football", "elections", "politics")),
    ],
)
def test_comparison_sets_contain_the_topic(news, compare, expected):
    assert news.comparison_set("football", compare) == nodes(news, *expected)


def test_an_only_child_is_compared_with_its_parent(news):
    assert news.comparison_set("ryder cup") == nodes(news, "golf", "ryder cup")
    lonely = TopicTree(["only"], [None])
    assert lonely.comparison_set("only") == (0, 1)


def test_bad_comparison_sets(news):
    for compare in ("cousins", 9, ["nobody"]):
        with pytest.raises(InputError):
            news.comparison_set("football", compare)


def test_draws_as_text(news):
    assert news.draw({"golf": "green, hole"}).splitlines() == [
        "ROOT  6 topics",
        "├── sport",
        "│   ├── football",
        "│   └── golf  green, hole",
        "│       └── ryder cup",
        "└── politics",
        "    └── elections",
    ]


def test_titles_stand_behind_names():
    tree = TopicTree(["C1", "a/b"], [None, None], ["STRATEGY", "b"])
    assert str(tree).splitlines()[1:] == ["├── C1  STRATEGY", "└── a/b"]


@pytest.mark.parametrize(
    ("topics", "parents", "message"),
    [
        ([], [], "no topics"),
        (["a"], [None, None], "1 topics, 2 parents"),
        (["a", "a"], [None, None], "'a' appears twice"),
        (["a", "b", "b"], [None, "a", "a"], "'b' appears twice"),
        (["a"], ["z"], "'a' has the parent 'z', which is not a topic"),
        (["a", "b", "c"], ["b", "a", None], "each other's ancestors: a < b < a"),
        (["a"], ["a"], "each other's ancestors: a < a"),
        (["a", "b", "c"], ["b", "c", "b"], "each other's ancestors: b < c < b"),
        (["a", "b", "b", "a"], [None, "a", None, "b"], "each other's ancestors: a < b < a"),
        ([ROOT], [None], "name of the root"),
        ([" "], [None], "is empty"),
        (["a "], [None], "has spaces around it"),
        (["a\nb"], [None], "line break"),
        (["\ud800"], [None], "surrogate"),
        ([3], [None], "not text"),
    ],
)
def test_what_is_not_a_tree_is_refused_by_name(topics, parents, message):
    with pytest.raises(InputError, match=message):
        TopicTree(topics, parents)


def test_an_unknown_topic_gets_a_suggestion(news):
    with pytest.raises(InputError, match="Did you mean football"):
        news.node("fotball")


@given(st.lists(st.integers(0, 30), min_size=1, max_size=31), st.randoms())
def test_any_shape_is_parents_first_and_survives_saving(choices, random):
    # topic i hangs under one of the earlier nodes, so every tree shape can come up
    names = [f"t{i}" for i in range(1, len(choices) + 1)]
    parents = [None if c % i == 0 else f"t{c % i}" for i, c in enumerate(choices, start=1)]
    rows = list(zip(names, parents, strict=True))
    random.shuffle(rows)
    tree = TopicTree(*zip(*rows, strict=True))
    assert np.all(tree.parents[1:] < np.arange(1, tree.n_nodes))
    assert {(n, p) for n, p in rows} == {
        (tree.names[i], None if tree.parents[i] == 0 else tree.names[tree.parents[i]])
        for i in range(1, tree.n_nodes)
    }
    assert TopicTree.from_dict(tree.to_dict()) == tree
    assert len(tree.draw().splitlines()) == tree.n_nodes


def test_a_sum_goes_over_a_topic_and_all_below_it():
    tree = TopicTree(["a", "b", "c", "d"], [None, "a", "b", "a"])
    assert tree.sum_up([1, 2, 4, 8]).tolist() == [15, 6, 4, 8]


@pytest.fixture
def graph():
    """Two topics have several parents; one of them is a top-level topic as well."""
    return TopicTree(
        ["sport", "golf", "games", "golf", "chess", "chess", "cards"],
        [None, "sport", None, "games", "games", None, "chess"],
        ["Sport", "Golf", "Games", "", "Chess", "", "Cards"],
    )


def parents_of(tree):
    """Return all parents of each topic by name, the tree's first."""
    return {
        name: tuple(tree.names[parent] for parent in tree.all_parents(node))
        for node, name in enumerate(tree.names)
    }


def test_a_topic_may_have_several_parents(graph):
    assert graph.topics == ("sport", "golf", "games", "chess", "cards")
    assert parents_of(graph) == {
        ROOT: (),
        "sport": (ROOT,),
        "golf": ("sport", "games"),
        "games": (ROOT,),
        "chess": ("games", ROOT),
        "cards": ("chess",),
    }
    assert graph.several_parents == nodes(graph, "golf", "chess")
    assert graph.titles[graph.node("golf")] == "Golf"  # of the first row that has one
    assert graph.ancestors("golf") == nodes(graph, "sport")
    assert graph.all_ancestors("golf") == nodes(graph, "sport", "games")
    assert graph.all_ancestors("cards") == nodes(graph, "games", "chess")
    assert graph.all_ancestors(ROOT) == ()


def test_the_drawing_says_what_else_a_topic_is_under(graph):
    assert graph.draw({"golf": "green, hole"}).splitlines()[1:] == [
        "├── sport  Sport",
        "│   └── golf  Golf  green, hole  also under games",
        "└── games  Games",
        "    └── chess  Chess  also under ROOT",
        "        └── cards  Cards",
    ]


def test_another_parent_makes_another_tree_of_the_same_graph(graph):
    games, golf, chess = (graph.node(name) for name in ("games", "golf", "chess"))
    other = graph.with_parents({golf: games, chess: 0})
    assert other.topics == ("sport", "games", "golf", "chess", "cards")
    assert parents_of(other)["golf"] == ("games", "sport")
    assert other != graph
    assert [other.topics[column] for column in graph.label_columns(other)] == list(graph.topics)
    back = other.with_parents({other.node("golf"): other.node("sport")})
    assert back.with_parents({back.node("chess"): back.node("games")}) == graph
    with pytest.raises(
        InputError, match=r"'golf' has no parent 'chess'\. Choose one of sport, games"
    ):
        graph.with_parents({golf: chess})


def test_other_parents_make_another_tree(graph):
    topics, parents = ["sport", "golf", "games", "chess", "cards"], [
        None, "sport", None, "games", "chess",
    ]  # fmt: skip
    tree = TopicTree(topics, parents, ["Sport", "Golf", "Games", "Chess", "Cards"])
    assert tree.names == graph.names
    assert np.array_equal(tree.parents, graph.parents)
    assert tree != graph
    tree.require_one_parent()
    with pytest.raises(InputError, match="'golf' has several parents, 'sport' and 'games'"):
        graph.require_one_parent()


def test_the_tree_of_some_topics(graph):
    taken = graph.take([graph.node(name) for name in ("chess", "games", "golf", "sport")])
    assert taken.topics == ("sport", "golf", "games", "chess")
    assert taken.titles == (ROOT, "Sport", "Golf", "Games", "Chess")
    assert parents_of(taken)["golf"] == ("sport", "games")
    alone = graph.take(np.array([0, *nodes(graph, "golf", "sport")]))
    assert parents_of(alone) == {ROOT: (), "sport": (ROOT,), "golf": ("sport",)}
    assert graph.take(range(graph.n_nodes)) == graph
    with pytest.raises(InputError, match="below 'chess' are to be kept without it"):
        graph.take([graph.node("cards")])
    with pytest.raises(InputError, match="no node 99"):
        graph.take([99])


def test_a_tree_of_an_earlier_version_is_read(news):
    saved = {key: news.to_dict()[key] for key in ("topics", "parents", "titles")}
    assert TopicTree.from_dict(saved) == news


def test_a_cycle_through_a_second_parent_is_named():
    with pytest.raises(InputError, match="each other's ancestors: b < d < c < b"):
        TopicTree(["a", "b", "c", "d", "b"], [None, "a", "b", "c", "d"])


@given(graphs(), st.data())
def test_any_graph_is_kept_whole(graph, data):
    tree = TopicTree(*zip(*graph, strict=True))
    assert np.all(tree.parents[1:] < np.arange(1, tree.n_nodes))  # it is a tree, parents first
    assert len(tree.draw().splitlines()) == tree.n_nodes
    given = {}
    for name, parent in graph:
        given.setdefault(name, []).append(parent or ROOT)
    kept = parents_of(tree)
    assert {name: set(kept[name]) for name in given} == {n: set(p) for n, p in given.items()}
    assert all(kept[name][0] == parents[0] for name, parents in given.items())

    above = {name: set(parents) for name, parents in given.items()}
    for _ in given:
        for names in above.values():
            names.update(*(above[name] for name in list(names) if name in above))
    for name, names in above.items():
        assert {tree.names[n] for n in tree.all_ancestors(name)} == names - {ROOT}

    chosen = {n: data.draw(st.sampled_from(tree.all_parents(n))) for n in tree.several_parents}
    other = tree.with_parents(chosen)
    assert {n: set(p) for n, p in parents_of(other).items()} == {n: set(p) for n, p in kept.items()}
    for node, parent in chosen.items():
        assert other.names[other.parents[other.node(tree.names[node])]] == tree.names[parent]
    for one in (tree, other):
        again = TopicTree.from_dict(json.loads(json.dumps(one.to_dict())))
        assert again == one
        assert hash(again) == hash(one)


def test_a_part_of_a_title_is_enough_for_a_suggestion():
    tree = TopicTree(["t1", "t2"], [None, None], ["Tariff Policy", "Customs"])
    for text in ("Tariff", "policy", "tariff pol"):
        with pytest.raises(InputError, match="Did you mean Tariff Policy"):
            tree.find(text)
    with pytest.raises(InputError, match="The topics are: t1"):
        tree.find("zebra")


@pytest.mark.parametrize("label", ["football, golf", "football;golf;", "sport|golf", "golf/ sport"])
def test_several_labels_in_one_text_are_told_from_an_unknown_one(news, label):
    parting = next(c for c in label if c in ",;|/")
    text = str(news.known_labels.error(label))
    if all(part.strip() in news for part in label.split(parting) if part.strip()):
        assert f"--separator '{parting}'" in text
        assert "Did you mean" not in text
    else:
        assert "--unknown drop, unknown='drop'" in text

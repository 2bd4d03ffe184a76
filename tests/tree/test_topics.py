import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        (["a", "b", "c", "c"], [None, None, "a", "b"], "'c' has two parents, 'a' and 'b'"),
        (["a"], ["z"], "'a' has the parent 'z', which is not a topic"),
        (["a", "b", "c"], ["b", "a", None], "each other's ancestors: a < b < a"),
        (["a"], ["a"], "each other's ancestors: a < a"),
        (["a", "b", "c"], ["b", "c", "b"], "each other's ancestors: b < c < b"),
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


def test_a_chain_of_ten_thousand_topics_needs_no_recursion():
    n = 10_000
    tree = TopicTree([f"t{i}" for i in range(n)], [None, *(f"t{i}" for i in range(n - 1))])
    assert tree.levels[-1] == n


def test_a_sum_goes_over_a_topic_and_all_below_it():
    tree = TopicTree(["a", "b", "c", "d"], [None, "a", "b", "a"])
    assert tree.sum_up([1, 2, 4, 8]).tolist() == [15, 6, 4, 8]


def test_some_topics_make_a_tree_if_their_parents_are_among_them():
    tree = TopicTree(["a", "b", "c", "d"], [None, "a", "b", "a"], ["A", "B", "C", "D"])
    taken = tree.take([4, 1])
    assert taken == TopicTree(["a", "d"], [None, "a"], ["A", "D"])
    for nodes in ([3], [], [0, 1]):
        with pytest.raises(InputError, match="make no tree"):
            tree.take(nodes)

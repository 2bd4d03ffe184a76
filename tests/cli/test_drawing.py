from frex.cli.drawing import drawn
from frex.cli.screen import cell_width
from frex.tree import TopicTree

PATHS = TopicTree.from_paths(["Operating System :: POSIX :: Linux", "Chat"], separator=" :: ")


def lines(tree, room, shown=None):
    return drawn(tree, range(1, tree.n_nodes), shown or tree.topics, room)


def test_names_that_fit_are_as_they_are():
    assert lines(PATHS, None) == PATHS.outline() == lines(PATHS, 80)


def test_long_names_go_without_the_parent_that_stands_above_them():
    assert lines(PATHS, 30) == [
        "├── Operating System", "│   └── … :: POSIX", "│       └── … :: Linux", "└── Chat"
    ]  # fmt: skip


def test_what_is_too_long_all_the_same_loses_its_end():
    tree = TopicTree(["a", "深" * 30, "x" * 50], [None, "a", "深" * 30])
    found = lines(tree, 40)
    assert all(line.endswith("…") for line in found[1:])
    assert max(map(cell_width, found)) <= 40
    assert "x" * 15 in lines(tree, 5)[2]  # of a name something stays


def test_a_title_is_shown_alone_where_lines_are_too_long():
    tree = TopicTree(["n09411430", "Nile"], [None, "n09411430"], ["river", "Nile"])
    shown = ["n09411430  river", "Nile"]
    assert lines(tree, 20, shown) == ["└── n09411430  river", "    └── Nile"]
    assert lines(tree, 19, shown) == ["└── river", "    └── Nile"]

from itertools import combinations

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from pictures import texts

from frex.errors import InputError
from frex.plots import tree_plot, tree_plot_data
from frex.tree import TopicTree

NEWS = TopicTree.from_nested({
    "sport": ["football", {"golf": ["ryder cup", "open"]}, "chess"],
    "politics": ["elections", "law"],
    "art": ["film"],
})  # fmt: skip
WIDE = TopicTree.from_nested({f"b{i}": [f"b{i}.{j}" for j in range(20)] for i in range(12)})


def test_the_neighbourhood_of_a_topic():
    data = tree_plot_data(NEWS, "golf").set_index("name")
    assert data["role"].to_dict() == {
        "ROOT": "other", "sport": "other", "football": "compared", "golf": "topic",
        "ryder cup": "other", "open": "other", "chess": "compared", "politics": "other",
        "art": "other",
    }  # fmt: skip
    assert data["label"]["politics"] == "politics  +2"
    assert data["label"]["golf"] == "golf"
    assert data["y"][["football", "ryder cup", "open", "chess", "politics", "art"]].tolist() == [
        0, 1, 2, 3, 4, 5,
    ]  # fmt: skip
    assert data["y"]["golf"] == 1.5
    assert data["y"]["sport"] == 1.5
    assert data["level"]["open"] == 3


def test_the_whole_tree_where_there_is_room():
    data = tree_plot_data(NEWS)
    assert data["name"].tolist() == list(NEWS.names)
    assert set(data["role"]) == {"other"}
    assert data["parent"].tolist() == NEWS.parents.tolist()


def test_the_heading_says_how_many_topics_without_documents_are_not_shown():
    assert "not shown: 5 topics without documents" in texts(tree_plot(NEWS, left_out=5).figure)
    beside = texts(tree_plot(NEWS, "golf", left_out=1).figure)
    lines = [" ".join(text.split()) for text in beside]
    assert any(line.endswith("; not shown: 1 topic without documents") for line in lines)
    assert not any("not shown" in text for text in texts(tree_plot(NEWS).figure))


@pytest.mark.parametrize("topic", [None, "b3", "b3.7"])
@pytest.mark.parametrize("compare", ["siblings", "all"])
@pytest.mark.parametrize("rows", [16, 40])
def test_what_does_not_fit_is_counted(topic, compare, rows):
    data = tree_plot_data(WIDE, topic, compare=compare, rows=rows)
    inner = set(data["parent"])
    leaves = [row for row in data.index if row not in inner]
    assert len(leaves) <= rows
    assert sorted(data["y"][leaves]) == list(range(len(leaves)))
    if topic is not None:
        assert (data["role"] == "topic").sum() == 1
    elided = data[data["role"] == "elided"]["label"].str.extract(r"… (\d+) more")[0]
    behind = data["label"].str.extract(r"  \+(\d+)$")[0].dropna()
    left_out = data.loc[elided.index, "level"] == 1  # such a row stands for whole branches
    hidden = elided.astype(int) * np.where(left_out, 21, 1)
    shown = (data["name"] != "").sum()
    assert shown + hidden.sum() + behind.astype(int).sum() == WIDE.n_nodes


def test_an_only_child_is_framed_with_its_parent():
    data = tree_plot_data(NEWS, "film").set_index("name")
    assert data["role"][["art", "film"]].tolist() == ["compared", "topic"]
    shown = texts(tree_plot(NEWS, "film").figure)
    assert "framed: film beside its parent, as an only child" in shown


@pytest.mark.parametrize("size", [None, (4, 3)])
def test_labels_do_not_overlap(size):
    ax = None if size is None else Figure(figsize=size).add_subplot()
    ax = tree_plot(WIDE, "b3.7", ax=ax)
    ax.figure.draw_without_rendering()
    boxes = [t.get_window_extent() for t in ax.findobj(Text) if t.get_text() and t.axes is ax]
    boxes = [box for box in boxes if box.y1 < ax.bbox.y1]
    assert len(boxes) > 20
    assert not any(
        a.x0 < b.x1 and b.x0 < a.x1 and a.y0 + 1 < b.y1 and b.y0 + 1 < a.y1
        for a, b in combinations(boxes, 2)
    )


def test_an_unknown_topic():
    with pytest.raises(InputError, match="Did you mean golf"):
        tree_plot(NEWS, "gol")

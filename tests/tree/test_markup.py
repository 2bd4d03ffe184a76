from html.parser import HTMLParser

from frex import TopicTree
from frex.tree import markup


class Outline(HTMLParser):
    """Reads what is open where, and refuses what does not close."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, _):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.seen.append((self.open.count("ul"), data.strip()))


def outline(tree):
    reader = Outline()
    reader.feed(tree._repr_html_())
    assert reader.open == []
    return [line for line in reader.seen if line[1]]


def test_a_tree_is_lists_in_lists():
    tree = TopicTree(
        ["sport", "golf", "minigolf", "law"], [None, "sport", "golf", None], ["Sport", "", "", ""]
    )
    assert outline(tree) == [
        (0, "TopicTree(4 topics, 3 levels)"),
        (1, "Sport"), (1, "sport"), (2, "golf"), (3, "minigolf"), (1, "law"),
    ]  # fmt: skip


def test_names_are_text():
    tree = TopicTree(["<script>alert(1)</script>", "a & b"], [None, "<script>alert(1)</script>"])
    shown = tree._repr_html_()
    assert "<script" not in shown
    assert (2, "a & b") in outline(tree)


def test_other_parents_are_told():
    tree = TopicTree(["a", "b", "c", "c"], [None, None, "a", "b"])
    assert (2, "also under b") in outline(tree)


def test_a_large_tree_is_cut_and_says_so(monkeypatch):
    monkeypatch.setattr(markup, "MOST", 5)
    names = [f"t{number}" for number in range(9)]
    tree = TopicTree(names, [None, *names[:-1]])
    assert outline(tree)[-1] == (0, "… and 4 more topics")
    assert (5, "t4") in outline(tree)
    assert "t5" not in tree._repr_html_()

import bz2
import gzip
import lzma

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frex.errors import InputError
from frex.tree import TopicTree, files, read_tree

NEWS = TopicTree(["sport", "golf", "news"], [None, "sport", None], ["Sport", "Golf", "News"])

PACKERS = {".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress}


def write(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", "topic,parent,name\nsport,,Sport\ngolf,sport,Golf\nnews,,News\n"),
        ("blank.csv", "\n \n\ntopic,parent,name\n\nsport,,Sport\ngolf,sport,Golf\n\nnews,,News\n"),
        ("bom.csv", "\ufefftopic,parent,name\r\nsport,,Sport\r\ngolf,sport,Golf\r\nnews,,News"),
        ("semicolon.csv", "name;topic;parent\nSport;sport;ROOT\nGolf;golf;sport\nNews;news;\n"),
        (
            "t.tsv",
            "node\tparent\tname\tn\nsport\tRoot\tSport\t1\ngolf\tsport\tGolf\t2\n\nnews\t\tNews\t",
        ),
        (
            "t.json",
            '[{"topic": "sport", "title": "Sport", "children": [{"topic": "golf",'
            ' "name": "Golf"}]}, {"topic": "news", "title": "News"}]',
        ),
        (
            "t.yaml",
            "- topic: sport\n  title: Sport\n  children:\n  - topic: golf\n    title: Golf\n"
            "- {topic: news, title: News}\n",
        ),
        (
            "t.hier.orig",
            "parent: None  child: Root  child-description: Root\n"
            "parent: Root  child: sport  child-description: Sport\n"
            "parent: sport  child: golf  child-description: Golf\n"
            "parent: Root  child: news  child-description: News\n",
        ),
    ],
)
def test_formats_agree(tmp_path, name, text):
    assert read_tree(write(tmp_path, name, text)) == NEWS


def test_nested_mappings_in_json_and_yaml(tmp_path):
    expected = TopicTree(["a", "b", "c", "1"], [None, "a", "a", None])
    assert read_tree(write(tmp_path, "t.json", '{"a": {"b": {}, "c": null}, "1": []}')) == expected
    assert read_tree(write(tmp_path, "t.yml", "a:\n  b:\n  c:\n1:\n")) == expected


def test_a_table_of_topics_alone_is_a_flat_tree(tmp_path):
    text = "topic;name\nsport;Sport\nnews;News\n"
    assert read_tree(write(tmp_path, "t.csv", text)) == TopicTree(
        ["sport", "news"], [None, None], ["Sport", "News"]
    )
    assert read_tree(write(tmp_path, "t.csv", "topic\na\nb\n")) == TopicTree(["a", "b"], [None] * 2)


def test_paths_are_names_and_the_way_is_made(tmp_path):
    tree = read_tree(write(tmp_path, "t.txt", "news/uk/london\nnews\n\nsport\n"))
    assert tree.topics == ("news", "news/uk", "news/uk/london", "sport")
    assert tree.titles[1:] == ("news", "uk", "london", "sport")
    assert TopicTree.from_paths(["a.b"], separator=".").topics == ("a", "a.b")


def test_a_topic_that_is_called_root_stays_a_topic(tmp_path):
    tree = read_tree(write(tmp_path, "t.csv", "topic,parent\nroot,\nbeet,root\n"))
    assert tree.ancestors("beet") == (tree.node("root"),)


@pytest.mark.parametrize(
    ("name", "text", "line", "message"),
    [
        ("t.csv", "a,b\nc,d\n", 1, "names no columns"),
        ("t.csv", "topic,parent\na,\nb\n", 3, "too few columns"),
        ("t.csv", "topic,parent\na,b\nb,a\n", 2, "each other's ancestors: a < b < a"),
        ("t.csv", "topic,parent\na,\nb,a\nc,b\nb,c\n", 5, "each other's ancestors: b < c < b"),
        ("t.csv", "topic,parent\na,\nb,x\n", 3, "parent 'x'"),
        ("t.csv", "topic,parent\na,\n\na,\n", 4, "'a' appears twice .first on line 2"),
        ("t.csv", "topic,parent\n", None, "no topics"),
        ("t.csv", "", 1, "names no columns"),
        ("t.csv", "\n\na,b\nc,d\n", 3, "names no columns"),
        ("t.csv", "topic,over,name\na,,A\n", 1, "names no columns"),
        ("t.txt", "a/b\na//c\n", 2, "empty part"),
        ("t.txt", "a/b\nc\na/b\n", 3, "appears twice .first on line 1"),
        ("t.json", '{"a": {"x": 0},\n "b": {"c"}}', 2, "not JSON"),
        ("t.json", '{"a": {},\n\n "a": {}}', 3, "'a' appears twice"),
        ("t.json", '{"a": [1]}', None, "a topic is 1, a int"),
        ("t.json", "[" * 100_000, 1, "nested too deeply"),
        ("t.yaml", "a:\n  c:\n  c:\n", 3, "'c' appears twice"),
        ("t.yaml", "a:\n  b: [\n", 3, "not YAML"),
        ("t.yaml", "a: &x\n  b: *x\n", 2, "the alias \\*x"),
        ("t.orig", "parent: None child: Root child-description: Root\nCCAT\n", 2, "RCV1 hierarchy"),
        ("t.ttl", "@prefix skos: <x> .\n:a skos:broader\n", None, "not SKOS"),
        ("t.doc", "a", None, "ending '.doc'"),
    ],
)  # fmt: skip
def test_errors_name_file_line_and_topic(tmp_path, name, text, line, message):
    path = write(tmp_path, name, text)
    with pytest.raises(InputError, match=message) as caught:
        read_tree(path)
    assert caught.value.path == str(path)
    if line is not None:
        assert caught.value.line == line


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", "topic,parent\na,\nb,\nc,b\nc,a\n"),
        ("t.json", '{"b": {"c": {}},\n "a": {\n"c": {}}}'),
        ("t.yaml", "b:\n  c:\na:\n  c:\n"),
        ("t.hier", "".join(f"parent: {p} child: {c} child-description: {c}\n"
                           for p, c in ("Rb", "Ra", "bc", "ac")).replace("R", "Root")),
    ],
)  # fmt: skip
def test_a_topic_may_come_up_under_several_parents(tmp_path, name, text):
    tree = read_tree(write(tmp_path, name, text))
    assert [tree.names[parent] for parent in tree.all_parents("c")] == ["b", "a"]
    assert tree.several_parents == (tree.node("c"),)


def test_where_one_parent_is_wanted_the_second_is_an_error_with_its_place(tmp_path):
    path = write(tmp_path, "t.csv", "topic,parent\na,\nb,\nc,a\nc,b\n")
    with pytest.raises(InputError, match="'c' has several parents, 'a' and 'b'") as caught:
        read_tree(path).require_one_parent()
    assert (caught.value.path, caught.value.line) == (str(path), 5)
    assert "first on line 4" in str(caught.value)
    assert "--several-parents" in caught.value.remedy


@pytest.mark.parametrize("ending", PACKERS)
def test_packed_trees(tmp_path, ending):
    path = tmp_path / f"tree.v2.CSV{ending.upper()}"
    path.write_bytes(
        PACKERS[ending](b"topic,parent,name\nsport,,Sport\ngolf,sport,Golf\nnews,,News")
    )
    assert read_tree(path) == NEWS
    path.write_bytes(PACKERS[ending](b"topic,parent\n" * 500)[:-5])
    with pytest.raises(InputError, match="damaged file") as caught:
        read_tree(path)
    assert caught.value.path == str(path)


def test_a_file_that_unpacks_to_more_than_a_tree_can_be(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LARGEST", 10_000)
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"topic,parent\n" + b" " * 20_000))
    with pytest.raises(InputError, match="larger than"):
        read_tree(path)


def test_a_language_is_for_skos_only(tmp_path):
    with pytest.raises(InputError, match="only SKOS has names in several languages"):
        read_tree(write(tmp_path, "t.csv", "topic,parent\na,\n"), names_language="de")


def test_a_file_that_is_not_there_or_not_utf8(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_tree(tmp_path / "none.csv")
    with pytest.raises(InputError, match="No such file"):
        read_tree(tmp_path / "none.ttl")
    (tmp_path / "latin.csv").write_bytes(b"topic,parent\ncaf\xe9,\n")
    with pytest.raises(InputError, match="not UTF-8") as caught:
        read_tree(tmp_path / "latin.csv")
    assert caught.value.line == 2


@settings(max_examples=300)
@given(st.sampled_from(["csv", "json", "yaml", "txt", "orig"]), st.text(max_size=60))
def test_any_text_is_a_tree_or_a_clear_error(tmp_path_factory, ending, text):
    path = tmp_path_factory.mktemp("fuzz") / f"t.{ending}"
    path.write_text(text, encoding="utf-8", errors="replace")
    try:
        assert read_tree(path).n_topics > 0
    except InputError as error:
        assert error.path == str(path)


@pytest.mark.parametrize(
    ("file", "n_topics", "n_levels"),
    [
        ("rcv1_sample/tree.tsv", 103, 4),
        ("arxiv/tree.tsv", 162, 3),
        ("reuters21578/tree_2level.tsv", 140, 2),
        ("reuters21578/tree_3level.tsv", 140, 3),
        ("cwe/cwe-tree.csv", 938, 6),
        ("swisslaw/swisslaw-tree.csv", 870, 7),
        ("boe/boe-tree.csv", 1303, 1),
        ("mdn/mdn-tree.csv", 540, 6),
    ],
)
def test_real_taxonomies(shared_data, file, n_topics, n_levels):
    tree = read_tree(shared_data / file)
    assert (tree.n_topics, tree.levels.max()) == (n_topics, n_levels)

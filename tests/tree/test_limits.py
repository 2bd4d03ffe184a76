import lzma
import sys

import pytest
from bombs import ALIASES, ENTITIES, LEVELS

from frex.errors import InputError
from frex.tree import TopicTree, read_tree
from frex.tree.limits import MOST_LEVELS, check_entities

PREFIXES = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY skos "http://www.w3.org/2004/02/skos/core#" > ]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="&skos;">
<skos:Concept rdf:about="http://example.org/golf"/></rdf:RDF>
"""
CHAIN = "topic,parent\nt0,\n" + "".join(f"t{n},t{n - 1}\n" for n in range(1, 20_000))


def nested_json(n):
    return '[\n{"a":' * n + "null" + "}]" * n


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text", "line", "message"),
    [
        ("t.yaml", ALIASES, 2, r"the alias \*a"),
        ("t.rdf", ENTITIES, 4, "the entity 'b' stands for others"),
        ("t.txt", "x\n" + LEVELS, 2, "the tree has 20,000 levels here"),
        ("t.csv", CHAIN, 102, "the tree has 101 levels here"),
        ("t.csv", CHAIN.replace("t99,t98", "t99,t0\nt99,t98"), 103, "has 101 levels here"),
        ("t.json", nested_json(20_000), 101, "nested too deeply"),
        ("t.json", '{"a":' * 150 + "null" + "}" * 150, 1, "the tree has 101 levels|appears|each"),
        ("t.yaml", "x: y\nz: " + "[" * 20_000, 2, "nested too deeply"),
        ("t.yaml", "".join(f"{' ' * n}t{n}:\n" for n in range(120)), 101, "101 levels here"),
    ],
)
def test_what_would_grow_without_end_is_refused_at_its_line(tmp_path, name, text, line, message):
    path = write(tmp_path, name, text)
    with pytest.raises(InputError, match=message) as caught:
        read_tree(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)


def test_a_tree_may_have_as_many_levels_as_any(tmp_path):
    path = write(tmp_path, "t.csv", "".join(CHAIN.splitlines(keepends=True)[: MOST_LEVELS + 1]))
    assert int(read_tree(path).levels.max()) == MOST_LEVELS
    names = [f"t{n}" for n in range(MOST_LEVELS + 1)]
    with pytest.raises(InputError, match="101 levels"):
        TopicTree(names, [None, *names[:-1]])


def test_xml_entities_may_stand_for_addresses_and_for_nothing_that_grows(tmp_path):
    for value in ('"' + "x" * 2000 + '"', 'SYSTEM "file:///etc/passwd"'):
        with pytest.raises(InputError, match="the entity 'e'"):
            check_entities(f"<!DOCTYPE r [<!ENTITY e {value}>]><r/>".encode(), "t.rdf")
    for harmless in ("<r/>", "no XML", ""):
        check_entities(harmless.encode(), "t.rdf")
    pytest.importorskip("rdflib")
    assert read_tree(write(tmp_path, "t.rdf", PREFIXES)).topics == ("golf",)


def test_a_packed_tree_that_grows_without_end_is_refused(tmp_path):
    path = tmp_path / "t.csv.xz"
    path.write_bytes(lzma.compress(b"topic,parent\n" + b"\n" * (33 << 20)))
    with pytest.raises(InputError, match="the tree is larger than 32 MiB") as caught:
        read_tree(path)
    assert caught.value.path == str(path)


SIBLINGS = {
    "csv": lambda n: "topic,parent\n" + "".join(f"t{k},\n" for k in range(n)),
    "json": lambda n: "{" + ",".join(f'"t{k}": {{}}' for k in range(n)) + "}",
    "yaml": lambda n: "".join(f"t{k}:\n" for k in range(n)),
    "txt": lambda n: "".join(f"a/t{k}\n" for k in range(n)),
}


@pytest.mark.parametrize("ending", SIBLINGS)
def test_twice_the_siblings_take_twice_the_steps(tmp_path, ending):
    def steps(n):
        path, count = write(tmp_path, f"t.{ending}", SIBLINGS[ending](n)), 0

        def one_more(*_):
            nonlocal count
            count += 1

        before = sys.getprofile()
        sys.setprofile(one_more)
        try:
            read_tree(path)
        finally:
            sys.setprofile(before)
        return count

    steps(10)  # what is imported at first
    assert steps(800) < 2.2 * steps(400)

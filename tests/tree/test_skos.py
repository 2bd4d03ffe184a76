import json
import lzma

import pytest

from frex.errors import InputError
from frex.tree import ROOT, TopicTree, read_tree

rdflib = pytest.importorskip("rdflib")

PREFIXES = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <http://example.org/t/> .
"""
SPORT = """
:sport a skos:Concept ; skos:prefLabel "Le sport"@fr, "Sport"@en, "Der Sport"@de ;
    skos:narrower :golf .
:golf a skos:Concept ; skos:prefLabel "Golf\\n club"@en-GB, "Golf"@de ; skos:broader :sport .
:x9 a skos:Concept ; skos:notation "news" ; skos:prefLabel "News" .
"""


def read(folder, text, name="t.ttl", **options):
    path = folder / name
    path.write_text(PREFIXES + text, encoding="utf-8")
    return read_tree(path, **options)


def described(tree):
    """Return the topics as (name, title, names of all parents, the tree's first)."""
    return [
        (tree.names[node], tree.titles[node], *(tree.names[p] for p in tree.all_parents(node)))
        for node in range(1, tree.n_nodes)
    ]


@pytest.mark.parametrize(
    ("name", "syntax"),
    [("t.ttl", "turtle"), ("t.rdf", "xml"), ("t.xml", "xml"), ("t.jsonld", "json-ld"),
     ("t.nt", "nt"), ("t.skos.xz", "turtle"), ("t.rdf.xz", "xml")],
)  # fmt: skip
def test_every_form_of_rdf(tmp_path, name, syntax):
    data = (
        rdflib.Graph()
        .parse(data=PREFIXES + SPORT, format="turtle")
        .serialize(format=syntax, encoding="utf-8")
    )
    (tmp_path / name).write_bytes(lzma.compress(data) if name.endswith(".xz") else data)
    assert read_tree(tmp_path / name) == TopicTree(
        ["news", "sport", "golf"], [None, None, "sport"], ["News", "Sport", "Golf club"]
    )


@pytest.mark.parametrize(
    ("language", "sport", "golf"),
    [(None, "Sport", "Golf club"), ("de", "Der Sport", "Golf"), ("FR", "Le sport", "Golf club")],
)
def test_titles_in_a_language(tmp_path, language, sport, golf):
    tree = read(tmp_path, SPORT, names_language=language)
    assert tree.titles[1:] == ("News", sport, golf)  # English where there is none, else what is


def test_a_language_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"in the language 'e'\. They are in de, en, en-gb, fr"):
        read(tmp_path, SPORT, names_language="e")
    with pytest.raises(InputError, match="They name no language"):
        read(tmp_path, ':a a skos:Concept ; skos:prefLabel "A" .', names_language="en")


def test_several_broader_concepts_are_several_parents(tmp_path):
    tree = read(tmp_path, SPORT + ":golf skos:broader :x9 .\n")
    assert described(tree)[1] == ("golf", "Golf club", "news", "sport")  # by name: no order in SKOS


def test_concepts_without_name_type_or_parent(tmp_path):
    tree = read(
        tmp_path,
        """
        :1 a skos:Concept .
        :2 a skos:Concept ; rdfs:label "Retired" .
        :3 skos:broader :4 .
        :5 skos:topConceptOf :scheme .
        :scheme skos:hasTopConcept :6 .
        :scheme skos:prefLabel "The scheme" .
    """,
    )
    assert described(tree) == [
        ("1", "1", ROOT), ("2", "Retired", ROOT), ("4", "4", ROOT), ("3", "3", "4"),
        ("5", "5", ROOT), ("6", "6", ROOT),
    ]  # fmt: skip


def test_a_top_concept_may_be_below_another_too(tmp_path):
    tree = read(tmp_path, ":s skos:hasTopConcept :a, :b . :b skos:broader :a .")
    assert described(tree) == [("a", "a", ROOT), ("b", "b", "a", ROOT)]


def test_transitive_relations_only_where_there_are_no_others(tmp_path):
    above = ":c skos:broaderTransitive :b, :a . :b skos:broaderTransitive :a . :z a skos:Concept ."
    tree = read(tmp_path, above + ":b skos:narrowerTransitive :c .")
    assert described(tree) == [
        ("a", "a", ROOT), ("b", "b", "a"), ("c", "c", "b"), ("z", "z", ROOT)
    ]  # fmt: skip
    tree = read(tmp_path, above + ":c skos:broader :z .")
    assert described(tree) == [("z", "z", ROOT), ("c", "c", "z")]


def test_every_concept_has_a_name_of_its_own(tmp_path):
    tree = read(
        tmp_path,
        """
        @prefix o: <http://example.org/other/> .
        :a a skos:Concept ; skos:notation "1" .
        :b a skos:Concept ; skos:notation "1", "0" .
        :c a skos:Concept ; skos:notation "0" .
        :d a skos:Concept .
        o:d a skos:Concept .
        :ROOT a skos:Concept .
    """,
    )
    assert set(tree.topics) == {
        "1", "b", "c", "http://example.org/t/d", "http://example.org/other/d",
        "http://example.org/t/ROOT",
    }  # fmt: skip


def test_what_documents_may_call_a_concept(tmp_path):
    known = read(tmp_path, SPORT + ':x8 a skos:Concept ; skos:prefLabel "Golf" .').known_labels
    topic = {label: known.topics[column] for label, column in known.columns.items()}
    assert topic == {
        "news": "news", "News": "news", "http://example.org/t/x9": "news",
        "sport": "sport", "Sport": "sport", "Le sport": "sport", "Der Sport": "sport",
        "http://example.org/t/sport": "sport",
        "golf": "golf", "Golf club": "golf", "http://example.org/t/golf": "golf",
        "x8": "x8", "http://example.org/t/x8": "x8",
    }  # fmt: skip
    assert known.shared == {"Golf": ("golf", "x8")}
    error = known.error("Golf", document="d1", path="docs.jsonl", line=3)
    assert "document 'd1': the label 'Golf' may be any of golf, x8" in str(error)
    assert (error.path, error.line) == ("docs.jsonl", 3)
    assert "Did you mean Sport or" in str(known.error("Sports"))


def test_a_name_is_never_another_topics_alias(tmp_path):
    tree = read(
        tmp_path,
        """
        :golf a skos:Concept .
        :x a skos:Concept ; skos:prefLabel "golf" .
    """,
    )
    assert tree.topics[tree.known_labels.columns["golf"]] == "golf"


def test_aliases_are_saved_with_the_tree(tmp_path):
    tree = read(tmp_path, SPORT)
    assert TopicTree.from_dict(json.loads(json.dumps(tree.to_dict()))).aliases == tree.aliases
    assert tree.take([tree.node("news")]).aliases[1] == tree.aliases[tree.node("news")]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.ttl", ":a skos:broader :b . :b skos:broader :a .", "ancestors: a < b < a"),
        ("t.ttl", "", "no topics"),
        ("t.ttl", ":a skos:broader", "not SKOS in turtle"),
        ("t.rdf", "", "not SKOS in xml"),
        ("t.nt", "", "not SKOS in nt"),
        ("t.jsonld", "", "not JSON"),
    ],
)
def test_errors_name_the_file(tmp_path, name, text, message):
    with pytest.raises(InputError, match=message) as caught:
        read(tmp_path, text, name)
    assert caught.value.path == str(tmp_path / name)


@pytest.mark.parametrize("context", ["http://example.org/c", ["c.jsonld", {}]])
def test_nothing_is_fetched(tmp_path, context):
    path = tmp_path / "t.jsonld"
    path.write_text(json.dumps({"@graph": [{"@context": context, "@id": "http://a/b"}]}))
    with pytest.raises(InputError, match="its context is elsewhere"):
        read_tree(path)


@pytest.mark.parametrize(
    ("file", "n_topics", "n_levels", "n_several"),
    [("uat.rdf.xz", 2372, 10, 332), ("stw.ttl.xz", 6244, 13, 4566), ("ykl.ttl.xz", 2406, 7, 0)],
)
def test_thesauri_as_they_are_published(shared_data, file, n_topics, n_levels, n_several):
    tree = read_tree(shared_data / "thesauri" / file)
    assert (tree.n_topics, len(tree.several_parents)) == (n_topics, n_several)
    assert tree.levels.max() == n_levels
    # a label in some language that two concepts have; all others are understood
    assert len(tree.known_labels.shared) < 30

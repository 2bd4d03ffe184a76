import sys
from dataclasses import replace

import numpy as np
import pytest

from frex.errors import InputError
from frex.export import write_skos
from frex.export.skos import _decimal
from frex.posterior import top_words
from frex.tree import ROOT, TopicTree, read_tree

rdflib = pytest.importorskip("rdflib")
TERMS = rdflib.Namespace("urn:frex:terms#")


def written(fit, tmp_path, **options):
    file = tmp_path / "tree.ttl"
    write_skos(fit, file, overwrite=True, **options)
    return rdflib.Graph().parse(file)


def test_the_tree_makes_the_round_trip(fit, tmp_path):
    write_skos(fit, tmp_path / "tree.ttl")
    again = read_tree(tmp_path / "tree.ttl")

    def described(tree):
        names = [tree.names[parent] for parent in tree.parents[1:]]
        return set(zip(tree.topics, names, tree.titles[1:], strict=True))

    assert described(again) == described(fit.tree)


def test_all_parents_make_the_round_trip(fit, tmp_path):
    names = list(fit.tree.topics)
    parents = [fit.tree.names[parent] for parent in fit.tree.parents[1:]]
    low = next(name for name in reversed(names) if parents[names.index(name)] != ROOT)
    more = [
        ROOT,
        next(
            n
            for n, p in zip(names, parents, strict=True)
            if p == ROOT and n != fit.tree.names[fit.tree.ancestors(low)[-1]]
        ),
    ]
    graph = TopicTree([*names, low, low], [*parents, *more])
    write_skos(replace(fit, tree=graph), tmp_path / "tree.ttl")
    again = read_tree(tmp_path / "tree.ttl")

    def described(tree):
        return {
            name: {tree.names[parent] for parent in tree.all_parents(name)} for name in tree.topics
        }

    assert described(again) == described(graph)
    assert described(again)[low] == {*more, parents[names.index(low)]}


def test_the_same_fit_gives_the_same_file(fit, tmp_path):
    for name in ("one.ttl", "two.ttl"):
        write_skos(fit, tmp_path / name)
    assert (tmp_path / "one.ttl").read_bytes() == (tmp_path / "two.ttl").read_bytes()


def test_a_concept_has_its_words_with_scores(fit, tmp_path):
    graph = written(fit, tmp_path, n=3, weight=0.7)
    expected = top_words(fit, "art/é", 3, weight=0.7)
    concept = rdflib.URIRef("urn:frex:topic:art%2F%C3%A9")
    nodes = sorted(graph.objects(concept, TERMS.word), key=lambda n: graph.value(n, TERMS.rank))
    assert [graph.value(n, TERMS.rank).toPython() for n in nodes] == [1, 2, 3]
    assert [str(graph.value(n, rdflib.RDF.value)) for n in nodes] == expected["word"].tolist()
    assert [str(graph.value(n, TERMS.stem)) for n in nodes] == expected["stem"].tolist()
    for term, column in {"score": "frex", "exclusivity": "exclusivity", "inTop": "in_top"}.items():
        found = [graph.value(n, TERMS[term]) for n in nodes]
        known = [value for value in found if value is not None]
        assert {value.datatype for value in known} == {rdflib.XSD.decimal}
        numbers = [np.nan if value is None else float(value) for value in found]
        assert numbers == pytest.approx(expected[column].tolist(), rel=1e-5, nan_ok=True)
    assert str(graph.value(concept, rdflib.SKOS.note)) == ", ".join(expected["word"])
    assert graph.value(concept, TERMS.documents).toPython() == 2
    used = {p for p in graph.predicates() if str(p).startswith(TERMS)}
    assert all(graph.value(term, rdflib.RDFS.comment) for term in used)


def test_topics_without_documents_and_branches_say_so(leafy, tmp_path):
    graph = written(leafy, tmp_path, n=2)
    topic = "urn:frex:topic:{}".format
    notes = {
        name: str(graph.value(rdflib.URIRef(topic(name)), rdflib.SKOS.note))
        for name in ("sport", "golf", "law")
    }
    best = ", ".join(top_words(leafy, "sport", 2, of="branch")["word"])
    assert notes["sport"] == f"{best} (words of all documents below)"
    assert notes["golf"] == ", ".join(top_words(leafy, "golf", 2)["word"])
    assert notes["law"] == "no documents"
    told = {str(s): str(o) for s, o in graph.subject_objects(TERMS.wordsOf)}
    assert told[topic("sport")] == "branch"
    assert told[topic("golf")] == "topic"
    law = rdflib.URIRef(topic("law"))
    assert graph.value(law, TERMS.word) is None
    assert graph.value(law, TERMS.documents).toPython() == 0
    own = written(leafy, tmp_path, n=2, of="topic")
    assert "below" not in str(own.value(rdflib.URIRef(topic("sport")), rdflib.SKOS.note))


def test_skos_is_whole(fit, tmp_path):
    graph = written(fit, tmp_path, base="https://example.org/topics/", title="News")
    skos, scheme = rdflib.SKOS, rdflib.URIRef("https://example.org/topics")
    concepts = set(graph.subjects(rdflib.RDF.type, skos.Concept))
    assert all(str(concept).startswith("https://example.org/topics/") for concept in concepts)
    assert set(graph.subjects(skos.inScheme, scheme)) == concepts
    assert str(graph.value(scheme, rdflib.DCTERMS.title)) == "News"
    assert set(graph.subject_objects(skos.narrower)) == {
        (parent, child) for child, parent in graph.subject_objects(skos.broader)
    }
    tops = set(graph.objects(scheme, skos.hasTopConcept))
    assert tops == set(graph.subjects(skos.topConceptOf, scheme))
    assert tops == {concept for concept in concepts if not graph.value(concept, skos.broader)}


@pytest.mark.parametrize("base", ["topics/", "https://x.org/a b/", "https://x.org/topics", "", ":"])
def test_a_base_that_begins_no_address_is_refused(fit, tmp_path, base):
    with pytest.raises(InputError, match="cannot begin a concept's address"):
        write_skos(fit, tmp_path / "tree.ttl", base=base)
    assert not list(tmp_path.iterdir())


def test_writing_needs_no_library(fit, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "rdflib", None)
    write_skos(fit, tmp_path / "tree.ttl")
    assert (tmp_path / "tree.ttl").read_text(encoding="utf-8").startswith("@prefix")


def test_odd_words_and_titles_are_read_back(fit, tmp_path):
    odd = ['say "hi"', "back\\slash", "tab\there", "bell\x07", "naïve 🎈 <b>"]
    graph = written(replace(fit, surface=odd), tmp_path, n=5, title='"News"\n\\')
    assert {str(word) for word in graph.objects(None, rdflib.RDF.value)} == set(odd)
    assert str(next(graph.objects(None, rdflib.DCTERMS.title))) == '"News"\n\\'


def test_numbers_are_decimals_without_exponents():
    assert [_decimal(value) for value in (1e-9, 12.0, 0.5, 1234567.0)] == [
        "0.000000001", "12.0", "0.5", "1234570.0",
    ]  # fmt: skip

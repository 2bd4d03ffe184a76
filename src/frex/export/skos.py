"""The tree as a SKOS vocabulary in Turtle, each concept with its FREX words.

A topic is a `skos:Concept`, its name the notation, its title the preferred label. Words are no
labels: a label names the concept, a word only speaks for it. So a concept has a `skos:note` with
its words, which any tool shows, and for each word a `frex:word`, a node of its own:

    [ rdf:value "spam" ; frex:stem "spam" ; frex:rank 1 ; frex:score 0.999 ;
      frex:exclusivity 0.85 ; frex:frequency 1.8 ; frex:inTop 0.95 ]
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np

from frex.errors import InputError, require
from frex.posterior.guards import refuse_not_finite
from frex.posterior.words import word_columns
from frex.storage.files import check_file, whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from os import PathLike

    from frex.posterior import Posterior
    from frex.posterior.branches import Of
    from frex.posterior.words import Compare

ENDINGS = (".ttl",)
BASE = "urn:frex:topic:"
"""What a concept's address begins with, unless the user has a better one."""

VOCABULARY = "urn:frex:terms#"
"""The address of our few terms; the file says what each means."""

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+[/#:]")
_TERMS = {
    "documents": "How many documents have the topic as a label.",
    "word": "A node for a word that is frequent in the topic and exclusive to it.",
    "wordsOf": "Whose words these are: those of the topic, or those of its branch, which is all "
    "documents filed under the topic or below it.",
    "stem": "What the word was counted as.",
    "rank": "The word's place in the topic by score, from 1.",
    "score": "FREX: the weighted harmonic mean of the quantiles of exclusivity and frequency.",
    "exclusivity": "The topic's share of the word's rates in it and in what it is compared with.",
    "frequency": "The word's expected count in a document of mean length about the topic alone.",
    "inTop": "The probability that the word is among the best, as many as are listed.",
}
_COLUMNS = {
    "score": "frex", "exclusivity": "exclusivity", "frequency": "frequency", "inTop": "in_top",
}  # fmt: skip


def write_skos(
    posterior: Posterior,
    path: str | PathLike[str],
    *,
    n: int = 14,
    weight: float = 0.5,
    compare: Compare = None,
    of: Of = "auto",
    base: str = BASE,
    title: str = "A fit",
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write the taxonomy and its words; `frex.tree.read_tree` reads the tree again.

    A topic that has no documents, nor any below it, has a note that says so.

    Parameters
    ----------
    posterior
        The fit.
    path
        The file to write: its name ends in .ttl.
    n, weight, compare, of
        The words, as for `frex.posterior.top_words`.
    base
        What a concept's address begins with, up to a ``/``, ``#`` or ``:``; the topic's name
        follows, percent-encoded. Without that last sign it is the address of the scheme.
    title
        What the scheme is called.
    overwrite
        Replace an older file.
    progress
        Told of topics done.
    """
    file = check_file(path, endings=ENDINGS, overwrite=overwrite)
    check_base(base)
    refuse_not_finite(posterior)
    rdflib = require("rdflib", "skos", "an export to SKOS")
    graph = rdflib.Graph()
    graph.bind("frex", VOCABULARY)
    for triple in _tree_triples(rdflib, posterior, base, title):
        graph.add(triple)
    for topic, name in enumerate(posterior.tree.topics):
        columns = word_columns(posterior, name, n, weight=weight, compare=compare, of=of)
        for triple in _word_triples(rdflib, topic, _concept(rdflib, base, name), columns):
            graph.add(triple)
        if progress:
            progress(1)
    with whole_file(file) as partial:
        graph.serialize(partial, format="turtle", encoding="utf-8")


def check_base(base: str) -> None:
    """Refuse what cannot begin an address."""
    if not _ADDRESS.fullmatch(base):
        raise InputError(
            f"{base!r} cannot begin a concept's address",
            remedy="Give an absolute one that ends in / or #, such as https://example.org/topics/",
        )


def _concept(rdflib: Any, base: str, name: str) -> Any:
    return rdflib.URIRef(base + quote(name, safe=""))


def _tree_triples(
    rdflib: Any, posterior: Posterior, base: str, title: str
) -> Iterator[tuple[Any, Any, Any]]:
    """Yield what SKOS says of the scheme and its concepts."""
    skos, a, literal = rdflib.SKOS, rdflib.RDF.type, rdflib.Literal
    documents = rdflib.URIRef(f"{VOCABULARY}documents")
    tree = posterior.taxonomy
    scheme = rdflib.URIRef(base[:-1])
    concepts = [scheme, *(_concept(rdflib, base, name) for name in tree.topics)]
    counts = np.zeros(tree.n_topics, np.int64)
    counts[posterior.columns] = np.bincount(
        posterior.labels.indices, minlength=posterior.tree.n_topics
    )
    fitted = set(posterior.tree.topics)
    yield scheme, a, skos.ConceptScheme
    yield scheme, rdflib.DCTERMS.title, literal(title)
    for term, meaning in _TERMS.items():
        yield rdflib.URIRef(VOCABULARY + term), rdflib.RDFS.comment, literal(meaning)
    for node in range(1, tree.n_nodes):
        concept = concepts[node]
        yield concept, a, skos.Concept
        yield concept, skos.inScheme, scheme
        yield concept, skos.notation, literal(tree.names[node])
        yield concept, skos.prefLabel, literal(tree.titles[node])
        yield concept, documents, literal(int(counts[node - 1]))
        if tree.names[node] not in fitted:
            yield concept, skos.note, literal("no documents")
        for parent in (concepts[above] for above in tree.all_parents(node)):
            if parent is scheme:
                yield concept, skos.topConceptOf, scheme
                yield scheme, skos.hasTopConcept, concept
            else:
                yield concept, skos.broader, parent
                yield parent, skos.narrower, concept


def _word_triples(
    rdflib: Any, topic: int, concept: Any, columns: dict[str, Any]
) -> Iterator[tuple[Any, Any, Any]]:
    """Yield what is known of a topic's words."""
    terms, literal = rdflib.Namespace(VOCABULARY), rdflib.Literal
    shown = columns["of"][0]
    where = " (words of all documents below)" if shown == "branch" else ""
    yield concept, rdflib.SKOS.note, literal(", ".join(columns["word"]) + where)
    yield concept, terms.wordsOf, literal(shown)
    for row, (word, stem) in enumerate(zip(columns["word"], columns["stem"], strict=True)):
        node = rdflib.BNode(f"t{topic:06}w{row:06}")  # sorted by its place in the file
        yield concept, terms.word, node
        yield node, rdflib.RDF.value, literal(word)
        yield node, terms.stem, literal(stem)
        yield node, terms.rank, literal(row + 1)
        for term, column in _COLUMNS.items():
            value = float(columns[column][row])
            if np.isfinite(value):  # there is no chance without draws
                figure = format(Decimal(f"{value:.6g}"), "f")  # a decimal has no exponent
                yield node, terms[term], literal(figure, datatype=rdflib.XSD.decimal)

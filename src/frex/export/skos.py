"""The tree as a SKOS vocabulary in Turtle, each concept with its FREX words.

A topic is a `skos:Concept`; its name is the notation, its title the preferred label. Words are not
labels, because a label names the concept, while a word is only evidence for it. So a concept has a
`skos:note` with its words, which any tool shows, and a separate node for each word, a `frex:word`:

    [ rdf:value "spam" ; frex:stem "spam" ; frex:rank 1 ; frex:score 0.999 ;
      frex:exclusivity 0.85 ; frex:frequency 1.8 ; frex:inTop 0.95 ]
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np

from frex.errors import InputError
from frex.posterior.guards import refuse_not_finite
from frex.posterior.words import word_columns
from frex.storage.files import check_file, whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from os import PathLike

    from frex.posterior import Posterior
    from frex.posterior.branches import Of
    from frex.posterior.compared import Compare

ENDINGS = (".ttl",)
BASE = "urn:frex:topic:"
"""Default beginning of a concept's address."""

VOCABULARY = "urn:frex:terms#"
"""Address of the terms of frex, which the file explains."""

_PREFIXES = {
    "dcterms": "http://purl.org/dc/terms/",
    "frex": VOCABULARY,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
}

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
    """Write the taxonomy and its words; `frex.tree.read_tree` can read the tree.

    The note of a topic without documents at or below it says so.

    Parameters
    ----------
    posterior
        The fit.
    path
        The file to write, ending in .ttl.
    n, weight, compare, of
        The words, as for `frex.posterior.top_words`.
    base
        Beginning of a concept's address, up to a ``/``, ``#`` or ``:``; the topic's percent-encoded
        name follows. Without the last character it is the address of the scheme.
    title
        Title of the scheme.
    overwrite
        Whether to replace an existing file.
    progress
        Called with the number of topics done.

    Examples
    --------
    >>> from frex.export import write_skos
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> write_skos(posterior, 'tree.ttl', overwrite=True)
    """
    file = check_file(path, endings=ENDINGS, overwrite=overwrite)
    check_base(base)
    refuse_not_finite(posterior)
    tree, fitted = posterior.taxonomy, posterior.tree
    with whole_file(file) as partial, partial.open("w", encoding="utf-8", newline="\n") as lines:
        lines.writelines(_preamble(posterior, base, title))
        for concept, node in zip(_concepts(posterior, base), range(1, tree.n_nodes), strict=True):
            facts = list(concept)
            if tree.names[node] in fitted:
                name = tree.names[node]
                columns = word_columns(posterior, name, n, weight=weight, compare=compare, of=of)
                facts += _words(columns)
                if progress:
                    progress(1)
            lines.write(_statement(_address(base, tree.names[node]), facts))


def check_base(base: str) -> None:
    """Raise an error if a text cannot begin an address."""
    if not _ADDRESS.fullmatch(base):
        raise InputError(
            f"{base!r} cannot begin a concept's address",
            remedy="Give an absolute one that ends in / or #, such as https://example.org/topics/",
        )


def _address(base: str, name: str) -> str:
    return f"<{base}{quote(name, safe='')}>"


def _literal(text: str) -> str:
    """Return a text as a literal; JSON's escapes are valid in Turtle."""
    return json.dumps(text, ensure_ascii=False, allow_nan=False)


def _statement(subject: str, facts: Iterable[str]) -> str:
    """Return the statements about a subject, one predicate and object per line."""
    said = " ;\n    ".join(facts)
    return f"{subject} {said} .\n\n"


def _preamble(posterior: Posterior, base: str, title: str) -> Iterator[str]:
    """Yield the prefixes, the scheme, and the definitions of frex's terms."""
    tree = posterior.taxonomy
    yield from (f"@prefix {name}: <{address}> .\n" for name, address in _PREFIXES.items())
    tops = [node for node in range(1, tree.n_nodes) if 0 in tree.all_parents(node)]
    facts = ["a skos:ConceptScheme", f"dcterms:title {_literal(title)}"]
    facts += [f"skos:hasTopConcept {_address(base, tree.names[node])}" for node in tops]
    yield "\n" + _statement(f"<{base[:-1]}>", facts)
    for term, meaning in _TERMS.items():
        yield _statement(f"frex:{term}", [f"rdfs:comment {_literal(meaning)}"])


def _concepts(posterior: Posterior, base: str) -> Iterator[Iterator[str]]:
    """Yield the statements about each topic of the taxonomy."""
    tree = posterior.taxonomy
    counts = np.zeros(tree.n_topics, np.int64)
    counts[posterior.columns] = np.bincount(
        posterior.labels.indices, minlength=posterior.tree.n_topics
    )
    below: dict[int, list[int]] = {}
    for node in range(1, tree.n_nodes):
        for parent in tree.all_parents(node):
            below.setdefault(parent, []).append(node)
    for node in range(1, tree.n_nodes):
        yield _concept(posterior, base, node, below.get(node, []), int(counts[node - 1]))


def _concept(
    posterior: Posterior, base: str, node: int, below: Sequence[int], n_documents: int
) -> Iterator[str]:
    tree = posterior.taxonomy
    yield "a skos:Concept"
    yield f"skos:inScheme <{base[:-1]}>"
    yield f"skos:notation {_literal(tree.names[node])}"
    yield f"skos:prefLabel {_literal(tree.titles[node])}"
    for parent in tree.all_parents(node):
        if parent:
            yield f"skos:broader {_address(base, tree.names[parent])}"
        else:
            yield f"skos:topConceptOf <{base[:-1]}>"
    yield from (f"skos:narrower {_address(base, tree.names[child])}" for child in below)
    yield f"frex:documents {n_documents}"
    if tree.names[node] not in posterior.tree:
        yield f"skos:note {_literal('no documents')}"


def _words(columns: dict[str, Any]) -> Iterator[str]:
    """Yield the statements about a topic's words."""
    shown = columns["of"][0]
    where = " (words of all documents below)" if shown == "branch" else ""
    yield f"skos:note {_literal(', '.join(columns['word']) + where)}"
    yield f"frex:wordsOf {_literal(shown)}"
    for row, (word, stem) in enumerate(zip(columns["word"], columns["stem"], strict=True)):
        facts = [
            f"rdf:value {_literal(word)}",
            f"frex:stem {_literal(stem)}",
            f"frex:rank {row + 1}",
        ]
        for term, column in _COLUMNS.items():
            value = float(columns[column][row])
            if np.isfinite(value):  # no probability without draws
                facts.append(f"frex:{term} {_decimal(value)}")
        yield f"frex:word [ {' ; '.join(facts)} ]"


def _decimal(value: float) -> str:
    """Return a number as a decimal, with a point and without an exponent."""
    figure = format(Decimal(f"{value:.6g}"), "f")
    return figure if "." in figure else f"{figure}.0"

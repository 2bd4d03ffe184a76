"""Reading a SKOS vocabulary: concepts are topics, `broader` and `narrower` make the tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from frex.errors import InputError, require
from frex.tree.records import TopicRecord

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def skos_records(file: Path) -> Iterator[TopicRecord]:
    """Yield the concepts of a SKOS file in Turtle or RDF/XML, sorted by name.

    A topic's name is the concept's notation or, without one, the last part of its address; its
    title the preferred label, in English where there are several.
    """
    rdflib = require("rdflib", "skos", "a tree in SKOS")
    graph = _parse(rdflib, file)
    skos = rdflib.SKOS
    parents: dict[Any, set[Any]] = {c: set() for c in graph.subjects(rdflib.RDF.type, skos.Concept)}
    broader = [*graph.subject_objects(skos.broader)]
    broader += [(child, parent) for parent, child in graph.subject_objects(skos.narrower)]
    for child, parent in broader:
        for concept in (child, parent):
            parents.setdefault(concept, set())
        parents[child].add(parent)
    names = {concept: _name(graph, skos, concept) for concept in parents}
    for concept in sorted(parents, key=lambda c: (names[c], str(c))):
        title = _title(graph, skos, concept)
        # a second parent yields a second record, which the tree refuses by name
        above: list[str | None] = [*sorted(names[parent] for parent in parents[concept])]
        yield from (TopicRecord(names[concept], parent, title) for parent in above or [None])


def _parse(rdflib: Any, file: Path) -> Any:
    syntax = "turtle" if file.suffix.lower() in {".ttl", ".skos"} else "xml"
    try:
        return rdflib.Graph().parse(source=str(file), format=syntax)
    except OSError as error:
        raise InputError(
            f"cannot read the tree: {error.strerror}", path=file, remedy="Check the path."
        ) from error
    except Exception as error:
        line = getattr(error, "lines", None) or getattr(error, "getLineNumber", lambda: None)()
        raise InputError(
            f"not SKOS in {syntax}: {str(error).strip().splitlines()[0][:200]}",
            path=file,
            line=None if line is None else int(line) + (syntax == "turtle"),
            remedy="Check it with an RDF validator.",
        ) from error


def _name(graph: Any, skos: Any, concept: Any) -> str:
    notation = min((str(n) for n in graph.objects(concept, skos.notation)), default=None)
    return notation or re.split(r"[/#:]", str(concept).rstrip("/#"))[-1]


def _title(graph: Any, skos: Any, concept: Any) -> str | None:
    labels = sorted(
        graph.objects(concept, skos.prefLabel),
        key=lambda label: (not (label.language or "").startswith("en"), str(label)),
    )
    return str(labels[0]) if labels else None

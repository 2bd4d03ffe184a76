"""Reader of SKOS vocabularies: concepts are topics, `broader` and `narrower` make the tree.

Published thesauri express this in many ways, and often incompletely. The reader accepts what SKOS
allows, without inference.
"""

from __future__ import annotations

import json
import re
import warnings
from typing import TYPE_CHECKING, Any

from frex.errors import InputError, require
from frex.tree.limits import check_entities
from frex.tree.records import ROOT, TopicRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


def skos_records(
    data: bytes, file: Path, syntax: str, language: str | None
) -> Iterator[TopicRecord]:
    """Yield the concepts of a vocabulary, sorted by name, with a record for each parent.

    A topic's name is the concept's notation if it is unique, else the last part of its address if
    that is unique, else the whole address. Its title is the preferred label. Its aliases are its
    address, its notations and its preferred labels in all languages.

    Parameters
    ----------
    data, file, syntax
        The vocabulary, its file, and rdflib's name of its format.
    language
        Language of the titles, if there are several; None for English.
    """
    rdflib = require("rdflib", "skos", "a tree in SKOS")
    graph = _parse(rdflib, data, file, syntax)
    parents = _parents(rdflib, graph)
    labels = _texts(graph, rdflib.SKOS.prefLabel, parents)
    _check_language(labels, language, file)
    spare = _texts(graph, rdflib.RDFS.label, parents)  # a retired concept may have only this
    notations = {
        concept: sorted({text for text, _ in found})
        for concept, found in _texts(graph, rdflib.SKOS.notation, parents).items()
    }
    names = _names(parents, notations)
    for concept in sorted(parents, key=names.__getitem__):
        title = _title(labels[concept] or spare[concept], language)
        aliases = (str(concept), *notations[concept], *(text for text, _ in labels[concept]))
        above = sorted(names[parent] for parent in parents[concept] if parent is not None)
        tops: list[str | None] = [None] if None in parents[concept] or not above else []
        for parent in (*above, *tops):
            yield TopicRecord(names[concept], parent, title, aliases=aliases)


def _parse(rdflib: Any, data: bytes, file: Path, syntax: str) -> Any:
    if syntax == "json-ld":
        _refuse_contexts_elsewhere(data, file)
    elif syntax == "xml":
        check_entities(data, file)
    try:
        with warnings.catch_warnings():
            # rdflib's reader of JSON-LD uses a class that rdflib has deprecated
            warnings.simplefilter("ignore", DeprecationWarning)
            return rdflib.Graph().parse(data=data, format=syntax)
    except Exception as error:
        line = getattr(error, "lines", None) or getattr(error, "getLineNumber", lambda: None)()
        raise InputError(
            f"not SKOS in {syntax}: {(str(error).strip() or 'broken').splitlines()[0][:200]}",
            path=file,
            line=None if line is None else int(line) + (syntax == "turtle"),
            remedy="Check it with an RDF validator.",
        ) from error


def _refuse_contexts_elsewhere(data: bytes, file: Path) -> None:
    """Raise an error for JSON-LD with an external context, because nothing is fetched."""
    try:
        stack = [json.loads(data)]
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", path=file, remedy="Mend it.") from error
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            context = value.get("@context")
            for part in context if isinstance(context, list) else [context]:
                if isinstance(part, str):
                    raise InputError(
                        f"its context is elsewhere: {part}",
                        path=file,
                        remedy="Put the context into the file, or convert it to Turtle.",
                    )
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)


def _parents(rdflib: Any, graph: Any) -> dict[Any, set[Any]]:
    """Return the concepts with their parents; a parent of None marks a top concept."""
    skos = rdflib.SKOS
    broader = {*graph.subject_objects(skos.broader)}
    broader |= {(child, parent) for parent, child in graph.subject_objects(skos.narrower)}
    inferred = not broader
    if inferred:
        broader = {*graph.subject_objects(skos.broaderTransitive)}
        broader |= {(c, p) for p, c in graph.subject_objects(skos.narrowerTransitive)}
    tops = {*graph.objects(None, skos.hasTopConcept), *graph.subjects(skos.topConceptOf, None)}
    known = {*graph.subjects(rdflib.RDF.type, skos.Concept), *tops}
    parents: dict[Any, set[Any]] = {concept: set() for concept in known.union(*broader)}
    for child, parent in broader:
        parents[child].add(parent)
    if inferred:  # keep only ancestors that are not above another ancestor
        parents = {
            concept: above - {far for near in above if near != concept for far in parents[near]}
            for concept, above in parents.items()
        }
    for concept in tops:
        parents[concept].add(None)
    return parents


def _texts(
    graph: Any, predicate: Any, concepts: Mapping[Any, Any]
) -> dict[Any, list[tuple[str, str]]]:
    """Return texts and their languages by concept, without line breaks, in a fixed order."""
    found: dict[Any, list[tuple[str, str]]] = {concept: [] for concept in concepts}
    for concept, literal in graph.subject_objects(predicate):
        text = " ".join(str(literal).split())
        if concept in found and text:
            found[concept].append((text, (getattr(literal, "language", None) or "").lower()))
    return {concept: sorted(texts) for concept, texts in found.items()}


def _names(concepts: Mapping[Any, Any], notations: Mapping[Any, list[str]]) -> dict[Any, str]:
    """Return a unique name for each concept, the shortest possible."""
    choices = {}
    for concept in concepts:
        address = str(concept)
        last = re.split(r"[/#:]", address.rstrip("/#"))[-1]
        wanted = (*notations[concept][:1], last, address)
        choices[concept] = [name for name in wanted if name not in ("", ROOT)]
    while True:
        users: dict[str, list[Any]] = {}
        for concept, names in choices.items():
            users.setdefault(names[0], []).append(concept)
        clashing = [concept for same in users.values() if len(same) > 1 for concept in same]
        longer = [concept for concept in clashing if len(choices[concept]) > 1]
        if not longer:
            return {concept: names[0] for concept, names in choices.items()}
        for concept in longer:
            del choices[concept][0]


def _check_language(
    labels: Mapping[Any, list[tuple[str, str]]], language: str | None, file: Path
) -> None:
    known = sorted({spoken for texts in labels.values() for _, spoken in texts if spoken})
    if language is None or any(_speaks(spoken, language.lower()) for spoken in known):
        return
    raise InputError(
        f"no preferred label is in the language {language!r}",
        path=file,
        remedy=f"They are in {', '.join(known)}." if known else "They name no language.",
    )


def _speaks(spoken: str, wanted: str) -> bool:
    """Whether a language is the wanted one or a variant of it, as en-GB is of English."""
    return spoken == wanted or spoken.startswith(f"{wanted}-")


def _title(labels: list[tuple[str, str]], language: str | None) -> str | None:
    """Choose a label in the wanted language, else in English, else in any language."""

    def rank(label: tuple[str, str]) -> list[bool]:
        wanted = [language.lower(), "en"] if language else ["en"]
        return [not fits for w in wanted for fits in (_speaks(label[1], w), label[1] == w)]

    return min(labels, key=rank)[0] if labels else None

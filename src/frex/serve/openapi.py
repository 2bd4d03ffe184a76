"""OpenAPI description of the API: Annif's paths, and additions to them."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from typing import Any

from frex import __version__
from frex.serve.limits import MOST_BYTES, MOST_CHARACTERS, MOST_DOCUMENTS, MOST_EXPLAINED
from frex.serve.requests import DEFAULT_LIMIT, FORM, JSON

_TEXT: dict[str, Any] = {"type": "string"}
_MAYBE_TEXT = {"type": "string", "nullable": True}
_SCORE = {"type": "number", "minimum": 0, "maximum": 1, "example": 0.85}
_DOCUMENT_TEXT = {"type": "string", "maxLength": MOST_CHARACTERS, "description": "the document"}
_LIMIT = {
    "type": "integer",
    "format": "int32",
    "minimum": 0,
    "default": DEFAULT_LIMIT,
    "description": "how many topics at most",
}
_THRESHOLD = {
    "type": "number",
    "minimum": 0.0,
    "maximum": 1.0,
    "default": 0.0,
    "description": "the least score",
}
_LANGUAGE = {"type": "string", "description": "of the topics' names: the project's, or nothing"}


@cache
def description() -> dict[str, Any]:
    """Return the whole description."""
    return {
        "openapi": "3.0.1",
        "info": {
            "title": "frex, with Annif's REST API",
            "version": __version__,
            "description": (
                f"A body has at most {MOST_BYTES:,} bytes, a document {MOST_CHARACTERS:,} "
                f"characters, a batch {MOST_DOCUMENTS} documents."
            ),
        },
        "servers": [{"url": "/v1"}],
        "paths": _paths(),
        "components": {
            "schemas": _schemas(),
            "parameters": {
                "project_id": {
                    "name": "project_id",
                    "in": "path",
                    "required": True,
                    "schema": _TEXT,
                    "description": "the name of a fit",
                }
            },
            "responses": {
                str(status): {
                    "description": HTTPStatus(status).phrase,
                    "content": {"application/problem+json": {"schema": _ref("Problem")}},
                }
                for status in (400, 403, 404, 413, 415, 503)
            },
        },
    }


def _paths() -> dict[str, Any]:
    project = "/projects/{project_id}"
    suggestions = "SuggestionResultList"
    return {
        "/": _get("what this is", "ApiInfo"),
        "/vocabs": _get("the topics of all fits, as vocabularies", "VocabularyList"),
        "/projects": _get("all fits, as projects", "ProjectList"),
        project: _get("one of them", "Project", named=True),
        f"{project}/suggest": _post("topics of a document", _form(), suggestions),
        f"{project}/suggest-batch": _post(
            "topics of several documents",
            _json_body(_ref("Documents")),
            "BatchSuggestionResultList",
            {"limit": _LIMIT, "threshold": _THRESHOLD, "language": _LANGUAGE},
        ),
        f"{project}/explain": _post(
            f"topics of a document, with the words for and against each; {MOST_EXPLAINED} at most",
            _form(),
            "ExplainedResultList",
        ),
        f"{project}/learn": _post(
            "refused: a fit does not change",
            _json_body({"type": "array", "items": _ref("IndexedDocument")}),
            None,
        ),
        "/detect-language": _post(
            "refused: frex does not tell languages",
            _json_body(_ref("LanguageQuestion")),
            None,
            named=False,
        ),
    }


def _get(summary: str, schema: str, *, named: bool = False) -> dict[str, Any]:
    return {
        "get": {
            "summary": summary,
            "parameters": [_ref("project_id", "parameters")] if named else [],
            "responses": {"200": _answer(schema), **_refusals(*([404, 503] if named else []))},
        }
    }


def _post(
    summary: str,
    body: dict[str, Any],
    schema: str | None,
    query: dict[str, Any] | None = None,
    *,
    named: bool = True,
) -> dict[str, Any]:
    parameters = [_ref("project_id", "parameters")] if named else []
    for name, kind in (query or {}).items():
        parameters.append({"in": "query", "name": name, "schema": kind})
    if schema is None:
        responses = _refusals(403, 404, 503) if named else _refusals(400)
    else:
        responses = {"200": _answer(schema), **_refusals(400, 404, 413, 415, 503)}
    return {
        "post": {
            "summary": summary,
            "parameters": parameters,
            "requestBody": {"required": True, "content": body},
            "responses": responses,
        }
    }


def _form() -> dict[str, Any]:
    fields = {
        "text": _DOCUMENT_TEXT,
        "limit": _LIMIT,
        "threshold": _THRESHOLD,
        "language": _LANGUAGE,
    }
    schema = {**_object(fields, "text"), "additionalProperties": _TEXT}
    return {FORM: {"schema": schema}}


def _json_body(schema: dict[str, Any]) -> dict[str, Any]:
    return {JSON: {"schema": schema}}


def _answer(schema: str) -> dict[str, Any]:
    return {"description": "done", "content": {JSON: {"schema": _ref(schema)}}}


def _refusals(*statuses: int) -> dict[str, Any]:
    return {str(status): _ref(str(status), "responses") for status in statuses}


def _ref(name: str, kind: str = "schemas") -> dict[str, Any]:
    return {"$ref": f"#/components/{kind}/{name}"}


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "object", "properties": properties}
    return {**made, "required": list(required)} if required else made


def _list(schema: str) -> dict[str, Any]:
    return {"type": "array", "items": _ref(schema)}


def _schemas() -> dict[str, Any]:
    suggestion = {
        "uri": {**_TEXT, "description": "the topic's address, or its name"},
        "label": {**_TEXT, "description": "its title"},
        "notation": {**_MAYBE_TEXT, "description": "its name, where that is none of the others"},
        "score": {**_SCORE, "description": "how likely it, or its branch, is a label"},
    }
    needed = ("label", "score", "uri")
    results = {"results": {"type": "array", "items": _ref("SuggestionResult")}}
    metadata = {"type": "object", "additionalProperties": _TEXT, "description": "not looked at"}
    word = _object({"word": _TEXT, "gain": {"type": "number"}}, "word", "gain")
    words = {"type": "array", "items": word}
    return {
        "ApiInfo": _object({"title": _TEXT, "version": _TEXT}, "title", "version"),
        "ProjectBackend": _object({"backend_id": _TEXT}, "backend_id"),
        "Vocabulary": _object(
            {
                "vocab_id": _TEXT,
                "languages": {"type": "array", "items": _TEXT},
                "size": {"type": "integer", "nullable": True},
                "loaded": {"type": "boolean"},
            },
            "vocab_id",
        ),
        "VocabularyList": _object({"vocabs": _list("Vocabulary")}),
        "Project": _object(
            {
                "project_id": _TEXT,
                "name": _TEXT,
                "language": _TEXT,
                "backend": _ref("ProjectBackend"),
                "vocab": {**_ref("Vocabulary")},
                "vocab_language": _MAYBE_TEXT,
                "is_trained": {"type": "boolean", "nullable": True},
                "modification_time": {**_MAYBE_TEXT, "format": "date-time"},
            },
            "backend",
            "language",
            "name",
            "project_id",
        ),
        "ProjectList": _object({"projects": _list("Project")}),
        "SuggestionResult": _object(suggestion, *needed),
        "SuggestionResultList": _object(results),
        "BatchSuggestionResultList": {
            "type": "array",
            "items": {
                "allOf": [_ref("SuggestionResultList"), _object({"document_id": _MAYBE_TEXT})]
            },
        },
        "ExplainedResult": _object(
            {
                **suggestion,
                "under": {"type": "array", "items": _TEXT, "description": "topics above it"},
                "is_label": {"type": "boolean", "description": "whether `frex predict` gives it"},
                "why": _object(
                    {
                        "gain": {"type": "number"},
                        "for": words,
                        "against": words,
                        "missing": {"type": "number", "description": "of words that are not there"},
                        "log_odds": {"type": "number", "description": "what the others add up to"},
                        "prior": {"type": "number"},
                        "others": {"type": "number", "description": "of words that are not shown"},
                        "tree": {"type": "number", "description": "of the topic's branch"},
                    }
                ),
            },
            *needed,
        ),
        "ExplainedResultList": _object(
            {
                "results": _list("ExplainedResult"),
                "are_shares": {
                    "type": "boolean",
                    "description": "whether scores are shares of the document, not probabilities",
                },
                "tokens": {
                    "type": "integer",
                    "description": "words of the document that are known",
                },
            }
        ),
        "Document": _object(
            {"text": _DOCUMENT_TEXT, "document_id": _MAYBE_TEXT, "metadata": metadata}, "text"
        ),
        "Documents": _object(
            {"documents": {**_list("Document"), "maxItems": MOST_DOCUMENTS}}, "documents"
        ),
        "IndexedDocument": _object(
            {
                "text": _TEXT,
                "metadata": metadata,
                "subjects": {
                    "type": "array",
                    "items": _object({"uri": _TEXT, "label": _TEXT}, "uri"),
                },
            }
        ),
        "LanguageQuestion": _object(
            {
                "text": _TEXT,
                "languages": {"type": "array", "items": _TEXT, "minItems": 1, "maxItems": 5},
            },
            "text",
            "languages",
        ),
        "Problem": _object(
            {
                "type": {**_TEXT, "default": "about:blank"},
                "title": _TEXT,
                "status": {"type": "integer"},
                "detail": _TEXT,
            }
        ),
    }

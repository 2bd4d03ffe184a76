"""Processing of a request in a worker, from its body to the body of the answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from frex.serve.limits import MOST_EXPLAINED
from frex.serve.offers import best, offered
from frex.serve.requests import RefusedError, read_batch, read_form

if TYPE_CHECKING:
    from collections.abc import Mapping

    from frex.serve.model import Model, Scored
    from frex.serve.requests import Asked


class Done(NamedTuple):
    """An answer."""

    status: int
    body: bytes
    documents: int  #: how many were worked on


def work(models: Mapping[str, Model], asked: Mapping[str, str], body: bytes) -> Done:
    """Answer a request.

    Parameters
    ----------
    models
        By project.
    asked
        Its ``operation``, ``project`` and ``query``.
    body
        As it was posted.
    """
    try:
        return _OPERATIONS[asked["operation"]](models[asked["project"]], body, asked["query"])
    except RefusedError as refused:
        return Done(refused.status, problem(refused.status, refused.title, refused.detail), 0)


def problem(status: int, title: str, detail: str) -> bytes:
    """Return an error in the format of RFC 7807 and Annif."""
    return as_json({"type": "about:blank", "title": title, "status": status, "detail": detail})


def as_json(value: Any) -> bytes:
    """Write JSON without NaN."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _suggest(model: Model, body: bytes, _query: str) -> Done:
    asked = read_form(body)
    return Done(200, as_json({"results": _results(model, asked)[0]}), 1)


def _suggest_batch(model: Model, body: bytes, query: str) -> Done:
    asked = read_batch(body, query)
    found = zip(_results(model, asked), asked.names, strict=True)
    made = [{"results": results, "document_id": name} for results, name in found]
    return Done(200, as_json(made), len(made))


def _explain(model: Model, body: bytes, _query: str) -> Done:
    asked = read_form(body)
    scored = _score(model, asked)
    chosen = _choose(model, scored, asked, 0)[:MOST_EXPLAINED]
    reasons = model.explain(scored, [topic for topic, _ in chosen])
    results = [
        {
            **_suggestion(model, topic, score),
            "under": model.above(topic),
            "is_label": bool(scored.sure[0, topic]),
            "why": why,
        }
        for (topic, score), why in zip(chosen, reasons, strict=True)
    ]
    about = {"tokens": int(scored.counts.sum()), "are_shares": scored.are_shares}
    return Done(200, as_json({"results": results, **about}), 1)


_OPERATIONS = {"suggest": _suggest, "suggest-batch": _suggest_batch, "explain": _explain}


def _results(model: Model, asked: Asked) -> list[list[dict[str, Any]]]:
    if not asked.texts:
        return []
    scored = _score(model, asked)
    return [
        [_suggestion(model, *one) for one in _choose(model, scored, asked, row)]
        for row in range(len(asked.texts))
    ]


def _score(model: Model, asked: Asked) -> Scored:
    if asked.language not in (None, model.language):
        raise RefusedError(f"the topics' names are not in that language but in {model.language}")
    return model.score(asked.texts)


def _choose(model: Model, scored: Scored, asked: Asked, row: int) -> list[tuple[int, float]]:
    if not scored.counts[[row]].nnz:  # nothing is known of it
        return []
    scores = offered(model.tree, scored.scores[row], scored.sure[row], are_shares=scored.are_shares)
    chosen = best(scores, asked.limit, asked.threshold)
    return list(zip(chosen.tolist(), scores[chosen].tolist(), strict=True))


def _suggestion(model: Model, topic: int, score: float) -> dict[str, Any]:
    return {**model.subjects[topic]._asdict(), "score": float(f"{score:.6g}")}

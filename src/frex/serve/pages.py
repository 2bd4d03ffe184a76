"""The pages: one on which to paste a document, and one that describes the API."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, Response

from frex import __version__
from frex.serve.limits import MOST_CHARACTERS
from frex.web import Html, fill, joined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from frex.serve.fits import Loaded

ASSETS = {"page.css": "text/css", "page.js": "text/javascript"}

FRAMED = "frame-ancestors 'none'"
"""Content-Security-Policy in addition to that of the explorer's page."""

_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    f"img-src data:; base-uri 'none'; form-action 'none'; {FRAMED}"
)
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
{head}
</head>
<body>
<header><a href="/">frex</a><nav>{links}</nav></header>
<main>
{body}
</main>
</body>
</html>
"""
_AGAIN = Html('<meta http-equiv="refresh" content="2">')
_SCRIPT = Html('<script src="/page.js" defer></script>')
_HOME = """<h1>Which topics is this about?</h1>
<form id="ask" data-most="{most}">
<p class="row"><label for="project">Fit</label>
<select id="project" name="project">
{projects}
</select>
<a id="explorer" href="#">what its topics are about</a></p>
<p><label for="text">Document</label>
<textarea id="text" name="text" rows="10" maxlength="{most}" autofocus
placeholder="Paste a text here, or drop a text file."></textarea></p>
<p class="row"><button type="submit">Suggest topics</button>
<label class="file">or choose a file <input type="file" id="file"
accept="text/*,.txt,.md,.csv,.json,.html"></label>
<span id="state" role="status" aria-live="polite"></span></p>
</form>
<section id="results" aria-label="Suggestions"></section>
<noscript><p>This page needs JavaScript; <a href="/docs">the API</a> does not.</p></noscript>"""
_DOCS = """<h1>{title}</h1>
<p>{about} Version {version}; <a href="/openapi.json">as OpenAPI</a>.</p>
{operations}
<h2>Beside it</h2>
<ul>
<li><code>GET /health</code>: the server is alive.</li>
<li><code>GET /ready</code>: it would answer now.</li>
<li><code>GET /metrics</code>: figures for Prometheus.</li>
<li><code>GET /fits/NAME</code>: the explorer of a fit.</li>
</ul>
<h2>What is taken and returned</h2>
{schemas}"""
_OPERATION = """<section class="operation">
<h2><code><b>{method}</b> {path}</code></h2>
<p>{summary}</p>
{parameters}
<p class="muted">Answers: {answers}</p>
</section>"""
_TABLE = """<table><thead><tr><th>where</th><th>name</th><th>type</th><th>about</th></tr></thead>
<tbody>
{rows}
</tbody></table>"""
_ROW = (
    "<tr><td>{where}</td><td><code>{name}</code>{needed}</td><td>{kind}</td><td>{about}</td></tr>"
)


def response(page: Html, status: int = 200, **headers: str) -> Response:
    """Return a page as an answer."""
    return HTMLResponse(page, status, {"Content-Security-Policy": _POLICY, **headers})


def asset(name: str) -> Response:
    """Return a part of a page."""
    return Response(_read(name), media_type=ASSETS[name])


@cache
def _read(name: str) -> bytes:
    return (files("frex.serve") / "assets" / name).read_bytes()


def home(fits: Sequence[Loaded]) -> Html:
    """Return the page on which to paste a document.

    Parameters
    ----------
    fits
        Those that are served.
    """
    projects = joined(
        fill(
            '<option value="{name}">{name}: {topics} topics</option>',
            name=one.fit.name,
            topics=f"{one.about['topics']:,}",
        )
        for one in fits
    )
    return _page("frex", fill(_HOME, projects=projects, most=MOST_CHARACTERS), _SCRIPT)


def not_yet() -> Html:
    """Return the page that is shown until the explorer's is made, and then replaced by it."""
    return _page("frex", Html("<h1>This page is being made</h1>\n<p>A moment, please.</p>"), _AGAIN)


def docs(described: Mapping[str, Any]) -> Html:
    """Return the page that describes the API.

    Parameters
    ----------
    described
        The OpenAPI description.
    """
    operations = joined(
        _operation(described, method, path, operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    )
    schemas = joined(
        fill(
            "<details><summary><code>{name}</code></summary><pre>{schema}</pre></details>",
            name=name,
            schema=json.dumps(schema, indent=1, allow_nan=False),
        )
        for name, schema in described["components"]["schemas"].items()
    )
    info = described["info"]
    body = fill(
        _DOCS,
        title=info["title"],
        about=info["description"],
        version=__version__,
        operations=operations,
        schemas=schemas,
    )
    return _page("frex: the API", body, Html(""))


def _page(title: str, body: Html, head: Html) -> Html:
    links = Html('<a href="/">paste</a> <a href="/docs">API</a>')
    return fill(_PAGE, title=title, body=body, head=head, links=links)


def _operation(
    described: Mapping[str, Any], method: str, path: str, operation: Mapping[str, Any]
) -> Html:
    rows = []
    for parameter in operation["parameters"]:
        one = parameter
        if "$ref" in parameter:
            one = described["components"]["parameters"][parameter["$ref"].rpartition("/")[2]]
        about = one.get("description") or one["schema"].get("description", "")
        rows.append(_row(one["in"], one["name"], one["schema"], about, one.get("required", False)))
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        schema = content["schema"]
        if "properties" not in schema:
            rows.append(_row("body", kind, schema, "", True))
        for name, one in schema.get("properties", {}).items():
            needed = name in schema.get("required", ())
            rows.append(_row("form", name, one, one.get("description", ""), needed))
    answers = [
        fill("<code>{status}</code>{kind}", status=status, kind=_kind_of(answer))
        for status, answer in operation["responses"].items()
    ]
    return fill(
        _OPERATION,
        method=method.upper(),
        path=f"/v1{path}",
        summary=operation["summary"],
        parameters=fill(_TABLE, rows=joined(rows)) if rows else "",
        answers=Html(", ".join(answers)),
    )


def _row(where: str, name: str, schema: Mapping[str, Any], about: str, needed: bool) -> Html:
    return fill(
        _ROW, where=where, name=name, kind=_kind(schema), about=about, needed=" *" if needed else ""
    )


def _kind(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if schema["type"] == "array":
        return f"list of {_kind(schema['items'])}"
    default = f", by default {schema['default']}" if "default" in schema else ""
    return f"{schema['type']}{default}"


def _kind_of(answer: Mapping[str, Any]) -> str:
    if "$ref" in answer:
        return ""
    return f" {_kind(next(iter(answer['content'].values()))['schema'])}"

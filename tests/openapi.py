"""What an OpenAPI description promises: whether an answer keeps it, and requests to try it with."""

import json
import re
import socket
from contextlib import suppress
from urllib.parse import quote, urlencode

from hypothesis import strategies as st

KINDS = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list,
         "object": dict}  # fmt: skip


def faults(value, schema, described, where="answer"):
    """Return what is not as a schema has it; names that it does not have are faults too."""
    schema = resolved(schema, described)
    if "allOf" in schema:
        parts = [resolved(part, described)["properties"] for part in schema["allOf"]]
        schema = {"type": "object", "properties": dict(pair for p in parts for pair in p.items())}
    if value is None:
        return [] if schema.get("nullable") else [f"{where} is null"]
    kind = schema["type"]
    if not isinstance(value, KINDS[kind]) or (kind != "boolean" and isinstance(value, bool)):
        return [f"{where} is no {kind}"]
    if kind == "array":
        each = (faults(v, schema["items"], described, f"{where}[{n}]") for n, v in enumerate(value))
        return [fault for one in each for fault in one]
    if kind == "object":
        return object_faults(value, schema, described, where)
    if kind == "number" and not schema.get("minimum", value) <= value <= schema.get("maximum", 1e9):
        return [f"{where} is {value}"]
    return []


def object_faults(value, schema, described, where):
    found = [f"{where} has no {name}" for name in schema.get("required", ()) if name not in value]
    for name, item in value.items():
        if name in schema["properties"]:
            found += faults(item, schema["properties"][name], described, f"{where}.{name}")
        else:
            found.append(f"{where} has a {name}")
    return found


def resolved(part, described):
    """Return what a reference stands for."""
    if "$ref" not in part:
        return part
    node = described
    for name in part["$ref"].removeprefix("#/").split("/"):
        node = node[name]
    return node


def answer_faults(status, content_type, text, operation, described):
    """Return how an answer differs from what an operation promises."""
    responses = operation["responses"]
    if str(status) not in responses:
        return [f"{status} is not promised"]
    content = resolved(responses[str(status)], described)["content"]
    if content_type not in content:
        return [f"{content_type} is not promised"]
    value = json.loads(text, parse_constant=lambda name: [name])
    return faults(value, content[content_type]["schema"], described)


def operations(described):
    """Yield path, method and operation."""
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


WORDS = ("", "golf", "the goal of painting putts", "\x00", "\ud83e", "ü🦊", "9" * 400, "a b" * 3000,
         "-1", "1e999", "nan", "null", "[" * 2000, "%00", "../..", "<script>")  # fmt: skip
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(WORDS) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def values(schema, described):
    """Return values of a schema, and now and then others."""
    schema = resolved(schema, described)
    kind = schema["type"]
    if kind == "object":
        fields = {k: values(v, described) for k, v in schema.get("properties", {}).items()}
        right = st.fixed_dictionaries({}, optional=fields) | st.fixed_dictionaries(fields)
    elif kind == "array":
        most = schema.get("maxItems", 3)
        item = values(schema["items"], described)
        right = st.lists(item, max_size=3) | st.lists(item, min_size=most, max_size=most + 2)
    elif kind == "string":
        right = st.sampled_from(WORDS) | st.text()
    elif kind == "boolean":
        right = st.booleans()
    else:
        low, high = schema.get("minimum", -5), schema.get("maximum", 50)
        right = st.integers(int(low), int(high)) if kind == "integer" else st.floats(low, high)
    return st.one_of(right, right, right, ANY)


HEADERS = {
    "Content-Type": st.sampled_from(
        ["application/json", "application/x-www-form-urlencoded", "text/plain", "", "a" * 300, ";;",
         "application/json; charset=utf-8", "application/json; charset=x", "multipart/form-data"]
    ),
    "Content-Encoding": st.sampled_from(["gzip", "identity", "x"]),
    "Accept": st.sampled_from(["*/*", "text/html", "x"]),
    "Authorization": st.sampled_from(["Bearer x", "Basic !!", "Basic eDp5"]),
    "Origin": st.sampled_from(["null", "http://x.example"]),
    "Host": st.sampled_from(["", "x.example", "localhost:99999", "[::", "localhost"]),
    "Transfer-Encoding": st.just("identity"),
    "Content-Length": st.sampled_from(["-1", "0", "5", "99999999999999999999", "x"]),
    "Expect": st.sampled_from(["100-continue", "x"]),
    "Range": st.just("bytes=0-1"),
}  # fmt: skip


@st.composite
def requests(draw, described, project):
    """Draw a request: method, path, headers and body, more or less as the description has it."""
    path, method, operation = draw(st.sampled_from(list(operations(described))))
    names = st.sampled_from([project] * 6 + ["nothing", "", "..", "%00", "ü", "a/b", "x" * 3000])
    target = "/v1" + path.replace("{project_id}", quote(draw(names), safe="%"))
    queried = {
        p["name"]: values(p["schema"], described)
        for p in (resolved(p, described) for p in operation["parameters"])
        if p["in"] == "query"
    }
    query = draw(st.fixed_dictionaries({}, optional=queried | {"more": ANY}))
    if query:
        target += "?" + urlencode(query, errors="replace")
    headers, body = {}, None
    if "requestBody" in operation:
        ((kind, content),) = operation["requestBody"]["content"].items()
        made = draw(values(content["schema"], described))
        headers["Content-Type"] = kind
        if kind == "application/json":
            body = json.dumps(made).encode()
        elif isinstance(made, dict):
            body = urlencode(made, errors="replace").encode()
        else:
            body = str(made).encode(errors="replace")
    changes = draw(st.integers(0, 7))
    if changes == 0 and body:
        body = draw(mutations(body))
    elif changes == 1:
        method = draw(st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"]))
    elif changes == 2:
        target = draw(
            st.sampled_from(
                [
                    "/",
                    "/v1",
                    "/docs",
                    "/metrics",
                    "/ready",
                    "/fits/x",
                    "//",
                    "*",
                    "/v1/projects/",
                    "/%ff",
                    "/page.js",
                    "/v1/projects//suggest",
                ]
            )
        )
    if draw(st.integers(0, 3)) == 0:
        headers |= draw(st.fixed_dictionaries({}, optional=HEADERS))
    return method.upper(), target, headers, body


@st.composite
def mutations(draw, body):
    """Draw what becomes of a body when bytes are cut, changed and put in."""
    place = draw(st.integers(0, len(body)))
    kind = draw(st.integers(0, 2))
    if kind == 0:
        return body[:place]
    return body[:place] + draw(st.binary(min_size=1, max_size=4)) + body[place + kind - 1 :]


def send(port, method, target, headers, body):
    """Send a request as it is; return the answer's status, None where there is none."""
    headers = {"Host": "localhost", "Connection": "close"} | headers
    told = "Content-Length" in headers
    if not told and body is not None:
        headers["Content-Length"] = len(body)
    lines = [
        f"{method} {target} HTTP/1.1",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    message = "\r\n".join([*lines, "", ""]).encode() + (body or b"")
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        received = b""
        with suppress(ConnectionError):
            connection.sendall(message)
            if told:  # more may have been declared than comes
                connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(1 << 16):
                received += piece
    found = re.search(rb"HTTP/1.1 ([2-5]\d\d) ", received)  # 100 is no answer
    return int(found[1]) if found else None

"""The description is Annif's, and what is served is as described."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from openapi import answer_faults, faults, operations, requests, resolved, send

from frex.serve.openapi import description

DESCRIBED = description()
BATCH = {"documents": [{"text": "the golfer putts", "document_id": "x"}, {"text": "nothing"}]}
FORM = {"text": "the golfer putts"}
PROJECT = "/v1/projects/small"
VALID = {
    "/": None, "/vocabs": None, "/projects": None, "/projects/{project_id}": None,
    "/projects/{project_id}/suggest": FORM, "/projects/{project_id}/explain": FORM,
    "/projects/{project_id}/suggest-batch": BATCH, "/projects/{project_id}/learn": [],
    "/detect-language": {"text": "a", "languages": ["en"]},
}  # fmt: skip


@pytest.mark.parametrize(("path", "method", "operation"), list(operations(DESCRIBED)))
def test_what_is_served_is_as_described(server, path, method, operation):
    body, headers = VALID[path], {}
    if "application/json" in operation.get("requestBody", {}).get("content", {}):
        body, headers = json.dumps(body), {"Content-Type": "application/json"}
    for name in ("small", "nothing"):
        answer = server.ask(f"/v1{path}".replace("{project_id}", name), body, headers)
        kind = answer.headers["content-type"]
        assert answer_faults(answer.status, kind, answer.text, operation, DESCRIBED) == []
    refused = path.endswith(("/learn", "/detect-language"))
    assert (answer.status == 404) == ("{" in path)
    assert server.ask(f"/v1{path}".replace("{project_id}", "small"), body, headers).status == (
        200 if not refused else 403 if "learn" in path else 400
    )


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(request=requests(DESCRIBED, "small"))
def test_no_request_is_a_fault(server, request):
    status = send(server.port, *request)
    assert status in {200, 400, 401, 403, 404, 405, 413, 415, None}, status


def test_a_fault_in_an_answer_is_seen():
    schema = {"$ref": "#/components/schemas/SuggestionResultList"}
    good = {"uri": "a", "label": "a", "notation": None, "score": 0.5}
    assert faults({"results": [good]}, schema, DESCRIBED) == []
    for bad in ({"score": None}, {"score": 2}, {"uri": 3}, {"more": 1}, {"score": True}):
        assert len(faults({"results": [good | bad]}, schema, DESCRIBED)) == 1
    del good["uri"]
    assert faults({"results": [good]}, schema, DESCRIBED) == ["answer.results[0] has no uri"]


def test_references_lead_somewhere():
    def references(part):
        if isinstance(part, dict):
            yield from (v for k, v in part.items() if k == "$ref")
            part = list(part.values())
        if isinstance(part, list):
            for inner in part:
                yield from references(inner)

    found = set(references(DESCRIBED))
    assert len(found) > 15
    for reference in found:
        assert resolved({"$ref": reference}, DESCRIBED)


def test_annifs_own_description_is_kept(annif):
    """Whatever Annif's has is here: paths, parameters, fields, and what is required of them."""
    yaml = pytest.importorskip("yaml")
    (path,) = Path(annif).glob("lib/python*/site-packages/annif/openapi/annif.yaml")
    theirs = yaml.safe_load(path.read_text())
    assert set(theirs["paths"]) <= set(DESCRIBED["paths"])
    for path, method, operation in operations(theirs):
        ours = DESCRIBED["paths"][path][method]
        asked = [resolved(p, theirs)["name"] for p in operation.get("parameters", ())]
        assert [resolved(p, DESCRIBED)["name"] for p in ours["parameters"]] == asked
        for kind, content in operation.get("requestBody", {}).get("content", {}).items():
            same_fields(content["schema"], ours["requestBody"]["content"][kind]["schema"], theirs)
        if "200" in ours["responses"] and 200 not in operation["responses"]:
            (one,) = operation["responses"]["200"]["content"].values()
            (other,) = ours["responses"]["200"]["content"].values()
            same_fields(one["schema"], other["schema"], theirs)


def same_fields(theirs, ours, described):
    theirs, ours = resolved(theirs, described), resolved(ours, DESCRIBED)
    if "allOf" in theirs:
        for one, other in zip(theirs["allOf"], ours["allOf"], strict=True):
            same_fields(one, other, described)
        return
    assert theirs["type"] == ours["type"]
    assert set(theirs.get("required", ())) == set(ours.get("required", ()))
    if theirs["type"] == "array":
        assert theirs.get("maxItems") == ours.get("maxItems")
        same_fields(theirs["items"], ours["items"], described)
    for name, field in theirs.get("properties", {}).items():
        same_fields(field, ours["properties"][name], described)

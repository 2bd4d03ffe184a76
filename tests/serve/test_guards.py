"""Who is let in."""

import base64

import pytest
from starlette.datastructures import Headers

from frex.errors import InputError
from frex.serve.guards import Guard, check_token
from frex.serve.requests import RefusedError

TOKEN = "0123456789abcdef"


def status(guard, headers, path="/v1/projects", method="POST"):
    """Return with what a request is refused; 200 where it is not."""
    try:
        guard.check(method, path, Headers({"host": "localhost:8000"} | headers))
    except RefusedError as refused:
        return refused.status
    return 200


@pytest.mark.parametrize(
    ("host", "local", "open_"),
    [("localhost", 200, 200), ("127.0.0.1:80", 200, 200), ("[::1]:8000", 200, 200),
     ("LOCALHOST:1", 200, 200), ("evil.example", 403, 403), ("", 403, 403), ("[", 403, 403),
     ("localhost.evil.example", 403, 403), ("10.0.0.7:8000", 403, 200), ("proxy.lan", 200, 200),
     ("127.0.0.1.evil.example", 403, 403), ("user@localhost", 200, 200)],
)  # fmt: skip
def test_only_our_own_names_are_served(host, local, open_):
    headers = {"host": host}
    assert status(Guard("127.0.0.1", ["proxy.lan"], None), headers) == local
    bearer = headers | {"authorization": f"Bearer {TOKEN}"}
    assert status(Guard("0.0.0.0", ["proxy.lan"], TOKEN), bearer) == open_


def basic(text):
    return "Basic " + base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("given", "expected"),
    [(f"Bearer {TOKEN}", 200), (f"bearer {TOKEN}", 200), (basic(f"any:{TOKEN}"), 200),
     (basic(f":{TOKEN}"), 200), (basic(TOKEN), 401), ("Basic !", 401), ("Bearer", 401), ("", 401),
     (f"Bearer {TOKEN}x", 401), (f"Bearer {TOKEN[:-1]}", 401), (TOKEN, 401), ("Bearer \xff", 401),
     (f"Token {TOKEN}", 401)],
)  # fmt: skip
def test_a_token_is_needed_where_there_is_one(given, expected):
    guard = Guard("127.0.0.1", [], TOKEN)
    assert status(guard, {"authorization": given}) == expected
    assert status(guard, {"authorization": given}, path="/", method="GET") == expected
    for path in ("/health", "/ready"):
        assert status(guard, {}, path=path, method="GET") == 200
    for path in ("/health/", "//health", "/metrics", "/docs", "/fits/ready"):
        assert status(guard, {}, path=path, method="GET") == 401


@pytest.mark.parametrize(
    ("headers", "expected"),
    [({"origin": "http://localhost:8000"}, 200), ({"origin": "http://localhost:3000"}, 403),
     ({"origin": "https://evil.example"}, 403), ({"origin": "null"}, 403), ({"origin": ""}, 403),
     ({"origin": "https://proxy.lan"}, 200), ({"sec-fetch-site": "cross-site"}, 403),
     ({"sec-fetch-site": "same-site"}, 403), ({"sec-fetch-site": "same-origin"}, 200), ({}, 200)],
)  # fmt: skip
def test_other_sites_pages_post_nothing(headers, expected):
    guard = Guard("127.0.0.1", ["proxy.lan"], None)
    assert status(guard, headers) == expected
    assert status(guard, headers, method="GET") == 200  # a link leads here


@pytest.mark.parametrize("token", ["", "short", "x" * 15, "ü" * 20, "0123456789abcdef\n0123456789"])
def test_weak_tokens_are_refused(token):
    with pytest.raises(InputError, match="FILE has no token of 16") as caught:
        check_token(token, whence="FILE")
    assert not token or token not in str(caught.value)


def test_white_space_around_a_token_does_not_count():
    assert check_token(f" {TOKEN}\n", whence="FILE") == TOKEN

"""`frex serve`: what is refused before anything is served; `tests/serve` has the server."""

import socket

import pytest
from fits import make_map_fit

pytest.importorskip("uvicorn")


@pytest.fixture
def fit(tmp_path):
    make_map_fit().write(tmp_path / "fit")
    return tmp_path / "fit"


def test_another_host_needs_a_token(frex, fit, tmp_path, monkeypatch):
    monkeypatch.delenv("FREX_SERVE_TOKEN", raising=False)
    result = frex("serve", fit, "--host", "0.0.0.0")
    assert result.code == 2
    assert "there is no token. Give --token-file FILE, or set FREX_SERVE_TOKEN." in result.err
    (tmp_path / "token").write_text("secret")
    result = frex("serve", fit, "--host", "0.0.0.0", "--token-file", tmp_path / "token")
    assert (result.code, "no token of 16" in result.err) == (2, True)
    assert "secret\n" not in result.err
    result = frex("serve", fit, "--token-file", tmp_path / "nowhere")
    assert (result.code, "the token cannot be read" in result.err) == (2, True)
    monkeypatch.setenv("FREX_SERVE_TOKEN", "short")
    result = frex("serve", fit)
    assert (result.code, "FREX_SERVE_TOKEN has no token" in result.err) == (2, True)


def test_a_port_that_is_taken_is_told(frex, fit):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = frex("serve", fit, "--port", port)
    assert result.code == 2
    assert f"cannot listen on 127.0.0.1, port {port}" in result.err


def test_names_are_checked_first(frex, fit):
    result = frex("serve", fit, fit)
    assert (result.code, "two projects are called fit" in result.err) == (2, True)

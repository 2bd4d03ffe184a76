"""Two fits of four topics, and a server of both."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fits import make_map_fit, make_siblings_fit
from servers import Server

from frex.posterior import read_posterior
from frex.serve.model import Model

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Return a folder with two fits: of ``other``, a set of whose is none, no page can be made."""
    path = tmp_path_factory.mktemp("served")
    make_siblings_fit().write(path / "small")
    make_map_fit().write(path / "other")
    return path


@pytest.fixture(scope="session")
def model(folder):
    return Model(read_posterior(folder / "small"))


@pytest.fixture(scope="session")
def server(folder, tmp_path_factory):
    """Serve both, for tests that leave the server as it is."""
    log = tmp_path_factory.mktemp("log") / "log"
    options = ("--workers", 2)
    with Server("serve", folder / "small", f"second={folder / 'other'}", *options, log=log) as one:
        yield one
    said = log.read_text().splitlines()
    (only,) = [line for line in said if "Invalid HTTP request received" not in line]
    assert only.startswith(f"{folder / 'other'} has no explorer's page: ")


@pytest.fixture(scope="session")
def annif():
    """Return the virtual environment in which Annif is, where FREX_ANNIF names one."""
    path = os.environ.get("FREX_ANNIF")
    if path is None:
        pytest.skip("FREX_ANNIF names no virtual environment with Annif: docs/serve.md")
    return Path(path)


@pytest.fixture
def frex_program():
    """Return a function that runs `frex` in a process of its own."""

    def run(*arguments):
        command = "import sys; from frex.cli import main; main(sys.argv[1:])"
        return subprocess.run(
            [sys.executable, "-c", command, *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    return run

"""A study, and a real browser for its pages. Playwright drives it, and downloads nothing."""

import shutil

import pytest
from evaluators import make_summaries

from frex.study import make_study

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture
def study(tmp_path):
    """Return a study of two evaluators with two tasks of each kind."""
    return make_study(
        tmp_path / "study", make_summaries(), evaluators=2, intrusion=2, coherence=2, seed=3
    )


@pytest.fixture(scope="module")
def browser():
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("no Chromium on PATH (scripts/install_chromium.sh installs Debian's)")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()

"""What all tests share: the real corpora, and a real browser, where they are there."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

# no test looks at a clock; under continuous integration Hypothesis' own profile says so already
if "CI" not in os.environ:
    settings.register_profile("frex", deadline=None)
    settings.load_profile("frex")

ROOT = Path(__file__).parents[1]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def shared_data():
    """Return the folder of real corpora; a clone without one skips the tests that need it."""
    folder = Path(os.environ.get("FREX_TEST_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real corpora at {folder} (set FREX_TEST_DATA to their folder)")
    return folder


@pytest.fixture(scope="module")
def browser():
    """Return a real browser. Playwright drives it, and downloads nothing."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no Chromium on PATH (scripts/install_chromium.sh installs Debian's)")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()

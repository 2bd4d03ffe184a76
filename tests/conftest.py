"""What all tests share: the real corpora, and a real browser, where they are there."""

import os
import shutil
import signal
from pathlib import Path

import pytest
from disks import small_disk
from hypothesis import settings

# no test looks at a clock; under continuous integration Hypothesis' own profile says so already
if "CI" not in os.environ:
    settings.register_profile("frex", deadline=None)
    settings.load_profile("frex")

# a shell lets what it starts in the background ignore Ctrl-C, which some tests press
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parents[1]

if "PYTEST_XDIST_WORKER" in os.environ:
    # all processes share what is compiled, and those that they start
    folder = ROOT / ".pytest_cache" / "numba"
    for old in sorted(folder.glob("kernels-*"), key=os.path.getmtime)[:-1]:
        shutil.rmtree(old, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = str(folder)


def pytest_collection_modifyitems(items):
    """Begin with the long tests, so that at the end no process waits for another's."""
    items.sort(key=lambda item: item.get_closest_marker("statistical") is None)


BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def shared_data():
    """Return the folder of real corpora; a clone without one skips the tests that need it."""
    folder = Path(os.environ.get("FREX_TEST_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real corpora at {folder} (set FREX_TEST_DATA to their folder)")
    return folder


@pytest.fixture
def disk(tmp_path):
    """Return a disk of a megabyte, which a test can fill."""
    with small_disk(tmp_path / "disk") as found:
        yield found


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

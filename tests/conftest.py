"""What all tests share: where the real corpora are, when they are there."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# no test looks at a clock; under continuous integration Hypothesis' own profile says so already
if "CI" not in os.environ:
    settings.register_profile("frex", deadline=None)
    settings.load_profile("frex")

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def shared_data():
    """Return the folder of real corpora; a clone without one skips the tests that need it."""
    folder = Path(os.environ.get("FREX_TEST_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real corpora at {folder} (set FREX_TEST_DATA to their folder)")
    return folder

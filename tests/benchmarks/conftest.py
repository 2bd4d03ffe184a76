"""The benchmarks are scripts beside one another, and no package."""

from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="package", autouse=True)
def benchmarks():
    """Let a test import what the benchmarks import from one another."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCHMARKS)
        yield

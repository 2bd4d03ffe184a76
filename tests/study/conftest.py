"""A study."""

import pytest
from evaluators import make_summaries

from frex.study import make_study


@pytest.fixture
def study(tmp_path):
    """Return a study of two evaluators with two tasks of each kind."""
    return make_study(
        tmp_path / "study", make_summaries(), evaluators=2, intrusion=2, coherence=2, seed=3
    )

"""What the tests of distributions share."""

import pytest

from frex.sampler.threads import use_threads


@pytest.fixture
def one_thread():
    """Run the kernels on one thread: on tiny data the others' start costs more than the work."""
    with use_threads(1):
        yield

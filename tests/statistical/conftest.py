"""What the tests of distributions share."""

import numba
import pytest


@pytest.fixture
def one_thread():
    """Run the kernels on one thread: on tiny data the others' start costs more than the work."""
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    yield
    numba.set_num_threads(before)

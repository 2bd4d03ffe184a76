"""Threads share a loop: every item once, whatever goes wrong."""

import os
import threading

import pytest

from frex.errors import InputError
from frex.sampler import threads
from frex.sampler.threads import WORTH_SHARING, Shared, number_of_threads, use_threads


@pytest.fixture
def three(monkeypatch):
    """Let there be three cores."""
    monkeypatch.setattr(threads, "most_threads", lambda: 3)
    threads._pool.cache_clear()
    yield
    threads._pool().shutdown()
    threads._pool.cache_clear()


@pytest.mark.parametrize("n_items", [0, 1, 2, 3, 7, 100])
@pytest.mark.parametrize("n_threads", [1, 2, 3])
@pytest.mark.usefixtures("three")
def test_every_item_is_taken_once(n_items, n_threads):
    taken, by = [0] * n_items, []

    def loop(stretch, step):
        by.append(stretch)
        for i in range(*stretch):
            taken[i] += step

    with use_threads(n_threads):
        Shared(loop)(n_items, (1,))
    assert taken == [1] * n_items
    assert len(by) == max(1, min(n_items, n_threads))


@pytest.mark.usefixtures("three")
def test_an_error_of_any_thread_is_raised_when_all_have_ended():
    ended = []

    def loop(stretch):
        if stretch[0] == 0:
            raise MemoryError("of the first")
        ended.append(stretch)

    with use_threads(3), pytest.raises(MemoryError, match="of the first"):
        Shared(loop)(3, ())
    assert len(ended) == 2

    def another(stretch):
        if stretch[0] == 2:
            raise MemoryError("of the last")

    with use_threads(3), pytest.raises(MemoryError, match="of the last"):
        Shared(another)(3, ())


@pytest.mark.usefixtures("three")
def test_the_number_of_threads_is_that_of_the_innermost_block():
    with use_threads(2):
        with use_threads(1):
            assert number_of_threads() == 1
        assert number_of_threads() == 2
    assert number_of_threads() == 3
    with pytest.raises(InputError, match="Give 1 to 3, or 0 for all"), use_threads(4):
        pass


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.usefixtures("three")
def test_a_fork_has_threads_of_its_own():
    def loop(stretch, seen):
        seen.append(threading.get_ident())

    with use_threads(3):
        Shared(loop)(3, ([],))  # the threads are there
        child = os.fork()
        if child == 0:
            seen = []
            Shared(loop)(3, (seen,))
            os._exit(len(seen))
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 3


@pytest.mark.usefixtures("three")
def test_little_work_is_not_shared():
    by = []
    shared = Shared(by.append)
    with use_threads(3):
        # as many threads as have enough to do, and no more
        for work, n_stretches in ((0.9, 1), (1.9, 1), (2.1, 2), (3.1, 3), (90, 3)):
            pace = work * WORTH_SHARING / 60
            by.clear()
            shared.pace = pace
            shared(60, ())
            assert len(by) == n_stretches
    assert 0 < shared.pace < 1e6

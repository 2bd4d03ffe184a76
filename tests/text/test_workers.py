import importlib
import os
import pickle
import subprocess
import sys
from contextlib import closing

import psutil
import pytest

from frex.errors import FrexError, InputError
from frex.text.workers import AHEAD, ordered_map

# a module of its own, because a worker has to be able to import it
TASK = """
import os, time
from frex.errors import InputError

class Task:
    '''Remembers what it was given, and fails in the way that the item asks for.'''

    def __init__(self):
        self.seen = []

    def __call__(self, item):
        self.seen.append(item)
        if item == "input":
            raise InputError("broken", path="f", line=3, remedy="Mend it.")
        if item == "bug":
            raise ZeroDivisionError
        if item == "death":
            os._exit(9)
        if item == "print":
            print("noise")
        if isinstance(item, float):
            time.sleep(item)
        return os.getpid(), list(self.seen)
"""

SCRIPT = """
import math, os, signal
from frex.text.workers import ordered_map
try:
    for n, (_, item, root) in enumerate(ordered_map(math.sqrt, range(10**9), 2)):
        if n == 50:
            print(item, root)
            os.killpg(0, signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted")
"""


def children():
    """Return the processes below this one; tests before may have left some that last."""
    return set(psutil.Process().children())


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Return a function that gives items to two workers, or more or fewer."""
    (tmp_path / "frex_test_task.py").write_text(TASK)
    monkeypatch.syspath_prepend(tmp_path)
    task = importlib.import_module("frex_test_task").Task
    before = children()
    yield lambda items, jobs=2: closing(ordered_map(task(), items, jobs))
    del sys.modules["frex_test_task"]
    assert children() <= before


def test_results_are_in_order_and_workers_keep_their_state(start):
    items = [0.2, *range(20), "print"]
    by_worker = {}
    with start(items) as results:
        for item, (worker, given, (process, seen)) in zip(items, results, strict=True):
            assert given == item
            assert worker == process != os.getpid()
            by_worker.setdefault(worker, []).append(item)
            assert seen == by_worker[worker]
    assert len(by_worker) == 2


def test_one_job_or_little_work_stays_in_this_process(start):
    for items, jobs in ((range(9), 1), (range(3), 2)):
        with start(items, jobs) as results:
            assert {process for _, _, (process, _) in results} == {os.getpid()}


def test_errors_come_in_their_turn(start):
    def items():
        yield from (0.1, 1, 2, 3, 4)
        raise InputError("cannot be read")

    found = []
    with start(items()) as results, pytest.raises(InputError, match="cannot be read"):
        found.extend(item for _, item, _ in results)
    assert found == [0.1, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("item", "error", "message"),
    [("input", InputError, "f, line 3: broken. Mend it."), ("bug", RuntimeError, "ZeroDivision"),
     ("death", FrexError, "exit code 9")],
)  # fmt: skip
def test_an_error_in_a_worker_ends_all(start, item, error, message):
    with start([1, 2, 3, item, *range(100)]) as results, pytest.raises(error, match=message):
        list(results)


def test_items_are_taken_only_a_few_ahead(start):
    taken = []

    def items():
        for i in range(100):
            taken.append(i)
            yield i

    with start(items()) as results:
        for done, _ in zip(range(1, 21), results, strict=False):
            assert len(taken) <= done + 2 * AHEAD


def test_a_task_that_cannot_be_sent_leaves_no_workers_behind():
    error, before = (pickle.PicklingError, AttributeError), children()
    with closing(ordered_map(lambda item: item, range(9), 2)) as results, pytest.raises(error):
        next(results)
    assert children() <= before


def test_a_script_needs_no_guard_and_an_interrupt_ends_the_workers(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        timeout=60,
        start_new_session=True,
        check=False,
    )
    assert done.stdout.splitlines() == ["50 7.0710678118654755", "interrupted"]
    assert done.stderr == ""

import subprocess
import sys

import pytest

from frex.storage.locks import LockedError, lock


def test_a_lock_keeps_others_out_until_it_is_let_go(tmp_path):
    file = tmp_path / "file"
    file.touch()
    for place in (tmp_path, file):
        with lock(place) as locked:
            assert locked
            for shared in (False, True):
                with pytest.raises(LockedError), lock(place, shared=shared):
                    pass
        with lock(place) as locked:
            assert locked


def test_several_may_share_a_lock(tmp_path):
    with (
        lock(tmp_path, shared=True),
        lock(tmp_path, shared=True),
        pytest.raises(LockedError),
        lock(tmp_path),
    ):
        pass


def test_a_file_made_for_a_lock_goes_with_it(tmp_path):
    with lock(tmp_path / ".lock", make=True):
        with pytest.raises(LockedError), lock(tmp_path / ".lock", make=True):
            pass
        assert (tmp_path / ".lock").exists()
    assert not list(tmp_path.iterdir())
    with pytest.raises(FileNotFoundError), lock(tmp_path / "nothing"):
        pass


def test_what_replaced_a_locked_file_is_not_locked(tmp_path):
    file = tmp_path / "file"
    file.touch()
    with lock(file):
        file.rename(tmp_path / "old")
        file.touch()
        with lock(file) as locked:
            assert locked


def test_a_process_that_is_killed_leaves_no_lock(tmp_path):
    place = tmp_path / ".lock"
    code = (
        "import sys, time; from pathlib import Path; from frex.storage.locks import lock\n"
        "with lock(Path(sys.argv[1]), make=True): print('locked', flush=True); time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, place], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "locked\n"
        with pytest.raises(LockedError), lock(place, make=True):
            pass
        process.kill()
    assert place.exists()
    with lock(place, make=True) as locked:
        assert locked

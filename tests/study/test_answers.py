import shutil
import sqlite3
import threading
import time
from contextlib import closing

import pytest

from frex.errors import InputError
from frex.study import answer_table, read_study
from frex.study import answers as module
from frex.study.answers import Answers, NotSavedError


def test_the_last_answer_counts_and_a_repeated_one_keeps_its_time(tmp_path):
    with Answers(tmp_path / "a.sqlite") as answers:
        answers.save("1", 7, [2, 5])
        first = answers.all()
        answers.save("1", 7, [2, 6])
        second = answers.all()
        assert [(a.question, a.choice) for a in second] == [(1, 2), (2, 6)]
        assert second[0] == first[0]
        assert second[1].answered >= first[1].answered
        answers.save("2", 7, [1, 1])
        assert answers.of("1") == {7: [2, 6]}
        assert len(answers.all()) == 4


def test_a_page_of_answers_is_saved_whole_or_not_at_all(tmp_path):
    with Answers(tmp_path / "a.sqlite") as answers:
        with pytest.raises(NotSavedError, match="cannot be saved"):
            answers.save("1", 7, [2, None])
        assert answers.all() == []


def test_commits_are_on_the_disk(tmp_path):
    with Answers(tmp_path / "a.sqlite") as answers:
        pragmas = ("journal_mode", "synchronous")
        found = [answers._writer.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas]
        assert found == ["wal", 2]  # 2 is FULL
        answers.save("1", 1, [1])
        with Answers(tmp_path / "a.sqlite") as other:  # as another process sees it
            assert other.of("1") == {1: [1]}


@pytest.mark.parametrize("name", ["a.sqlite", "a.sqlite-wal"])
@pytest.mark.parametrize("replaced", [True, False])
def test_what_goes_into_a_file_that_is_no_longer_there_is_not_acknowledged(
    tmp_path, name, replaced
):
    with Answers(tmp_path / "a.sqlite") as answers:
        answers.save("1", 1, [1])
        (tmp_path / name).rename(tmp_path / "away")
        if replaced:
            shutil.copyfile(tmp_path / "away", tmp_path / name)
        with pytest.raises(NotSavedError, match="was removed or replaced"):
            answers.save("1", 1, [2])


def test_who_reads_does_not_wait_for_who_writes(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE_S", 300.0)
    path = tmp_path / "a.sqlite"
    with Answers(path) as answers, closing(sqlite3.connect(path, isolation_level=None)) as other:
        answers.save("1", 1, [1])
        other.execute("BEGIN IMMEDIATE")
        saving = threading.Thread(target=answers.save, args=("1", 1, [2]))
        saving.start()
        while not answers._writing.locked():
            time.sleep(0.01)
        for _ in range(50):
            assert answers.of("1") == {1: [1]}
        assert saving.is_alive()
        other.execute("COMMIT")
        saving.join()
        assert answers.of("1") == {1: [2]}


@pytest.mark.parametrize("killed", [False, True])
def test_a_read_only_study_is_read(disk, study, killed):
    copy = disk.path / "study"
    with study.answers() as answers:
        answers.save("1", 1, [1] * 6)
        if killed:  # as a server that was killed leaves it, all in the log
            shutil.copytree(study.path, copy)
    if not killed:
        shutil.copytree(study.path, copy)
    assert (copy / "answers.sqlite-wal").exists() is killed
    disk.lock()
    frozen = read_study(copy)
    with frozen.answers(read_only=True) as answers:
        assert answers.of("1") == {1: [1] * 6}
    assert len(answer_table(frozen)) > 0
    with pytest.raises(InputError, match="cannot be opened"), frozen.answers():
        pass
    left = ["answers.sqlite", "links.csv", "manifest.json", "tasks.json"]
    assert sorted(path.name for path in copy.iterdir()) == sorted(
        left + ["answers.sqlite-shm", "answers.sqlite-wal"] * killed
    )


def test_reading_leaves_nothing(study):
    with study.answers(read_only=True) as answers:
        assert answers.all() == []
    assert not list(study.path.glob("*-*"))


def test_a_file_that_is_none_of_ours(tmp_path):
    (tmp_path / "a.sqlite").write_text("something else" * 100, encoding="utf-8")
    with pytest.raises(InputError, match="cannot be opened"):
        Answers(tmp_path / "a.sqlite")

import sqlite3

import pytest

from frex.errors import InputError
from frex.study.answers import Answers


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
        with pytest.raises(sqlite3.IntegrityError):
            answers.save("1", 7, [2, None])
        assert answers.all() == []


def test_commits_are_on_the_disk(tmp_path):
    with Answers(tmp_path / "a.sqlite") as answers:
        pragmas = ("journal_mode", "synchronous")
        found = [answers._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas]
        assert found == ["wal", 2]  # 2 is FULL
        answers.save("1", 1, [1])
        with Answers(tmp_path / "a.sqlite") as other:  # as another process sees it
            assert other.of("1") == {1: [1]}


def test_a_file_that_is_none_of_ours(tmp_path):
    (tmp_path / "a.sqlite").write_text("something else" * 100, encoding="utf-8")
    with pytest.raises(InputError, match="cannot be opened"):
        Answers(tmp_path / "a.sqlite")

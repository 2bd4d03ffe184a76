import json
import re

import pytest
from evaluators import make_summaries

from frex.errors import InputError
from frex.study import make_study, make_tasks, read_study, write_crowd_tasks


def test_a_study_is_read_as_it_was_made(study):
    again = read_study(study.path)
    assert again == study
    assert list(study.tasks) == make_tasks(
        make_summaries(), evaluators=2, intrusion=2, coherence=2, seed=3
    )
    assert study.strategies == ("PCM FREX", "LDA FREX", "LDA FREQ")
    assert [task.evaluator for task in study.tasks_of(2)] == [2] * 4


def test_tokens_are_long_secret_and_not_the_seeds(study, tmp_path):
    assert all(re.fullmatch(r"[\w-]{22}", token) for token in study.tokens)
    assert (study.path / "links.csv").stat().st_mode & 0o077 == 0
    other = make_study(
        tmp_path / "other", make_summaries(), evaluators=2, intrusion=2, coherence=2, seed=3
    )
    assert other.tasks == study.tasks
    assert not set(other.tokens) & set(study.tokens)
    told = (study.path / "tasks.json").read_text() + (study.path / "manifest.json").read_text()
    assert not any(token in told for token in study.tokens)
    assert study.link(2, "https://x.org/") == f"https://x.org/e/{study.tokens[1]}"


def test_answers_do_not_alter_a_study_and_are_never_overwritten(study):
    make_study(study.path, make_summaries(), overwrite=True)
    study = read_study(study.path)
    with study.answers() as answers:
        answers.save("1", 1, [1] * 6)
    assert read_study(study.path) == study
    with pytest.raises(InputError, match="holds 6 answers"):
        make_study(study.path, make_summaries(), overwrite=True)


def test_a_study_that_takes_answers_in_is_not_replaced(study):
    """Or they would go into a file that is no longer there."""
    tokens = study.tokens
    with study.answers() as answers:
        for _ in range(2):
            with pytest.raises(InputError, match="is being served, or takes answers in"):
                make_study(study.path, make_summaries(), overwrite=True)
            with study.answers() as others:  # but several may take answers in
                assert others.all() == []
        answers.save("1", 1, [1] * 6)
    assert read_study(study.path).tokens == tokens


def test_a_study_that_was_made_anew_is_not_served_as_it_was(study):
    make_study(study.path, make_summaries(), overwrite=True)
    with pytest.raises(InputError, match="was made anew"), study.answers():
        pass


def test_a_study_whose_making_was_killed_can_be_made_again(study):
    (study.path / "answers.sqlite").unlink()
    make_study(study.path, make_summaries(), overwrite=True)


def test_no_other_user_looks_into_a_study_or_what_is_exported(study, tmp_path):
    assert study.path.stat().st_mode & 0o077 == 0
    write_crowd_tasks(study, tmp_path / "crowd")
    assert (tmp_path / "crowd").stat().st_mode & 0o077 == 0


def test_a_worker_has_a_pseudonym_of_the_study(study, tmp_path):
    assert study.pseudonym("A1B2") == study.pseudonym("A1B2") != study.pseudonym("A1B3")
    other = make_study(tmp_path / "other", make_summaries())
    assert other.pseudonym("A1B2") != study.pseudonym("A1B2")


def test_an_altered_study_is_refused(study):
    tasks = json.loads((study.path / "tasks.json").read_text())
    (study.path / "tasks.json").write_text(json.dumps(tasks[1:]))
    with pytest.raises(InputError, match=r"tasks\.json"):
        read_study(study.path)

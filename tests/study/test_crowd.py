import csv
import html
import json
import re

import pytest
from evaluators import HOSTILE, make_summaries

from frex.errors import InputError
from frex.study import (
    Summary,
    make_study,
    read_crowd_answers,
    read_summaries,
    write_crowd_tasks,
    write_summaries,
)

NAMES = ["intrusion.csv", "intrusion.html", "coherence.csv", "coherence.html"]


def read(path):
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def write(path, rows):
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_a_template_filled_with_a_row_shows_the_task_as_text(study, tmp_path):
    assert write_crowd_tasks(study, tmp_path / "crowd") == NAMES
    tasks = {task.number: task for task in study.tasks}
    for kind in ("intrusion", "coherence"):
        template = (tmp_path / "crowd" / f"{kind}.html").read_text(encoding="utf-8")
        for row in read(tmp_path / "crowd" / f"{kind}.csv"):
            assert set(re.findall(r"\$\{(\w+)\}", template)) == set(row) - {"task"}
            page = re.sub(r"\$\{(\w+)\}", lambda name, row=row: row[name[1]], template)
            task = tasks[int(row["task"])]
            shown = [html.unescape(w) for w in re.findall(r'class="word">(.*?)</bdi>', page)]
            words = [word for question in task.questions for word in question.words]
            assert shown[: len(words)] == words
            assert page.count("<script") == 1  # the platform's own form
            for number, allowed in enumerate(task.choices, start=1):
                values = re.findall(rf'name="q{number}" value="(\d)" required', page)
                assert sorted(map(int, values)) == sorted(allowed)
    told = "".join((tmp_path / "crowd" / name).read_text(encoding="utf-8") for name in NAMES)
    assert not any(secret in told for secret in ("FREX\n", "intruder", *study.tokens))
    assert HOSTILE[0] not in told


@pytest.mark.parametrize("form", ["plain", "flat", "json", "other"])
def test_results_come_back_in_any_form_and_twice_is_once(study, tmp_path, form):
    choices = [1, 2, 3, 4, 5, 6]
    names = {f"q{n}": c for n, c in enumerate(choices, start=1)}
    answers = {
        "plain": {f"Answer.{q}": c for q, c in names.items()},
        "other": names,
        "flat": {
            f"Answer.{q}.{k}": str(k == c).lower() for q, c in names.items() for k in range(1, 7)
        },
        "json": {
            "Answer.taskAnswers": json.dumps(
                [{q: {str(k): k == c for k in range(1, 7)} for q, c in names.items()}]
            )
        },
    }[form]
    heads = ("task", "worker") if form == "other" else ("Input.task", "WorkerId")
    rows = [dict(zip(heads, ("1", worker), strict=True)) | answers for worker in ("A1", "A2")]
    path = write(tmp_path / "results.csv", rows)
    assert read_crowd_answers(study, path) == read_crowd_answers(study, path) == 2
    with study.answers() as opened:
        assert opened.of(study.pseudonym("A2")) == {1: choices}
        assert len(opened.all()) == 12
        assert not any("A1" in answer.evaluator for answer in opened.all())


def test_rejected_work_is_left_out(study, tmp_path):
    row = {"Input.task": 1, "WorkerId": "A", "AssignmentStatus": "Rejected", "Answer.q1": ""}
    assert read_crowd_answers(study, write(tmp_path / "results.csv", [row])) == 0


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"Input.task": "99"}, "line 3: the study has no task '99'"),
        ({"WorkerId": ""}, "line 3: there is no column WorkerId or worker"),
        ({"Answer.q2": ""}, "line 3: the answer q2 to task 1 is missing"),
        ({"Answer.q2": "7"}, "line 3: the answer q2 to task 1 is '7', not one of 1, 2, 3"),
        ({"Answer.taskAnswers": "{"}, "line 3: Answer.taskAnswers is not JSON"),
        ({"Answer.taskAnswers": "5"}, "line 3: Answer.taskAnswers is not a list of objects"),
        ({"Answer.taskAnswers": "[1]"}, "line 3: Answer.taskAnswers is not a list of objects"),
        ({"Input.q1_word1": "&lt;b"}, "line 3: task 1 showed '<b' where .* are another study's"),
    ],
)
def test_a_file_is_taken_whole_or_not_at_all(study, tmp_path, change, complaint):
    word = html.escape(study.tasks[0].questions[0].words[0])
    good = {"Input.task": "1", "WorkerId": "A", "Answer.taskAnswers": "", "Input.q1_word1": word}
    good |= {f"Answer.q{number}": "1" for number in range(1, 7)}
    with pytest.raises(InputError, match=complaint):
        read_crowd_answers(study, write(tmp_path / "results.csv", [good, good | change]))
    with study.answers() as answers:
        assert answers.all() == []


def test_the_words_that_were_shown_may_come_back(study, tmp_path):
    write_crowd_tasks(study, tmp_path / "crowd")
    row = read(tmp_path / "crowd" / "intrusion.csv")[0]
    shown = {f"Input.{name}": cell for name, cell in row.items()}
    answer = {"WorkerId": "A"} | {f"Answer.q{number}": "1" for number in range(1, 7)}
    assert read_crowd_answers(study, write(tmp_path / "results.csv", [shown | answer])) == 1


@pytest.mark.parametrize("text", ["", "Input.task,WorkerId,Answer.q1\n"])
def test_a_file_without_results_is_told(study, tmp_path, text):
    (tmp_path / "results.csv").write_text(text)
    with pytest.raises(InputError, match=r"results.csv: has no rows. Give the platform's file"):
        read_crowd_answers(study, tmp_path / "results.csv")


def test_tasks_that_no_template_fits(tmp_path):
    uneven = make_summaries(groups=("10",)) + make_summaries(["A", "B"], groups=("25",))
    study = make_study(tmp_path / "uneven", uneven)
    with pytest.raises(InputError, match="no template fits them"):
        write_crowd_tasks(study, tmp_path / "crowd")


def test_words_that_a_spreadsheet_takes_for_formulas_are_shown_and_come_back(tmp_path):
    """Also where the file was opened in a spreadsheet and saved by it, or summaries were a file."""
    words = ("=1+1", "+2", "-3", "@x", "'=", "a\r=b", "c\n-4", "＝d", "e\u2028@f", "g")  # noqa: RUF001
    given = [
        Summary(strategy, str(topic), tuple(f"{w}{strategy}{topic}" for w in words), "=group")
        for strategy in ("A", "B")
        for topic in (1, 2)
    ]
    write_summaries(given, tmp_path / "summaries.csv")
    assert read_summaries(tmp_path / "summaries.csv") == given
    study = make_study(tmp_path / "study", given, evaluators=1, intrusion=2, coherence=0, words=5)
    write_crowd_tasks(study, tmp_path / "crowd")
    cells = [cell for row in read(tmp_path / "crowd" / "intrusion.csv") for cell in row.values()]
    assert not [cell for cell in cells if re.search(r"(^|[\r\n\u2028])[=+\-@\t\uff1d]", cell)]
    row = read(tmp_path / "crowd" / "intrusion.csv")[0]
    task = study.tasks[int(row["task"]) - 1]
    asked = [word for question in task.questions for word in question.words]
    assert [html.unescape(cell) for name, cell in row.items() if name != "task"] == asked
    shown = {f"Input.{name}": cell for name, cell in row.items()}
    answer = {"WorkerId": "=A"} | {
        f"Answer.q{number}": "1" for number, _ in enumerate(task.choices, start=1)
    }
    assert read_crowd_answers(study, write(tmp_path / "results.csv", [shown | answer])) == 1

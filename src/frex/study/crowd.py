"""Export of tasks to crowd platforms, and import of their workers' answers.

For each kind of task there is a CSV file with one row per task, and an HTML template whose
``${names}`` are its columns, for Mechanical Turk. The platform inserts cells into the page without
escaping, so words are escaped in the file. The file does not reveal the intruder.
"""

from __future__ import annotations

import html
import json
from importlib.resources import files
from typing import TYPE_CHECKING, get_args

from frex.errors import InputError
from frex.storage import FolderWriter
from frex.storage.lines import csv_line, guarded
from frex.study.answers import Work
from frex.study.design import Kind
from frex.study.files import read_rows
from frex.study.forms import HEADINGS, INSTRUCTIONS, questions, rubric
from frex.web.markup import Html, fill

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from pathlib import Path

    from frex.study.design import Task
    from frex.study.folder import Study

KIND, VERSION = "frex-crowd-tasks", 1

# crowd-form is a script of the platform, which adds the button and sends the answers
_TEMPLATE = """<script src="https://assets.crowd.aws/crowd-html-elements.js"></script>
<style>
{style}</style>
<crowd-form>
<main>
<h1>{heading}</h1>
<p>{instructions}</p>
{rubric}
{questions}
</main>
</crowd-form>
"""
_TASK, _WORKER, _STATUS = ("Input.task", "task"), ("WorkerId", "worker"), "AssignmentStatus"


def write_crowd_tasks(
    study: Study, path: str | PathLike[str], *, overwrite: bool = False
) -> list[str]:
    """Write the tasks for a crowd platform; return the names of the files.

    Parameters
    ----------
    study
        The study.
    path
        The folder to make, with a .csv and an .html file for each kind of task.
    overwrite
        Whether to replace such a folder.
    """
    kinds: dict[Kind, list[Task]] = {}
    for kind in get_args(Kind):
        tasks = [task for task in study.tasks if task.kind == kind]
        if tasks:
            _check_alike(tasks)
            kinds[kind] = tasks
    with FolderWriter(
        path, kind=KIND, version=VERSION, overwrite=overwrite, private=True
    ) as folder:
        for kind, tasks in kinds.items():
            _write_tasks(folder.file(f"{kind}.csv"), tasks)
            folder.file(f"{kind}.html").write_text(_template(tasks[0]), encoding="utf-8")
    return [f"{kind}.{ending}" for kind in kinds for ending in ("csv", "html")]


def read_crowd_answers(study: Study, path: str | PathLike[str]) -> int:
    """Import the answers of crowd workers; return the number of answered tasks.

    The platform's file of results has a row for each task and worker: `Input.task`, `WorkerId`, and
    the answers as `Answer.q1`, as `Answer.q1.3` with the value true, or as JSON in
    `Answer.taskAnswers`; for other platforms `task`, `worker` and `q1`. Rejected work is left out.
    Workers are stored under pseudonyms. Importing a file twice changes nothing.

    Parameters
    ----------
    study
        The study of the tasks.
    path
        The CSV file, which is imported completely or not at all.
    """
    tasks = {str(task.number): task for task in study.tasks}
    taken, rows = [], 0
    for line, row in read_rows(path):
        rows += 1
        if (row.get(_STATUS) or "").casefold() == "rejected":
            continue
        try:
            task = tasks[_cell(row, _TASK)]
            _check_shown(task, row)
            worker = study.pseudonym(_cell(row, _WORKER))
            taken.append(Work(worker, task.number, _choices(task, _given(row))))
        except (KeyError, ValueError) as error:
            raise InputError(
                _complaint(error, row),
                path=path,
                line=line,
                remedy="Correct the row, or remove it.",
            ) from error
    if not rows:
        raise InputError("has no rows", path=path, remedy="Give the platform's file of results.")
    with study.answers() as answers:
        answers.save_all(taken)
    return len(taken)


def _check_shown(task: Task, row: Mapping[str, str | None]) -> None:
    """Raise an error if a row has other words than the task."""
    for names, question in zip(_names(task), task.questions, strict=True):
        for name, word in zip(names, question.words, strict=True):
            shown = row.get(f"Input.{name}")
            if shown is not None and html.unescape(shown).strip() != word.strip():
                raise ValueError(
                    f"task {task.number} showed {html.unescape(shown)!r} where this study has "
                    f"{word!r}, so the results are another study's"
                )


def _check_alike(tasks: Sequence[Task]) -> None:
    """Raise an error for tasks that cannot share a template."""
    if len({tuple(len(question.words) for question in task.questions) for task in tasks}) > 1:
        raise InputError(
            f"the tasks of {tasks[0].kind} do not all have the same number of questions and words, "
            "so that no template fits them",
            remedy="Make a study of each group, or give all groups the same strategies.",
        )


def _write_tasks(path: Path, tasks: Sequence[Task]) -> None:
    with path.open("w", encoding="utf-8", newline="") as handle:
        handle.write(csv_line(["task", *(name for names in _names(tasks[0]) for name in names)]))
        for task in tasks:
            words = (word for question in task.questions for word in question.words)
            handle.write(csv_line([task.number, *map(_cell_text, words)]))


def _cell_text(word: str) -> str:
    """Escape a word for HTML, including characters that a spreadsheet takes for a formula."""
    text = html.escape(word)
    if guarded(text) == text:
        return text
    return "".join(f"&#{ord(sign)};" if guarded(sign) != sign else sign for sign in text)


def _names(task: Task) -> list[list[str]]:
    """Return the names of the columns of each question's words."""
    return [
        [f"q{number}_word{place}" for place in range(1, len(question.words) + 1)]
        for number, question in enumerate(task.questions, start=1)
    ]


def _template(task: Task) -> Html:
    words = [[f"${{{name}}}" for name in names] for names in _names(task)]
    style = (files("frex.study") / "assets" / "page.css").read_text(encoding="utf-8")
    return fill(
        _TEMPLATE,
        style=Html(style),
        heading=HEADINGS[task.kind],
        instructions=INSTRUCTIONS[task.kind],
        rubric=rubric(opened=True) if task.kind == "coherence" else Html(),
        questions=questions(task.kind, words),
    )


def _cell(row: Mapping[str, str | None], names: Sequence[str]) -> str:
    """Return the first existing cell among several names."""
    for name in names:
        if row.get(name):
            return str(row[name])
    raise ValueError(f"there is no column {' or '.join(names)}, or it is empty")


def _given(row: Mapping[str, str | None]) -> dict[str, str]:
    """Return the answers of a row by question."""
    given: dict[str, str] = {}
    forms = json.loads(row.get("Answer.taskAnswers") or "[]")
    if not isinstance(forms, list) or not all(isinstance(form, dict) for form in forms):
        raise ValueError("Answer.taskAnswers is not a list of objects")
    for answers in forms:
        for name, value in answers.items():
            given |= _from_cells({f"{name}.{c}": str(on) for c, on in value.items()}
                           if isinstance(value, dict) else {name: str(value)})  # fmt: skip
    return given | _from_cells({n.removeprefix("Answer."): v for n, v in row.items() if n and v})


def _from_cells(cells: Mapping[str, str]) -> dict[str, str]:
    """Return answers from cells such as `q1` with "3", or `q1.3` with "true"."""
    told = {}
    for name, value in cells.items():
        question, dot, choice = name.partition(".")
        if not dot:
            told[question] = value.strip()
        elif value.strip().casefold() == "true":
            told[question] = choice
    return told


def _choices(task: Task, given: Mapping[str, str]) -> list[int]:
    choices = []
    for number, allowed in enumerate(task.choices, start=1):
        value = given.get(f"q{number}", "")
        if value not in map(str, allowed):
            answer = (
                f"is {value!r}, not one of {', '.join(map(str, allowed))}"
                if value
                else "is missing"
            )
            raise ValueError(f"the answer q{number} to task {task.number} {answer}")
        choices.append(int(value))
    return choices


def _complaint(error: Exception, row: Mapping[str, str | None]) -> str:
    if isinstance(error, KeyError):
        return f"the study has no task {_cell(row, _TASK)!r}"
    if isinstance(error, json.JSONDecodeError):
        return f"Answer.taskAnswers is not JSON: {error.msg}"
    return str(error)

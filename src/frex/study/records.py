"""Answers as a table, with the displayed words, the choice and the resulting measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.errors import InputError
from frex.study.design import NO_PREFERENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from frex.study.answers import Answer
    from frex.study.design import Task
    from frex.study.folder import Study

MEASURES = {
    "intrusion": "intruder found",
    "rating": "mean rating, 1 to 3",
    "preference": "preferred",
}
"""The measures and their display names."""

NOBODY = "no preference"
"""The strategy in rows without a preference."""

COLUMNS = (
    "evaluator", "task", "question", "group", "measure", "strategy", "topic", "value", "shown",
    "chosen", "answered",
)  # fmt: skip


def answer_table(study: Study) -> pd.DataFrame:
    """Return the answers of a study, one row for each measure of a strategy in an answer.

    Columns: `evaluator`, `task`, `question`, `group`; `measure`, one of `MEASURES`; `strategy` and
    `topic`; `value`: whether the intruder was found (1 or 0), the rating (1 to 3), whether the
    summary was preferred (1 or 0); `shown` and `chosen`, in words; `answered`, the time. A
    preference has a row for each summary, and one more, of strategy "no preference". Groups and
    strategies are categories, in the order of the study.
    """
    import pandas as pd  # noqa: PLC0415 - serving needs none of it

    tasks = {task.number: task for task in study.tasks}
    with study.answers(read_only=True) as answers:
        rows = [row for answer in answers.all() for row in _rows(tasks.get(answer.task), answer)]
    return pd.DataFrame(rows, columns=COLUMNS).astype(
        {
            "task": int,
            "question": int,
            "group": pd.CategoricalDtype(list(study.groups)),
            "strategy": pd.CategoricalDtype([*study.strategies, NOBODY]),
            "value": int,
        }
    )


def in_order(names: pd.Series[Any]) -> list[str]:
    """Return the distinct names in a column, in the order of categories or of occurrence."""
    found = dict.fromkeys(names)
    ordered = names.cat.categories if hasattr(names, "cat") else found
    return [name for name in ordered if name in found]


def _rows(task: Task | None, answer: Answer) -> Iterator[tuple[Any, ...]]:
    choices = () if task is None else task.choices
    number, choice = answer.question, answer.choice
    if task is None or number > len(choices) or choice not in choices[number - 1]:
        raise InputError(
            f"evaluator {answer.evaluator} has answered question {number} of task {answer.task}, "
            "which this study does not have",
            remedy="The answers are another study's: put its own file back.",
        )
    start, end = (answer.evaluator, task.number, number, task.group), answer.answered
    if number > len(task.questions):
        for place, question in enumerate(task.questions, start=1):
            about = (question.strategy, question.topic, int(choice == place))
            yield (*start, "preference", *about, " ".join(question.words), "", end)
        about = (NOBODY, f"task {task.number}", int(choice == NO_PREFERENCE))
        yield (*start, "preference", *about, "", "", end)
        return
    question = task.questions[number - 1]
    shown = " ".join(question.words)
    if task.kind == "intrusion":
        about = (question.strategy, question.topic, int(choice == question.intruder))
        yield (*start, "intrusion", *about, shown, question.words[choice - 1], end)
    else:
        yield (*start, "rating", question.strategy, question.topic, choice, shown, "", end)

"""The pages of an evaluator: welcome, tasks, thanks and errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frex.study.forms import HEADINGS, INSTRUCTIONS, questions, rubric
from frex.web.markup import Html, fill, joined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from frex.study.design import Task
    from frex.study.folder import Study

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<script src="/page.js" defer></script>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""
_WELCOME = """<h1>{title}</h1>
{paragraphs}
<p>There {count}, each on a page of its own. Your answers are saved whenever you move on to the next
page; you can stop at any time and come back with the same link.</p>
<p class="muted">Kept are your choices and when you made them, under a number.</p>
<p><a class="button" href="{start}">{action}</a></p>"""
_DEFAULT_WELCOME = (
    "You will see short lists of words and say how well they belong together. Nothing need be "
    "looked up: what you know of the words is what counts."
)
_TASK = """<header class="place">
<p>Task {place} of {total}</p>
<progress max="{total}" value="{done}" aria-label="{done} of {total} tasks answered"></progress>
</header>
<h1>{heading}</h1>
<p>{instructions}</p>
{rubric}
{trouble}
<form method="post" action="{action}" data-answered="{answered}">
{questions}
<div class="actions">
{back}
<button type="submit" class="button">{send}</button>
</div>
</form>"""
_TROUBLE = """<p class="trouble" role="alert">Not saved yet: please answer {questions}.</p>"""
_THANKS = """<h1>Thank you</h1>
<p>All {total} tasks are answered, and your answers are saved. You can close this window.</p>
<p class="muted"><a href="{first}">Look through your answers</a>: until the study ends they can be
changed.</p>"""


def welcome(study: Study, home: str, tasks: Sequence[Task], done: int, start: int) -> Html:
    """Return the first page of an evaluator.

    Parameters
    ----------
    study
        The study.
    home
        The path of this page; the tasks' are below it.
    tasks
        The evaluator's tasks.
    done
        Number of answered tasks.
    start
        Position of the task to begin with, from 1.
    """
    blocks = (study.welcome or _DEFAULT_WELCOME).split("\n\n")
    n = len(tasks)
    body = fill(
        _WELCOME,
        title=study.title,
        paragraphs=joined(fill("<p>{text}</p>", text=block) for block in blocks if block.strip()),
        count="is one task" if n == 1 else f"are {n} short tasks",
        start=f"{home}/{start}",
        action=f"Go on with task {start}" if done else "Begin",
    )
    return _page(study.title, body)


def task_page(
    task: Task,
    home: str,
    *,
    place: int,
    total: int,
    done: int,
    first_of_kind: bool,
    chosen: Mapping[int, int],
    answered: bool,
    last: bool,
    missing: Sequence[int] = (),
) -> Html:
    """Return a task.

    Parameters
    ----------
    task, home
        The task; the path of the evaluator's first page.
    place, total, done
        Position of the task among the evaluator's, their number, and the number of answered ones.
    first_of_kind
        Whether this is the evaluator's first task of its kind.
    chosen
        Choices made, by question from 1.
    answered
        Whether they are saved.
    last
        Whether it is the last open task.
    missing
        Questions without an answer when the page was sent.
    """
    back = f"{home}/{place - 1}" if place > 1 else home
    body = fill(
        _TASK,
        place=place,
        total=total,
        done=done,
        heading=HEADINGS[task.kind],
        instructions=INSTRUCTIONS[task.kind],
        rubric=rubric(opened=first_of_kind) if task.kind == "coherence" else Html(),
        trouble=_trouble(missing),
        action=f"{home}/{place}",
        answered="yes" if answered else "no",
        questions=questions(task.kind, [question.words for question in task.questions], chosen),
        back=fill('<a class="button quiet" href="{back}">Back</a>', back=back),
        send="Save and finish" if last else "Save and go on",
    )
    return _page(f"Task {place} of {total}", body)


def thanks(home: str, total: int) -> Html:
    """Return the last page."""
    return _page("Thank you", fill(_THANKS, total=total, first=f"{home}/1"))


def notice(title: str, text: str) -> Html:
    """Return a page with an error message."""
    return _page(title, fill("<h1>{title}</h1>\n<p>{text}</p>", title=title, text=text))


def _page(title: str, body: Html) -> Html:
    return fill(_PAGE, title=title, body=body)


def _trouble(missing: Sequence[int]) -> Html:
    if not missing:
        return Html()
    links = [fill('<a href="#question-{n}">question {n}</a>', n=number) for number in missing]
    return fill(_TROUBLE, questions=Html(", ".join(links)))

"""The human study: summaries to tasks, tasks to a web page or a crowd, answers to results.

`frex.study.server.serve` needs the extra ``study``, and `frex.study.plots` the extra ``plots``.
"""

from frex.study.analysis import analyse
from frex.study.crowd import read_crowd_answers, write_crowd_tasks
from frex.study.design import Question, Task, make_tasks
from frex.study.files import read_text
from frex.study.folder import TITLE, Study, make_study, read_study
from frex.study.records import MEASURES, answer_table
from frex.study.server import serve
from frex.study.summaries import (
    Summary,
    read_summaries,
    summaries_from_fit,
    summaries_from_scores,
    write_summaries,
)

__all__ = [
    "MEASURES",
    "TITLE",
    "Question",
    "Study",
    "Summary",
    "Task",
    "analyse",
    "answer_table",
    "make_study",
    "make_tasks",
    "read_crowd_answers",
    "read_study",
    "read_summaries",
    "read_text",
    "serve",
    "summaries_from_fit",
    "summaries_from_scores",
    "write_crowd_tasks",
    "write_summaries",
]

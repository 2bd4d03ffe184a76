"""Commands of the human study: study make, links, serve, export, import, analyse."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import frex.storage
import frex.study
import frex.web
from frex.cli import results, strategies
from frex.cli.options import Form, Level, Overwrite, Seed
from frex.cli.screen import Format, say, show_table
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

_HOST, _PORT = "127.0.0.1", 8000

Folder = Annotated[Path, typer.Argument(help="A study folder.")]


class To(StrEnum):
    """What is exported."""

    answers = "answers"
    crowd = "crowd"


def make(
    summaries: Annotated[
        list[Path] | None,
        typer.Argument(help="Word lists: .csv or .json with strategy, topic, rank, word[, group]."),
    ] = None,
    *,
    out: Annotated[Path, typer.Option("--out", "-o", help="The study folder to make.")],
    fit: Annotated[
        list[str] | None,
        typer.Option(
            "--fit",
            help="NAME=FIT: also the leaf topics of a fit, under that name. NAME@GROUP=FIT puts "
            "them in a group. May be repeated.",
        ),
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            help="Ranking of words of fits: frex, frequency, or both separated by a comma; then "
            "NAME FREX and NAME FREQ are two strategies."
        ),
    ] = "frex,frequency",
    evaluated: Annotated[
        Path | None,
        typer.Option(
            help="The paper's experiment from the folder of `frex evaluate ... --fits FOLDER`: "
            "PCM FREX, LDA FREX and LDA FREQ, a group for each number of topics."
        ),
    ] = None,
    stop_words: Annotated[
        str | None,
        typer.Option(
            help="Words of fits that are not shown: smart, for English by default; a file; none."
        ),
    ] = None,
    evaluators: Annotated[
        int, typer.Option(help="Number of people, with one link each.", min=1)
    ] = 20,
    intrusion: Annotated[
        int, typer.Option(help="Word-intrusion tasks for each of them.", min=0)
    ] = 5,
    coherence: Annotated[int, typer.Option(help="Coherence tasks for each of them.", min=0)] = 5,
    n: Annotated[
        int, typer.Option("--words", "-n", help="Words of a summary that is rated.", min=1)
    ] = 10,
    matched: Annotated[
        bool,
        typer.Option(
            "--matched", help="Rate summaries of the same topic, not of arbitrary topics."
        ),
    ] = False,
    title: Annotated[str | None, typer.Option(help="The first line that evaluators read.")] = None,
    welcome: Annotated[
        Path | None, typer.Option(help="A text file for their first page, e.g. about consent.")
    ] = None,
    seed: Seed = 0,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a study that has no answers yet.")
    ] = False,
) -> None:
    """Make a study: tasks of word intrusion and of coherence for evaluators, and their links."""
    lists = [summary for path in summaries or () for summary in frex.study.read_summaries(path)]
    lists += strategies.from_fits(fit or (), by, stop_words)
    lists += [] if evaluated is None else strategies.from_evaluated(evaluated)
    if not lists:
        raise InputError(
            "there is nothing to ask about", remedy="Give word lists, --fit, or --evaluated."
        )
    study = frex.study.make_study(
        out,
        lists,
        evaluators=evaluators,
        intrusion=intrusion,
        coherence=coherence,
        words=n,
        matched=matched,
        seed=seed,
        title=frex.study.TITLE if title is None else title,
        welcome="" if welcome is None else frex.study.read_text(welcome),
        overwrite=overwrite,
    )
    say(
        f"{out}: {len(study.strategies)} strategies ({', '.join(study.strategies)}), "
        f"{evaluators:,} evaluators, {len(study.tasks):,} tasks"
    )
    say(f"Serve it with: frex study serve {out}")
    say(f"See the links with: frex study links {out}")


def links(
    study: Folder,
    *,
    url: Annotated[
        str, typer.Option(help="The address at which evaluators reach the server.")
    ] = f"http://{_HOST}:{_PORT}",
    form: Form = Format.table,
) -> None:
    """Show each evaluator's link, and how many tasks they have answered.

    A link is a secret: anyone who has it answers as that evaluator.
    """
    made = frex.study.read_study(study)
    numbers = range(1, len(made.tokens) + 1)
    with made.answers(read_only=True) as answers:
        answered = [len(answers.of(str(number))) for number in numbers]
    columns: dict[str, Sequence[Any]] = {
        "evaluator": numbers,
        "link": [made.link(number, url) for number in numbers],
        "answered": answered,
        "tasks": [len(made.tasks_of(number)) for number in numbers],
    }
    show_table(columns, form)


def serve(
    study: Folder,
    *,
    host: Annotated[
        str, typer.Option(help="Address to listen on. 127.0.0.1 is reached from this machine only.")
    ] = _HOST,
    port: Annotated[
        int, typer.Option(help="The port; 0 takes any that is free.", min=0, max=65535)
    ] = _PORT,
) -> None:
    """Serve a study to its evaluators until Ctrl-C. Answers are on the disk once acknowledged."""
    made = frex.study.read_study(study)

    def ready(address: str) -> None:
        if not frex.web.is_loopback(host):
            typer.secho(
                f"warning: {host} may be reached from other machines, and nothing is encrypted. "
                "Keep to a network that you trust, or put a server with HTTPS in front.",
                err=True,
                fg="yellow",
            )
        say(f"{address}: {len(made.tokens):,} evaluators. Ctrl-C ends it.")
        say(f"Their links: frex study links {study} --url {address}")

    frex.study.serve(made, host=host, port=port, ready=ready)
    with made.answers(read_only=True) as answers:
        n = len({(answer.evaluator, answer.task) for answer in answers.all()})
    say(f"Ended. {n:,} tasks are answered.")


def export(
    study: Folder,
    *,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="answers: a .csv file. crowd: a folder to make.")
    ],
    to: Annotated[
        To,
        typer.Option(
            help="answers: a table of the answers. crowd: the tasks as CSV with an HTML template "
            "for each kind, for a platform such as Mechanical Turk."
        ),
    ] = To.answers,
    overwrite: Overwrite = False,
) -> None:
    """Export the answers, or the tasks for a crowd platform."""
    made = frex.study.read_study(study)
    if to is To.crowd:
        names = frex.study.write_crowd_tasks(made, out, overwrite=overwrite)
        say(f"{out}: {', '.join(names)}")
        say(f"Take the results in with: frex study import {study} RESULTS.csv")
        return
    place = frex.storage.check_file(out, endings=(".csv",), overwrite=overwrite)
    rows = frex.study.answer_table(made)
    with frex.storage.whole_file(place, private=True) as partial:
        line = frex.storage.csv_line
        lines = [line(rows.columns), *map(line, rows.itertuples(index=False))]
        partial.write_text("".join(lines), encoding="utf-8", newline="")
    say(f"{out}: {len(rows):,} rows")


def import_(
    study: Folder,
    results: Annotated[
        list[Path],
        typer.Argument(help="The platform's .csv: Input.task, WorkerId, Answer.q1 and so on."),
    ],
) -> None:
    """Import the answers of crowd workers; importing a file twice changes nothing."""
    made = frex.study.read_study(study)
    for path in results:
        say(f"{path}: {frex.study.read_crowd_answers(made, path):,} answered tasks")


def analyse(
    study: Folder,
    *,
    level: Level = 0.95,
    draws: Annotated[int, typer.Option(help="How often to resample.", min=100)] = 2000,
    seed: Seed = 0,
    form: Form = Format.table,
    plot: Annotated[
        Path | None,
        typer.Option(help="Also draw intrusion, ratings and preferences: .png, .svg or .pdf."),
    ] = None,
    topics_plot: Annotated[
        Path | None, typer.Option(help="Also draw the distribution of the mean ratings of topics.")
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Compare the strategies: intruders found, ratings, preferences, and their differences.

    Intervals resample evaluators and topics.
    """
    results.check_plots(plot, topics_plot, overwrite=overwrite)
    rows = frex.study.answer_table(frex.study.read_study(study))
    found = frex.study.analyse(rows, level=level, draws=draws, seed=seed)
    results.show(found, form)
    results.draw(found, rows, plot, topics_plot, overwrite=overwrite)

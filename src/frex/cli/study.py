"""Commands of the human study: study make, links, serve, export, import, analyse."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frex.cli.screen import Format, say, show_table
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from frex.study import Summary
    from frex.study.summaries import By

_HOST, _PORT = "127.0.0.1", 8000
_LABELS = {"frex": "FREX", "frequency": "FREQ"}  # as the paper calls them

Folder = Annotated[Path, typer.Argument(help="A study folder.")]


class To(StrEnum):
    """What is exported."""

    answers = "answers"
    crowd = "crowd"


def register(app: typer.Typer) -> None:
    """Add the group of commands to the program."""
    group = typer.Typer(
        no_args_is_help=True, help="Ask people which summaries of topics they understand."
    )
    for command in (make, links, serve, export):
        group.command()(command)
    group.command("import")(import_)
    group.command()(analyse)
    app.add_typer(group, name="study")


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
            help="NAME=FIT: also the topics of a fit that have none below them, under that name. "
            "NAME@GROUP=FIT puts them in a group. May be repeated.",
        ),
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            help="How words of fits are ranked: frex, frequency, or both with a comma between; "
            "then NAME FREX and NAME FREQ are two strategies."
        ),
    ] = "frex,frequency",
    evaluators: Annotated[int, typer.Option(help="How many people; a link each.", min=1)] = 20,
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
            "--matched", help="Rate summaries of the same topic side by side, not of any topics."
        ),
    ] = False,
    title: Annotated[str | None, typer.Option(help="The first line that evaluators read.")] = None,
    welcome: Annotated[
        Path | None, typer.Option(help="A text file for their first page, e.g. about consent.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same tasks.", min=0)] = 0,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a study that has no answers yet.")
    ] = False,
) -> None:
    """Make a study: tasks of word intrusion and of coherence for evaluators, and their links."""
    from frex.study import make_study, read_summaries  # noqa: PLC0415 - keeps `frex --help` quick
    from frex.study.files import read_text  # noqa: PLC0415
    from frex.study.folder import TITLE  # noqa: PLC0415

    lists = [summary for path in summaries or () for summary in read_summaries(path)]
    lists += _from_fits(fit or (), by)
    if not lists:
        raise InputError("there is nothing to ask about", remedy="Give word lists, or --fit.")
    study = make_study(
        out,
        lists,
        evaluators=evaluators,
        intrusion=intrusion,
        coherence=coherence,
        words=n,
        matched=matched,
        seed=seed,
        title=TITLE if title is None else title,
        welcome="" if welcome is None else read_text(welcome),
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
    form: Annotated[Format, typer.Option("--format", help="How to print them.")] = Format.table,
) -> None:
    """Show each evaluator's link, and how many tasks they have answered.

    A link is a secret: whoever has it answers in the evaluator's name.
    """
    from frex.study import read_study  # noqa: PLC0415 - keeps `frex --help` quick

    made = read_study(study)
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
        str, typer.Option(help="Where to listen. 127.0.0.1 is reached from this machine only.")
    ] = _HOST,
    port: Annotated[
        int, typer.Option(help="The port; 0 takes any that is free.", min=0, max=65535)
    ] = _PORT,
) -> None:
    """Serve a study to its evaluators until Ctrl-C. Answers are on the disk once acknowledged."""
    from frex.study import read_study  # noqa: PLC0415 - keeps `frex --help` quick
    from frex.study import serve as run  # noqa: PLC0415
    from frex.study.server import is_loopback  # noqa: PLC0415

    made = read_study(study)

    def ready(address: str) -> None:
        if not is_loopback(host):
            typer.secho(
                f"warning: {host} may be reached from other machines, and nothing is encrypted. "
                "Keep to a network that you trust, or put a server with HTTPS in front.",
                err=True,
                fg="yellow",
            )
        say(f"{address}: {len(made.tokens):,} evaluators. Ctrl-C ends it.")
        say(f"Their links: frex study links {study} --url {address}")

    run(made, host=host, port=port, ready=ready)
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
            help="answers: a table of what was answered. crowd: the tasks as CSV with an HTML "
            "template of each kind, for a platform such as Mechanical Turk."
        ),
    ] = To.answers,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace it.")] = False,
) -> None:
    """Export the answers, or the tasks for a crowd platform."""
    from frex.storage.files import check_file, whole_file  # noqa: PLC0415 - keeps --help quick
    from frex.study import answer_table, read_study, write_crowd_tasks  # noqa: PLC0415

    made = read_study(study)
    if to is To.crowd:
        names = write_crowd_tasks(made, out, overwrite=overwrite)
        say(f"{out}: {', '.join(names)}")
        say(f"Take the results in with: frex study import {study} RESULTS.csv")
        return
    place = check_file(out, endings=(".csv",), overwrite=overwrite)
    rows = answer_table(made)
    with whole_file(place, private=True) as partial:
        rows.to_csv(partial, index=False, lineterminator="\n")
    say(f"{out}: {len(rows):,} rows")


def import_(
    study: Folder,
    results: Annotated[
        list[Path],
        typer.Argument(help="The platform's .csv: Input.task, WorkerId, Answer.q1 and so on."),
    ],
) -> None:
    """Take in the answers of crowd workers; the same file again changes nothing."""
    from frex.study import read_crowd_answers, read_study  # noqa: PLC0415 - keeps --help quick

    made = read_study(study)
    for path in results:
        say(f"{path}: {read_crowd_answers(made, path):,} answered tasks")


def analyse(
    study: Folder,
    *,
    level: Annotated[float, typer.Option(help="Probability of the intervals.")] = 0.95,
    draws: Annotated[int, typer.Option(help="How often to resample.", min=100)] = 2000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same intervals.", min=0)] = 0,
    form: Annotated[Format, typer.Option("--format", help="How to print the table.")] = (
        Format.table
    ),
    plot: Annotated[
        Path | None,
        typer.Option(help="Also draw intrusion, ratings and preferences: .png, .svg or .pdf."),
    ] = None,
    topics_plot: Annotated[
        Path | None, typer.Option(help="Also draw how the mean ratings of topics are distributed.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the plots.")] = False,
) -> None:
    """Compare the strategies: intruders found, ratings, preferences, and their differences.

    Intervals resample evaluators and topics.
    """
    from frex.study import analyse as run  # noqa: PLC0415 - keeps `frex --help` quick
    from frex.study import answer_table, read_study  # noqa: PLC0415

    for path in filter(None, (plot, topics_plot)):
        from frex.plots.files import check_file  # noqa: PLC0415

        check_file(path, overwrite=overwrite)
    made = read_study(study)
    rows = answer_table(made)
    results = run(rows, level=level, draws=draws, seed=seed)
    show_table(
        _for_people(results) if form in (Format.table, Format.markdown) else _long(results), form
    )
    if plot is not None or topics_plot is not None:
        from frex import plots  # noqa: PLC0415
        from frex.study.plots import study_figure, topic_ratings_figure  # noqa: PLC0415

        if plot is not None:
            plots.write_figure(study_figure(results), plot, overwrite=overwrite)
        if topics_plot is not None:
            figure = topic_ratings_figure(rows)
            plots.write_figure(figure, topics_plot, overwrite=overwrite)


def _from_fits(fits: Sequence[str], by: str) -> list[Summary]:
    """Return the summaries of fits given as NAME=FIT or NAME@GROUP=FIT."""
    from frex.posterior import read_posterior  # noqa: PLC0415 - keeps `frex --help` quick
    from frex.study import summaries_from_fit  # noqa: PLC0415

    orders = [order.strip() for order in by.split(",")]
    if not set(orders) <= set(_LABELS) or len(set(orders)) < len(orders):
        raise InputError(f"--by is {by!r}", remedy="Choose frex, frequency, or frex,frequency.")
    found = []
    for text in fits:
        name, equals, path = text.partition("=")
        name, _, group = (part.strip() for part in name.partition("@"))
        if not (name and equals and path):
            raise InputError(f"--fit is {text!r}", remedy="Write NAME=FIT, e.g. --fit HPC=my-fit.")
        posterior = read_posterior(path)
        for order in orders:
            strategy = f"{name} {_LABELS[order]}" if len(orders) > 1 else name
            ranked: By = "frex" if order == "frex" else "frequency"
            found += summaries_from_fit(posterior, strategy, by=ranked, group=group)
    return found


def _long(results: pd.DataFrame) -> dict[str, list[Any]]:
    return {str(name): results[name].tolist() for name in results.columns}


def _for_people(results: pd.DataFrame) -> dict[str, list[Any]]:
    """Return the table with intervals behind estimates, and without a column that says nothing."""
    from frex.study import MEASURES  # noqa: PLC0415 - keeps `frex --help` quick

    compared = zip(results["strategy"], results["minus"], strict=True)
    values = zip(results["estimate"], results["low"], results["high"], strict=True)
    columns = {
        "measure": [MEASURES[measure] for measure in results["measure"]],
        "group": results["group"].tolist(),
        "strategy": [f"{first} - {second}" if second else first for first, second in compared],
        "estimate (interval)": [
            f"{value:.2f}" + (f" ({low:.2f} to {high:.2f})" if low == low else "")  # noqa: PLR0124 - NaN
            for value, low, high in values
        ],
    } | {name: results[name].tolist() for name in ("answers", "evaluators", "topics")}
    if not any(columns["group"]):
        del columns["group"]
    return columns

"""Commands that repeat the paper's experiments: evaluate classification, and those on topics."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frex.cli import interpretability
from frex.cli.fits import Method
from frex.cli.screen import Format, progress, say, show_table
from frex.errors import StoppedError

if TYPE_CHECKING:
    import pandas as pd


def register(app: typer.Typer) -> None:
    """Add the group of commands to the program."""
    group = typer.Typer(no_args_is_help=True, help="Repeat the paper's experiments on a corpus.")
    group.callback()(_experiments)
    group.command()(classification)
    interpretability.register(group)
    app.add_typer(group, name="evaluate")


def _experiments() -> None:
    """Repeat the paper's experiments on a corpus."""


def classification(
    corpus: Annotated[Path, typer.Argument(help="A corpus folder, with labels.")],
    *,
    models: Annotated[
        str,
        typer.Option(
            help="With commas between them: hpc, hpc-paper (the paper's label probabilities), svm, "
            "logit, llda; and trained on both first parts hpc-both, svm-both (as in the paper), "
            "logit-both."
        ),
    ] = "hpc,svm,logit,llda",
    repeats: Annotated[int, typer.Option(help="How many splits.", min=1)] = 10,
    method: Annotated[
        Method,
        typer.Option(help="HPC's fits: at the mode, or by draws, which may take hours a repeat."),
    ] = Method.map,
    seed: Annotated[int, typer.Option(help="The same seed gives the same splits.", min=0)] = 0,
    threads: Annotated[int, typer.Option(help="Threads; 0 is one for each core.", min=0)] = 0,
    form: Annotated[Format, typer.Option("--format", help="How to print the table.")] = (
        Format.table
    ),
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="A CSV file to which each repeat's row is added when it is known. The same "
            "command goes on where it was stopped.",
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Also draw the table: .png, .svg or .pdf.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the plot.")] = False,
) -> None:
    """Compare HPC with other classifiers, on splits of 15 % training, 25 % validation, 60 % test.

    The table has means over the repeats, with standard deviations in parentheses. --format csv and
    json have a line for each model and measure.
    """
    from frex.corpus import read_corpus  # noqa: PLC0415 - keeps `frex --help` quick
    from frex.evaluate import classification as run  # noqa: PLC0415
    from frex.evaluate import summarize  # noqa: PLC0415
    from frex.sampler.settings import Settings  # noqa: PLC0415

    if plot is not None:
        from frex.plots.files import check_file  # noqa: PLC0415

        check_file(plot, overwrite=overwrite)
    names = [name.strip() for name in models.split(",") if name.strip()]
    documents = read_corpus(corpus)
    done = 0
    with progress("classification", repeats * len(names), unit="models") as step:

        def count(n: int) -> None:
            nonlocal done
            done += n
            step(n)

        try:
            rows = run(
                documents,
                models=names,
                repeats=repeats,
                settings=Settings(method=method.value, seed=seed),
                seed=seed,
                threads=threads,
                out=out,
                progress=count,
            )
        except (KeyboardInterrupt, StoppedError) as error:
            kept = "Nothing is kept without --out." if out is None else f"They are in {out}."
            raise StoppedError(
                f"stopped after {done} of {repeats * len(names)} rows. {kept}"
                + ("" if out is None else " The same command goes on.")
            ) from error
    table = summarize(rows)
    show_table(_wide(table) if form in (Format.table, Format.markdown) else _long(table), form)
    if plot is not None:
        from frex.plots import classification_plot, write_figure  # noqa: PLC0415

        write_figure(classification_plot(rows).figure.figure, plot, overwrite=overwrite)
        if form is Format.table:
            say(str(plot))


def _long(table: pd.DataFrame) -> dict[str, list[Any]]:
    return {str(name): table[name].tolist() for name in table.columns}


def _wide(table: pd.DataFrame) -> dict[str, list[str]]:
    """Return measures in rows and models in columns, as the paper prints them."""
    from frex.evaluate import MEASURES  # noqa: PLC0415 - keeps `frex --help` quick

    columns = {"measure": list(MEASURES.values())}
    for model, own in table.groupby("model", sort=False):
        values = own.set_index("measure").loc[list(MEASURES)]
        columns[str(model)] = [
            f"{mean:.3f}" + (f" ({sd:.3f})" if repeats > 1 else "")
            for mean, sd, repeats in zip(
                values["mean"], values["sd"], values["repeats"], strict=True
            )
        ]
    return columns

"""The command `evaluate classification`: the paper's experiment on labelled documents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import frex.corpus
import frex.plots
import frex.sampler.settings
from frex.cli import classifiers
from frex.cli.options import Form, Method, Overwrite, Plot, Rows, Seed, Threads
from frex.cli.screen import Format, say
from frex.cli.typed import numbers


def classification(
    corpus: Annotated[Path, typer.Argument(help="A corpus folder, with labels.")],
    *,
    models: Annotated[
        str,
        typer.Option(
            help="With commas between them: frex (what fit and predict do out of the box, trained "
            "on both first parts), frex-svm, frex-hpc (the same with one of its two scores), "
            "omikuji (the same training); hpc, hpc-paper (the paper's label probabilities), svm, "
            "logit, llda; and trained on both first parts hpc-both, svm-both (as in the paper), "
            "logit-both."
        ),
    ] = "hpc,svm,logit,llda",
    repeats: Annotated[int, typer.Option(help="How many splits.", min=1)] = 10,
    fractions: Annotated[
        str, typer.Option(help="Shares of training, validation and test, with commas between.")
    ] = "0.15,0.25,0.6",
    method: Annotated[
        Method,
        typer.Option(help="HPC's fits: at the mode, or by draws, which takes some times as long."),
    ] = Method.map,
    seed: Seed = 0,
    threads: Threads = 0,
    form: Form = Format.table,
    out: Rows = None,
    plot: Plot = None,
    overwrite: Overwrite = False,
) -> None:
    """Compare HPC with other classifiers, on splits into training, validation and test.

    The table has means over the repeats, with standard deviations in parentheses. --format csv and
    json have a line for each model and measure.
    """
    if plot is not None:
        frex.plots.check_file(plot, overwrite=overwrite)
    names = [name.strip() for name in models.split(",") if name.strip()]
    rows = classifiers.compare(
        frex.corpus.read_corpus(corpus),
        names,
        repeats,
        fractions=numbers(fractions, "--fractions"),
        settings=frex.sampler.settings.Settings(method=method.value, seed=seed),
        threads=threads,
        out=out,
    )
    classifiers.show(rows, form)
    if plot is not None:
        drawn = frex.plots.classification_plot(rows).figure.figure
        frex.plots.write_figure(drawn, plot, overwrite=overwrite)
        if form is Format.table:
            say(str(plot))

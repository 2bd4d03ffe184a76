"""The command `evaluate classification`: the paper's experiment on labelled documents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import frex.corpus
import frex.plots
import frex.sampler.settings
from frex.cli import classifiers
from frex.cli.options import (
    Criterion,
    Form,
    Method,
    Overwrite,
    Plot,
    Rows,
    Seed,
    Threads,
    Thresholds,
)
from frex.cli.screen import Format, say
from frex.cli.typed import numbers
from frex.errors import InputError


def classification(
    corpus: Annotated[Path, typer.Argument(help="A corpus folder, with labels.")],
    *,
    models: Annotated[
        str,
        typer.Option(
            help="Models, separated by commas: frex (the defaults of fit and predict, trained on "
            "training and validation parts), frex-svm, frex-hpc (the same with one of its two "
            "scores), frex-cautious (predict --form cautious), omikuji (the same training); hpc, "
            "hpc-paper (the paper's label probabilities), svm, logit, llda; and trained on both "
            "parts hpc-both, svm-both (as in the paper), logit-both."
        ),
    ] = "hpc,svm,logit,llda",
    repeats: Annotated[
        int | None, typer.Option(help="Number of splits; 10, or 1 with --split.", min=1)
    ] = None,
    fractions: Annotated[
        str | None,
        typer.Option(
            help="Shares of training, validation and test, separated by commas; 0.15,0.25,0.6."
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            help="A given split instead: a CSV file with the columns id and part (train, test, "
            "validation), or the name of a field of the documents, such as `split`."
        ),
    ] = None,
    thresholds: Annotated[
        Thresholds | None,
        typer.Option(help="One threshold for all topics, or one for each, for all models."),
    ] = None,
    criterion: Annotated[
        Criterion | None, typer.Option(help="The F1 that thresholds maximise, for all models.")
    ] = None,
    method: Annotated[
        Method,
        typer.Option(
            help="HPC's fits: at the mode, or by draws, which take several times as long."
        ),
    ] = Method.map,
    seed: Seed = 0,
    threads: Threads = 0,
    form: Form = Format.table,
    out: Rows = None,
    plot: Plot = None,
    bands: Annotated[
        Path | None,
        typer.Option(
            help="A CSV file of the frequencies of labels, by probability and by size of the "
            "topic; also printed."
        ),
    ] = None,
    bands_plot: Annotated[
        Path | None, typer.Option(help="Also draw that: .png, .svg or .pdf.")
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Compare HPC with other classifiers, on splits into training, validation and test.

    The table has means over the repeats, with standard deviations in parentheses. --format csv and
    json print a line for each model and measure.
    """
    for file in (plot, bands_plot):
        if file is not None:
            frex.plots.check_file(file, overwrite=overwrite)
    if bands_plot is not None and bands is None:
        raise InputError(
            "--bands-plot draws what --bands keeps", remedy="Name a file with --bands too."
        )
    if split is not None and fractions is not None:
        raise InputError("both --split and --fractions are given", remedy="Leave one of them out.")
    names = [name.strip() for name in models.split(",") if name.strip()]
    documents = frex.corpus.read_corpus(corpus)
    rows = classifiers.compare(
        documents,
        names,
        repeats or (10 if split is None else 1),
        fractions=numbers(fractions or "0.15,0.25,0.6", "--fractions"),
        split=None if split is None else classifiers.read_split(documents, split),
        thresholds=None if thresholds is None else thresholds.by,
        criterion=None if criterion is None else criterion.value,
        settings=frex.sampler.settings.Settings(method=method.value, seed=seed),
        threads=threads,
        out=out,
        bands=bands,
    )
    classifiers.show(rows, form)
    if bands is not None:
        table = classifiers.bands_of(bands, rows)
        if form in (Format.table, Format.markdown):
            say("")
            classifiers.show_bands(table, form)
        if bands_plot is not None:
            drawn = frex.plots.reliability_plot(table).figure.figure
            frex.plots.write_figure(drawn, bands_plot, overwrite=overwrite)
    if plot is not None:
        drawn = frex.plots.classification_plot(rows).figure.figure
        frex.plots.write_figure(drawn, plot, overwrite=overwrite)
        if form is Format.table:
            say(str(plot))

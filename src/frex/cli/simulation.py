"""The command `simulate`: a corpus drawn from the model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import frex.model
import frex.tree
from frex.cli import description
from frex.cli.options import Overwrite, Seed
from frex.cli.screen import progress, say
from frex.cli.typed import whole_numbers


def simulate(
    out: Annotated[Path, typer.Argument(help="The folder to make, with `corpus` and `truth`.")],
    *,
    docs: Annotated[int, typer.Option(help="Number of documents.", min=1)] = 5000,
    words: Annotated[int, typer.Option(help="Number of words.", min=1)] = 2000,
    branching: Annotated[
        str, typer.Option(help="Children of a node on each level: 4,5 makes 4 + 20 topics.")
    ] = "4,5",
    tree: Annotated[Path | None, typer.Option(help="A tree file, instead of --branching.")] = None,
    length: Annotated[float, typer.Option(help="Tokens a document, about.", min=1)] = 100,
    labels: Annotated[float | None, typer.Option(help="Labels a document; 1.6 by default.")] = None,
    keep_unlabelled: Annotated[
        bool,
        typer.Option(
            "--keep-unlabelled",
            help="Keep documents without a label, which have no words; by default each is drawn "
            "again until it has one.",
        ),
    ] = False,
    seed: Seed = 0,
    overwrite: Overwrite = False,
) -> None:
    """Simulate a corpus from the model, with its true parameters."""
    topics = (
        frex.tree.read_tree(tree)
        if tree
        else frex.model.branching_tree(whole_numbers(branching, "--branching"))
    )
    with progress("simulating", docs, unit="documents") as step:
        corpus, truth = frex.model.simulate(
            topics,
            docs,
            words,
            rates="zipf",
            mean_length=length,
            labels_per_document=labels,
            unlabelled="keep" if keep_unlabelled else "redraw",
            seed=seed,
            progress=step,
        )
    corpus.write(out / "corpus", overwrite=overwrite)
    truth.write(out / "truth", overwrite=overwrite)
    say(f"{out / 'corpus'}: {description.sizes(corpus)}")
    say(f"{out / 'truth'}: the rates, memberships and hyperparameters that it was drawn from")

"""The command `paper`: the paper's tables and figures as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import frex.paper
from frex.cli.options import Overwrite, Seed, Threads
from frex.cli.screen import progress, say
from frex.errors import StoppedError


def paper(
    *,
    data: Annotated[
        Path | None,
        typer.Option(
            help="A folder with official files of corpora, or with prepared corpora; without it "
            "only the bundled corpus is used."
        ),
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The page to write, an .html.")],
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Small parts of the corpora, and modes instead of draws."),
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(help="An experiment, by its anchor on the page. May be repeated."),
    ] = None,
    seed: Seed = 0,
    threads: Threads = 0,
    overwrite: Overwrite = False,
) -> None:
    """Make the paper's tables and figures for the available corpora, as one page.

    Results are stored beside the page, in a folder with its name and .work; the same command
    continues an interrupted run. Without --quick it takes hours, with --quick minutes.
    """
    size = frex.paper.QUICK if quick else frex.paper.FULL
    names = only or list(frex.paper.EXPERIMENTS)
    with progress("making the paper", len(names), unit="experiments") as step:
        try:
            sections = frex.paper.write_paper(
                out, data=data, size=size, only=only or (), seed=seed, threads=threads,
                overwrite=overwrite, say=lambda text: typer.echo(f"  {text}", err=True),
                progress=step,
            )  # fmt: skip
        except (KeyboardInterrupt, StoppedError) as error:
            raise StoppedError("stopped. The same command goes on.") from error
    for name, section in sections.items():
        say(f"{name:<15} {f'wants {section.wants}' if section.wants else section.title}")
    say(str(out))

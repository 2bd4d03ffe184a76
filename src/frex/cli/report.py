"""The command `report`: a fit as a page for any browser."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated

import typer

from frex.cli.screen import progress, say


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(report)


def report(
    fit: Annotated[Path, typer.Argument(help="A fit folder.")],
    *,
    out: Annotated[Path, typer.Option("--out", "-o", help="The page to write: PAGE.html")],
    title: Annotated[
        str | None, typer.Option(help="What the page calls the fit; by default its folder's name.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an older page.")] = False,
) -> None:
    """Write a fit as one page that opens in any browser, needs no network and can be mailed."""
    from frex.explorer.data import n_steps  # noqa: PLC0415 - keeps `frex --help` quick
    from frex.explorer.page import write_page  # noqa: PLC0415
    from frex.posterior import read_posterior  # noqa: PLC0415
    from frex.storage.files import check_file  # noqa: PLC0415

    check_file(out, overwrite=overwrite)  # before the work, not after it
    posterior = read_posterior(fit)
    with progress("writing the page", n_steps(posterior), unit="steps") as step:
        write_page(
            posterior,
            out,
            title=fit.absolute().name if title is None else title,
            overwrite=overwrite,
            progress=step,
        )
    say(f"{out}: {posterior.tree.n_topics:,} topics, {out.stat().st_size / 1e6:.1f} MB")
    say("Open it in a browser: it is one file, and asks nothing of any network.")

"""The command `report`: a fit as a page for any browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import frex.corpus
import frex.explorer
import frex.posterior
import frex.predict
import frex.storage
from frex.cli.options import FitFolder, Overwrite
from frex.cli.screen import counted, progress, say, size
from frex.errors import InputError


def report(
    fit: FitFolder,
    *,
    out: Annotated[Path, typer.Option("--out", "-o", help="The page to write: PAGE.html")],
    title: Annotated[
        str | None, typer.Option(help="Title of the page; by default the fit's folder name.")
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(
            help="The corpus folder of the fit: adds the coherence of topics and, if documents "
            "have dates, the words that rise and fall."
        ),
    ] = None,
    box: Annotated[
        bool, typer.Option(help="A box to paste a text into, if the fit is calibrated.")
    ] = True,
    overwrite: Overwrite = False,
) -> None:
    """Write a fit as one page that opens in any browser, needs no network and can be mailed."""
    frex.storage.check_file(out, overwrite=overwrite)  # before the work, not after it
    _check_name(out)
    posterior = frex.posterior.read_posterior(fit)
    with progress("writing the page", frex.explorer.n_steps(posterior), unit="steps") as step:
        frex.explorer.write_page(
            posterior,
            out,
            title=fit.absolute().name if title is None else title,
            corpus=None if corpus is None else frex.corpus.read_corpus(corpus),
            calibration=frex.predict.calibration_of(fit) if box else None,
            overwrite=overwrite,
            progress=step,
        )
    say(f"{out}: {counted(posterior.tree.n_topics, 'topic')}, {size(out.stat().st_size)}")
    say("Open it in a browser: it is one file, and asks nothing of any network.")


def _check_name(path: Path) -> None:
    """Refuse a name by which no browser takes the file for a page."""
    if path.suffix.lower() not in (".html", ".htm"):
        ending = f"ends in {path.suffix!r}" if path.suffix else "has no ending"
        raise InputError(
            f"the name of the page {ending}, and a browser would not show it",
            path=path,
            remedy="Use .html: --out PAGE.html",
        )

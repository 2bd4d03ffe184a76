"""Commands that fit the model and diagnose a fit: fit, diagnose."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import frex.compiled
import frex.corpus
import frex.posterior
import frex.progress
import frex.sampler.fit
import frex.sampler.ranks.exchange
import frex.sampler.settings
import frex.storage
from frex.cli.options import COMPARED, FitFolder, Method, Seed, Threads
from frex.cli.screen import complain, say, tell
from frex.cli.typed import comparisons
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from frex.posterior import Diagnosis

STOPPED = 130
"""Exit code of an interrupted fit, so that a script does not take it for a complete one."""


class Curvature(StrEnum):
    """The mass of the rate block."""

    tree = "tree"
    dense = "dense"


class Device(StrEnum):
    """Where a fit runs."""

    cpu = "cpu"
    cuda = "cuda"


class Priors(StrEnum):
    """The family of priors."""

    weak = "weak"
    paper = "paper"


def fit(
    corpus: Annotated[
        Path, typer.Argument(help="A corpus folder, with labels unless --unsupervised.")
    ],
    *,
    out: Annotated[Path, typer.Option("--out", "-o", help="The fit folder to make.")],
    unsupervised: Annotated[
        bool,
        typer.Option(
            "--unsupervised", help="Find topics from the words alone; labels are ignored."
        ),
    ] = False,
    topics: Annotated[
        int | None,
        typer.Option("--topics", "-k", help="With --unsupervised: number of topics.", min=2),
    ] = None,
    prior: Annotated[
        Path | None,
        typer.Option(
            help="With --unsupervised: a fit whose topics are the prior of the first topics. How "
            "far their words drift is estimated."
        ),
    ] = None,
    extra: Annotated[
        int | None,
        typer.Option(help="With --prior: number of extra topics.", min=0),
    ] = None,
    warmup: Annotated[int, typer.Option(help="Scans that learn.", min=0)] = 300,
    draws: Annotated[
        int | None,
        typer.Option(
            help="Scans of each chain that are kept. By default at least 700, and more until the "
            "chains have converged by the criteria of frex diagnose: at most 7,000, and fewer if "
            "these would not be enough. With --method map: draws from the Gaussian, 64 by default.",
            min=1,
        ),
    ] = None,
    chains: Annotated[int, typer.Option(help="Number of chains.", min=1)] = 2,
    seed: Seed = 0,
    threads: Threads = 0,
    device: Annotated[
        Device, typer.Option(help="The CPU, or a GPU for each rank; needs the extra cuda.")
    ] = Device.cpu,
    method: Annotated[
        Method, typer.Option(help="Draws from the posterior, or in seconds a Gaussian at its mode.")
    ] = Method.sample,
    curvature: Annotated[
        Curvature, typer.Option(help="Mass of the rate block; dense is the paper's, and slow.")
    ] = Curvature.tree,
    priors: Annotated[Priors, typer.Option(help="The paper's are improper.")] = Priors.weak,
    compare: Annotated[
        list[str] | None,
        typer.Option(help=f"{COMPARED}; siblings by default. May be repeated."),
    ] = None,
    trace: Annotated[
        list[str] | None,
        typer.Option(help="A word whose rates are stored at every draw. May be repeated."),
    ] = None,
    calibrate: Annotated[
        bool,
        typer.Option(
            help="Calibrate labels for `frex predict`, by cross-validation on the documents."
        ),
    ] = True,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Continue an interrupted run, or one with fewer --draws."),
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an existing fit, and its checkpoint.")
    ] = False,
    checkpoint_seconds: Annotated[
        float, typer.Option(help="Seconds between two saves of the run.", min=0)
    ] = 60.0,
) -> None:
    """Fit the model to a corpus, saving the run beside the fit, in OUT.checkpoint.

    Ctrl-C, or SIGTERM, ends the run after the current scan, writes the fit of the draws so far, and
    exits with 130. Started by mpirun or srun, all processes make one fit together; the first one
    calibrates it.
    """
    with frex.sampler.ranks.exchange.started_ranks() as ranks:
        _check_topics(unsupervised, topics, prior, extra)
        frex.posterior.refuse_taken(out, overwrite=overwrite or resume)
        documents = frex.corpus.read_corpus(corpus, verify=ranks is None or ranks.first)
        settings = frex.sampler.settings.Settings(
            method=method.value,
            warmup=warmup,
            draws=draws,
            chains=chains,
            seed=seed,
            device=device.value,
            curvature=curvature.value,
            priors=priors.value,
            compare=comparisons(compare or ["siblings"], None if unsupervised else documents.tree),
            n_topics=topics,
            traced_words=tuple(trace or ()),
        )
        begun = time.perf_counter()
        with frex.compiled.saying_what_compiled(say), frex.progress.show_progress() as progress:
            posterior = frex.sampler.fit.fit_on_first(
                documents,
                settings,
                ranks=ranks,
                say=say,
                threads=threads,
                progress=progress,
                checkpoint=out.absolute().with_name(f"{out.absolute().name}.checkpoint"),
                checkpoint_seconds=checkpoint_seconds,
                resume=resume,
                overwrite=overwrite,
                prior=None if prior is None else frex.posterior.read_posterior(prior),
                extra_topics=extra or 0,
            )
        if posterior is None:  # the first rank has it
            return
        posterior.write(out, overwrite=overwrite or resume)
        if calibrate and posterior.complete and not unsupervised:
            from frex.cli.labelling import calibrate_fit  # noqa: PLC0415 - scikit-learn is slow to load

            taken = time.perf_counter() - begun
            calibrate_fit(documents, posterior, out, settings, threads=threads, taken=taken)
        say(f"{out}:")
        for line in summary(frex.posterior.diagnose(posterior, asked_from="shell")):
            tell(line)
        first = f"frex diagnose {out}; " if method is Method.sample else ""
        first += f"frex drift {out}; " if prior is not None else ""
        say(f"Next: {first}frex top {out}; frex report {out} --out PAGE.html")
    if not posterior.complete:
        complain(
            f"stopped after {posterior.n_draws:,} draws of each chain; {out} holds those. "
            "Go on with --resume."
        )
        raise typer.Exit(STOPPED)


def _check_topics(
    unsupervised: bool, topics: int | None, prior: Path | None, extra: int | None
) -> None:
    """Raise an error for options that exclude each other."""
    if prior is None and unsupervised != (topics is not None):
        raise InputError(
            "--unsupervised and --topics go together",
            remedy="Give both, as in --unsupervised -k 50; or neither, where there are labels.",
        )
    if prior is not None and (topics is not None or not unsupervised):
        raise InputError(
            "--prior goes with --unsupervised, and with --extra in place of --topics",
            remedy="As in --unsupervised --prior FIT --extra 10.",
        )
    if prior is None and extra is not None:
        raise InputError(
            "--extra is how many topics to find besides those of a prior",
            remedy="Give --prior FIT, or --topics in place of --extra.",
        )


def summary(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield the important lines of a diagnosis."""
    yield diagnosis.title
    yield diagnosis.trust.sentence
    worst = diagnosis.worst_figures()
    if worst:
        yield f"worst: {', '.join(worst)}"
    yield from (f"- {problem}" for problem in diagnosis.problems)
    if worst and diagnosis.ok:
        yield "No problem found."
    yield from (f"- {note}" for note in diagnosis.notes)


def diagnose(fit: FitFolder) -> None:
    """Say whether the draws of a fit can be trusted, and what to do where they cannot."""
    posterior = frex.posterior.read_posterior(fit)
    tell(str(frex.posterior.diagnose(posterior, asked_from="shell")))
    say(f"\nNext: frex top {fit}; frex report {fit} --out PAGE.html")

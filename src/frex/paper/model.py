"""The drawing of the model, and the runtime if cores increase with the documents."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from frex import plots
from frex.errors import FrexError
from frex.model import branching_tree, simulate
from frex.paper.sections import Section
from frex.posterior import read_posterior
from frex.text.workers import available_cores

if TYPE_CHECKING:
    from frex.paper.work import Work

RANKS = (1, 2, 4, 8, 16, 32)
BRANCHING = (4, 5, 4)
"""Of the simulated tree: 104 topics, as many as RCV1 has, about."""

_MAIN = "from frex.cli import main; main()"
_AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def drawing(work: Work, folder: Path) -> Section:  # noqa: ARG001 - it needs no corpus
    """Draw the model: Figure 1."""
    section = Section("Figure 1: the model", paper="The same graph.")
    section.add_figure("Grey circles are observed", plots.plate_figure(), folder)
    return section


def weak_scaling(work: Work, folder: Path) -> Section:
    """Time scans while documents increase with ranks: section 3."""
    section = Section(
        "Section 3: runtime while documents and cores grow together",
        ["simulated"],
        "“The total runtime need not significantly increase with the addition of more documents or "
        "words as long as the number of available cores also increases.”",
    )
    cores = available_cores()
    mpirun = shutil.which("mpirun", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    rows: list[tuple[int, str, str, float]] = []
    for ranks in RANKS:
        if ranks > cores or (ranks > 1 and mpirun is None):
            break
        documents = ranks * work.size.scan_documents
        work.say(f"{documents:,} documents on {ranks} ranks")
        seconds = _scan_seconds(work, folder, documents, ranks, mpirun)
        rows.append((ranks, f"{documents:,}", f"{1000 * seconds:.1f} ms", seconds))
    section.add_table(
        "A scan, the median", ["ranks of a thread", "documents", "a scan", "over that of 1 rank"],
        [[*row[:3], f"{row[3] / rows[0][3]:.2f}"] for row in rows],
    )  # fmt: skip
    section.text.append(
        f"Words stay {work.size.scan_words:,}; each rank has a share of them, so with more ranks a "
        f"scan could even get shorter. This machine has {cores} cores"
        + ("" if mpirun else ", and no mpirun: frex[mpi] and an MPI library are wanted")
        + ". Ranks wait for the slowest, so other work on the machine shows here more than "
        "elsewhere. benchmarks/ranks.py has the parts of a scan."
    )
    return section


def _scan_seconds(
    work: Work, folder: Path, documents: int, ranks: int, mpirun: str | None
) -> float:
    """Return the median time of the scans of a fit."""
    corpus, fit = folder / f"corpus-{documents}", folder / f"fit-{documents}-{ranks}"
    if not corpus.is_dir():
        simulated, _ = simulate(
            branching_tree(list(BRANCHING)), documents, work.size.scan_words, rates="zipf",
            unlabelled="redraw", drop_empty=True, seed=work.seed,
        )  # fmt: skip
        simulated.write(corpus)
    if not fit.is_dir():
        command: list[object] = [
            sys.executable, "-c", _MAIN, "fit", corpus, "--out", fit, "--warmup", 10, "--draws",
            work.size.scans, "--chains", 1, "--threads", 1,
        ]  # fmt: skip
        if ranks > 1:
            assert mpirun is not None
            command = [mpirun, "-n", ranks, "--bind-to", "none", *command]
        root = _AS_ROOT if hasattr(os, "geteuid") and os.geteuid() == 0 else {}
        done = subprocess.run(  # noqa: S603 - our own program
            list(map(str, command)), env=os.environ | root, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        if done.returncode:
            raise FrexError(f"the fit on {ranks} ranks ended with: {done.stderr.strip()[-300:]}")
    return float(np.median(read_posterior(fit).stats["seconds"]))

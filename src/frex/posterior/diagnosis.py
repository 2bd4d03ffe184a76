"""`diagnose`: whether the draws of a fit can be trusted, and what to do where they cannot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.posterior.measures import as_table, e_bfmi, measure, measure_blocks, worst
from frex.posterior.posterior import HYPERPARAMETERS
from frex.posterior.problems import find_notes, find_problems

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from frex.posterior.measures import Backend, Block, Quantity
    from frex.posterior.posterior import Posterior


def diagnose(posterior: Posterior) -> Diagnosis:
    """Measure the kept draws of a fit, and say what is wrong and what to do."""
    names = dict.fromkeys([*HYPERPARAMETERS, *posterior.draws])
    measured = measure(posterior, names)
    blocks = measure_blocks(posterior) if posterior.n_draws else ()
    seconds = np.asarray(posterior.stats.get("seconds", ()))
    return Diagnosis(
        title=_title(posterior),
        measured=measured,
        blocks=blocks,
        e_bfmi=e_bfmi(posterior),
        seconds_per_scan=float(seconds.mean()) if seconds.size else None,
        problems=find_problems(posterior, measured, blocks),
        notes=find_notes(posterior, blocks),
    )


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """What was measured on the draws, and the sentences that follow from it.

    Attributes
    ----------
    title
        What was diagnosed, in a line.
    measured
        For each variable the quantities in it: hyperparameters first, then the traced ones.
    blocks
        Acceptance, step size and energy error of each block.
    e_bfmi
        For each chain the energy's fraction of missing information, where the fit kept an energy.
        It is shown, not judged: between two updates of a block the others change its energy too,
        so the limits known for plain Hamiltonian samplers do not hold.
    seconds_per_scan
        Mean over the draws, where the fit kept it.
    problems
        What is wrong and what to do about it, a sentence or two each; empty when all is well.
    notes
        What a reader should know although nothing is wrong.
    """

    title: str
    measured: Mapping[str, Sequence[Quantity]]
    blocks: Sequence[Block]
    e_bfmi: NDArray[np.float64] | None
    seconds_per_scan: float | None
    problems: list[str]
    notes: list[str]

    @property
    def ok(self) -> bool:
        """Whether no problem was found."""
        return not self.problems

    @property
    def worst(self) -> dict[str, tuple[str, float]]:
        """The largest R-hat and the smallest effective sizes: measure -> (name, value)."""
        rows = [row for group in self.measured.values() for row in group]
        found = {field: worst(rows, field) for field in ("r_hat", "ess_bulk", "ess_tail")}
        return {field: (row.name, getattr(row, field)) for field, row in found.items() if row}

    def table(self, *, backend: Backend = "pandas") -> Any:
        """Return all that was measured as a data frame, with the columns of `Posterior.summary`.

        Parameters
        ----------
        backend
            The data frame library of the result: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.
        """
        return as_table(self.measured, backend)

    def __str__(self) -> str:
        parts = [self.title, *_draws_part(self), *_blocks_part(self)]
        if self.problems:
            parts.append(_listed("Problems", self.problems))
        elif self.blocks or self.worst:
            parts.append("No problem found.")
        if self.notes:
            parts.append(_listed("Notes", self.notes))
        return "\n\n".join(parts)


def _title(posterior: Posterior) -> str:
    size = f"{len(posterior.words):,} words, {posterior.tree.n_topics:,} topics"
    if not posterior.draws:
        return f"{size}; no draws"
    return (
        f"{size}; {posterior.n_chains} chain{'s' if posterior.n_chains > 1 else ''} of "
        f"{posterior.n_draws:,} draws after {posterior.settings['warmup']:,} scans of warm-up"
    )


def _listed(title: str, sentences: Sequence[str]) -> str:
    return "\n".join([title, *(f"- {sentence}" for sentence in sentences)])


def _draws_part(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield the table of variables: a number as it is, an array by the worst of its elements."""
    rows = [["", "mean", "sd", "5 %", "95 %", "R-hat", "ESS bulk", "ESS tail"]]
    for name, group in diagnosis.measured.items():
        if len(group) == 1 and group[0].name == name:
            row = group[0]
            rows.append([name, *(_figure(value) for value in row[1:5]), *_agreement(group)])
        elif group:
            rows.append([f"{name} (worst of {len(group):,})", "", "", "", "", *_agreement(group)])
    if len(rows) > 1:
        yield _aligned(rows)


def _figure(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.4g}"


def _agreement(group: Sequence[Quantity]) -> Iterator[str]:
    for field, shape in {"r_hat": ".5g", "ess_bulk": ".0f", "ess_tail": ".0f"}.items():
        row = worst(group, field)
        yield format(getattr(row, field), shape) if row else "-"


def _blocks_part(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield the table of blocks, means over the chains, and the figures of the whole scan."""
    rows = [["block", "acceptance", "step size", "energy error"]]
    for block in diagnosis.blocks:
        figures = (block.acceptance, block.step_size, block.energy_error)
        cells = ["-" if figure is None else f"{figure.mean():.3g}" for figure in figures]
        rows.append([block.name.replace("_", " "), *cells])
    if len(rows) > 1:
        yield _aligned(rows)
    lines = []
    if diagnosis.e_bfmi is not None:
        chains = ", ".join(f"{value:.2f}" for value in diagnosis.e_bfmi)
        lines.append(f"E-BFMI by chain: {chains}")
    if diagnosis.seconds_per_scan is not None:
        lines.append(f"seconds a scan: {diagnosis.seconds_per_scan:.3g}")
    if lines:
        yield "\n".join(lines)


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Lay out cells, the first column to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )

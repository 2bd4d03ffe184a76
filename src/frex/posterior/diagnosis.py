"""`diagnose`: whether the draws of a fit can be trusted, and what to do if not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.model.priors import DRIFT, HYPERPARAMETERS
from frex.posterior.convergence import is_judged, shortfalls
from frex.posterior.measures import Agreement, as_table, measure, measure_blocks, worst
from frex.posterior.problems import find_notes, find_problems
from frex.posterior.trust import judge_trust

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from frex.posterior.measures import Backend, Block, Quantity
    from frex.posterior.posterior import Posterior
    from frex.posterior.remedies import AskedFrom
    from frex.posterior.trust import Trust


def diagnose(posterior: Posterior, *, asked_from: AskedFrom = "python") -> Diagnosis:
    """Diagnose the draws of a fit, with problems and remedies.

    A run that ended by itself before the largest number of draws has converged by the same criteria
    (`frex.posterior.convergence`), unless it ended because it would have needed far more draws.

    Parameters
    ----------
    posterior
        The fit.
    asked_from
        Whether remedies are calls, for ``"python"``, or commands, for a ``"shell"``.

    Returns
    -------
    Diagnosis
        Its text has all statistics; `problems` and `notes` are sentences.

    Examples
    --------
    >>> from frex.posterior import diagnose, read_posterior
    >>> diagnose(read_posterior('FIT')).problems
    []
    """
    names = dict.fromkeys([*HYPERPARAMETERS, DRIFT, *posterior.draws])
    measured = measure(posterior, names)
    blocks = measure_blocks(posterior) if posterior.n_draws else ()
    judged = [name for name in measured if is_judged(name, len(posterior.traced_memberships))]
    found = shortfalls({name: _agreement_of(measured[name]) for name in judged}, posterior.n_chains)
    seconds = np.asarray(posterior.stats.get("seconds", ()))
    return Diagnosis(
        title=_title(posterior),
        measured=measured,
        judged=judged,
        blocks=blocks,
        seconds_per_scan=float(seconds.mean()) if seconds.size else None,
        problems=find_problems(posterior, measured, found, blocks, asked_from),
        notes=find_notes(posterior, measured, found, asked_from),
        trust=judge_trust(posterior, found, blocks),
    )


def _agreement_of(rows: Sequence[Quantity]) -> Agreement:
    return Agreement(
        *(np.array([getattr(row, name) for row in rows]) for name in Agreement._fields)
    )


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """Statistics of the draws, and the conclusions in sentences.

    Attributes
    ----------
    title
        A line about the fit.
    measured
        For each variable its quantities: hyperparameters first, then the traced parameters.
    judged
        The variables that are required to converge. Memberships of single documents are not, nor
        are the mean and variance of the affinities if every document has one label, because words
        do not depend on them then.
    blocks
        Acceptance, step size and energy error of each block.
    seconds_per_scan
        Mean over the draws, if the fit stored it.
    problems
        Problems and remedies, a sentence or two each; empty if there are none.
    notes
        Further information that is not a problem.
    trust
        How far the fit can be trusted, in a sentence for readers who do not know sampling.
    """

    title: str
    measured: Mapping[str, Sequence[Quantity]]
    judged: Sequence[str]
    blocks: Sequence[Block]
    seconds_per_scan: float | None
    problems: list[str]
    notes: list[str]
    trust: Trust

    @property
    def ok(self) -> bool:
        """Whether no problem was found."""
        return not self.problems

    @property
    def worst(self) -> dict[str, tuple[str, float]]:
        """The largest R-hat and the smallest effective sizes of the judged variables.

        Measure -> (name, value).
        """
        rows = [row for name in self.judged for row in self.measured[name]]
        found = {field: worst(rows, field) for field in ("r_hat", "ess_bulk", "ess_tail")}
        return {field: (row.name, getattr(row, field)) for field, row in found.items() if row}

    def worst_figures(self) -> list[str]:
        """Return the same as text, such as ``R-hat 1.023 (affinity_variance)``."""
        called = {"r_hat": "R-hat", "ess_bulk": "bulk ESS", "ess_tail": "tail ESS"}
        return [
            f"{called[field]} {value:.4g} ({name})" for field, (name, value) in self.worst.items()
        ]

    def table(self, *, backend: Backend = "pandas") -> Any:
        """Return all statistics as a data frame, with the columns of `Posterior.summary`.

        Parameters
        ----------
        backend
            The data frame library of the result: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.
        """
        return as_table(self.measured, backend)

    def __str__(self) -> str:
        parts = [f"{self.title}\n{self.trust.sentence}", *_draws_part(self), *_blocks_part(self)]
        if self.problems:
            parts.append(_listed("Problems", self.problems))
        elif self.blocks or self.worst:
            parts.append("No problem found.")
        if self.notes:
            parts.append(_listed("Notes", self.notes))
        return "\n\n".join(parts)


def _title(posterior: Posterior) -> str:
    size = f"{_counted(len(posterior.words), 'word')}, {_counted(posterior.tree.n_topics, 'topic')}"
    if not posterior.draws:
        return f"{size}; no draws"
    return (
        f"{size}; {_counted(posterior.n_chains, 'chain')} of {_counted(posterior.n_draws, 'draw')} "
        f"after {_counted(posterior.settings['warmup'], 'scan')} of warm-up"
    )


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _listed(title: str, sentences: Sequence[str]) -> str:
    return "\n".join([title, *(f"- {sentence}" for sentence in sentences)])


def _draws_part(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield the table of variables: scalars, and arrays by the worst of their elements."""
    rows = [["", "mean", "sd", "5 %", "95 %", "R-hat", "bulk", "tail"]]
    for name, group in diagnosis.measured.items():
        if len(group) == 1 and group[0].name == name:
            row = group[0]
            rows.append([name, *(_figure(value) for value in row[1:5]), *_agreement(group)])
        elif group:
            rows.append([f"{name} (worst of {len(group):,})", "", "", "", "", *_agreement(group)])
    if len(rows) > 1:
        meaning = "bulk, tail: effective draws for means, and for the ends of intervals"
        yield f"{_aligned(rows)}\n{meaning}"


def _figure(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.4g}"


def _agreement(group: Sequence[Quantity]) -> Iterator[str]:
    for field, shape in {"r_hat": ".5g", "ess_bulk": ".0f", "ess_tail": ".0f"}.items():
        row = worst(group, field)
        yield format(getattr(row, field), shape) if row else "-"


def _blocks_part(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield the table of blocks, means over the chains, and statistics of the whole scan."""
    rows = [["block", "acceptance", "step size", "energy error"]]
    for block in diagnosis.blocks:
        figures = (block.acceptance, block.step_size, block.energy_error)
        cells = ["-" if figure is None else f"{figure.mean():.3g}" for figure in figures]
        rows.append([block.name.replace("_", " "), *cells])
    if len(rows) > 1:
        yield _aligned(rows)
    if diagnosis.seconds_per_scan is not None:
        yield f"seconds a scan: {diagnosis.seconds_per_scan:.3g}"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Align cells, the first column to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )

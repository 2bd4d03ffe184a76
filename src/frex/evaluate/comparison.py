"""The common loop of the experiments on topics: over models, numbers of topics and cells.

An experiment measures a fitted model, and returns one row for each cell, for example for each
ranking and length of a summary. Rows are stored as soon as a fit has been measured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from frex.errors import InputError
from frex.evaluate.rows import RowFile
from frex.evaluate.unsupervised import RANKINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike

    from frex.corpus import Corpus
    from frex.evaluate.fitted import Fits
    from frex.evaluate.unsupervised import Topics

    Cell = Mapping[str, Any]

PAPER_WORDS = (5, 10, 25, 50)

_TYPES = {
    "experiment": str,
    "model": str,
    "ranking": str,
    "measure": str,
    "topics": int,
    "seed": int,
    "words": int,
}


def compare(
    fits: Fits,
    measure: Callable[[Topics], Sequence[Cell]],
    *,
    cells: Sequence[Cell],
    values: Sequence[str],
    settings: Mapping[str, Any],
    out: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Measure every model with every number of topics.

    Columns: `experiment` (a fingerprint), `model`, `topics` (their number), those of the cells, and
    the values.

    Parameters
    ----------
    fits
        The fitted models.
    measure
        Returns for a fit the values of each cell, in the order of `cells`.
    cells
        The columns that distinguish the rows of a fit.
    values
        Names of the measured values.
    settings
        All settings that affect the values, besides corpus, model and cell, as JSON values.
    out
        A CSV file to which rows are appended as soon as they are computed. Existing rows are not
        computed again.
    progress
        Called with 1 after each fit.
    """
    design = fits.design
    keys = ("experiment", "model", "topics", *cells[0])
    file = RowFile(out, (*keys, *values))
    rows = {tuple(row[key] for key in keys): row for row in file.rows}
    wanted = []
    marks = {model: design.fingerprint(fits.corpus, model, **settings) for model in design.models}
    for n_topics in design.topics:
        for model in design.models:
            heads = [
                {"experiment": marks[model], "model": model, "topics": n_topics, **cell}
                for cell in cells
            ]
            names = [tuple(str(head[key]) for key in keys) for head in heads]
            if not rows.keys() >= set(names):
                measured = measure(fits.topics(model, n_topics))
                for name, head, found in zip(names, heads, measured, strict=True):
                    if name not in rows:
                        file.append({**head, **found})
                        rows[name] = file.rows[-1]
            wanted += names
            if progress is not None:
                progress(1)
    table = pd.DataFrame([rows[name] for name in wanted], columns=list(file.columns))
    return table.astype({name: _TYPES.get(name, float) for name in file.columns})


def summary_cells(words: Sequence[int]) -> list[dict[str, Any]]:
    """Return a cell for each ranking and length of a summary."""
    return [{"ranking": ranking, "words": n} for ranking in RANKINGS for n in words]


def check_words(corpus: Corpus, words: Sequence[int], *, least: int = 1) -> None:
    """Raise an error for lengths of summaries that the corpus or the experiment cannot have."""
    if not words or len(set(words)) < len(words):
        listed = ", ".join(map(str, words)) or "none"
        raise InputError(
            f"the lengths of summaries are {listed}", remedy="Name at least one, once."
        )
    for n in words:
        if not least <= n <= corpus.n_words:
            raise InputError(
                f"a summary has {n} words",
                remedy=f"Give {least} or more, and at most the corpus's {corpus.n_words:,}.",
            )

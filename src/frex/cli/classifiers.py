"""How classifiers are compared, and the comparison shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.cli.screen import Format, progress, show_table
from frex.errors import StoppedError
from frex.evaluate import MEASURES, classification, summarize

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pandas as pd

    from frex.corpus import Corpus
    from frex.sampler.settings import Settings


def compare(
    corpus: Corpus,
    models: Sequence[str],
    repeats: int,
    *,
    fractions: Sequence[float],
    settings: Settings,
    threads: int,
    out: Path | None,
) -> pd.DataFrame:
    """Compare models with a progress bar; Ctrl-C says what is kept."""
    done, total = 0, repeats * len(models)
    with progress("classification", total, unit="models") as step:

        def count(n: int) -> None:
            nonlocal done
            done += n
            step(n)

        try:
            return classification(
                corpus,
                models=models,
                repeats=repeats,
                fractions=fractions,
                settings=settings,
                seed=settings.seed,
                threads=threads,
                out=out,
                progress=count,
            )
        except (KeyboardInterrupt, StoppedError) as error:
            kept = "Nothing is kept without --out." if out is None else f"They are in {out}."
            raise StoppedError(
                f"stopped after {done} of {total} rows. {kept}"
                + ("" if out is None else " The same command goes on.")
            ) from error


def show(rows: pd.DataFrame, form: Format) -> None:
    """Print means over the repeats: for people as the paper does, for programs measure by measure.

    Parameters
    ----------
    rows
        A row for each repeat and model.
    form
        How.
    """
    table = summarize(rows)
    show_table(_wide(table) if form in (Format.table, Format.markdown) else _long(table), form)


def _long(table: pd.DataFrame) -> dict[str, list[Any]]:
    return {str(name): table[name].tolist() for name in table.columns}


def _wide(table: pd.DataFrame) -> dict[str, list[str]]:
    """Return measures in rows and models in columns, as the paper prints them."""
    columns = {"measure": list(MEASURES.values())}
    for model, own in table.groupby("model", sort=False):
        values = own.set_index("measure").loc[list(MEASURES)]
        columns[str(model)] = [
            f"{mean:.3f}" + (f" ({sd:.3f})" if repeats > 1 else "")
            for mean, sd, repeats in zip(
                values["mean"], values["sd"], values["repeats"], strict=True
            )
        ]
    return columns

"""How classifiers are compared, and the comparison shown."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from frex.cli.screen import Format, progress, show_table
from frex.errors import InputError, StoppedError
from frex.evaluate import MEASURES, classification, summarize, summarize_bands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from frex.corpus import Corpus
    from frex.sampler.settings import Settings


def compare(
    corpus: Corpus,
    models: Sequence[str],
    repeats: int,
    *,
    settings: Settings,
    out: Path | None,
    **options: Any,
) -> pd.DataFrame:
    """Compare models with a progress bar; Ctrl-C says what is kept.

    Parameters
    ----------
    corpus, models, repeats, settings, out, **options
        As for `frex.evaluate.classification`.
    """
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
                settings=settings,
                seed=settings.seed,
                out=out,
                progress=count,
                **options,
            )
        except (KeyboardInterrupt, StoppedError) as error:
            kept = "Nothing is kept without --out." if out is None else f"They are in {out}."
            raise StoppedError(
                f"stopped after {done} of {total} rows. {kept}"
                + ("" if out is None else " The same command goes on.")
            ) from error


def read_split(corpus: Corpus, name: str) -> list[str]:
    """Return the part of each document: from a CSV file, or from a field of the documents.

    Parameters
    ----------
    corpus
        The documents.
    name
        A file with the columns `id` and `part`, or the field's name. A document that the file does
        not name is in no part.
    """
    if not Path(name).exists():
        column = corpus.details.columns.get(name)
        if column is None:
            fields = ", ".join(corpus.details.columns) or "none"
            raise InputError(
                f"--split {name}: there is no such file, and no such field of the documents",
                remedy=f"Name a CSV file with the columns id and part, or a field ({fields}).",
            )
        return list(column)
    parts = _parts_in(Path(name))
    if not parts.keys() & set(corpus.ids):
        raise InputError(
            "names no document of the corpus", path=name, remedy="Give the corpus' own ids."
        )
    return [parts.get(document, "") for document in corpus.ids]


def _parts_in(path: Path) -> dict[str, str]:
    """Return the part of each document that a file names."""
    parts: dict[str, str] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            first = file.readline()
            delimiter = max(",;\t", key=first.count)
            file.seek(0)
            rows = csv.DictReader(file, delimiter=delimiter)
            if not {"id", "part"} <= set(rows.fieldnames or ()):
                raise InputError(
                    "has no columns id and part", path=path, line=1, remedy="Name them so."
                )
            for row in rows:
                name, part = (row["id"] or "").strip(), (row["part"] or "").strip()
                if parts.get(name, part) != part:
                    raise InputError(
                        f"document {name!r} is in two parts", path=path, line=rows.line_num,
                        remedy="Name each document once.",
                    )  # fmt: skip
                parts[name] = part
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"cannot be read: {error}", path=path) from error
    return parts


def bands_of(path: Path, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the bands of the rows that were asked for, from the file that keeps them.

    Parameters
    ----------
    path
        What `--bands` named.
    rows
        Of `frex.evaluate.classification`.
    """
    kept = pd.read_csv(path, dtype={"experiment": str})
    wanted = rows[["experiment", "repeat", "model"]].drop_duplicates()
    return summarize_bands(wanted.merge(kept, on=["experiment", "repeat", "model"]))


def show_bands(table: pd.DataFrame, form: Format) -> None:
    """Print how often labels were there, and macro F1 by size of the topic.

    Parameters
    ----------
    table
        What `bands_of` returned.
    form
        How.
    """
    for by, head in (("probability", "probability"), ("size", "documents of the topic")):
        own = table[(table["by"] == by) & (table["labels"] > 0)]
        shown: dict[str, list[str]] = {
            "model": own["model"].tolist(),
            head: [
                f"{low:g}+" if math.isnan(high) else f"{low:g} to {high:g}"
                for low, high in zip(own["low"], own["high"], strict=True)
            ],
            "labels": [f"{n:,}" for n in own["labels"].tolist()],
            "expected": [f"{share:.4f}" for share in own["expected"]],
            "were there": [
                f"{share:.4f} (± {error:.4f})"
                for share, error in zip(own["observed"], own["error"], strict=True)
            ],
        }
        if by == "size":
            shown["macro F1"] = [
                "" if math.isnan(f1) else f"{f1:.3f} ({n:g} topics)"
                for f1, n in zip(own["macro_f1"], own["topics"], strict=True)
            ]
        show_table(shown, form)


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

"""Results of an experiment for the page: text, tables and figures, stored in the work folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from frex.plots import write_figure
from frex.storage.files import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    import pandas as pd
    from matplotlib.figure import Figure


@dataclass
class Table:
    """Cells as they are shown, a row a list."""

    caption: str
    columns: list[str]
    rows: list[list[str]]


@dataclass
class Section:
    """A reproduced table or figure of the paper.

    Attributes
    ----------
    title
        What it is in the paper.
    corpora
        Of which it was made.
    paper
        What the paper has there, in words.
    text
        Paragraphs about what is shown.
    tables
        The tables.
    figures
        Captions, and names of files in the section's folder.
    wants
        What it needs, if it cannot be made.
    seconds
        How long it took.
    """

    title: str
    corpora: list[str] = field(default_factory=list)
    paper: str = ""
    text: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    figures: list[tuple[str, str]] = field(default_factory=list)
    wants: str = ""
    seconds: float = 0.0

    def add_table(
        self, caption: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
    ) -> None:
        """Add a table; missing numbers are left empty."""
        cells = [["" if cell != cell else str(cell) for cell in row] for row in rows]  # noqa: PLR0124 - NaN is not itself
        self.tables.append(Table(caption, list(map(str, columns)), cells))

    def add_frame(
        self, caption: str, frame: pd.DataFrame, form: Callable[[Any], str] = str
    ) -> None:
        """Add a data frame as a table; `form` writes its numbers."""
        rows = [
            [form(cell) if isinstance(cell, float) and cell == cell else cell for cell in row]  # noqa: PLR0124 - NaN is not itself
            for row in frame.itertuples(index=False)
        ]
        self.add_table(caption, list(map(str, frame.columns)), rows)

    def add_figure(self, caption: str, figure: Figure, folder: Path) -> None:
        """Draw a figure into the section's folder."""
        name = f"{len(self.figures) + 1}.png"
        write_figure(figure, folder / name, overwrite=True)
        self.figures.append((caption, name))


def save(section: Section, folder: Path, mark: str) -> None:
    """Store a section atomically."""
    with whole_file(folder / "section.json") as partial:
        content = {"mark": mark, "section": asdict(section)}
        partial.write_text(json.dumps(content, indent=1, allow_nan=False), encoding="utf-8")


def kept(folder: Path, mark: str) -> Section | None:
    """Return the stored section; None if there is none, or if it has other settings."""
    try:
        content = json.loads((folder / "section.json").read_text(encoding="utf-8"))
        if content["mark"] != mark:
            return None
        found = content["section"]
        found["tables"] = [Table(**table) for table in found["tables"]]
        found["figures"] = [(caption, name) for caption, name in found["figures"]]
        section = Section(**found)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return section if all((folder / name).is_file() for _, name in section.figures) else None

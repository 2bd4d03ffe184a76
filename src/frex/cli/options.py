"""Options and arguments that several commands share, each declared once."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer

from frex.cli.screen import Format


class Method(StrEnum):
    """How the posterior is found."""

    sample = "sample"
    map = "map"


class Thresholds(StrEnum):
    """Scope of a threshold."""

    one = "one"
    per_topic = "per-topic"

    @property
    def by(self) -> Literal["global", "topic"]:
        """The name in `frex.predict.find_thresholds`."""
        return "global" if self is Thresholds.one else "topic"


class Criterion(StrEnum):
    """The F1 that thresholds maximise."""

    micro = "micro"
    macro = "macro"


class WordsOf(StrEnum):
    """The topic's own words, or those of its branch."""

    auto = "auto"
    topic = "topic"
    branch = "branch"


COMPARED = (
    "The comparison set of exclusivity: siblings, all, the number of a level, or topics separated "
    "by commas"
)
BRANCHES = (
    "topic: a topic's own words. branch: those of all documents filed under it or below it. auto: "
    "the branch for an inner topic without documents of its own, else the topic"
)

FitFolder = Annotated[Path, typer.Argument(help="A fit folder.")]

CorpusOut = Annotated[Path, typer.Option("--out", "-o", help="The corpus folder to make.")]
Rows = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="A CSV file to which rows are appended as they are computed. The same command "
        "continues an interrupted run.",
    ),
]
Plot = Annotated[Path | None, typer.Option(help="Also draw it: .png, .svg or .pdf.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace existing output.")]

Form = Annotated[Format, typer.Option("--format", help="Format of the table.")]
Level = Annotated[float, typer.Option(help="Probability of the intervals.")]

Seed = Annotated[int, typer.Option(help="The same seed gives the same result.", min=0)]
Threads = Annotated[int, typer.Option(help="Threads; 0 is one for each core.", min=0)]
Jobs = Annotated[int, typer.Option(help="Processes; 0 is one for each core.", min=0)]

Docs = Annotated[
    list[str],
    typer.Argument(
        help="Files of documents: .jsonl, .csv, .tsv, also compressed, .parquet, .xlsx; folders of "
        ".txt and .md files; or -; `frex predict` takes a corpus folder too."
    ),
]
Text = Annotated[list[str] | None, typer.Option(help="Field(s) of the text.")]
IdField = Annotated[str, typer.Option("--id", help="Field of the document's id.")]
TitleField = Annotated[str, typer.Option("--title", help="Field of the title, shown to people.")]
UrlField = Annotated[str, typer.Option("--url", help="Field of the address, http or https.")]
DateField = Annotated[str, typer.Option("--date", help="Field of the date: 2019-03-04, or 2019.")]
Keep = Annotated[
    list[str] | None, typer.Option(help="A further field to store and show. May be repeated.")
]

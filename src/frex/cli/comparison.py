"""What the commands that compare topics share: their request, and how its answer is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from frex.cli.screen import Format, progress, say, show_table
from frex.cli.typed import whole_numbers
from frex.corpus import read_corpus
from frex.errors import InputError, StoppedError
from frex.evaluate import Design, Fits
from frex.evaluate.cooccurrence import WINDOW, Documents, Windows
from frex.evaluate.unsupervised import TITLES, strategy
from frex.plots import check_file, write_figure
from frex.text import Fields, read_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    import pandas as pd
    from matplotlib.figure import Figure

    from frex.corpus import Corpus
    from frex.evaluate.cooccurrence import Reference

    Experiment: TypeAlias = Callable[[Fits, Callable[[int], None]], pd.DataFrame]


class Request:
    """A corpus, the models to fit to it, and where results go.

    Parameters
    ----------
    corpus
        A corpus folder.
    topics, models, pcm
        As they were typed: numbers and names with commas between them, options of PCM.
    seed, threads
        Seed and threads of the fits.
    fits, out
        Where fits and rows are kept, if anywhere.
    form
        How tables are printed.
    """

    def __init__(
        self,
        corpus: Path,
        *,
        topics: str,
        models: str,
        pcm: str | None,
        seed: int,
        threads: int,
        fits: Path | None,
        out: Path | None,
        form: Format,
    ) -> None:
        names = tuple(name.strip() for name in models.split(",") if name.strip())
        numbers = tuple(whole_numbers(topics, "--topics"))
        self.design = Design(names, numbers, seed, _pcm_options(pcm))
        self.corpus = read_corpus(corpus)
        self.fits = Fits(self.corpus, self.design, fits, threads=threads)
        self.out, self.form = out, form
        self._kept = out is not None or fits is not None

    def run(self, experiment: Experiment, *, repeats: int = 1) -> pd.DataFrame:
        """Run an experiment with a progress bar; Ctrl-C says what is kept."""
        total, done = repeats * len(self.design.models) * len(self.design.topics), 0
        with progress("comparing", total, unit="fits") as step:

            def count(n: int) -> None:
                nonlocal done
                done += n
                step(n)

            try:
                return experiment(self.fits, count)
            except (KeyboardInterrupt, StoppedError) as error:
                kept = "The same command goes on." if self._kept else "Nothing is kept without "
                kept += "" if self._kept else "--out or --fits."
                raise StoppedError(f"stopped after {done} of {total} fits. {kept}") from error

    def show(self, rows: pd.DataFrame, by: Sequence[str], text: Sequence[str]) -> None:
        """Print rows for programs; for people a table with a column for each number of topics.

        Parameters
        ----------
        rows
            What an experiment returned.
        by
            What tells the lines of the table apart. Lines that agree in all but the last stand
            together.
        text
            What to write of each row.
        """
        if self.form in (Format.csv, Format.json):
            columns = rows.drop(columns="experiment")
            show_table({str(name): columns[name].tolist() for name in columns}, self.form)
            return
        named = rows.assign(text=text, model=[TITLES[name] for name in rows["model"]])
        if "ranking" in rows:
            pairs = zip(rows["model"], rows["ranking"], strict=True)
            named = named.assign(strategy=[strategy(*pair) for pair in pairs])
        if by[:-1]:
            named = named.sort_values(list(by[:-1]), kind="stable", key=lambda c: c.factorize()[0])
        wide = named.pivot_table(
            "text", list(by), "topics", aggfunc="first", sort=False
        ).reset_index()
        show_table({_head(name): wide[name].tolist() for name in wide.columns}, self.form)

    def draw(self, figure: Figure, file: Path) -> None:
        """Write a plot that `plots` has checked, and say where it is."""
        write_figure(figure, file, overwrite=True)
        if self.form is Format.table:
            say(str(file))


def plot_files(plot: Path | None, numbers: Sequence[int], *, overwrite: bool) -> list[Path]:
    """Return the files to draw, if they may be written: one, or one for each number."""
    if plot is None:
        return []
    files = [plot.with_stem(f"{plot.stem}-{number}") for number in numbers] or [plot]
    return [check_file(file, overwrite=overwrite) for file in files]


def read_reference(paths: Sequence[str], window: int | None, corpus: Corpus) -> Reference | None:
    """Read what `--reference` names; None where it names nothing.

    Parameters
    ----------
    paths
        A corpus folder, or files of documents.
    window
        Words of a sliding window, where one was asked for.
    corpus
        The corpus under study.
    """
    folders = [path for path in paths if Path(path).is_dir()]
    if window is not None and (folders or not paths):
        raise InputError(
            "--window is for text, and a corpus has only counts",
            remedy="Name files of documents with --reference, or leave it out.",
        )
    if not paths:
        return None
    if folders:
        if len(paths) > 1:
            raise InputError(
                f"there are {len(paths)} references, a corpus among them",
                remedy="Name one corpus, or files of documents.",
            )
        return Documents(read_corpus(paths[0]), corpus.words)
    texts = (document.text for document in read_documents(paths, Fields(labels=None)))
    return Windows(texts, corpus, size=window or WINDOW)


def _pcm_options(text: str | None) -> dict[str, Any]:
    """Read options such as ``warmup=200,draws=300``; numbers are whole."""
    options: dict[str, Any] = {}
    for part in (text or "").split(","):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if name and sign and value:
            options[name] = int(value) if value.isdecimal() else value
        elif part.strip():
            raise InputError(f"--pcm has {part.strip()!r}", remedy="Write draws=300,chains=1.")
    return options


def _head(name: Any) -> str:
    return f"{name} topics" if isinstance(name, int) else str(name)

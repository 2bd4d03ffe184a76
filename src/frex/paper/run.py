"""All experiments in turn; each section is stored, so that an interrupted run continues."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from frex import __version__
from frex.errors import FrexError, InputError, StoppedError
from frex.paper import labelled, model, unlabelled
from frex.paper.page import make_page
from frex.paper.sections import Section, kept, save
from frex.paper.sizes import FULL
from frex.paper.work import Work
from frex.storage.files import check_file, whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from frex.paper.sizes import Size

EXPERIMENTS: dict[str, Callable[[Work, Path], Section]] = {
    "model": model.drawing,
    "scaling": model.weak_scaling,
    "tree": labelled.tree,
    "memberships": labelled.memberships,
    "rare": labelled.rare_words,
    "dispersions": labelled.dispersions,
    "frex": labelled.frex_plots,
    "words": labelled.word_lists,
    "stopwords": labelled.stop_words,
    "classification": labelled.classifiers,
    "diversity": unlabelled.unique_words,
    "people": unlabelled.people,
    "intrusion": unlabelled.intruders,
    "stability": unlabelled.stable,
    "nonsense": unlabelled.junk,
}
"""In the paper's order."""

WANTED = {
    "rcv1-xml": "RCV1 as text, for the paper's own Table 4 and Figures 2 to 6",
    "nyt": "the New York Times Annotated Corpus, for the second half of Table 5",
    "ap-text": "AP (ap.tgz), for Table 6 and Figures 8 to 12",
}
"""Corpora of the paper, and what each is for."""


def write_paper(
    page: str | PathLike[str],
    *,
    data: str | PathLike[str] | None = None,
    size: Size = FULL,
    only: Sequence[str] = (),
    seed: int = 0,
    threads: int = 0,
    overwrite: bool = False,
    say: Callable[[str], None] = lambda _: None,
    progress: Callable[[int], None] = lambda _: None,
) -> dict[str, Section]:
    """Make the paper's tables and figures that the available corpora allow, as one page.

    All results are stored beside the page, in a folder with its name and ``.work``. The same call
    continues where it was stopped.

    Parameters
    ----------
    page
        The file to write, an .html.
    data
        A folder with the official files of corpora, or with prepared ones; by default only the
        bundled corpus is used.
    size
        Of the experiments: `frex.paper.FULL` or `frex.paper.QUICK`.
    only
        Names of experiments; all of `EXPERIMENTS` by default.
    seed
        The same seed gives the same page, except for times.
    threads
        How many; 0 for one per core.
    overwrite
        Replace a page that is there.
    say, progress
        Told what is being done; told 1 after each experiment.

    Returns
    -------
    dict
        The sections by the experiments' names.

    Raises
    ------
    InputError
        The page cannot be written there, or the folder or an experiment does not exist.
    """
    place = check_file(Path(page), endings=(".html",), overwrite=overwrite)
    for name in only:
        if name not in EXPERIMENTS:
            raise InputError(
                f"there is no experiment {name!r}", remedy=f"Choose {', '.join(EXPERIMENTS)}."
            )
    work = Work(
        None if data is None else Path(data), place.with_suffix(".work"), size, seed=seed,
        threads=threads, say=say,
    )  # fmt: skip
    mark = f"{__version__} {size} seed {seed} corpora {sorted(work.found)}"
    sections = {}
    for name in [name for name in EXPERIMENTS if not only or name in only]:
        folder = work.folder / "sections" / name
        folder.mkdir(exist_ok=True)
        sections[name] = kept(folder, mark) or _run(name, work, folder, mark)
        progress(1)
    missing = [f"{name} ({use})" for name, use in WANTED.items() if name not in work.found]
    text = make_page(sections, work.folder / "sections", size, sorted(work.found), missing)
    with whole_file(place) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")
    return sections


def _run(name: str, work: Work, folder: Path, mark: str) -> Section:
    """Run an experiment, and store its section; one that lacks something is tried again.

    An error of a corpus, or of the machine, is shown on the page, and the others continue.
    """
    work.say(name)
    start = time.perf_counter()
    try:
        section = EXPERIMENTS[name](work, folder)
    except StoppedError:
        raise
    except FrexError as error:
        title = (EXPERIMENTS[name].__doc__ or name).splitlines()[0].rstrip(".")
        section = Section(title, wants=f"something else than what is at hand: {error}")
    section.seconds = time.perf_counter() - start
    if not section.wants:
        save(section, folder, mark)
    return section

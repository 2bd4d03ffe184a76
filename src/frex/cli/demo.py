"""The command `demo`: a short fit of the bundled corpus, the words of some topics, and the page."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import frex.compiled
import frex.datasets
import frex.explorer
import frex.posterior
import frex.progress
import frex.sampler.fit
import frex.sampler.settings
import frex.storage
from frex.cli import description
from frex.cli.screen import Format, progress, say, show_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from frex.posterior import Diagnosis, Posterior
    from frex.posterior.words import By

TOPICS = (
    "admin::backup",
    "use::chatting",
    "mail::filters",
    "game::strategy",
    "field::astronomy",
    "works-with::image:raster",
    "security::cryptography",
    "sound::player",
)
N_WORDS = 6
WARMUP, DRAWS, CHAINS = 30, 30, 2
"""Length of the run: less than a minute on two cores, with compilation and the page.

Of the ten words with the highest FREX of a topic, 84 % are also those of a run ten times as long,
on average over all topics; for a MAP fit, 78 %.
"""

PAGE = Path("frex-demo.html")


def demo(
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The page; if it exists, the next free name.")
    ] = PAGE,
) -> None:
    """Fit the bundled corpus, show the words of some topics, and write the page."""
    page = free_name(out)
    frex.storage.check_file(page, overwrite=False)  # before the work, not after it
    corpus = frex.datasets.load_debtags()
    say("Descriptions of Debian packages, filed by hand under a tree of tags; no stop list.")
    say(f"debtags: {description.sizes(corpus)}\n")
    say(f"Drawing from the posterior: {CHAINS} chains, {WARMUP} scans of warm-up, {DRAWS} draws.")
    say("The first time, compiling takes about half a minute.")
    settings = frex.sampler.settings.Settings(warmup=WARMUP, draws=DRAWS, chains=CHAINS)
    with frex.compiled.saying_what_compiled(say), frex.progress.show_progress() as scanned:
        posterior = frex.sampler.fit.fit(corpus, settings, progress=scanned)
    say("\nFREX: the words that are frequent in a topic and exclusive to it, among its siblings.\n")
    show_topics(posterior)
    say()
    for line in verdict(frex.posterior.diagnose(posterior)):
        say(line)
    with progress("writing the page", frex.explorer.n_steps(posterior), unit="steps") as step:
        frex.explorer.write_page(posterior, page, title="debtags", corpus=corpus, progress=step)
    say(f"\nThe page, for any browser: {page.absolute()}\n")
    say("A long run:          frex datasets debtags --out debtags && frex fit debtags --out FIT")
    say("Your own documents:  frex prepare DOCS.jsonl --tree TREE.csv --out CORPUS")


def free_name(path: Path) -> Path:
    """Return the path, or if a file exists there the first free of NAME-2, NAME-3, ..."""
    names = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    return next(name for name in names if not name.exists()) if path.is_file() else path


def verdict(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield sentences on whether the draws can be trusted."""
    if diagnosis.ok:
        yield "Can the draws be trusted? No problem was found."
    else:
        yield "Can the draws be trusted? Not yet: this short run is a first look. Four of five best"
        yield "words are those of a run ten times as long; order and intervals will change more."
    yield diagnosis.trust.sentence


def show_topics(posterior: Posterior) -> None:
    """Print topics with their words of highest FREX and their most frequent words."""
    display = posterior.surface or posterior.words
    orders: dict[str, By] = {"FREX": "frex", "most frequent": "frequency"}
    columns: dict[str, list[str]] = {"topic": list(TOPICS)}
    for head, by in orders.items():
        lists = [frex.posterior.best_words(posterior, topic, N_WORDS, by=by) for topic in TOPICS]
        columns[head] = [" ".join(display[word] for word in words) for words in lists]
    show_table(columns, Format.table)

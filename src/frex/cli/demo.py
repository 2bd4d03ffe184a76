"""The command `demo`: the bundled corpus, a quick fit, and topics in their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frex.cli.corpora import sizes
from frex.cli.screen import Format, say, show_table

if TYPE_CHECKING:
    import typer

    from frex.posterior import Posterior

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


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(demo)


def demo() -> None:
    """Fit the corpus that comes along, and show some of its topics in their words."""
    from frex.datasets.debtags import load_debtags  # noqa: PLC0415 - keeps `frex --help` quick
    from frex.progress import show_progress  # noqa: PLC0415
    from frex.sampler.chain import fit  # noqa: PLC0415
    from frex.sampler.settings import Settings  # noqa: PLC0415

    corpus = load_debtags()
    say("Descriptions of Debian packages, filed by hand under a tree of tags; no stop list.")
    say(f"debtags: {sizes(corpus)}\n")
    say("Finding the mode of the posterior. The first time, compiling takes about half a minute.")
    with show_progress() as progress:
        posterior = fit(corpus, Settings(method="map", draws=100), progress=progress)
    say("\nFREX: the words that are frequent in a topic and exclusive to it, among its siblings.\n")
    show_topics(posterior)
    say("\nThe tree: frex datasets debtags --out debtags && frex describe debtags")
    say("The whole posterior, in minutes: frex fit debtags --out debtags-fit")
    say("Your own documents: frex prepare DOCS.jsonl --tree TREE.csv --out CORPUS")


def show_topics(posterior: Posterior) -> None:
    """Print topics, their words of highest FREX beside the most frequent ones."""
    from frex.scores import frex_from  # noqa: PLC0415 - keeps `frex --help` quick

    tree = posterior.tree
    words = posterior.surface or posterior.words
    columns: dict[str, list[str]] = {"topic": [], "FREX": [], "most frequent": []}
    for topic in (name for name in TOPICS if name in tree):
        column = tree.node(topic) - 1
        frequency = posterior.log_rates.mean[:, column + 1]
        scores = frex_from(posterior.exclusivity["siblings"].mean[:, column], frequency)
        columns["topic"].append(topic)
        for name, values in (("FREX", scores), ("most frequent", frequency)):
            best = (-values).argsort(kind="stable")[:N_WORDS]
            columns[name].append(" ".join(words[i] for i in best))
    show_table(columns, Format.table)

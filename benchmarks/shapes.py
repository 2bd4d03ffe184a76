"""Time a scan beside an iteration of tomotopy's Labeled-LDA on shapes where the lead is smaller.

A scan's time has a part for every token of documents with several labels and one for every word and
node; Labeled-LDA's has one for every token alone. So the lead is smaller with few tokens a word and
node (20,000 documents of the corpus of `benchmarks/scan.py`), and with many labels a document:
8,000 acts of EUR-Lex, 544 tokens and five labels each. The acts cannot be distributed, and are
looked for where the tests look for them.

    python benchmarks/shapes.py [--docs 20000] [--acts 8000] [--threads 1,2] [--rounds 15]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from claims import Claim, run
from corpora import model_corpus
from scan import lead, take_turns
from taxonomies import TAXONOMIES, frex

from frex.corpus import read_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from frex.corpus import Corpus

BAR = 4


def acts(n_documents: int) -> Corpus:
    """Return the first acts of EUR-Lex as `frex prepare` makes a corpus of them."""
    taxonomy = TAXONOMIES["eurlex"]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "acts.jsonl").write_text("".join(taxonomy.lines()[:n_documents]), "utf-8")
        frex(
            "prepare", place / "acts.jsonl", "--tree", taxonomy.tree, "--out", place / "corpus",
            "--unlabelled", "drop",
        )  # fmt: skip
        return read_corpus(place / "corpus")


def shapes(args: argparse.Namespace) -> Iterator[tuple[str, Corpus | None, str]]:
    """Yield the name of each shape, its corpus, and why there is none."""
    yield f"{args.docs:,} documents", model_corpus(args.docs), ""
    there = TAXONOMIES["eurlex"].tree.is_file()
    corpus = acts(args.acts).without_empty_topics() if there else None
    yield f"{args.acts:,} acts of EUR-Lex", corpus, "their files are not there"


def measure(args: argparse.Namespace) -> list[Claim]:
    """Let both take turns on each."""
    claims = []
    for name, corpus, why in shapes(args):
        turns = None if corpus is None else take_turns(corpus, args.threads, args.rounds)
        for threads in args.threads if turns is None else turns.scans:
            plural = "s" * (threads > 1)
            text = f"Labeled-LDA's iteration (tomotopy) / a scan, {name}, {threads} thread{plural}"
            claim = Claim(text, bar=BAR)
            claims.append(claim.missing(why) if turns is None else lead(claim, turns, threads))
    return claims


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=20_000)
    parser.add_argument("--acts", type=int, default=8_000)
    parser.add_argument(
        "--threads", type=lambda text: list(map(int, text.split(","))), default=[1, 2]
    )
    parser.add_argument("--rounds", type=int, default=15)
    run(parser, measure)


if __name__ == "__main__":
    main()

"""Fill in the tables of docs/examples.md from fits of Reuters-21578 and arXiv.

    frex datasets reuters21578 --data reuters21578.tar.gz --out reuters
    frex fit reuters --out reuters-fit
    awk 'NR % 10 == 1' arxiv.jsonl > arxiv-tenth.jsonl
    frex datasets arxiv --data arxiv-tenth.jsonl --out arxiv
    frex fit arxiv --out arxiv-fit
    python scripts/examples.py reuters-fit arxiv-fit

A table stands between two comments that bear its name; the text around it is written by hand.
"""

from __future__ import annotations

import argparse
import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frex.posterior import read_posterior, score
from frex.posterior.words import best_words, word_columns
from frex.text.stopwords import smart

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from frex.posterior import Posterior

PAGE = Path(__file__).parents[1] / "docs" / "examples.md"
N_WORDS = 10
ENOUGH = 20  # documents of a topic whose words are worth reading
SIZES = (1, 5, 20, 100, 500)
NAMES = {"reuters": "Reuters-21578", "arxiv": "arXiv"}
TOPICS = {
    "reuters": (
        "acq", "earn", "crude", "gold", "coffee", "sugar", "wheat", "ship", "jobs", "trade",
        "interest", "money-fx",
    ),
    "arxiv": (
        "cs.CL", "cs.CR", "cs.CV", "math.AG", "math.NT", "math.PR", "cond-mat.supr-con",
        "hep-th", "quant-ph", "physics.flu-dyn", "q-bio.NC", "stat.ME",
    ),
}  # fmt: skip


class Lists(NamedTuple):
    """A fit's topics, and which of its words are on the stop list as they are displayed."""

    posterior: Posterior
    display: Sequence[str]
    is_stop: NDArray[np.bool_]
    documents: NDArray[np.int64]  #: of each topic

    @classmethod
    def of(cls, posterior: Posterior) -> Lists:
        """Read a fit."""
        display = posterior.surface or posterior.words
        counts = np.bincount(posterior.labels.indices, minlength=posterior.tree.n_topics)
        return cls(posterior, display, np.array([word in smart() for word in display]), counts)

    def best(self, **options: Any) -> NDArray[np.int64]:
        """Return each topic's best words, topics x 10."""
        return np.argsort(-score(self.posterior, **options), axis=1, kind="stable")[:, :N_WORDS]

    def chances(self) -> NDArray[np.float64]:
        """Return of each topic's best words the chance of being among the ten best."""
        topics = self.posterior.tree.topics
        return np.stack([word_columns(self.posterior, t, N_WORDS)["in_top"] for t in topics])

    def share(self, topics: NDArray[np.bool_], **options: Any) -> str:
        """Return the share of stop words among the best of some topics, in per cent."""
        return f"{100 * self.is_stop[self.best(**options)[topics]].mean():.1f} %"


def summary_table(corpora: Mapping[str, Lists]) -> Iterator[str]:
    """Yield the share of stop words in each corpus."""
    yield "| corpus | topics | ten most frequent | ten of highest FREX |"
    yield "|---|---:|---:|---:|"
    for name, lists in corpora.items():
        enough = lists.documents >= ENOUGH
        shares = (lists.share(enough, by=by) for by in ("frequency", "frex"))
        yield f"| {NAMES[name]} | {enough.sum()} | {' | '.join(shares)} |"


def words_table(lists: Lists, topics: Sequence[str]) -> Iterator[str]:
    """Yield topics with both their lists."""
    yield "| topic | documents | FREX | most frequent |"
    yield "|---|---:|---|---|"
    tree = lists.posterior.tree
    for topic in topics:
        node = tree.node(topic)
        both = (best_words(lists.posterior, topic, N_WORDS, by=by) for by in ("frex", "frequency"))
        texts = [" ".join(lists.display[word] for word in words) for words in both]
        size = f"{lists.documents[node - 1]:,}"
        yield f"| {tree.titles[node]} (`{topic}`) | {size} | {' | '.join(texts)} |"


def by_size(documents: NDArray[np.int64]) -> dict[str, NDArray[np.bool_]]:
    """Return which topics are of which size, in documents."""
    groups = {
        f"{low} to {high - 1}": (documents >= low) & (documents < high)
        for low, high in pairwise(SIZES)
    }
    groups |= {f"{least} or more": documents >= least for least in (SIZES[-1], ENOUGH)}
    return {name: topics for name, topics in groups.items() if topics.any()}


def sizes_table(lists: Lists) -> Iterator[str]:
    """Yield the share of stop words by the size of topics, and how sure the lists are of them."""
    yield "| documents | topics | most frequent | highest FREX | sure: stop words | sure: others |"
    yield "|---|---:|---:|---:|---:|---:|"
    is_stop, chances = lists.is_stop[lists.best()], lists.chances()
    for name, topics in by_size(lists.documents).items():
        shares = (lists.share(topics, by=by) for by in ("frequency", "frex"))
        sure = (chances[topics][is_stop[topics] == wanted] for wanted in (True, False))
        means = (f"{100 * np.nanmean(group):.0f} %" if group.size else "" for group in sure)
        yield f"| {name} | {topics.sum()} | {' | '.join([*shares, *means])} |"


def choices_table(lists: Lists) -> Iterator[str]:
    """Yield the share of stop words by weight and comparison set."""
    weights = (0.5, 0.7, 0.9)
    yield f"| documents | compared with | {' | '.join(f'weight {weight}' for weight in weights)} |"
    yield "|---|---|---:|---:|---:|"
    groups = by_size(lists.documents)
    for size in (next(iter(groups)), f"{ENOUGH} or more"):
        for name, compare in {"siblings": "siblings", "all topics": "all"}.items():
            shares = [
                lists.share(groups[size], weight=weight, compare=compare) for weight in weights
            ]
            yield f"| {size} | {name} | {' | '.join(shares)} |"


def left_over(lists: Lists) -> Iterator[str]:
    """Yield the stop words that are left among the best of topics with enough documents."""
    best, found = lists.best(), []
    for topic in np.flatnonzero(lists.documents >= ENOUGH):
        words = [lists.display[word] for word in best[topic] if lists.is_stop[word]]
        if words:
            found.append(f"{', '.join(words)} (`{lists.posterior.tree.topics[topic]}`)")
    yield f"> {', '.join(found)}."


def fill(page: str, name: str, lines: Iterator[str]) -> str:
    """Put a table between its two comments."""
    block = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not block.search(page):
        raise SystemExit(f"{PAGE} has no place for {name}")
    text = "\n".join(lines)
    return block.sub(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", page)


def main() -> None:
    """Fill in the page."""
    parser = argparse.ArgumentParser(description="Fill in the tables of docs/examples.md.")
    for corpus in TOPICS:
        parser.add_argument(corpus, type=Path, help=f"a fit folder of {corpus}")
    page = PAGE.read_text(encoding="utf-8")
    folders = vars(parser.parse_args())
    corpora = {name: Lists.of(read_posterior(folder)) for name, folder in folders.items()}
    page = fill(page, "summary", summary_table(corpora))
    for corpus, lists in corpora.items():
        page = fill(page, f"{corpus} words", words_table(lists, TOPICS[corpus]))
        page = fill(page, f"{corpus} sizes", sizes_table(lists))
        page = fill(page, f"{corpus} choices", choices_table(lists))
        page = fill(page, f"{corpus} left over", left_over(lists))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()

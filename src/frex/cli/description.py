"""How a corpus is described: its sizes, what was dropped, its tree with the documents of topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.cli.drawing import drawn
from frex.cli.screen import Format, brief, say, share, show_table, tell, terminal_width
from frex.corpus import membership_table
from frex.corpus.membership import FEW, FEW_DOCUMENTS, NO_DOCUMENTS
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from frex.corpus import Corpus
    from frex.tree import TopicTree

N_NAMED = 5
"""Topics of a kind that are named: without documents, with several parents."""


def show_corpus(corpus: Corpus, name: str, form: Format = Format.table) -> None:
    """Print what `frex describe` prints."""
    if form is Format.table:
        tell(f"{name}: {sizes(corpus)}")
        for line in report_lines(corpus.report):
            tell(line)
        several = 0 if corpus.tree is None else len(corpus.tree.several_parents)
        if several:
            say(f"  {several:,} topic{'s' if several > 1 else ''} with several parents")
    if corpus.tree is None:
        if form is not Format.table:
            raise InputError("the corpus has no labels, so no table", remedy="Use --format table.")
        say("no labels: for the unsupervised model only")
        return
    columns: dict[str, Any] = membership_table(corpus).to_dict(orient="list")
    shares = [name for name in columns if name.startswith(("mixed", "cross_"))]
    if form is Format.table:
        for line in _thin_topics(columns):
            tell(line)
    if form in (Format.table, Format.markdown):
        columns = _for_people(columns, corpus.tree, shares)
        say("\nbelow: documents of the topic and of all topics below it")
        say("mixed: % of a topic's documents with several labels; cross_1: in several top-level")
        deeper = ", ".join(shares[2:])
        say(f"branches; {deeper}: with several labels of that level within one branch\n"
            if deeper else "branches\n")  # fmt: skip
    counts = dict.fromkeys(("documents", "below"), lambda n: f"{n:,}")
    show_table(columns, form, text=counts | dict.fromkeys(shares, share), spare=shares[1:])


def _for_people(
    columns: Mapping[str, Sequence[Any]], tree: TopicTree, shares: Sequence[str]
) -> dict[str, Any]:
    """Draw the tree, and leave out what says nothing."""
    width = terminal_width()
    room = None if width is None else width // 2  # the other half is for figures
    lines = drawn(tree, range(1, tree.n_nodes), tree.topics, room)
    titles = [
        "" if title in name else brief(title)
        for title, name in zip(columns["title"], (*tree.topics, "all documents"), strict=True)
    ]
    found = {"topic": [*lines, "all documents"], "title": titles} | {
        key: columns[key] for key in ("documents", "below", *shares, "note")
    }
    silent = {key for key in ("title", "note") if not any(found[key])}
    return {key: cells for key, cells in found.items() if key not in silent}


def _thin_topics(columns: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    """Say of how many topics nothing, or little, can be known, and of which."""
    meanings = {
        NO_DOCUMENTS: (
            "no documents, of their own or below them",
            "A fit leaves them out: nothing is known of their words; they are never predicted.",
        ),
        FEW_DOCUMENTS: (
            f"fewer than {FEW} documents, their own and those below",
            "Little can be known of their words: expect wide intervals, and few predictions.",
        ),
    }
    for note, (what, meaning) in meanings.items():
        noted = zip(columns["topic"], columns["note"], strict=True)
        names = [topic for topic, found in noted if found == note]
        if names:
            more = f" and {len(names) - N_NAMED:,} more" if len(names) > N_NAMED else ""
            n_topics = len(columns["topic"]) - 1  # the last row is the whole corpus
            named = ", ".join(names[:N_NAMED]) + more
            has = "has" if len(names) == 1 else "have"
            yield f"  {len(names):,} of {n_topics:,} topics {has} {what}: {named}. {meaning}"


def sizes(corpus: Corpus) -> str:
    """Return the sizes of a corpus in a line."""
    levels = 0 if corpus.tree is None else int(corpus.tree.levels.max())
    deep = f"{levels} level{'' if levels == 1 else 's'}"
    named = "topic" if corpus.n_topics == 1 else "topics"
    topics = f", {corpus.n_topics:,} {named} on {deep}" if corpus.tree else ""
    documents = "document" if len(corpus) == 1 else "documents"
    return (
        f"{len(corpus):,} {documents}, {corpus.n_words:,} words{topics}, "
        f"{corpus.n_tokens:,} tokens "
        f"({corpus.n_tokens / len(corpus):.0f} a document)"
    )


_REASONS = {
    "unknown_labels": "label{s} not in the tree: dropped",
    "redundant_ancestor_labels": "label{s} made redundant by a more specific one: removed",
    "empty_documents": "document{s} without a word of the vocabulary: dropped",
    "unlabelled_documents": "document{s} without a label: dropped",
    "corrected_documents": "document{s} with corrected labels",
    "skipped_documents": "broken or repeated document{s}: skipped",
}


def report_lines(report: dict[str, int]) -> list[str]:
    """Return what was dropped or removed when a corpus was made, a line for each reason."""
    return [
        f"  {n:,} {_REASONS.get(reason, reason).format(s='' if n == 1 else 's')}"
        for reason, n in report.items()
    ]

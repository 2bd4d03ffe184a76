"""Commands that make and describe corpora: prepare, datasets, describe."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import frex.corpus
import frex.datasets
import frex.text
import frex.tree
from frex.cli import description
from frex.cli.options import (
    CorpusOut,
    DateField,
    Docs,
    Form,
    IdField,
    Jobs,
    Keep,
    Overwrite,
    Text,
    TitleField,
    UrlField,
)
from frex.cli.screen import Format, progress, say, tell
from frex.cli.typed import read_stop_words
from frex.errors import InputError

if TYPE_CHECKING:
    from frex.corpus import Corpus
    from frex.tree import TopicTree

StopWords = Annotated[
    str | None, typer.Option(help="`smart`, or a file with one word per line. Not needed.")
]
DropProperNouns = Annotated[
    bool, typer.Option(help="Leave out English proper nouns. Needs frex[tagger].")
]
TopShare = Annotated[
    float | None, typer.Option(help="Keep this share of the most frequent stems: 0.03")
]
Top = Annotated[int | None, typer.Option(help="Keep this number of the most frequent stems.")]
MinDocuments = Annotated[
    int | None, typer.Option(help="Least number of documents of a stem; 5, 2 or 1 by default.")
]


def describe(
    corpus: Annotated[Path, typer.Argument(help="A corpus folder.")],
    *,
    form: Form = Format.table,
) -> None:
    """Print the sizes of a corpus, its tree and the multi-label documents of each topic."""
    description.show_corpus(frex.corpus.read_corpus(corpus), str(corpus), form)


class Unlabelled(StrEnum):
    """The policy for documents without labels."""

    error = "error"
    drop = "drop"
    keep = "keep"


class Unknown(StrEnum):
    """The policy for labels that are not in the tree."""

    error = "error"
    drop = "drop"


class SeveralParents(StrEnum):
    """The policy for topics with several parents."""

    best = "best"
    first = "first"
    error = "error"


class OnError(StrEnum):
    """The policy for broken lines."""

    stop = "stop"
    skip = "skip"


def prepare(
    docs: Docs,
    *,
    tree: Annotated[
        Path | None,
        typer.Option(help="The tree: .csv, .json, .yaml, paths, SKOS, a folder. None: no labels."),
    ] = None,
    names_language: Annotated[
        str | None, typer.Option(help="Language of titles in SKOS: de. English by default.")
    ] = None,
    out: CorpusOut,
    text: Text = None,
    id_field: IdField = "id",
    labels: Annotated[str, typer.Option(help="Field of the labels.")] = "labels",
    separator: Annotated[str, typer.Option(help="Separator of labels in a column of text.")] = "|",
    table: Annotated[
        Path | None,
        typer.Option(help="For a folder of text files: a table of their id, labels, title, ..."),
    ] = None,
    title: TitleField = "title",
    url: UrlField = "url",
    date: DateField = "date",
    keep: Keep = None,
    keep_text: Annotated[
        int,
        typer.Option(
            help="Characters of each text to store and show; by default none.",
            min=0,
        ),
    ] = 0,
    stop_words: StopWords = None,
    language: Annotated[
        str,
        typer.Option(help="Language: german, french, spanish, ...; none: no stemming."),
    ] = "english",
    stem: Annotated[bool, typer.Option(help="Count words under their stem.")] = True,
    drop_proper_nouns: DropProperNouns = False,
    phrases: Annotated[
        bool,
        typer.Option(
            "--phrases", help="Count words that co-occur more often than by chance as one."
        ),
    ] = False,
    top_share: TopShare = None,
    top: Top = None,
    min_documents: MinDocuments = None,
    unlabelled: Annotated[
        Unlabelled, typer.Option(help="Documents with words and no label.")
    ] = Unlabelled.error,
    unknown: Annotated[Unknown, typer.Option(help="Labels that are not in the tree.")] = (
        Unknown.error
    ),
    keep_ancestors: Annotated[
        bool, typer.Option(help="Keep labels made redundant by a more specific one.")
    ] = False,
    several_parents: Annotated[
        SeveralParents,
        typer.Option(
            help="The parent of a topic with several: the best by its words, or the first."
        ),
    ] = SeveralParents.best,
    corrections: Annotated[
        Path | None, typer.Option(help="Decisions exported by the page of `frex audit`.")
    ] = None,
    on_error: Annotated[OnError, typer.Option(help="At a broken line.")] = OnError.stop,
    jobs: Jobs = 0,
    overwrite: Overwrite = False,
) -> None:
    """Turn documents and a tree into a corpus, which may be larger than memory."""
    rule = frex.text.VocabularyRule(share=top_share, top=top, min_documents=min_documents)
    fields = frex.text.Fields(
        id_field, tuple(text or ["text"]), labels if tree else None, separator,
        title or None, url or None, date or None, tuple(keep or ()),
    )  # fmt: skip
    topics = frex.tree.read_tree(tree, names_language=names_language) if tree else None
    corrected = None if corrections is None else frex.corpus.read_corrections(corrections)
    with progress("preparing", frex.text.input_bytes(docs), unit="B") as step:
        report = frex.text.prepare(
            docs,
            topics,
            out,
            fields=fields,
            table=table,
            analyzer=frex.text.Analyzer(
                stem=stem,
                stop_words=None if stop_words is None else read_stop_words(stop_words),
                drop_proper_nouns=drop_proper_nouns,
                language=language.lower(),
                phrases=phrases,
            ),
            vocabulary=None if rule == frex.text.VocabularyRule() else rule,
            keep_text=keep_text,
            jobs=jobs,
            unlabelled=unlabelled,
            unknown=unknown,
            ancestors="keep" if keep_ancestors else "remove",
            several_parents=several_parents,
            corrections=corrected,
            on_error=on_error,
            overwrite=overwrite,
            progress=step,
        )
    for message in report.messages:
        tell(f"  skipped {message}")
    hidden = sum(report.skipped.values()) - len(report.messages)
    if hidden > 0:
        say(f"  ... and {hidden:,} more")
    made = _show_made(out)
    if corrected is not None:
        n_met = report.dropped.get("corrected_documents", 0)
        say(f"  {n_met:,} of the {len(corrected):,} documents of {corrections} were found")
    if report.known:
        n_known = ", ".join(f"{name} of {n:,}" for name, n in report.known.items())
        tell(f"  kept to be shown of {report.read:,} documents: {n_known}")
        if "title" in report.known and fields.title not in fields.text:
            tell(
                "  words of titles are not counted; if they should be: "
                f"--text {fields.title} --text {' --text '.join(fields.text)}"
            )
    for name, field in fields.details:
        if field in fields.asked and name not in report.known:
            say(f"  no document has anything in the field {field!r}")
    if made.tree is None:
        tell("  no labels were read, for there is no --tree; frex fit finds topics: --unsupervised")
    elif made.tree.several_parents:
        _say_parents(made.tree, several_parents)
    say(f"Next: frex describe {out}")


def _say_parents(tree: TopicTree, policy: SeveralParents) -> None:
    """Print the number of topics with several parents, and the chosen parents of a few."""

    def shown(node: int) -> str:
        name, title = tree.names[node], tree.titles[node]
        return name if name.endswith(title) else f"{name} {title}"

    n = len(tree.several_parents)
    how = (
        "the one whose other documents are closest in their words (the first, for a topic without "
        "documents)"
        if policy is SeveralParents.best
        else "the first"
    )
    say(f"{n:,} topic{'s have' if n > 1 else ' has'} several parents; the tree takes {how}:")
    for node in tree.several_parents[: description.N_NAMED]:
        taken, *others = map(shown, tree.all_parents(node))
        tell(f"  {shown(node)}: under {taken}, also under {', '.join(others)}")
    if n > description.N_NAMED:
        say(f"  ... and {n - description.N_NAMED:,} more")


def datasets(
    name: Annotated[
        str | None, typer.Argument(help="The corpus; without it, all are listed.")
    ] = None,
    *,
    data: Annotated[
        list[Path] | None, typer.Option(help="Its official files, or their folder or archive.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The folder to make.")] = None,
    labels: Annotated[
        str | None, typer.Option(help="The labels to use. nyt: taxonomic or descriptors.")
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(help="A topic to remove; its parent gets its documents. May be repeated."),
    ] = None,
    stop_words: StopWords = None,
    drop_proper_nouns: DropProperNouns = False,
    top_share: TopShare = None,
    top: Top = None,
    min_documents: MinDocuments = None,
    jobs: Jobs = 0,
    overwrite: Overwrite = False,
) -> None:
    """Make a known corpus from its official files, or the bundled one."""
    if name is None:
        for known, dataset in frex.datasets.DATASETS.items():
            say(f"{known:<14}{dataset.description}")
        return
    if name not in frex.datasets.DATASETS:
        raise InputError(
            f"there is no corpus {name!r}",
            remedy=f"Choose one of {', '.join(frex.datasets.DATASETS)}.",
        )
    if out is None:
        raise InputError("there is no folder to write to", remedy="Name it with --out CORPUS.")
    if not data and not frex.datasets.DATASETS[name].bundled:
        raise InputError(
            f"{name} is made from its official files",
            remedy=f"Name them with --data: {frex.datasets.DATASETS[name].source}.",
        )
    rule = frex.text.VocabularyRule(share=top_share, top=top, min_documents=min_documents)
    options = {} if rule == frex.text.VocabularyRule() else {"vocabulary": rule}
    with progress(f"reading {name}", unit="documents") as step:
        frex.datasets.DATASETS[name].prepare(
            data or [],
            out,
            stop_words=None if stop_words is None else read_stop_words(stop_words),
            drop_proper_nouns=drop_proper_nouns,
            labels=labels,
            without=without or (),
            jobs=jobs,
            overwrite=overwrite,
            progress=step,
            **options,
        )
    _show_made(out)
    say(f"Next: frex describe {out}")


def _show_made(out: Path) -> Corpus:
    corpus = frex.corpus.read_corpus(out)
    tell(f"{out}: {description.sizes(corpus)}")
    for line in description.report_lines(corpus.report):
        tell(line)
    return corpus

"""Commands that make and describe corpora: prepare, datasets, describe, simulate."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frex.cli.screen import Format, progress, say, share, show_table
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from frex.corpus import Corpus
    from frex.tree import TopicTree

N_NAMED = 5
"""Topics of a kind that are named: without documents, with several parents."""

Out = Annotated[Path, typer.Option("--out", "-o", help="The corpus folder to make.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an existing corpus.")]
Form = Annotated[Format, typer.Option("--format", help="How to print the table.")]
StopWords = Annotated[
    str | None, typer.Option(help="`smart`, or a file with one word a line. None needed.")
]
DropProperNouns = Annotated[bool, typer.Option(help="Needs frex[tagger].")]
TopShare = Annotated[
    float | None, typer.Option(help="Keep this share of the stems, the most frequent: 0.03")
]
Top = Annotated[int | None, typer.Option(help="Keep so many stems, the most frequent.")]
MinDocuments = Annotated[
    int | None, typer.Option(help="Keep stems that are in so many documents; 5 by default.")
]
Jobs = Annotated[int, typer.Option(help="Processes; 0 is one for each core.", min=0)]


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    for command in (simulate, prepare, datasets, describe):
        app.command()(command)


def describe(
    corpus: Annotated[Path, typer.Argument(help="A corpus folder.")],
    *,
    form: Form = Format.table,
) -> None:
    """Print a corpus' sizes, its tree and how mixed the documents of each topic are."""
    from frex.corpus import read_corpus  # noqa: PLC0415 - keeps `frex --help` quick

    show_corpus(read_corpus(corpus), str(corpus), form)


def show_corpus(corpus: Corpus, name: str, form: Format = Format.table) -> None:
    """Print what `frex describe` prints."""
    if form is Format.table:
        say(f"{name}: {sizes(corpus)}")
        for line in _report_lines(corpus.report):
            say(line)
        several = 0 if corpus.tree is None else len(corpus.tree.several_parents)
        if several:
            say(f"  {several:,} topic{'s' if several > 1 else ''} with several parents")
    if corpus.tree is None:
        if form is not Format.table:
            raise InputError("the corpus has no labels, so no table", remedy="Use --format table.")
        say("no labels: for the unsupervised model only")
        return
    from frex.corpus import membership_table  # noqa: PLC0415 - keeps `frex --help` quick

    columns: dict[str, Any] = membership_table(corpus).to_dict(orient="list")
    shares = [name for name in columns if name.startswith(("mixed", "cross_"))]
    if form is Format.table:
        for line in _thin_topics(columns):
            say(line)
    if form in (Format.table, Format.markdown):
        drawn = [*corpus.tree.outline(), "all documents"]
        titles = [
            "" if title in name else title
            for title, name in zip(columns["title"], drawn, strict=True)
        ]
        columns = {"topic": drawn, "title": titles} | {
            key: columns[key] for key in ("documents", "below", *shares, "note")
        }
        say("\nbelow: documents of the topic and of all topics below it")
        say("mixed: % of a topic's documents with several labels; cross_1: in several top-level")
        deeper = ", ".join(shares[2:])
        say(f"branches; {deeper}: with several labels of that level within one branch\n"
            if deeper else "branches\n")  # fmt: skip
    counts = dict.fromkeys(("documents", "below"), lambda n: f"{n:,}")
    show_table(columns, form, text=counts | dict.fromkeys(shares, share))


def _thin_topics(columns: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    """Say of how many topics nothing, or little, can be known, and of which."""
    from frex.corpus.membership import FEW, FEW_DOCUMENTS, NO_DOCUMENTS  # noqa: PLC0415 - as above

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
            yield f"  {len(names):,} of {n_topics:,} topics have {what}: {named}. {meaning}"


def sizes(corpus: Corpus) -> str:
    """Return the sizes of a corpus in a line."""
    levels = 0 if corpus.tree is None else int(corpus.tree.levels.max())
    topics = f", {corpus.n_topics:,} topics on {levels} levels" if corpus.tree else ""
    return (
        f"{len(corpus):,} documents, {corpus.n_words:,} words{topics}, {corpus.n_tokens:,} tokens "
        f"({corpus.n_tokens / len(corpus):.0f} a document)"
    )


_REASONS = {
    "unknown_labels": "label{s} not in the tree: dropped",
    "redundant_ancestor_labels": "label{s} made redundant by a more specific one: removed",
    "empty_documents": "document{s} without a word of the vocabulary: dropped",
    "unlabelled_documents": "document{s} without a label: dropped",
    "skipped_documents": "broken or repeated document{s}: skipped",
}


def _report_lines(report: dict[str, int]) -> list[str]:
    return [
        f"  {n:,} {_REASONS[reason].format(s='' if n == 1 else 's')}"
        for reason, n in report.items()
    ]


class Unlabelled(StrEnum):
    """What to do with a document that has no label."""

    error = "error"
    drop = "drop"
    keep = "keep"


class SeveralParents(StrEnum):
    """Which parent of a topic with several the tree takes."""

    best = "best"
    first = "first"
    error = "error"


class OnError(StrEnum):
    """What to do at a broken line."""

    stop = "stop"
    skip = "skip"


def prepare(
    docs: Annotated[
        list[str],
        typer.Argument(help="Files of documents: .jsonl, .csv, .tsv, .parquet, also packed; or -"),
    ],
    *,
    tree: Annotated[
        Path | None,
        typer.Option(
            help="The tree: .csv, .json, .yaml, paths, SKOS, also packed. None: no labels."
        ),
    ] = None,
    names_language: Annotated[
        str | None, typer.Option(help="Of SKOS in several: de. English by default.")
    ] = None,
    out: Out,
    text: Annotated[list[str] | None, typer.Option(help="Field(s) of the text.")] = None,
    id_field: Annotated[str, typer.Option("--id", help="Field of the document's name.")] = "id",
    labels: Annotated[str, typer.Option(help="Field of the labels.")] = "labels",
    separator: Annotated[str, typer.Option(help="Between labels in a column of text.")] = "|",
    stop_words: StopWords = None,
    stem: Annotated[bool, typer.Option(help="Count words under their Porter stem.")] = True,
    drop_proper_nouns: DropProperNouns = False,
    top_share: TopShare = None,
    top: Top = None,
    min_documents: MinDocuments = None,
    unlabelled: Annotated[
        Unlabelled, typer.Option(help="Documents with words and no label.")
    ] = Unlabelled.error,
    unknown: Annotated[
        Unlabelled, typer.Option(help="Labels that are not in the tree: error or drop.")
    ] = Unlabelled.error,
    keep_ancestors: Annotated[
        bool, typer.Option(help="Keep labels that a more specific one makes redundant.")
    ] = False,
    several_parents: Annotated[
        SeveralParents,
        typer.Option(
            help="Of a topic's parents the tree takes the best by its words, or the first."
        ),
    ] = SeveralParents.best,
    on_error: Annotated[OnError, typer.Option(help="At a broken line.")] = OnError.stop,
    jobs: Jobs = 0,
    overwrite: Overwrite = False,
) -> None:
    """Turn documents and a tree into a corpus, streaming: it may be larger than memory."""
    from frex.text import (  # noqa: PLC0415 - keeps `frex --help` quick
        Analyzer,
        Fields,
        VocabularyRule,
        input_bytes,
    )
    from frex.text import prepare as prepare_files  # noqa: PLC0415
    from frex.tree import read_tree  # noqa: PLC0415

    rule = VocabularyRule(share=top_share, top=top, min_documents=min_documents)
    fields = Fields(id_field, tuple(text or ["text"]), labels if tree else None, separator)
    topics = read_tree(tree, names_language=names_language) if tree else None
    with progress("preparing", input_bytes(docs), unit="B") as step:
        report = prepare_files(
            docs,
            topics,
            out,
            fields=fields,
            analyzer=Analyzer(
                stem=stem,
                stop_words=_stop_words(stop_words),
                drop_proper_nouns=drop_proper_nouns,
            ),
            vocabulary=None if rule == VocabularyRule() else rule,
            jobs=jobs,
            unlabelled=unlabelled,
            unknown=unknown,
            ancestors="keep" if keep_ancestors else "remove",
            several_parents=several_parents,
            on_error=on_error,
            overwrite=overwrite,
            progress=step,
        )
    for message in report.messages:
        say(f"  skipped {message}")
    hidden = sum(report.skipped.values()) - len(report.messages)
    if hidden > 0:
        say(f"  ... and {hidden:,} more")
    made = _show_made(out)
    if made.tree is not None and made.tree.several_parents:
        _say_parents(made.tree, several_parents)
    say(f"Next: frex describe {out}")


def _say_parents(tree: TopicTree, policy: SeveralParents) -> None:
    """Say how many topics have several parents, and of a few which of them the tree takes."""

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
    for node in tree.several_parents[:N_NAMED]:
        taken, *others = map(shown, tree.all_parents(node))
        say(f"  {shown(node)}: under {taken}, also under {', '.join(others)}")
    if n > N_NAMED:
        say(f"  ... and {n - N_NAMED:,} more")


def _stop_words(choice: str | None) -> Any:
    if choice is None or choice == "smart":
        return choice
    try:
        return tuple(Path(choice).read_text(encoding="utf-8").split())
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read the stop words: {error}", path=choice, remedy="Use `smart`, or a file."
        ) from error


def simulate(
    out: Annotated[Path, typer.Argument(help="The folder to make, with `corpus` and `truth`.")],
    *,
    docs: Annotated[int, typer.Option(help="Number of documents.", min=1)] = 5000,
    words: Annotated[int, typer.Option(help="Number of words.", min=1)] = 2000,
    branching: Annotated[
        str, typer.Option(help="Children of a node on each level: 4,5 makes 4 + 20 topics.")
    ] = "4,5",
    tree: Annotated[Path | None, typer.Option(help="A tree file, instead of --branching.")] = None,
    length: Annotated[float, typer.Option(help="Tokens a document, about.", min=1)] = 100,
    labels: Annotated[float | None, typer.Option(help="Labels a document; 1.6 by default.")] = None,
    keep_unlabelled: Annotated[
        bool,
        typer.Option(
            "--keep-unlabelled",
            help="Keep documents that have no label, and so no words; by default each is drawn "
            "again until it has one.",
        ),
    ] = False,
    seed: Annotated[int, typer.Option(help="The same seed gives the same corpus.", min=0)] = 0,
    overwrite: Overwrite = False,
) -> None:
    """Draw a corpus from the model itself, with the truth behind it."""
    from frex.model import branching_tree, simulate  # noqa: PLC0415 - keeps `frex --help` quick
    from frex.tree import read_tree  # noqa: PLC0415

    topics = read_tree(tree) if tree else branching_tree(whole_numbers(branching, "--branching"))
    with progress("simulating", docs, unit="documents") as step:
        corpus, truth = simulate(
            topics,
            docs,
            words,
            rates="zipf",
            mean_length=length,
            labels_per_document=labels,
            unlabelled="keep" if keep_unlabelled else "redraw",
            seed=seed,
            progress=step,
        )
    corpus.write(out / "corpus", overwrite=overwrite)
    truth.write(out / "truth", overwrite=overwrite)
    say(f"{out / 'corpus'}: {sizes(corpus)}")
    say(f"{out / 'truth'}: the rates, memberships and hyperparameters that it was drawn from")


def whole_numbers(text: str, option: str) -> list[int]:
    """Read an option's whole numbers, with commas between them."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError(
            f"{option} is {text!r}", remedy="Give whole numbers with commas between them: 4,5"
        ) from None


def datasets(
    name: Annotated[str | None, typer.Argument(help="Which corpus; none lists them.")] = None,
    *,
    data: Annotated[
        list[Path] | None, typer.Option(help="Its official files, or their folder or archive.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The folder to make.")] = None,
    labels: Annotated[
        str | None, typer.Option(help="Which labels. nyt: taxonomic or descriptors.")
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(help="A topic to leave out; its documents go to its parent. May be repeated."),
    ] = None,
    stop_words: StopWords = None,
    drop_proper_nouns: DropProperNouns = False,
    top_share: TopShare = None,
    top: Top = None,
    min_documents: MinDocuments = None,
    jobs: Jobs = 0,
    overwrite: Overwrite = False,
) -> None:
    """Make a known corpus from its official files, or the one that comes along."""
    from frex.datasets import DATASETS  # noqa: PLC0415 - keeps `frex --help` quick
    from frex.text import VocabularyRule  # noqa: PLC0415

    if name is None:
        for known, dataset in DATASETS.items():
            say(f"{known:<14}{dataset.description}")
        return
    if name not in DATASETS:
        raise InputError(
            f"there is no corpus {name!r}", remedy=f"Choose one of {', '.join(DATASETS)}."
        )
    if out is None:
        raise InputError("there is no folder to write to", remedy="Name it with --out CORPUS.")
    if not data and not DATASETS[name].bundled:
        raise InputError(
            f"{name} is made from its official files",
            remedy=f"Name them with --data: {DATASETS[name].source}.",
        )
    rule = VocabularyRule(share=top_share, top=top, min_documents=min_documents)
    options = {} if rule == VocabularyRule() else {"vocabulary": rule}
    with progress(f"reading {name}", unit="documents") as step:
        DATASETS[name].prepare(
            data or [],
            out,
            stop_words=_stop_words(stop_words),
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
    from frex.corpus import read_corpus  # noqa: PLC0415 - keeps `frex --help` quick

    corpus = read_corpus(out)
    say(f"{out}: {sizes(corpus)}")
    for line in _report_lines(corpus.report):
        say(line)
    return corpus

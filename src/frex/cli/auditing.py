"""Input and output of `frex audit`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import frex.audit
import frex.corpus.folder
import frex.explorer
import frex.posterior
import frex.posterior.folder
import frex.progress
import frex.sampler.fit
import frex.sampler.settings
import frex.storage
from frex.cli.labelling import Source
from frex.cli.screen import Format, counted, progress, say, show_table, tell
from frex.errors import InputError
from frex.storage.reading import read_manifest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from frex.audit import LabelFinding, Lesson, TopicFinding
    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.predict import OutOfFold
    from frex.tree import TopicTree

SHOWN = 20
"""Most findings of each kind in a printed table; csv and json have all of them."""

LIST = (".jsonl", ".csv")


class Files(NamedTuple):
    """The output files."""

    page: Path | None
    labels: Path | None
    topics: Path | None
    label_studio: Path | None
    argilla: Path | None

    def check(self, *, overwrite: bool, lessons: bool) -> None:
        """Raise an error for files that cannot be written, before the work is done."""
        endings = ((".html", ".htm"), LIST, LIST, (".json",), (".jsonl",))
        for place, allowed in zip(self, endings, strict=True):
            if place is not None:
                frex.storage.check_file(place, endings=allowed, overwrite=overwrite)
        if self.label_studio is not None:
            frex.storage.check_file(self.label_studio.with_suffix(".xml"), overwrite=overwrite)
        if lessons and any((self.page, self.topics, self.label_studio, self.argilla)):
            raise InputError(
                "with --unlabelled there are no findings, only documents to label next",
                remedy="Write them with --labels NEXT.jsonl, or leave --unlabelled out.",
            )


def places(given: Path, corpus: Path | None, fit: Path | None) -> tuple[Path, Path | None]:
    """Return the folders of the corpus and of its fit, in any order of the arguments."""
    kind = read_manifest(given)["kind"]
    if kind != frex.posterior.folder.KIND:
        if corpus is not None:
            raise InputError(
                f"{given} is a corpus, and so is {corpus}", remedy="Leave --corpus out."
            )
        return given, fit
    if corpus is None:
        raise InputError(
            f"{given} is a fit, which does not hold the documents' words",
            remedy=f"Name its corpus: frex audit CORPUS --fit {given}",
        )
    if fit is not None:
        raise InputError(f"{given} is a fit, and so is {fit}", remedy="Leave --fit out.")
    return corpus, given


def posterior(
    corpus: Corpus, fit: Path | None, *, method: Literal["map", "sample"], seed: int, threads: int
) -> Posterior:
    """Read the fit, or make one."""
    if fit is not None:
        found = frex.posterior.read_posterior(fit)
        if found.settings.get("n_topics") is not None:
            raise InputError(
                f"{fit} is a fit without labels", remedy="Fit the corpus with its labels."
            )
        return found
    settings = frex.sampler.settings.Settings(
        method="map" if method == "map" else "sample", seed=seed
    )
    with frex.progress.show_progress() as step:
        return frex.sampler.fit.fit(corpus, settings, threads=threads, progress=step)


def write(
    files: Files,
    labels: Sequence[LabelFinding],
    topics: Sequence[TopicFinding],
    corpus: Corpus,
    *,
    title: str,
    overwrite: bool,
) -> None:
    """Write findings into all requested files, and report it."""
    assert corpus.tree is not None
    texts = beginnings(labels, corpus)
    if files.page is not None:
        frex.explorer.write_review(
            labels, topics, corpus.tree, files.page,
            title=title, texts=texts, known=known_of(topics, corpus), overwrite=overwrite,
        )  # fmt: skip
    if files.labels is not None:
        write_list(
            files.labels, [one.to_json() for one in labels], frex.audit.label_columns(labels)
        )
    if files.topics is not None:
        write_list(
            files.topics, [one.to_json() for one in topics], frex.audit.topic_columns(topics)
        )
    if files.label_studio is not None:
        _write_json(files.label_studio, frex.audit.label_studio_tasks(labels, texts))
        interface = frex.audit.label_studio_interface(corpus.tree)
        with frex.storage.whole_file(files.label_studio.with_suffix(".xml")) as partial:
            partial.write_text(interface, encoding="utf-8")
    if files.argilla is not None:
        write_list(files.argilla, frex.audit.argilla_records(labels, texts), {})


def beginnings(labels: Iterable[LabelFinding], corpus: Corpus) -> dict[str, str]:
    """Return the beginnings of the findings' documents, by id, if the corpus stores them."""
    wanted = {one.document for one in labels}
    rows = ((name, row) for row, name in enumerate(corpus.ids) if name in wanted)
    found = ((name, corpus.details.value("snippet", row)) for name, row in rows)
    return {name: text for name, text in found if text}


def known_of(topics: Iterable[TopicFinding], corpus: Corpus) -> dict[str, tuple[str, str]]:
    """Return titles and addresses of the documents that findings name, by id."""
    wanted = {name for one in topics for group in one.groups for name in group.documents}
    rows = ((name, row) for row, name in enumerate(corpus.ids) if name in wanted)
    return {name: (corpus.details.title(row), corpus.details.link(row)) for name, row in rows}


def write_list(
    path: Path, records: Sequence[Mapping[str, Any]], columns: Mapping[str, Sequence[Any]]
) -> None:
    """Write records as lines of JSON, or columns as CSV, by the ending of the file's name."""
    with frex.storage.whole_file(path) as partial, partial.open("w", encoding="utf-8") as lines:
        if path.suffix.lower() == ".csv":
            rows = zip(*columns.values(), strict=True)
            lines.writelines(map(frex.storage.csv_line, [columns, *rows]))
            return
        for record in records:
            lines.write(f"{json.dumps(record, ensure_ascii=False, allow_nan=False)}\n")


def _write_json(path: Path, value: Any) -> None:
    with frex.storage.whole_file(path) as partial:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1)
        partial.write_text(f"{text}\n", encoding="utf-8")


def show(
    labels: Sequence[LabelFinding],
    topics: Sequence[TopicFinding],
    form: Format,
    rest: str = "the page, --out PAGE.html",
) -> None:
    """Print findings: the first of each kind as tables, or those about labels as csv or json.

    Parameters
    ----------
    labels, topics
        The findings.
    form
        The format.
    rest
        The place of the other findings.
    """
    if form in {Format.csv, Format.json}:
        show_table(frex.audit.label_columns(labels), form)
        return
    documents = len({one.document for one in labels})
    expected = sum(one.probability for one in labels)
    found = f"{counted(len(labels), 'label')} in {counted(documents, 'document')} to look at"
    say(f"{found}, {counted(round(expected), 'error')} expected among them" if labels else found)
    if labels:
        show_table(_of_labels(labels[:SHOWN]), form, text={"chance": _percent})
        _say_more(len(labels), rest)
    say(f"\n{counted(len(topics), 'finding')} about topics")
    for one in topics[:SHOWN]:
        tell(f"  {_percent(one.probability):>6}  {one.kind:<10} {one.finding}")
    _say_more(len(topics), rest)


def _say_more(n: int, rest: str) -> None:
    if n > SHOWN:
        say(f"  ... and {n - SHOWN:,} more: see {rest}")


def _of_labels(labels: Sequence[LabelFinding]) -> dict[str, list[Any]]:
    return {
        "document": [_cut(one.title or one.document) for one in labels],
        "finding": [one.kind for one in labels],
        "label": [one.label or "" for one in labels],
        "other": [one.other or "" for one in labels],
        "chance": [one.probability for one in labels],
        "words for": [" ".join(one.words_for) for one in labels],
    }


def _cut(text: str, most: int = 40) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _percent(value: float) -> str:
    return (
        "> 99 %" if 0.995 <= value < 1 else f"{100 * value:.0f} %"
    )  # an estimate is never certain


def below(topics: Iterable[TopicFinding], tree: TopicTree, name: str) -> list[TopicFinding]:
    """Return the findings about a topic and those below it."""
    node = tree.node(name)

    def inside(topic: str | None) -> bool:
        return topic is not None and node in (tree.node(topic), *tree.all_ancestors(topic))

    return [one for one in topics if inside(one.topic) or inside(one.other)]


def teach(
    docs: list[str],
    posterior: Posterior,
    corpus: Corpus,
    judged: OutOfFold,
    *,
    limit: int,
    threads: int,
    options: Mapping[str, Any],
) -> list[Lesson]:
    """Choose the documents to label next."""
    source = Source(docs, posterior, **options)
    with progress("reading documents", source.total, unit=source.unit) as step:
        return frex.audit.label_next(
            posterior, corpus, source.documents(step), limit=limit, judged=judged, threads=threads
        )


def lesson_columns(lessons: Sequence[Lesson]) -> dict[str, list[Any]]:
    """Return the documents to label next as columns."""
    topics = [
        ", ".join(
            f"{name} {_percent(p)}" for name, p in zip(one.topics, one.probabilities, strict=True)
        )
        for one in lessons
    ]
    return {
        "document": [one.document for one in lessons],
        "title": [one.title for one in lessons],
        "link": [one.link for one in lessons],
        "worth": [round(one.worth, 4) for one in lessons],
        "in doubt": topics,
    }

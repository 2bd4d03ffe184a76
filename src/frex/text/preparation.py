"""From files of text to a corpus folder: one pass over the text, in bounded memory.

The first pass counts all stems and spools the counts to disk. Then the vocabulary is chosen, and
the last pass reads only the spooled counts and writes the corpus. Memory holds the distinct words,
a few batches and a short hash of every document's id. If topics have several parents, another pass
over the spooled counts chooses the parents of the corpus's tree; memory then also holds the counts
of these topics and parents, at most topics x words.
"""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import numpy as np
from scipy import sparse

from frex.corpus import CorpusWriter, remove_redundant_ancestors
from frex.corpus.documents import from_rows, in_order
from frex.corpus.parents import BranchWords, move_labels
from frex.corpus.policies import check_policies
from frex.errors import FrexError, InputError
from frex.storage.hidden import hidden_folder
from frex.text.batches import batches_of
from frex.text.digest import Digester
from frex.text.documents import TEXT_FIELDS, Broken, Fields
from frex.text.files import read_batches
from frex.text.labelling import labelling_of
from frex.text.phrased import choose_phrased
from frex.text.record import analyzer_record
from frex.text.report import PrepareReport
from frex.text.spool import SeenIds, Spool
from frex.text.tally import Tally, Vocabulary
from frex.text.tokens import Analyzer
from frex.text.workers import available_cores, ordered_map

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from os import PathLike
    from typing import Unpack

    from numpy.typing import NDArray

    from frex.corpus.corrections import Corrections
    from frex.text.batches import Batch
    from frex.text.digest import Digest
    from frex.text.documents import Document
    from frex.text.phrased import Phrased
    from frex.text.spool import Rows
    from frex.text.vocabulary import VocabularyRule
    from frex.tree import TopicTree

    Counted = Callable[[], Iterator[tuple[Rows, sparse.csr_array]]]


class Options(TypedDict, total=False):
    """The options of `prepare` and `prepare_documents`.

    Attributes
    ----------
    analyzer
        Splits text into words; `Analyzer()` by default.
    vocabulary
        Selects the stems of the vocabulary; `default_rule` if it is None. Documents that are
        dropped because they have no label do not affect the choice.
    keep_text
        Number of characters to store from the beginning of each text, for display; 0 by default,
        because texts may be confidential.
    jobs
        Number of processes; 0 for one per core. The corpus does not depend on it.
    unlabelled, empty, unknown, ancestors, several_parents
        The policies of `frex.Corpus.from_matrices`.
    corrections
        The corrections of a review of ``frex audit``, by document id: a file, or
        `frex.corpus.Corrections`. The report has the number of corrected documents as
        ``"corrected_documents"``.
    on_error
        At a broken line or a repeated id, ``"stop"``, or ``"skip"`` and count it.
    overwrite
        Replace an existing corpus folder.
    progress
        Called with the amount of processed input: bytes of the files for `prepare` (see
        `frex.text.input_bytes`), documents for `prepare_documents`.
    """

    analyzer: Analyzer | None
    vocabulary: VocabularyRule | None
    keep_text: int
    jobs: int
    unlabelled: str
    empty: str
    unknown: str
    ancestors: str
    several_parents: str
    corrections: Corrections | str | PathLike[str] | None
    on_error: str
    overwrite: bool
    progress: Callable[[int], None] | None


def prepare(
    paths: Sequence[str | PathLike[str]] | str | PathLike[str],
    tree: TopicTree | None,
    out: str | PathLike[str],
    *,
    fields: Fields | None = None,
    table: str | PathLike[str] | None = None,
    **options: Unpack[Options],
) -> PrepareReport:
    """Make a corpus folder from files of documents; they may be larger than memory.

    Parameters
    ----------
    paths
        ``.jsonl``, ``.csv``, ``.tsv`` (each also with ``.gz``, ``.xz``, ``.bz2``, ``.zst``),
        ``.parquet`` or ``.xlsx`` files, or folders of ``.txt`` and ``.md`` files, whose subfolders
        are labels; ``-`` is JSON lines from standard input.
    tree
        The topics; None makes a corpus without labels.
    out
        The folder to make.
    fields
        Names of the fields with id, text, labels and details.
    table
        A table about the files of a folder, with their paths as ids, labels, titles, and so on.
    **options
        See `Options`.

    Returns
    -------
    PrepareReport
        Numbers of documents read, skipped and kept.

    Examples
    --------
    >>> from frex import read_tree
    >>> from frex.text import prepare
    >>> report = prepare('docs.jsonl', read_tree('tree.csv'), 'MADE', overwrite=True, jobs=1)
    >>> report.skipped
    {}
    """
    files = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    known = () if tree is None else tree.known_labels.columns
    preparation = _Preparation(tree, out, **options)  # options are validated before files
    fields = fields or Fields()
    if preparation.needs_labels:
        fields = replace(fields, labelled=True)
    preparation.text_fields = fields.text
    return preparation.run(read_batches(files, fields, known, table))


def prepare_documents(
    documents: Iterable[Document],
    tree: TopicTree | None,
    out: str | PathLike[str],
    **options: Unpack[Options],
) -> PrepareReport:
    """Make a corpus folder from documents of another reader.

    Parameters
    ----------
    documents
        An iterable of documents, which are not all held in memory.
    tree, out, **options
        As for `prepare`.
    """
    return _Preparation(tree, out, **options).run(batches_of(documents))


class _Preparation:
    """One run, with its options and its intermediate results."""

    def __init__(
        self, tree: TopicTree | None, out: str | PathLike[str], **options: Unpack[Options]
    ) -> None:
        unlabelled, unknown = options.get("unlabelled", "error"), options.get("unknown", "error")
        self._empty = options.get("empty", "drop")
        self._ancestors = options.get("ancestors", "remove")
        self._several_parents = options.get("several_parents", "best")
        check_policies(
            unlabelled=unlabelled,
            empty=self._empty,
            unknown=unknown,
            ancestors=self._ancestors,
            several_parents=self._several_parents,
        )
        if tree is not None and self._several_parents == "error":
            tree.require_one_parent()
        if options.get("on_error", "stop") not in ("stop", "skip"):
            raise InputError(
                f"on_error={options['on_error']!r} is not a choice", remedy="Use stop or skip."
            )
        self._skip = options.get("on_error") == "skip"
        self._jobs = _number_of_jobs(options.get("jobs", 0))
        self._rule = options.get("vocabulary")
        self._progress = options.get("progress")
        self._tree = tree
        self._out = Path(out)
        self._overwrite = options.get("overwrite", False)
        self._analyzer = options.get("analyzer") or Analyzer()
        self.text_fields: tuple[str, ...] = TEXT_FIELDS
        self._writer(Vocabulary([], [], np.empty(0, np.int32)), tree, [])  # raises an error early
        labelling = labelling_of(tree, unlabelled, unknown, options.get("corrections"))
        self.needs_labels = tree is not None and unlabelled == "error" and not labelling.corrections
        keep_text = options.get("keep_text", 0)
        if keep_text < 0:
            raise InputError(f"{keep_text} characters are to be kept", remedy="Give 0 or more.")
        self._digester = Digester(self._analyzer, labelling, self._skip, keep_text)
        self._report = PrepareReport(self._out)
        self._tally = Tally()
        self._seen = SeenIds()

    def run(self, batches: Iterator[Batch]) -> PrepareReport:
        try:
            self._out.parent.mkdir(parents=True, exist_ok=True)
            with hidden_folder(self._out, "spool", mode=0o700) as folder:
                spool = Spool(folder)
                with closing(spool):
                    self._count(batches, spool)
                rule = self._rule or self._tally.default_rule(spool.n_documents)
                if self._analyzer.phrases:
                    store = spool.store()
                    with closing(store):
                        phrased = choose_phrased(self._tally, rule, spool.chunks, store)
                        self._finish(spool, phrased.vocabulary, phrased)
                else:
                    self._finish(spool, self._tally.choose(rule), None)
        except OSError as error:  # errors of reading are already InputErrors
            raise FrexError(f"{self._out}: cannot be written: {error.strerror}") from error
        return self._report

    def _count(self, batches: Iterator[Batch], spool: Spool) -> None:
        """Make the first pass: from text to the spool."""
        with closing(ordered_map(self._digester, batches, self._jobs)) as digests:
            for worker, batch, digest in digests:
                self._tally.learn(worker, digest.counts.new)
                counter, kept = worker, digest
                repeated = self._seen.repeated([document.id for document in digest.documents])
                if repeated:
                    self._refuse_repeated(digest, repeated, spool)
                    # counted again without them, by another counter in this process
                    counter, kept = -1, self._recounter(batch, frozenset(repeated))
                    self._tally.learn(counter, kept.counts.new)
                if kept.error is not None:  # later in the batch than all of its documents
                    raise kept.error
                stems = self._tally.add(counter, kept.counts)
                spool.add(kept, stems, self._tally.order(counter, kept.counts))
                for place in kept.broken:
                    self._report.skip(place)
                for reason, number in kept.dropped.items():
                    self._report.drop(reason, number)
                if self._progress is not None:
                    self._progress(batch.size)
        self._report.read = spool.n_documents + self._report.dropped.get("unlabelled_documents", 0)
        self._report.stems = self._tally.n_stems
        self._report.known = {name: spool.n_known[name] for name in in_order(spool.n_known)}
        if not self._report.read:
            raise InputError("there are no documents", remedy="Check the input.")

    @cached_property
    def _recounter(self) -> Digester:
        return replace(self._digester)

    def _refuse_repeated(self, digest: Digest, repeated: Sequence[int], spool: Spool) -> None:
        for position in repeated:
            document = digest.documents[position]
            place = Broken("repeated id", repr(document.id), document.path, document.line)
            if self._skip:
                self._report.skip(place)
                continue
            earlier = (d[3:5] for d in digest.documents[:position] if d.id == document.id)
            path, line = next(earlier, None) or spool.place(document.id)
            where = "an earlier document" if path is None else f"{path}, line {line}"
            raise place._replace(
                detail=f"{document.id!r} is also the id of {where}",
                remedy="Make ids unique, or pass over those that come again: --on-error skip, "
                "on_error='skip'. Without an id field documents are numbered.",
            ).error()

    def _finish(self, spool: Spool, vocabulary: Vocabulary, phrased: Phrased | None) -> None:
        """Choose parents from the spooled counts, and write the corpus."""

        def counted() -> Iterator[tuple[Rows, sparse.csr_array]]:
            changes, start = None if phrased is None else phrased.counts(), 0
            for rows in spool.rows():
                counts = vocabulary.matrix(rows.lengths, rows.stems, rows.counts)
                yield rows, counts if changes is None else changes.add_to(counts, start)
                start += len(rows.ids)

        tree = self._choose_parents(counted, len(vocabulary.words))
        self._write(counted, vocabulary, tree)

    def _choose_parents(self, counted: Counted, n_words: int) -> TopicTree | None:
        """Return the tree of the corpus, which may differ from that of the spooled labels."""
        tree = self._tree
        if tree is None or not tree.several_parents:
            return tree
        if self._several_parents == "best":
            branches = BranchWords(tree, n_words)
            for rows, counts in counted():
                branches.add(counts, _spooled_labels(rows, tree))
            tree = branches.choose()
        self._report.several_parents = {
            tree.names[node]: [tree.names[parent] for parent in tree.all_parents(node)]
            for node in tree.several_parents
        }
        return tree

    def _writer(
        self, vocabulary: Vocabulary, tree: TopicTree | None, details: Sequence[str]
    ) -> CorpusWriter:
        return CorpusWriter(
            self._out,
            words=vocabulary.words,
            tree=tree,
            surface=vocabulary.surface,
            analyzer=analyzer_record(self._analyzer, self.text_fields),
            details=details,
            overwrite=self._overwrite,
        )

    def _write(self, counted: Counted, vocabulary: Vocabulary, tree: TopicTree | None) -> None:
        """Make the last pass: from the spool to the corpus folder."""
        report = self._report
        report.words = len(vocabulary.words)
        with self._writer(vocabulary, tree, list(report.known)) as writer:
            for rows, counts in counted():
                lengths = counts.sum(axis=1)
                keep = self._rows_to_keep(rows, lengths)
                report.documents += len(keep)
                report.tokens += int(lengths.sum())
                ids = [rows.ids[row] for row in keep.tolist()]
                labels = self._labels_matrix(rows, keep, tree)
                details = from_rows([rows.details[row] for row in keep.tolist()], report.known)
                writer.append(counts[keep], labels, ids, details=details)
            if not report.documents:
                raise InputError(
                    f"none of {report.read:,} documents is left",
                    remedy="Check the vocabulary, the labels and the tree.",
                )
            writer.report = dict(report.dropped)
            if report.skipped:
                writer.report["skipped_documents"] = sum(report.skipped.values())

    def _rows_to_keep(self, rows: Rows, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
        empty = np.flatnonzero(lengths == 0)
        if self._empty == "keep" or not len(empty):
            return np.arange(len(lengths))
        if self._empty == "error":
            path, line = rows.places[empty[0]]
            raise InputError(
                f"document {rows.ids[empty[0]]!r} has no words of the vocabulary",
                path=path,
                line=line,
                remedy="Drop or keep such documents: empty='drop'.",
            )
        self._report.drop("empty_documents", len(empty))
        return np.flatnonzero(lengths)

    def _labels_matrix(
        self, rows: Rows, keep: NDArray[np.int64], tree: TopicTree | None
    ) -> sparse.csr_array | None:
        if self._tree is None or tree is None:
            return None
        labels = _spooled_labels(rows, self._tree)
        if self._ancestors == "remove":
            specific = remove_redundant_ancestors(labels, self._tree)
            self._report.drop("redundant_ancestor_labels", labels.nnz - specific.nnz)
            labels = specific
        return move_labels(labels, self._tree, tree)[keep]


def _spooled_labels(rows: Rows, tree: TopicTree) -> sparse.csr_array:
    indptr = np.concatenate([[0], np.cumsum(rows.label_lengths, dtype=np.int64)])
    ones = np.ones(len(rows.labels), dtype=np.bool_)
    return sparse.csr_array((ones, rows.labels, indptr), shape=(len(rows.ids), tree.n_topics))


def _number_of_jobs(jobs: int) -> int:
    if jobs < 0:
        raise InputError(f"{jobs} processes", remedy="Give 1 or more, or 0 for one per core.")
    return jobs or available_cores()

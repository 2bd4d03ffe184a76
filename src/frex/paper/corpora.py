"""The available corpora, each prepared once, as in the paper if it says how.

A folder of data may hold, in any of its folders, the official files of `frex datasets`; corpora
that `frex prepare` made; and counts as `counts.npz` with `vocab.txt`, `labels.tsv` and `tree.tsv`.
"""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from frex.corpus import Corpus, read_corpus
from frex.datasets import DATASETS
from frex.errors import FrexError, InputError
from frex.text import VocabularyRule
from frex.tree import read_tree

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

PAPERS = ("rcv1-xml", "rcv1", "nyt", "ap-text")
"""Those of the paper itself."""

LABELLED = ("rcv1-xml", "rcv1", "rcv1-sample", "reuters21578", "debtags", "arxiv", "nyt")
"""The nearest to the paper's first."""

OPTIONS: dict[str, dict[str, Any]] = {
    "rcv1-xml": {"vocabulary": VocabularyRule(share=0.03), "without": ("C1511",)},
    "rcv1": {"vocabulary": VocabularyRule(share=0.03), "without": ("C1511",)},
    "nyt": {"vocabulary": VocabularyRule(share=0.03)},
}
"""The paper's vocabulary and topics."""

_PATTERNS = {
    "rcv1-xml": (r"\d{8}\.zip", r"rcv1\.topics\.hier\.orig(\.gz)?"),
    "rcv1": (
        r"lyrl2004_tokens_.*\.dat(\.gz)?",
        r"rcv1-v2\.topics\.qrels(\.gz)?",
        r"rcv1\.topics\.hier\.orig(\.gz)?",
    ),
    "nyt": (r"\d\d\.tgz",),
    "reuters21578": (r"reuters21578\.tar\.gz|reut2-\d+\.sgm|sgml\.tar\.\w+",),
    "arxiv": (r"arxiv.*\.jsonl?(\.\w+)?",),
    "ap-text": (r"ap\.tgz",),
}
"""Names of files, each of which must be there."""

_BESIDE = {"reuters21578": r"cat-descriptions.*|all-.*-strings\.lc\.txt"}


class Found(NamedTuple):
    """An available corpus."""

    name: str
    files: tuple[Path, ...]
    kind: str  #: a dataset's name, "folder" or "matrices"


def find_corpora(data: Path | None) -> dict[str, Found]:
    """Return the corpora in a folder, and the bundled one.

    Parameters
    ----------
    data
        The folder; None for none.
    """
    found = {"debtags": Found("debtags", (), "debtags")}
    if data is None:
        return found
    if not data.is_dir():
        raise InputError("is not a folder", path=data, remedy="Name the folder of the corpora.")
    files = sorted(path for path in data.rglob("*") if path.is_file())
    for name, patterns in _PATTERNS.items():
        groups = [[f for f in files if re.fullmatch(pattern, f.name)] for pattern in patterns]
        if all(groups):
            beside = [f for f in files if re.fullmatch(_BESIDE.get(name, "(?!)"), f.name)]
            chosen = tuple(f for group in groups for f in group)
            found[name] = Found(name, (*chosen, *beside), name)
    for file in files:
        folder = file.parent
        beside_it = {f.name for f in files if f.parent == folder}
        if file.name == "counts.npz" and {"vocab.txt", "labels.tsv", "tree.tsv"} <= beside_it:
            name = folder.name.replace("_", "-")
            found[name] = Found(name, (folder,), "matrices")
        elif file.name == "manifest.json" and {"words.json", "counts_indptr.npy"} <= beside_it:
            found[folder.name] = Found(folder.name, (folder,), "folder")
    return found


def prepare(found: Found, out: Path, documents: int | None) -> Corpus:
    """Return a corpus, prepared into a folder unless it exists.

    Parameters
    ----------
    found
        Where its files are.
    out
        The folder to make.
    documents
        Largest number of documents, drawn at random.
    """
    if out.is_dir():
        return read_corpus(out)
    if found.kind == "folder":
        corpus = read_corpus(found.files[0])
    elif found.kind == "matrices":
        corpus = _read_matrices(found.files[0])
    else:
        whole = out.with_name(f"{out.name}-all")
        if not whole.is_dir():
            _prepare_dataset(found, whole)
        corpus = read_corpus(whole)
    if documents is not None and len(corpus) > documents:
        rows = np.random.default_rng(0).choice(len(corpus), documents, replace=False)
        corpus = _seen_words(corpus.take(np.sort(rows)))
    corpus.write(out)
    return read_corpus(out)


def with_words(corpus: Corpus, words: Sequence[int] | Any) -> Corpus:
    """Return a corpus with some of its words; documents without any of them are left out.

    Parameters
    ----------
    corpus
        Any.
    words
        Numbers of those to keep.
    """
    return Corpus.from_matrices(
        corpus.counts[:, words],
        None if corpus.tree is None else corpus.labels,
        words=[corpus.words[word] for word in words],
        surface=None if corpus.surface is None else [corpus.surface[word] for word in words],
        ids=corpus.ids,
        tree=corpus.tree,
    )


def _seen_words(corpus: Corpus) -> Corpus:
    """Return a corpus without words that are in fewer than two of its documents."""
    documents = np.bincount(corpus.counts.indices, minlength=corpus.n_words)
    return with_words(corpus, np.flatnonzero(documents > 1))


def _prepare_dataset(found: Found, out: Path) -> None:
    options = OPTIONS.get(found.name, {})
    try:
        DATASETS[found.kind].prepare(found.files, out, **options)
    except FrexError:
        if found.kind != "ap-text":
            raise
        DATASETS["ap"].prepare(found.files, out)  # if there is no tagger for proper nouns


def _read_matrices(folder: Path) -> Corpus:
    """Read counts as SciPy saves them, with a table of labels and one of the tree."""
    with (folder / "labels.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    labels = [row.get("labels_minimal", row.get("labels", "")).split() for row in rows]
    return Corpus.from_matrices(
        sparse.csr_array(sparse.load_npz(folder / "counts.npz")),
        labels,
        words=(folder / "vocab.txt").read_text(encoding="utf-8").splitlines(),
        ids=[row["doc"] for row in rows],
        tree=read_tree(folder / "tree.tsv"),
        unlabelled="drop",
    )

"""Labels of held-out documents by a sampled fit and by the mode, where topics have no documents.

Four fifths of a corpus are fitted, and the labels of the last fifth predicted: by the plain rule,
a topic that 30 % of the document is about, and out of the box, by what the fit's calibration
learned. The training part of RCV1's sample leaves some of its topics empty as it is; in the others
a tenth of the topics, chosen at random among those without topics below them, lose their training
documents' labels. A rate without documents has a log with the tails of a Student-t, so that its
mean does not exist, and the mean of its draws takes the labels of everything: the sampled fit is to
be as good as the mode.

    python benchmarks/empty_topics.py [--corpora rcv1,reuters,arxiv,debtags] [--warmup 200]
        [--draws 300]

Without them warm-up and draws are the defaults. RCV1's sample, Reuters-21578 and arXiv are looked
for in `../shared/data`, or below the folder that `FREX_TEST_DATA` names.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from authors import read_sample
from machine import DATA
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from frex import HPC
from frex.corpus import Corpus, read_corpus
from frex.corpus.splits import split
from frex.datasets import arxiv, load_debtags, reuters21578
from frex.evaluate.measures import measure
from frex.text import prepare_documents

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

ARXIV_DOCUMENTS = 10_000
EVERY_WORD = 1_000_000
LEVEL = 0.01
"""How much lower the sampled fit's micro F1 may be than the mode's."""


class Row(NamedTuple):
    """What a fit reached on the held-out documents."""

    method: str
    draws: int
    plain: tuple[float, float, float]  #: micro F1, macro F1, labels a document, by the plain rule
    calibrated: tuple[float, float, float]  #: the same out of the box
    seconds: float  #: of the processor


def read_rcv1() -> Corpus:
    """Read the sample of RCV1."""
    return read_sample(DATA / "rcv1_sample", EVERY_WORD)


def read_reuters() -> Corpus:
    """Read the stories of Reuters-21578 that have topics."""
    files = [DATA / "reuters21578" / "sgml.tar.xz"]
    with tempfile.TemporaryDirectory() as folder:
        reuters21578.prepare(files, Path(folder) / "corpus")
        return _in_memory(read_corpus(Path(folder) / "corpus"))


def read_arxiv() -> Corpus:
    """Read the first papers of arXiv."""
    papers = arxiv.documents([DATA / "arxiv" / "arxiv_150k.jsonl.xz"])
    with tempfile.TemporaryDirectory() as folder:
        some = islice(papers, ARXIV_DOCUMENTS)
        prepare_documents(some, arxiv.topic_tree(), Path(folder) / "corpus")
        return _in_memory(read_corpus(Path(folder) / "corpus"))


def _in_memory(corpus: Corpus) -> Corpus:
    return corpus.take(np.arange(len(corpus)))


CORPORA: dict[str, tuple[Callable[[], Corpus], float]] = {
    "rcv1": (read_rcv1, 0.0),
    "reuters": (read_reuters, 0.1),
    "arxiv": (read_arxiv, 0.1),
    "debtags": (load_debtags, 0.1),
}
"""How each is read, and the share of its topics that is emptied."""


def emptied(corpus: Corpus, share: float, *, seed: int = 0) -> Corpus:
    """Take a share of the topics off the documents' labels; without a label a document goes.

    Parameters
    ----------
    corpus
        The training part.
    share
        Of all topics; they are chosen among those that have documents and no topic below.
    seed
        Decides which.
    """
    tree = corpus.tree
    assert tree is not None
    documents = np.bincount(corpus.labels.indices, minlength=tree.n_topics)
    leaves = [k for k in range(tree.n_topics) if documents[k] and not tree.children(k + 1)]
    chosen = np.random.default_rng(seed).permutation(leaves)[: round(share * tree.n_topics)]
    keep: NDArray[np.bool_] = ~np.isin(np.arange(tree.n_topics), chosen)
    left = [
        [name for name in corpus.labels_of(d) if keep[tree.node(name) - 1]]
        for d in range(len(corpus))
    ]
    labelled = [d for d, names in enumerate(left) if names]
    return Corpus.from_matrices(
        csr_array(corpus.counts)[labelled],
        [left[d] for d in labelled],
        tree=tree,
        words=list(corpus.words),
        ids=[corpus.ids[d] for d in labelled],
        empty="keep",
    )


def fit_and_predict(
    method: str, training: Corpus, test: Corpus, warmup: int, draws: int | None
) -> Row:
    """Fit the training part, and predict the labels of the test part in both ways."""
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # short runs are asked for
        model = HPC(warmup=warmup, draws=draws) if method == "sample" else HPC(method="map")
        model.fit(training)
    seconds = time.process_time() - begun
    calibrated = reached(model, test)
    del model.calibration_
    return Row(method, model.posterior_.n_draws, reached(model, test), calibrated, seconds)


def reached(model: HPC, test: Corpus) -> tuple[float, float, float]:
    """Return micro F1, macro F1 and labels a document that a model reaches as it is."""
    found = model.predict(test)
    assert test.tree is not None
    figures = measure(test.labels, found, model.transform(test.counts), test.tree)
    return figures["micro_f1"], figures["macro_f1"], float(np.diff(found.indptr).mean())


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpora", default=",".join(CORPORA))
    parser.add_argument("--warmup", type=int, default=300)
    parser.add_argument("--draws", type=int)
    args = parser.parse_args()
    print("| corpus | topics | empty | fit | draws | rule | micro F1 | macro F1 | labels | CPU-s |")
    print("|---|---:|---:|---|---:|---|---:|---:|---:|---:|", flush=True)
    for name in args.corpora.split(","):
        read, share = CORPORA[name]
        if name != "debtags" and not DATA.is_dir():
            print(f"{name}: not there, FREX_TEST_DATA names the folder of real corpora")
            continue
        training, test = split(read(), (0.8, 0.2))
        training = emptied(training, share)
        n_empty = training.n_topics - training.without_empty_topics().n_topics
        rows = {}
        for method in ("map", "sample"):
            row = fit_and_predict(method, training, test, args.warmup, args.draws)
            rows[method] = row
            for rule in ("plain", "calibrated"):
                micro, macro, labels = getattr(row, rule)
                print(
                    f"| {name} | {training.n_topics} | {n_empty} | {row.method} | "
                    f"{row.draws or ''} | {rule} | {micro:.3f} | {macro:.3f} | {labels:.2f} | "
                    f"{row.seconds:.0f} |",
                    flush=True,
                )
        for rule in ("plain", "calibrated"):
            lower = getattr(rows["map"], rule)[0] - getattr(rows["sample"], rule)[0]
            if lower > LEVEL:
                print(f"{name}, {rule}: the sampled fit is {lower:.3f} lower", flush=True)


if __name__ == "__main__":
    main()

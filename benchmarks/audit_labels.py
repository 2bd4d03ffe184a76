"""Labels that were made wrong on purpose: found by `frex audit`, by cleanlab, and by plain margins.

    python benchmarks/audit_labels.py [--corpora debtags,rcv1,reuters,arxiv,simulated]
        [--seeds 1] [--judged FOLDER]

In each corpus 5 % of the labels are swapped, half of them for a sibling (where there is one that
the document lacks) and half for any other topic, and 5 % are taken away from documents that keep
another. Documents are ranked by how likely it is that something is wrong with their labels, and
the ranking is held against what was done: average precision, and the share of right ones among the
first 1 % and 5 %. `frex` is the order of the audit's list: by the probability that all labels of a
document are right, as if errors were independent. Two other orders are shown beside it: by expected
errors, and by the probability that all labels are right if a wrong label and the missing one in
whose place it was given count as one error.

All contestants see the same folds: cleanlab's multi-label method (`get_label_quality_scores`) has
the probabilities of the SVM of those folds, put through the logistic of the join
(`frex.predict.learn_join` with the SVM's features), margins the SVM's decision values; `frex, SVM
only` is the audit with the same probabilities as cleanlab, `frex, without other labels` the audit
by words alone. Then, for given labels and absent ones apart, how often the audit's probabilities
are right, by decile, and the same for given labels that are their document's only one or one of
several. Real corpora hold errors of their own, which count as wrong answers here;
`simulated`, a corpus drawn from the model, holds none.
RCV1's sample, Reuters-21578 and arXiv (10,000 papers) are looked for in `../shared/data`, or below
what `FREX_TEST_DATA` names.
"""

from __future__ import annotations

import argparse
import pickle
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from cleanlab.multilabel_classification import get_label_quality_scores
from empty_topics import CORPORA
from scipy.sparse import csr_array
from scipy.special import expit
from sklearn.metrics import average_precision_score

from frex.audit.doubts import Places, document_doubts, find_doubts
from frex.audit.labels import places_of
from frex.model import branching_tree, simulate
from frex.predict import learn_join, out_of_fold
from frex.predict.judges import OF_LINEAR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.audit.doubts import Doubts
    from frex.corpus import Corpus
    from frex.predict import OutOfFold

    Array = NDArray[np.float64]

SWAPPED = DELETED = 0.05
DECILES = np.linspace(0, 1, 11)


class Damaged(NamedTuple):
    """A corpus with wrong labels, and what is wrong."""

    corpus: Corpus
    wrong: csr_array[np.bool_]  #: documents x topics: labels that were put there
    missing: csr_array[np.bool_]  #: labels that were taken away


def damage(corpus: Corpus, seed: int) -> Damaged:
    """Swap some labels and delete others."""
    assert corpus.tree is not None
    rng, tree = np.random.default_rng(seed), corpus.tree
    rows = np.repeat(np.arange(len(corpus)), np.diff(corpus.labels.indptr))
    before = [
        set(part.tolist()) for part in np.split(corpus.labels.indices, corpus.labels.indptr[1:-1])
    ]
    after = [set(labels) for labels in before]
    for row, topic, lot in zip(
        rows.tolist(), corpus.labels.indices.tolist(), rng.random(len(rows)), strict=True
    ):
        if lot < SWAPPED:
            siblings = [other - 1 for other in tree.siblings(topic + 1)]
            choice = siblings if rng.random() < 0.5 and siblings else range(tree.n_topics)
            new = int(rng.choice(np.asarray(choice)))
            if new not in before[row] and new not in after[row]:
                after[row] = after[row] - {topic} | {new}
        elif lot < SWAPPED + DELETED and len(after[row]) > 1:
            after[row] -= {topic}
    shape = corpus.labels.shape
    return Damaged(
        replace(corpus, labels=_matrix(after, shape)),
        _matrix([a - b for a, b in zip(after, before, strict=True)], shape),
        _matrix([b - a for a, b in zip(after, before, strict=True)], shape),
    )


def _matrix(labels: list[set[int]], shape: tuple[int, int]) -> csr_array[np.bool_]:
    indptr = np.concatenate([[0], np.cumsum([len(one) for one in labels])])
    indices = np.array([topic for one in labels for topic in sorted(one)], np.int64)
    return csr_array((np.ones(len(indices), np.bool_), indices, indptr), shape=shape)


def simulated() -> Corpus:
    """Draw a corpus of the model, whose labels are right before they are damaged."""
    return simulate(
        branching_tree((5, 8)), 6000, 2000, rates="zipf", drop_empty=True, mean_length=60,
        labels_per_document=0.6, unlabelled="redraw", seed=1,
    ).corpus  # fmt: skip


def judge(corpus: Corpus, kept: Path | None) -> OutOfFold:
    """Judge the documents by fits to the others, or read what was kept of that."""
    if kept is not None and kept.exists():
        judged: OutOfFold = pickle.loads(kept.read_bytes())  # noqa: S301 - written here
        return judged
    judged = out_of_fold(corpus)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pickle.dumps(judged))
    return judged


def _replaced_once(doubts: Doubts) -> Doubts:
    """Leave out that a label is missing where a wrong one was given in its place."""
    replaced = np.bincount(doubts.pairs.absent, doubts.swapped, len(doubts.missing))
    return doubts._replace(missing=np.maximum(doubts.missing - replaced, 0.0))


def scores(judged: OutOfFold, corpus: Corpus) -> tuple[dict[str, Array], Doubts, Places]:
    """Return of each contestant how likely something is wrong with each document."""
    assert corpus.tree is not None
    places = places_of(judged)
    doubts = find_doubts(places, corpus.tree)
    n, of = places.n_documents, places.documents
    near = judged.without_far()
    linear = np.asarray(learn_join(judged, OF_LINEAR).log_odds(near.features), np.float64)
    alone = find_doubts(places_of(judged, OF_LINEAR), corpus.tree)
    words = find_doubts(places_of(judged, companions=False), corpus.tree)
    probabilities = np.zeros((n, len(judged.topics)))
    probabilities[of, places.topics] = expit(linear)
    given = [row.tolist() for row in np.split(corpus.labels.indices, corpus.labels.indptr[1:-1])]
    margin = np.full(n, -np.inf)
    np.maximum.at(margin, of, np.where(places.given, -near.linear, near.linear))
    found = {
        "frex": document_doubts(places, doubts),
        "frex, by expected errors": np.bincount(of, doubts.wrong + doubts.missing, n),
        "frex, a swap counted once": document_doubts(places, _replaced_once(doubts)),
        "frex, without other labels": document_doubts(places, words),
        "frex, SVM only": document_doubts(places, alone),
        "cleanlab, SVM": 1 - get_label_quality_scores(given, probabilities),
        "margins, SVM": margin,
    }
    return found, doubts, places


class Result(NamedTuple):
    """What a set of errors showed."""

    measures: dict[str, tuple[float, float, float]]  #: of each contestant
    damaged: float  #: share of documents
    judged: dict[str, tuple[Array, NDArray[np.bool_]]]  #: probabilities, and what was so


def compare(name: str, seed: int, kept: Path | None) -> Result:
    """Damage a corpus and hold the contestants against what was done."""
    read = simulated if name == "simulated" else CORPORA[name][0]
    made = damage(read().without_empty_topics(), seed)
    corpus = made.corpus.without_empty_topics()
    assert made.corpus.tree is not None
    assert corpus.tree is not None
    columns = corpus.tree.label_columns(made.corpus.tree)
    wrong, missing = (csr_array(part[:, columns]) for part in (made.wrong, made.missing))
    judged = judge(corpus, None if kept is None else kept / f"{name}-{seed}.pickle")
    found, doubts, places = scores(judged, corpus)
    print(f"{name}, seed {seed}: {doubts.habits}", flush=True)
    bad = np.diff(made.wrong.indptr) + np.diff(made.missing.indptr) > 0
    measures = {}
    for contestant, score in found.items():
        order = np.argsort(-score, kind="stable")
        first = [bad[order[: max(1, int(share * len(bad)))]].mean() for share in (0.01, 0.05)]
        measures[contestant] = (average_precision_score(bad, score), *map(float, first))
    at, given = (places.documents, places.topics), places.given
    so = [np.asarray(part[at]).ravel() for part in (wrong, missing)]
    single = (np.diff(corpus.labels.indptr) == 1)[at[0]]
    shown = {
        "wrong": (doubts.wrong[given], so[0][given]),
        "missing": (doubts.missing[~given], so[1][~given]),
        "wrong, the only label": (doubts.wrong[given & single], so[0][given & single]),
        "wrong, one of several": (doubts.wrong[given & ~single], so[0][given & ~single]),
    }
    return Result(measures, float(bad.mean()), shown)


def show(name: str, results: list[Result]) -> None:
    """Print the tables of a corpus: means over all sets of errors, and all their deciles."""
    share = np.mean([one.damaged for one in results])
    print(
        f"\n{name}, {len(results)} sets of errors: {share:.1%} of documents damaged\n\n"
        "| | average precision | first 1 % | first 5 % |\n|---|---:|---:|---:|"
    )
    for contestant in results[0].measures:
        row = np.mean([one.measures[contestant] for one in results], axis=0)
        print(f"| {contestant} | {row[0]:.3f} | {row[1]:.3f} | {row[2]:.3f} |")
    for kind in results[0].judged:
        probabilities, truth = (
            np.concatenate([one.judged[kind][part] for one in results]) for part in (0, 1)
        )
        show_deciles(probabilities, truth, kind)


def show_deciles(probabilities: Array, truth: NDArray[np.bool_], what: str) -> None:
    """Print how often labels are wrong whose probability lies between two tenths."""
    print(f"\n{what}: | from | labels | mean probability | were so |")
    part = np.digitize(probabilities, DECILES[1:-1])
    for decile in range(10):
        own = part == decile
        if own.any():
            print(
                f"| {DECILES[decile]:.1f} | {own.sum():,} | {probabilities[own].mean():.3f} "
                f"| {truth[own].mean():.3f} |",
                flush=True,
            )


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", default="debtags,rcv1,reuters,arxiv,simulated")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--judged", type=Path, help="a folder that keeps what the folds said")
    given = parser.parse_args()
    for name in given.corpora.split(","):
        show(name, [compare(name, seed, given.judged) for seed in range(given.seeds)])


if __name__ == "__main__":
    main()

"""Labels of corpora that are hard: tiny, odd, or with nothing to learn; a table of how well.

Each corpus is drawn from the model or made of such a draw, and parted into documents to fit and new
ones. Labels out of the box are held against the commonest labels, which know no word, and against
an SVM through the same folds, logistic and thresholds.

    python tests/hard_labels.py [NAME ...] [--seeds 3]
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import zoo
from scipy import sparse
from scipy.special import xlogy

from frex.corpus import remove_redundant_ancestors
from frex.errors import InputError
from frex.model import branching_tree, simulate
from frex.predict import Calibration, Predictor, calibrate_by_folds, predict
from frex.predict.documents import Documents
from frex.predict.joined import learn_joined, most_labels
from frex.predict.judges import OF_LINEAR
from frex.sampler.fit import fit
from frex.sampler.settings import Settings


class Parted(NamedTuple):
    """Documents to fit, and new ones."""

    old: object
    new: object


class Found(NamedTuple):
    """What a contestant says of the new documents, over all topics of the corpus."""

    probabilities: np.ndarray
    labels: sparse.csr_array


def drawn(tree, n_old, n_new, seed, n_words=400, **how):
    """Draw documents of the model, all with a label."""
    how = {"rates": "zipf", "mean_length": 60, "labels_per_document": 1.2} | how
    n_drawn = 4 * (n_old + n_new)
    corpus, _ = simulate(tree, n_drawn, n_words, drop_empty=True, seed=seed, **how)
    return parted(corpus, n_old, n_new)


def parted(corpus, n_old, n_new=None):
    """Part documents: the first to be fitted, those behind them new."""
    rows = np.arange(len(corpus))
    return Parted(corpus.take(rows[:n_old]), corpus.take(rows[n_old:][:n_new]))


def of_zoo(name):
    def make(seed):
        corpus = zoo.draw(zoo.SHAPES[name], seed).corpus
        rows = np.random.default_rng(seed).permutation(len(corpus))
        return parted(corpus.take(rows), len(corpus) // 2)

    return make


def with_labels(corpus, labels):
    return replace(corpus, labels=sparse.csr_array(labels))


def with_words_that_say_nothing(seed):
    old, new = drawn(branching_tree([3, 3]), 150, 300, seed)
    rng = np.random.default_rng(seed)
    return Parted(*(with_labels(c, c.labels[rng.permutation(len(c))]) for c in (old, new)))


def with_duplicates(seed):
    """Every document of the fit is there three times."""
    old, new = drawn(branching_tree([3, 3]), 60, 300, seed)
    return Parted(old.take(np.repeat(np.arange(len(old)), 3)), new)


def with_few_documents_a_topic(seed):
    """Sixty topics, each with one to three documents."""
    old, new = drawn(branching_tree([6, 9]), 1200, 400, seed, n_words=800)
    sizes, kept = np.zeros(old.n_topics, int), []
    most = np.random.default_rng(seed).integers(1, 4, old.n_topics)
    for row in range(len(old)):
        own = old.labels.indices[slice(*old.labels.indptr[row : row + 2])]
        if (sizes[own] < most[own]).all():
            sizes[own] += 1
            kept.append(row)
    return Parted(old.take(kept), new)


def with_one_label_for_nearly_all(seed):
    """The first topic is a label of 95 documents in 100, whatever their words."""
    tree = branching_tree([6])
    rng = np.random.default_rng(seed)

    def common(corpus):
        labels = corpus.labels.toarray()
        labels[:, 0] = rng.random(len(labels)) < 0.95
        keep = labels.any(axis=1)
        return with_labels(corpus, labels).take(np.flatnonzero(keep))

    return Parted(*map(common, drawn(tree, 150, 300, seed)))


def with_a_label_of_all(seed):
    old, new = with_one_label_for_nearly_all(seed)
    keep = [np.flatnonzero(c.labels[:, [0]].toarray().ravel()) for c in (old, new)]
    return Parted(old.take(keep[0]), new.take(keep[1]))


def with_inner_habit(seed):
    """Half of all labels at leaves were filed at the topic above, whatever the words."""
    rng = np.random.default_rng(seed)

    def lifted(corpus):
        tree, rows = corpus.tree, corpus.labels.tocoo()
        above = tree.parents[rows.col + 1] - 1
        column = np.where((above >= 0) & (rng.random(len(above)) < 0.5), above, rows.col)
        labels = np.zeros(corpus.labels.shape, bool)
        labels[rows.row, column] = True
        return replace(corpus, labels=remove_redundant_ancestors(sparse.csr_array(labels), tree))

    return Parted(*map(lifted, drawn(branching_tree([3, 4]), 300, 300, seed)))


def of_one_label(corpus):
    return corpus.take(np.flatnonzero(zoo.with_one_label(corpus)))


def with_one_label_each(seed):
    old, new = drawn(branching_tree([5, 6]), 900, 600, seed, labels_per_document=0.7)
    return Parted(of_one_label(old), of_one_label(new))


def with_longer_new_documents(seed):
    old, new = drawn(branching_tree([3, 3]), 200, 300, seed, mean_length=15)
    return Parted(old, replace(new, counts=(new.counts * 10).astype(np.int32)))


def sized(n_old, n_new=300, branching=(2, 2), **how):
    return lambda seed: drawn(branching_tree(branching), n_old, n_new, seed, **how)


CORPORA = {
    "10 documents": sized(10),
    "15 documents": sized(15),
    "20 documents": sized(20),
    "30 documents": sized(30),
    "60 documents": sized(60),
    "40 documents, 20 topics": sized(40, branching=(4, 4)),
    "one to three documents a topic": with_few_documents_a_topic,
    "words that say nothing": with_words_that_say_nothing,
    "every document three times": with_duplicates,
    "one label for nearly all": with_one_label_for_nearly_all,
    "a label of all": with_a_label_of_all,
    "half filed at the topic above": with_inner_habit,
    "one label each, 35 topics": with_one_label_each,
    "three words each": sized(300, branching=(3, 3), mean_length=3),
    "a vocabulary of 20 words": sized(200, branching=(3, 3), n_words=20),
    "new documents ten times as long": with_longer_new_documents,
    "thirty labels each": sized(200, 200, (60,), labels_per_document=30),
    "200 documents, 10,000 new": sized(200, 10_000, (4, 5)),
    "2,000 documents, 30 new": sized(2000, 30, (4, 5)),
    "flat, 200 topics": sized(800, 400, (200,), n_words=1000),
} | {f"zoo: {name}": of_zoo(name) for name in zoo.SHAPES}


def commonest(old, new):
    """Give every document the labels that make micro F1 best of those that know no word.

    Where each of the old documents has one, it is one.
    """
    shares = np.bincount(old.labels.indices, minlength=old.n_topics) / len(old)
    order = np.argsort(-shares, kind="stable")
    f1 = 2 * np.cumsum(shares[order]) / (np.arange(1, len(order) + 1) + shares.sum())
    labels = np.zeros((len(new), len(shares)), bool)
    n_labels = 1 if most_labels(old) == 1 else 1 + int(np.argmax(f1))
    labels[:, order[:n_labels]] = True
    chance = (shares * len(old) + 0.5) / (len(old) + 1.0)
    return Found(np.tile(chance, (len(new), 1)), sparse.csr_array(labels))


def contestants(old, new, method="map"):
    """Return what is said of the new documents, by contestant; the SVM is not there if refused."""
    posterior = fit(old, Settings(method=method), threads=1)
    predictor = Predictor(posterior, threads=1)
    topics = tuple(predictor.tree.topics)
    found = {"commonest": commonest(old, new)}
    try:
        calibration = calibrate_by_folds(old, threads=1, near=posterior)
        learned = learn_joined(old, threads=1, near=posterior, features=OF_LINEAR)
        of_svm = Calibration(topics, learned.thresholds, joined=learned.joined)
        found["svm"] = labelled(predictor, of_svm, new)
    except InputError:
        calibration = None
    found["frex"] = labelled(predictor, calibration, new)
    return found


def labelled(predictor, calibration, new):
    said = predict(predictor, calibration, Documents(new.ids, new.counts, None))
    labels = predictor.over_taxonomy(said.labels.toarray())
    return Found(predictor.over_taxonomy(said.probabilities), sparse.csr_array(labels))


def f1_of(new, labels):
    """Return micro and macro F1; macro over topics that new documents have."""
    true = np.asarray(new.labels.multiply(labels).sum(axis=0), float)
    both = np.asarray(new.labels.sum(axis=0), float) + np.asarray(labels.sum(axis=0), float)
    there = np.asarray(new.labels.sum(axis=0)) > 0
    macro = (2 * true / np.maximum(both, 1))[there].mean()
    return 2 * true.sum() / both.sum(), macro


def log_loss(new, probabilities):
    """Return what labels cost, nats a document."""
    p, given = np.clip(probabilities, 1e-3, 1 - 1e-3), new.labels.toarray()
    return -(xlogy(given, p) + xlogy(1.0 - given, 1 - p)).sum() / len(new)


def sureness(new, probabilities):
    """Return how many of a hundred labels that are said to be likely are missing, and its error."""
    likely = probabilities >= 0.5
    p = probabilities[likely]
    if not len(p):
        return 0.0, 0.0
    missing = p.mean() - new.labels.toarray()[likely].mean()
    return 100 * missing, 100 * np.sqrt((p * (1 - p)).sum()) / len(p)


def row(name, seeds, method="map"):
    """Return means over seeds, by contestant."""
    cells = {}
    for seed in range(seeds):
        old, new = CORPORA[name](seed)
        for who, said in contestants(old, new, method).items():
            sure, error = sureness(new, said.probabilities)
            cells.setdefault(who, []).append(
                (*f1_of(new, said.labels), said.labels.sum() / len(new),
                 new.labels.sum() / len(new), log_loss(new, said.probabilities), sure, error)
            )  # fmt: skip
    return {who: np.mean(values, axis=0) for who, values in cells.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(CORPORA))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--method", default="map")
    asked = parser.parse_args()
    heads = ("micro F1", "macro F1", "labels", "true", "log loss", "too sure", "error")
    print("| corpus | | " + " | ".join(heads) + " |\n|---|---|" + "---:|" * len(heads))
    for name in asked.names:
        for who, values in row(name, asked.seeds, asked.method).items():
            micro, macro, labels, true, loss, sure, error = values
            print(
                f"| {name} | {who} | {micro:.3f} | {macro:.3f} | {labels:.2f} | {true:.2f} "
                f"| {loss:.3f} | {sure:+.1f} | {error:.1f} |", flush=True,
            )  # fmt: skip


if __name__ == "__main__":
    main()

"""Effect of unlabelled documents on a fit: its labels and lists with and without them.

    python benchmarks/semi_supervised.py [--corpora debtags,reuters] [--documents 4000] [--splits 3]
        [--shares 0.1,0.25,0.5] [--least 0,0.5,0.8] [--no-memberships] [--out ROWS.csv] [--png PNG]

Of a corpus 40 % are the test. Of the rest a share is labelled: five eighths of that are fitted, and
the others correct probabilities and give the threshold, as for `hpc` of `frex evaluate
classification`. What has no label is used in one of these ways:

    at least P   HPC labels them, by its calibrated probabilities, and is fitted once more with
                 those where each label has at least P; 0 is all of them
    drawn        the same with labels drawn by their probabilities, where there are any
    memberships  the labelled fit is the prior of their rates (`PCM(prior=FIT, extra_topics=0)`): a
                 document is about every topic, by a membership that is integrated over
    all          their true labels are told, which is the most that could be gained

Calibration is by the given labels alone, of the same documents. Fits are at the mode. Lists are of
the ten best words of a topic by FREX among all, for topics with documents in the labelled part: how
many are among its ten best in a fit to all documents with their labels, those of the test too.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from empty_topics import CORPORA
from machine import describe
from scipy.sparse import csr_array

from frex import PCM
from frex.corpus.labels import remove_redundant_ancestors
from frex.corpus.splits import split
from frex.evaluate.measures import measure
from frex.evaluate.parts import Parts
from frex.predict import Predictor, calibrate, predict
from frex.predict.documents import Documents
from frex.sampler.fit import fit
from frex.sampler.settings import Settings
from frex.scores import frex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.predict import Calibration, Predicted

TEST, FITTED = 0.4, 0.625
N_LISTED = 10
MEASURES = {
    "micro_f1": "micro F1",
    "macro_f1": "macro F1",
    "ranking_precision": "average precision",
    "lists": "lists",
}


def documents_of(corpus: Corpus) -> Documents:
    """Return what of the documents is known without their labels."""
    return Documents(corpus.ids, corpus.counts, corpus.given_exposures)


def labelled_by(predictor: Predictor, calibration: Calibration, others: Corpus) -> Predicted:
    """Predict the labels of documents, over the topics of the tree."""
    found = predict(predictor, calibration, documents_of(others))
    labels = predictor.over_taxonomy(found.labels.astype(np.float64).toarray())
    probabilities = predictor.over_taxonomy(found.probabilities)
    return found._replace(labels=csr_array(labels > 0), probabilities=probabilities)


def sure(predicted: Predicted, least: float) -> csr_array:
    """Return the predicted labels of documents where each has at least that probability."""
    labels = predicted.labels.toarray()
    chances = np.where(labels, predicted.probabilities, 1.0).min(axis=1)
    return csr_array(labels & (chances >= least)[:, None])


def drawn(predicted: Predicted, others: Corpus, seed: int) -> csr_array:
    """Draw labels by their probabilities; those that a more specific one makes redundant go."""
    chances = np.random.default_rng(seed).random(predicted.probabilities.shape)
    assert others.tree is not None
    return remove_redundant_ancestors(csr_array(chances < predicted.probabilities), others.tree)


def with_labels(labelled: Corpus, others: Corpus, labels: csr_array) -> Corpus:
    """Return the labelled documents, and those others that were given a label."""
    rows = np.flatnonzero(np.diff(labels.indptr))
    added = replace(others, labels=labels).take(rows)
    return Parts(labelled, added, added).both


def with_memberships(labelled: Posterior, others: Corpus, seed: int) -> Predictor:
    """Return the predictor of a fit whose rates have learned from documents without labels."""
    predictor = Predictor(labelled, threads=1)
    model = PCM(prior=labelled, extra_topics=0, method="map", random_state=seed, threads=1)
    found = model.fit(others).posterior_
    columns = [labelled.tree.node(topic) - 1 for topic in found.tree.topics]
    longer = np.log(found.mean_length / labelled.mean_length)
    predictor.log_rates[:, columns] = found.log_rates.mean[:, 1:] - longer
    rates = np.exp(predictor.log_rates)
    predictor.topics = predictor.topics._replace(
        rates=rates.astype(np.float32), rate_sums=rates.sum(axis=0)
    )
    return predictor


def lists(predictor: Predictor, truth: Predictor, topics: list[str]) -> float:
    """Return the share of the best words of topics that are among their best in another fit."""
    tops = []
    for one in (predictor, truth):
        rows = [one.tree.node(topic) - 1 for topic in topics]
        scores = frex(np.exp(one.log_rates[:, rows].T))
        tops.append(np.argsort(-scores, axis=1, kind="stable")[:, :N_LISTED].tolist())
    common = [len(set(own) & set(other)) for own, other in zip(*tops, strict=True)]
    return float(np.mean(common)) / N_LISTED


def reached(
    predictor: Predictor,
    calibration: Calibration,
    truth: Predictor,
    topics: list[str],
    test: Corpus,
) -> dict[str, float]:
    """Return what a fit reaches on the test documents, and its lists."""
    found = labelled_by(predictor, calibration, test)
    assert test.tree is not None
    figures = measure(test.labels, found.labels, found.probabilities, test.tree)
    figures["lists"] = lists(predictor, truth, topics)
    return {name: figures[name] for name in MEASURES}


def ways(
    posterior: Posterior, predicted: Predicted, parts: tuple[Corpus, Corpus], least: list[float],
    *, memberships: bool, seed: int,
) -> Iterator[tuple[str, int, Predictor]]:  # fmt: skip
    """Yield each use of the documents without labels: documents that it has, and what it fits."""
    training, others = parts
    labels: dict[str, csr_array] = {f"at least {p:g}": sure(predicted, p) for p in least}
    labels |= {"drawn": drawn(predicted, others, seed), "all": others.labels}
    for use, given in labels.items():
        both = with_labels(training, others, given)
        refitted = fit(both, Settings(method="map", seed=seed), threads=1)
        yield use, len(both), Predictor(refitted, threads=1)
    if memberships:
        yield "memberships", len(training) + len(others), with_memberships(posterior, others, seed)


def compare(
    name: str, corpus: Corpus, shares: list[float], seed: int, **how: Any
) -> Iterator[dict[str, float | str]]:
    """Yield a row for each share of labels and each use of the documents without."""
    settings = Settings(method="map", seed=seed)
    pool, test = split(corpus, (1 - TEST, TEST), seed=seed)
    truth = Predictor(fit(corpus, settings, threads=1), threads=1)
    for share in shares:
        own, others = split(pool, (share, 1 - share), seed=seed)
        training, validation = split(own, (FITTED, 1 - FITTED), seed=seed)
        posterior = fit(training, settings, threads=1)
        used = np.unique(posterior.labels.indices)
        topics = [posterior.tree.topics[k] for k in used]
        where: dict[str, float | str] = {"corpus": name, "split": seed, "share": share}
        first = Predictor(posterior, threads=1)
        calibration = calibrate(first, validation)
        figures = reached(first, calibration, truth, topics, test)
        yield {**where, "use": "labelled", "documents": len(training), **figures}
        predicted, parts = labelled_by(first, calibration, others), (training, others)
        for use, n, predictor in ways(posterior, predicted, parts, seed=seed, **how):
            learned = calibrate(predictor, validation)
            figures = reached(predictor, learned, truth, topics, test)
            yield {**where, "use": use, "documents": n, **figures}


def show(rows: pd.DataFrame) -> None:
    """Print a table: means over splits, and standard deviations."""

    def mean_and_deviation(values: pd.Series[float]) -> str:
        deviation = f" ({values.std():.3f})" if len(values) > 1 else ""
        return f"{values.mean():.3f}{deviation}"

    groups = rows.groupby(["corpus", "share", "use"], sort=False)
    table = groups[list(MEASURES)].agg(mean_and_deviation)
    table.insert(0, "documents", groups["documents"].mean().round().astype(int).map("{:,}".format))
    print(f"\n| corpus | labelled | used | documents | {' | '.join(MEASURES.values())} |")
    print(f"|---|---:|---|{'---:|' * (len(MEASURES) + 1)}")
    for row in table.reset_index().itertuples(index=False):
        corpus, share, use, *cells = row
        print(f"| {corpus} | {share:.0%} | {use} | {' | '.join(cells)} |")


def draw(rows: pd.DataFrame, path: Path) -> None:
    """Draw a curve for each use, with standard deviations over splits."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - for those who want a picture

    corpora = list(dict.fromkeys(rows["corpus"]))
    figure = Figure(figsize=(12, 3 * len(corpora)), layout="constrained")
    places = figure.subplots(len(corpora), len(MEASURES), squeeze=False)
    for line, corpus in zip(places, corpora, strict=True):
        for axes, (name, title) in zip(line, MEASURES.items(), strict=True):
            for use, group in rows[rows["corpus"] == corpus].groupby("use", sort=False):
                values = group.groupby("share")[name]
                means, sds = values.mean(), values.std().fillna(0)
                axes.errorbar(100 * means.index, means, sds, label=use, capsize=2)
            axes.set(xlabel="labelled, %", title=f"{corpus}: {title}")
    places[0, 0].legend()
    figure.savefig(path, dpi=120)


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpora", default="debtags,reuters")
    parser.add_argument("--documents", type=int, default=4000, help="of each, drawn at random")
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--shares", default="0.1,0.25,0.5")
    parser.add_argument("--least", default="0,0.5,0.8")
    parser.add_argument("--memberships", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--png", type=Path)
    given = parser.parse_args()
    shares, least = ([float(x) for x in text.split(",")] for text in (given.shares, given.least))
    how = {"least": least, "memberships": given.memberships}
    print(describe())
    found = []
    for name in given.corpora.split(","):
        whole = CORPORA[name][0]()
        order: NDArray[np.int64] = np.random.default_rng(0).permutation(len(whole))
        corpus = whole.take(np.sort(order[: given.documents]))
        print(f"{name}: {corpus!r}", flush=True)
        for seed in range(given.splits):
            for row in compare(name, corpus, shares, seed, **how):
                print(*row.values(), flush=True)
                found.append(row)
    rows = pd.DataFrame(found)
    if given.out is not None:
        rows.to_csv(given.out, index=False)
    show(rows)
    if given.png is not None:
        draw(rows, given.png)


if __name__ == "__main__":
    main()

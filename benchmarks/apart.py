"""Compare two chains of one corpus: word lists, exclusivity, memberships, labels.

A corpus is fitted by one chain with each of two seeds, as long as a default run is at least; every
fifth document is held out. The script compares the ten best words of every topic by FREX, the
differences of mean exclusivity and mean log rates in posterior standard deviations, the memberships
of the training documents, and the plain rule's labels of the held-out documents. As a reference for
noise, it compares one of the chains with a run of twice the length.

    python benchmarks/apart.py CORPUS... [--draws 700] [--threads 1]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from mode import LISTED, lists

from frex import read_corpus
from frex.posterior.compared import averaged
from frex.predict import Predictor, choose_labels
from frex.predict.calibration import MEMBERSHIP
from frex.sampler.fit import fit
from frex.sampler.settings import Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.posterior import Posterior

HOLD_OUT = 5


def compare(one: Posterior, other: Posterior, held_out: Corpus) -> list[str]:
    """Return the figures of a row."""
    first, second = lists(one), lists(other)
    n_own = dict(zip(one.tree.topics, one.labels.sum(axis=0).tolist(), strict=True))
    rows = []
    for low, high in ((1, 5), (5, np.inf)):
        topics = [topic for topic in first if low <= n_own[topic] < high]
        same = [len(first[t][0] & second[t][0]) / LISTED for t in topics]
        rows.append(f"{100 * float(np.mean(same)):.0f} %" if same else "")
    of_rates = [fitted.moments["log_rates"] for fitted in (one, other)]
    found = [averaged(fitted, "siblings") for fitted in (one, other)]
    of_exclusivity = [moment for moment in found if moment is not None]
    for (mean, sd), (also, sd_also) in (of_rates, of_exclusivity):
        apart = np.abs(mean - also) / np.sqrt(0.5 * (sd**2 + sd_also**2) + 1e-12)
        rows.append(f"{float(np.median(apart)):.2f}, {float(np.quantile(apart, 0.99)):.2f}")
    (theta, _), (also, _) = (fitted.moments["memberships"] for fitted in (one, other))
    rows.append(f"{100 * float((np.abs(theta - also) > 0.1).mean()):.1f} %")
    labels = [labels_of(fitted, held_out) for fitted in (one, other)]
    rows.append(f"{100 * float(np.mean((labels[0] == labels[1]).all(axis=1))):.1f} %")
    return rows


def labels_of(posterior: Posterior, held_out: Corpus) -> NDArray[np.bool_]:
    """Return the labels of documents by the plain rule."""
    scores = Predictor(posterior, threads=1).scores(held_out.counts)
    shares = np.exp(scores.log_memberships)
    thresholds = np.full(shares.shape[1], MEMBERSHIP)
    found: NDArray[np.bool_] = choose_labels(shares, thresholds, posterior.tree).toarray()
    return found


def main() -> None:
    """Fit, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--draws", type=int, default=700)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    print(
        "| corpus | | same of ten words, topics of 1 to 4 documents | of 5 and more "
        "| log rates, in sd: "
        "median, 99 % | exclusivity | memberships that differ by 0.1 | same labels, held out |"
    )
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for path in options.corpora:
        corpus = read_corpus(path)
        number = np.arange(corpus.n_documents) % HOLD_OUT
        train, held_out = (corpus.take(np.flatnonzero(part)) for part in
                           (number < HOLD_OUT - 1, number == HOLD_OUT - 1))  # fmt: skip
        held_out = held_out.without_empty_topics()
        first, second, longer = (
            fit(train, Settings(chains=1, draws=draws, seed=seed), threads=options.threads)
            for seed, draws in ((0, options.draws), (1, options.draws), (0, 2 * options.draws))
        )
        for name, other in (("another chain", second), ("twice as long", longer)):
            cells = " | ".join(compare(first, other, held_out))
            print(f"| {path.name} | {name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()

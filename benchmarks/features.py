"""Words chosen for a classifier: micro and macro F1 of an SVM by the number of words.

    python benchmarks/features.py [--corpora debtags,reuters,rcv1,arxiv] [--splits 10]
        [--words 100,300,1000,3000] [--methods frex,chi2] [--png FOLDER]

Words are chosen, and the SVM trained, on 40 % of the documents, the training and validation parts
of the paper's classification experiment; F1 is of the other 60 %. All choices see the same splits.
The rivals score each word in each topic by the table of documents that have the word or not, and
the topic or not. A word's score is its best in any topic, or, `-turns`, topics take turns in
choosing their next best word, so that an easy topic does not choose them all. RCV1's sample,
Reuters-21578 and arXiv are looked for in `../shared/data`, or below what `FREX_TEST_DATA` names.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from empty_topics import CORPORA
from scipy.special import xlogy
from sklearn.svm import LinearSVC

from frex import FrexSelector
from frex.corpus.splits import PAPER_FRACTIONS
from frex.evaluate.baselines import one_vs_rest
from frex.evaluate.measures import measure
from frex.evaluate.parts import Parts, decide_at_half

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from frex.corpus import Corpus

    Array = NDArray[np.float64]

F1 = {"micro_f1": "micro F1", "macro_f1": "macro F1"}


def tables(corpus: Corpus) -> tuple[Array, Array, Array, float]:
    """Count documents: with topic and word, with the topic, with the word, and all of them."""
    has_word = (corpus.counts > 0).astype(np.int64)
    both = (corpus.labels.T.astype(np.int64) @ has_word).toarray().astype(np.float64)
    with_topic = np.asarray(corpus.labels.sum(axis=0), dtype=np.float64)[:, None]
    with_word = np.asarray(has_word.sum(axis=0), dtype=np.float64)[None, :]
    return both, with_topic, with_word, float(len(corpus))


def chi_squared(corpus: Corpus) -> Array:
    """Return chi-squared of topic and word, topics x words."""
    both, topic, word, n = tables(corpus)
    below = topic * (n - topic) * word * (n - word)
    above = n * (n * both - topic * word) ** 2
    return np.divide(above, below, out=np.zeros_like(both), where=below > 0)


def mutual_information(corpus: Corpus) -> Array:
    """Return the mutual information of topic and word, topics x words."""
    both, topic, word, n = tables(corpus)
    cells = ((both, topic, word), (topic - both, topic, n - word), (word - both, n - topic, word),
             (n - topic - word + both, n - topic, n - word))  # fmt: skip
    terms = [
        xlogy(cell / n, np.divide(cell * n, a * b, out=np.ones_like(cell), where=a * b > 0))
        for cell, a, b in cells
    ]
    return np.asarray(sum(terms), dtype=np.float64)


def best(scores: Array) -> Array:
    """Return each word's best score in any topic."""
    return np.asarray(scores.max(axis=0))


def by_turns(scores: Array) -> Array:
    """Return scores by which topics choose in turns: the best rank, then the best score."""
    order = np.argsort(-scores, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(scores.shape[1])[None, :], axis=1)
    ties = best(scores) / max(float(scores.max()), np.finfo(float).tiny)
    return np.asarray(0.5 * ties - ranks.min(axis=0))


METHODS: dict[str, Callable[[Corpus], Array]] = {
    "frex": lambda corpus: FrexSelector().fit(corpus.counts, corpus.labels).scores_,
    "chi2": lambda corpus: best(chi_squared(corpus)),
    "chi2-turns": lambda corpus: by_turns(chi_squared(corpus)),
    "mi": lambda corpus: best(mutual_information(corpus)),
    "mi-turns": lambda corpus: by_turns(mutual_information(corpus)),
    "frequency": lambda corpus: np.asarray(corpus.counts.sum(axis=0), dtype=np.float64),
}
"""How words are scored on the documents to learn from."""


def with_words(corpus: Corpus, words: NDArray[np.int64]) -> Corpus:
    """Return a corpus of some of its words."""
    names = [corpus.words[word] for word in words]
    counts = corpus.counts[:, words.astype(np.int32)]  # liblinear takes no longer indices
    return replace(corpus, counts=counts, words=names, surface=None)


def f1(parts: Parts, words: NDArray[np.int64]) -> dict[str, float]:
    """Return what an SVM reaches that reads some of the words."""
    parts = Parts(*(with_words(part, words) for part in parts))
    answer = decide_at_half(parts, one_vs_rest(LinearSVC, parts.both, 0))
    found = measure(parts.test.labels, answer.labels, answer.scores, parts.tree)
    return {name: found[name] for name in F1}


def compare(
    name: str, methods: list[str], sizes: list[int], n_splits: int
) -> list[dict[str, float | str]]:
    """Return a row for each split of a corpus, choice of words and number of them."""
    corpus = CORPORA[name][0]()
    rows: list[dict[str, float | str]] = []

    def add(method: str, split: int, words: NDArray[np.int64]) -> None:
        where: dict[str, float | str] = {"corpus": name, "method": method, "split": split}
        rows.append({**where, "words": len(words), **f1(parts, words)})
        print(*rows[-1].values(), flush=True)

    for split in range(n_splits):
        parts = Parts.of(corpus, PAPER_FRACTIONS, split)
        both = parts.both
        add("all", split, np.arange(corpus.n_words))
        for method in methods:
            order = np.argsort(-METHODS[method](both), kind="stable")
            for size in (size for size in sizes if size < corpus.n_words):
                add(method, split, np.sort(order[:size]))
    return rows


def show(rows: pd.DataFrame) -> None:
    """Print a table for each corpus and measure: means over splits, and standard deviations."""
    for corpus, of_corpus in rows.groupby("corpus", sort=False):
        for name, title in F1.items():
            print(f"\n{corpus}, {title}; splits: {of_corpus['split'].nunique()}\n")
            table = of_corpus.pivot_table(
                name, "words", "method", aggfunc=_mean_and_deviation, sort=False
            )
            print(f"| words | {' | '.join(table.columns)} |\n|{'---:|' * (len(table.columns) + 1)}")
            for words, line in sorted(table.fillna("").iterrows()):
                print(f"| {words:,} | {' | '.join(line)} |")


def _mean_and_deviation(values: pd.Series[float]) -> str:
    deviation = f" ({values.std():.3f})" if len(values) > 1 else ""
    return f"{values.mean():.3f}{deviation}"


def draw(rows: pd.DataFrame, folder: Path) -> None:
    """Draw a curve for each choice, with standard deviations over splits."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - for those who want a picture

    folder.mkdir(parents=True, exist_ok=True)
    for corpus, of_corpus in rows.groupby("corpus"):
        figure = Figure(figsize=(10, 4), layout="constrained")
        for axes, (name, title) in zip(figure.subplots(1, 2), F1.items(), strict=True):
            for method, of_method in of_corpus.groupby("method", sort=False):
                grouped = of_method.groupby("words")[name]
                means, sds = grouped.mean(), grouped.std().fillna(0)
                if method == "all":
                    axes.axhline(means.iloc[0], color="grey", linestyle=":", label="all words")
                else:
                    axes.errorbar(means.index, means, sds, label=method, capsize=2)
            axes.set(xscale="log", xlabel="words", ylabel=title)
        axes.legend()
        figure.savefig(folder / f"features-{corpus}.png", dpi=120)


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", default="debtags,reuters,rcv1,arxiv")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--words", default="100,300,1000,3000")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--png", type=Path, help="the folder for pictures")
    given = parser.parse_args()
    sizes = [int(size) for size in given.words.split(",")]
    found = [
        row
        for name in given.corpora.split(",")
        for row in compare(name, given.methods.split(","), sizes, given.splits)
    ]
    rows = pd.DataFrame(found)
    show(rows)
    if given.png is not None:
        draw(rows, given.png)


if __name__ == "__main__":
    main()

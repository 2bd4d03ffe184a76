"""Whether topics get their right names: simulated corpora, topics made wrong on purpose.

    python scripts/alignment_truth.py [--corpora 10] [--draws 300] [--all-words]

Each corpus is drawn from the model, and fitted by HPC. Topics are made of its documents: one for
each node, from those with that label alone; some are then merged, split in two, noised, shuffled
among the words, or replaced by the words of all documents. The script prints how many get their
right name, by what was done to them, and how often the intervals of the divergence hold that from
the true rates. With --all-words the draws of all words' rates are kept, and intervals of these are
made beside those of the alignment, which has draws of each topic's leading words alone.
"""

from __future__ import annotations

import argparse
import warnings
from collections import defaultdict
from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frex import HPC
from frex.evaluate import alignment
from frex.evaluate.alignment import hellinger
from frex.model import branching_tree, simulate
from frex.scores import TopicWords, frequency

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from numpy.typing import NDArray

    from frex.corpus import Corpus

LEAST = 20
"""Documents of a node, with that label alone, of which a topic is made."""

NOISE = 0.5
"""Standard deviation of the logarithms by which a noised topic's rates are off."""


class Made(NamedTuple):
    """A topic that was made: its words, what was done to it, and its true nodes."""

    done: str
    rates: NDArray[np.float64]
    nodes: tuple[str, ...]


def members_of(corpus: Corpus, rng: np.random.Generator) -> dict[str, NDArray[np.int64]]:
    """Return the documents of each node that has enough with its label alone, in random order."""
    assert corpus.tree is not None
    alone = np.asarray(corpus.labels.sum(axis=1)).ravel() == 1
    members: dict[str, NDArray[np.int64]] = {}
    for topic, name in enumerate(corpus.tree.topics):
        has = np.asarray(corpus.labels[:, [topic]].todense()).ravel() > 0
        rows = np.flatnonzero(alone & has)
        if len(rows) >= LEAST:
            members[name] = rng.permutation(rows)
    return members


def make_topics(corpus: Corpus, seed: int) -> list[Made]:
    """Make topics of a corpus' documents; each node is in one of them, or in two halves."""
    rng = np.random.default_rng(seed)
    members = members_of(corpus, rng)
    names = list(rng.permutation(list(members)))
    made: list[Made] = []

    def counted(rows: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(corpus.counts[rows].sum(axis=0), np.float64).ravel()

    def add(done: str, rates: NDArray[np.float64], *nodes: str) -> None:
        made.append(Made(done, rates / rates.sum(), nodes))

    for kind in cycle(("as it is", "noised", "merged", "split", "shuffled")):
        if not names:
            break
        name = names.pop()
        rates = counted(members[name])
        if kind == "merged" and names:
            other = names.pop()
            both = frequency([rates, counted(members[other])]).sum(axis=0)
            add(kind, both, name, other)
        elif kind == "split":
            half = len(members[name]) // 2
            add(kind, counted(members[name][:half]), name)
            add(kind, counted(members[name][half:]), name)
        elif kind == "noised":
            add(kind, rates * np.exp(NOISE * rng.standard_normal(len(rates))), name)
        elif kind == "shuffled":
            add(kind, rng.permutation(rates))
        else:
            add("as it is", rates, name)
    add("all documents", counted(np.arange(len(corpus))))
    return made


def is_right(row: dict[Hashable, Any], nodes: tuple[str, ...]) -> bool:
    """Tell whether a topic has the names of its nodes, or none where it has none."""
    if not nodes:
        return bool(row["kind"] == "junk")
    names: list[str] = row["node"].split(" + ")
    junk: bool = row["kind"] == "junk"
    return not junk and sorted(names) == sorted(nodes)


def holds(drawn: NDArray[np.float64], rates: NDArray[np.float64], true: float) -> bool:
    """Tell whether the interval of 90 % of draws of a node's rates holds the divergence."""
    low, high = np.quantile(hellinger(rates[None], frequency(drawn))[0], [0.05, 0.95])
    return bool(low <= true <= high)


def one_corpus(seed: int, draws: int, *, all_words: bool) -> Iterator[tuple[str, bool, list[bool]]]:
    """Yield for each topic what was done, whether its name is right, and whether intervals are.

    An interval is looked at where the topic is one node's: of the others the true distribution
    hangs on shares, which are estimated.
    """
    simulation = simulate(
        branching_tree([4, 5]), 4000, 1500, rates="zipf", mean_length=80, labels_per_document=1.4,
        unlabelled="redraw", drop_empty=True, seed=seed,
    )  # fmt: skip
    corpus = simulation.corpus
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the run is short on purpose
        model = HPC(
            warmup=200, draws=draws, chains=1, random_state=seed,
            traced_words=corpus.words if all_words else (),
        ).fit(corpus, calibrate=False)  # fmt: skip
    made = make_topics(corpus, seed)
    topics = TopicWords(np.array([topic.rates for topic in made]), corpus.words)
    found = alignment(model.posterior_, topics, seed=seed).topics
    truth = frequency(simulation.truth.rates.T)
    for topic, row in zip(made, found.to_dict("records"), strict=True):
        right, held = is_right(row, topic.nodes), list[bool]()
        if len(topic.nodes) == 1 and right:
            node = model.posterior_.taxonomy.node(topic.nodes[0])
            true = hellinger(topic.rates[None], truth[[node]])[0, 0]
            held.append(bool(row["low"] <= true <= row["high"]))
            if all_words:
                own = model.posterior_.traced_rates[:, 1] == node
                log_rates = model.posterior_.draws["log_rates"][0][:, own]
                held.append(holds(np.exp(log_rates), topic.rates, true))
        yield topic.done, right, held


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", type=int, default=10)
    parser.add_argument("--draws", type=int, default=300)
    parser.add_argument("--all-words", action="store_true")
    asked = parser.parse_args()
    right: dict[str, list[bool]] = defaultdict(list)
    held: list[list[bool]] = []
    for seed in range(asked.corpora):
        for done, is_named, are_held in one_corpus(seed, asked.draws, all_words=asked.all_words):
            right[done].append(is_named)
            held += [are_held] if are_held else []
    for done, flags in right.items():
        print(f"{done:<14} {np.mean(flags):.3f} right of {len(flags)}")
    every = [flag for flags in right.values() for flag in flags]
    print(f"{'all':<14} {np.mean(every):.3f} right of {len(every)}")
    for how, found in zip(("", ", by draws of all words"), np.array(held).T, strict=False):
        print(f"intervals of 90 % hold the truth{how}: {np.sum(found)} of {len(found)}")


if __name__ == "__main__":
    main()

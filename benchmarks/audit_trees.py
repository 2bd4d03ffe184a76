"""Find deliberate damage to trees with `frex audit`; check its probabilities of a merge.

    python benchmarks/audit_trees.py [--corpora debtags,rcv1,reuters,arxiv] [--times 20]
        [--at-once 4] [--simulated 12]

Four kinds of damage, each several times, some at once in one tree, never two to one topic:

- merged: the documents of a topic are labelled with a sibling, and the topic is removed;
- split: half of a topic's documents, chosen at random, are labelled with a new sibling;
- moved: a topic is moved to another parent that has topics below it;
- copied: half of a topic's documents are labelled with a new topic in another branch.

Topics have ten documents or more. After each damage the corpus is fitted anew (`method="map"`). A
merged topic should be a candidate to split, a split one and its twin candidates to merge, a copy a
duplicate, a moved topic a candidate to move. Damage counts as found where the audit's score is
above that of nine in ten topics, or pairs of topics, that nobody touched: one false alarm in ten.
The share that is reported by default (`frex.audit.topics.LEAST`) is beside it. Of
merged topics the two that were filed together are known here: found "with the parts known" is how
many have parts whose cosine is below that of the groups of nine in ten untouched topics.

Then corpora drawn from the model, in which some topics are split at random and some siblings
merged: how often pairs are alike, and topics two, by the probability that the audit gives them.
"""

from __future__ import annotations

import argparse
import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from empty_topics import CORPORA
from scipy.sparse import csr_array

from frex.audit.groups import cosine, products
from frex.audit.moves import candidates
from frex.audit.own_words import own_words
from frex.audit.pairs import Judged, alike_pairs
from frex.audit.parts import Grouping, topics_of_two
from frex.audit.topics import LEAST
from frex.model import branching_tree, simulate
from frex.sampler.fit import fit
from frex.sampler.settings import Settings
from frex.tree import TopicTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.posterior import Posterior

    Array = NDArray[np.float64]
    Scores = dict[str, dict[tuple[str, ...], float]]

KINDS = ("merged", "split", "moved", "copied")
FEWEST = 10
FALSE_ALARMS = 0.1
BINS = (0.0, 0.02, 0.1, 0.3, 0.7, 0.9, 1.01)


class Damaged(NamedTuple):
    """A corpus whose tree was damaged, and the topics by kind of damage."""

    corpus: Corpus
    topics: dict[str, list[tuple[str, ...]]]
    touched: set[str]
    members: dict[str, set[int]]  #: documents that had the merged topic's own name before


class Vandal:
    """Damages a tree and the labels under it."""

    def __init__(self, corpus: Corpus, rng: np.random.Generator) -> None:
        assert corpus.tree is not None
        self.corpus, self.rng, self.tree = corpus, rng, corpus.tree
        self.parents = {
            name: self.tree.names[self.tree.parents[self.tree.node(name)]]
            for name in self.tree.topics
        }
        self.labels = [set(corpus.labels_of(row)) for row in range(len(corpus))]
        sizes = np.bincount(corpus.labels.indices, minlength=corpus.n_topics)
        self.fit = {n for n, s in zip(self.tree.topics, sizes, strict=True) if s >= FEWEST}
        self.touched: set[str] = set()
        self.members: dict[str, set[int]] = {}
        self.inner = sorted({p for p in self.parents.values() if p != "ROOT"})

    def pick(self, among: set[str]) -> str | None:
        """Choose a topic that nobody touched."""
        left = sorted(among - self.touched)
        return None if not left else str(self.rng.choice(left))

    def siblings(self, name: str) -> set[str]:
        """Return the leaves beside a topic."""
        beside = {n for n, parent in self.parents.items() if parent == self.parents[name]}
        return beside - {name} - set(self.inner)

    def damage(self, kind: str) -> tuple[str, ...] | None:
        """Do one damage, if it can be done; return the topics that it is about."""
        name = self.pick(self.fit - set(self.inner))
        if name is None:
            return None
        self.touched.add(name)
        return getattr(self, f"_{kind}")(name)  # type: ignore[no-any-return]

    def _merged(self, name: str) -> tuple[str, ...] | None:
        other = self.pick(self.siblings(name) & self.fit)
        if other is None:
            return None
        self.touched.add(other)
        self.members[name] = {row for row, own in enumerate(self.labels) if name in own}
        self.labels = [own - {other} | {name} if other in own else own for own in self.labels]
        del self.parents[other]
        return (name,)

    def _split(self, name: str) -> tuple[str, ...]:
        return self._twin(name, self.parents[name])

    def _copied(self, name: str) -> tuple[str, ...] | None:
        others = [p for p in self.inner if p not in {self.parents[name], name}]
        return self._twin(name, str(self.rng.choice(others))) if others else None

    def _twin(self, name: str, parent: str) -> tuple[str, ...]:
        twin = f"{name} twin"
        self.parents[twin] = parent
        self.touched.add(twin)
        self.labels = [
            own - {name} | {twin} if name in own and self.rng.random() < 0.5 else own
            for own in self.labels
        ]
        return name, twin

    def _moved(self, name: str) -> tuple[str, ...] | None:
        old = self.parents[name]
        others = [p for p in self.inner if p != old]
        if old == "ROOT" or not others or not self.siblings(name):
            return None
        self.parents[name] = str(self.rng.choice(others))
        return (name,)

    def result(self) -> Corpus:
        """Return the damaged corpus."""
        above = [None if p == "ROOT" else p for p in self.parents.values()]
        tree = TopicTree(list(self.parents), above)
        columns = [sorted(tree.node(name) - 1 for name in own) for own in self.labels]
        indptr = np.concatenate([[0], np.cumsum([len(own) for own in columns])])
        indices = np.array([k for own in columns for k in own], np.int64)
        shape = len(columns), tree.n_topics
        ones = np.ones(len(indices), np.bool_)
        labels = csr_array((ones, indices, indptr), shape=shape)
        return replace(self.corpus, tree=tree, labels=labels).without_empty_topics()


def damage(corpus: Corpus, at_once: int, seed: int) -> Damaged:
    """Do every kind of damage some times."""
    vandal = Vandal(corpus, np.random.default_rng(seed))
    done: dict[str, list[tuple[str, ...]]] = {kind: [] for kind in KINDS}
    for kind in KINDS:
        for _ in range(4 * at_once):
            topics = vandal.damage(kind) if len(done[kind]) < at_once else None
            if topics is not None:
                done[kind].append(topics)
    return Damaged(vandal.result(), done, vandal.touched, vandal.members)


def judged(posterior: Posterior, corpus: Corpus) -> tuple[Scores, Scores]:
    """Return scores by kind of damage and topics, and the probabilities that are reported."""
    own, tree = own_words(posterior, corpus), posterior.tree
    sizes = np.bincount(corpus.labels.indices, minlength=corpus.n_topics)
    within, across = alike_pairs(own, tree)
    parts = topics_of_two(own, tree, sizes)
    moves = candidates(own, tree)

    def named(topics: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(tree.topics[topic] for topic in topics)

    reported: Scores = {
        "merged": {named(one.parts.topics): one.chance for one in parts},
        "moved": {named((one.topic,)): one.chance for one in moves},
        "split": {named(one.pair): one.chance for one in within.pairs},
        "copied": {named(one.pair): one.chance for one in across.pairs},
    }
    scores = reported | {
        # of pairs that are far apart all probabilities are 0: there the distance says more
        "split": {named(one.pair): _score(one) for one in within.pairs},
        "copied": {named(one.pair): _score(one) for one in across.pairs},
    }
    return scores, reported


def _score(pair: Judged) -> float:
    return pair.chance - 1e-4 * pair.apart.distance


def found_by_truth(posterior: Posterior, made: Damaged, corpus: Corpus) -> list[bool]:
    """Tell of merged topics whether their true parts differ more than most topics' groups."""
    own = own_words(posterior, corpus)
    sizes = np.bincount(corpus.labels.indices, minlength=corpus.n_topics)
    grouping, names = Grouping(own, posterior.tree, sizes, 0), posterior.tree.topics
    honest = [k for k, n in enumerate(names) if sizes[k] >= FEWEST and n not in made.touched]
    groups = [one for k in honest if (one := grouping.of((k,))) is not None]
    level = np.quantile([one.cosine for one in groups], FALSE_ALARMS)
    found = []
    for (name,) in made.topics["merged"]:
        rows, usage = grouping.weighted((names.index(name),))
        first = np.isin(own.documents[rows], list(made.members[name]))
        mixed = first.any() and not first.all()
        found.append(bool(mixed and cosine(products(usage), first) < level))
    return found


def compare(name: str, times: int, at_once: int) -> None:
    """Print the table of a corpus."""
    whole = CORPORA[name][0]().without_empty_topics()
    found: dict[str, list[tuple[bool, bool]]] = {kind: [] for kind in KINDS}
    alarms: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    known = []
    for seed in range(-(-times // at_once)):
        made = damage(whole, at_once, seed)
        posterior = fit(made.corpus, Settings(method="map", draws=2))
        scores, reported = judged(posterior, made.corpus)
        known += found_by_truth(posterior, made, made.corpus)
        for kind in KINDS:
            untouched = [s for t, s in scores[kind].items() if not made.touched & set(t)]
            level = np.quantile(untouched, 1 - FALSE_ALARMS) if untouched else np.inf
            alarms[kind] += [
                reported[kind].get(t, 0.0) >= LEAST
                for t in scores[kind]
                if not made.touched & set(t)
            ]
            for topics in made.topics[kind]:
                own = max((t for t in (topics, topics[::-1]) if t in scores[kind]), default=None)
                score = -np.inf if own is None else scores[kind][own]
                chance = 0.0 if own is None else reported[kind].get(own, 0.0)
                found[kind].append((bool(score > level), chance >= LEAST))
    print(
        f"\n{name}\n\n| damage | times | found at one false alarm in ten | reported "
        "| of untouched ones |"
    )
    print("|---|---:|---:|---:|---:|")
    for kind in KINDS:
        at, by = np.array(found[kind], float).reshape(-1, 2).mean(axis=0)
        print(
            f"| {kind} | {len(found[kind])} | {at:.2f} | {by:.2f} | {np.mean(alarms[kind]):.2f} |"
        )
    print(f"| merged, with the parts known | {len(known)} | {np.mean(known):.2f} | | |", flush=True)


def simulated(n: int) -> None:
    """Print how often pairs of siblings are alike, and topics two, by their probability."""
    chances: dict[str, list[float]] = {"merge": [], "split": []}
    truth: dict[str, list[bool]] = {"merge": [], "split": []}
    for seed in range(n):
        rng, tree = np.random.default_rng(seed), branching_tree((5, 8))
        corpus = simulate(
            tree, 3000, 1500, rates="zipf", drop_empty=True, mean_length=60, unlabelled="redraw",
            seed=seed,
        ).corpus  # fmt: skip
        vandal = Vandal(corpus, rng)
        twins = [pair for _ in range(8) if (pair := vandal.damage("split")) is not None]
        merged = [name for _ in range(2) if (name := vandal.damage("merged")) is not None]
        made = vandal.result()
        posterior = fit(made, Settings(method="map", draws=2))
        sizes = np.bincount(made.labels.indices, minlength=made.n_topics)
        filed, names = own_words(posterior, made), posterior.tree.topics
        for two in alike_pairs(filed, posterior.tree)[0].pairs:
            chances["merge"].append(two.chance)
            truth["merge"].append({names[k] for k in two.pair} in [set(pair) for pair in twins])
        for topic in topics_of_two(filed, posterior.tree, sizes):
            chances["split"].append(topic.chance)
            truth["split"].append((names[topic.parts.topics[0]],) in merged)
    for kind, probabilities in chances.items():
        p, y = np.array(probabilities), np.array(truth[kind])
        print(f"\n{n} corpora of the model, {kind}: {len(p):,} judged, {y.sum()} are so\n")
        print("| probability | judged | mean probability | were so |\n|---|---:|---:|---:|")
        for low, high in itertools.pairwise(BINS):
            own = (p >= low) & (p < high)
            if own.any():
                print(f"| {low:.2f} to {min(high, 1):.2f} | {own.sum():,} | {p[own].mean():.3f} "
                      f"| {y[own].mean():.3f} |")  # fmt: skip


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", default="debtags,rcv1,reuters,arxiv")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--simulated", type=int, default=12)
    given = parser.parse_args()
    for name in filter(None, given.corpora.split(",")):
        compare(name, given.times, given.at_once)
    if given.simulated:
        simulated(given.simulated)


if __name__ == "__main__":
    main()

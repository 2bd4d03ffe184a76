"""Alignment of any model's topics with the nodes of a labelled fit (the paper's section 5).

A topic is resolved if it corresponds to one node or its branch, fused if it corresponds to several,
and junk if it corresponds to none. A node is resolved by one topic, split among several, fused with
others, or missing. The terms follow Chuang, Gupta, Manning and Heer (2013).

The divergence is the squared Hellinger distance, 1 - sum_f sqrt(p_f q_f), from 0 to 1. Its interval
comes from draws of the node's rates with the topic fixed, so it includes only the uncertainty about
the node.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

from frex.evaluate.clusters import agreement, find_memberships
from frex.evaluate.naming import name_topics
from frex.evaluate.nodes import Nodes, shared_words
from frex.evaluate.shares import explained, mixture_shares
from frex.posterior import read_posterior
from frex.scores import TopicWords, frequency, frex, from_model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from frex.evaluate.naming import Name
    from frex.posterior import Posterior

    Array: TypeAlias = NDArray[np.float64]

WORDS = 20
"""Number of best words by FREX for the overlap."""

DRAWS, LEVEL = 100, 0.9
"""Number of draws of the nodes' rates, and the probability of intervals."""

TOPIC_KINDS = ("resolved", "split", "fused", "junk")
NODE_KINDS = ("resolved", "split", "fused", "missing")
GRID = np.linspace(0, 1, 101)
"""Divergences at which coverage is computed."""


@dataclass(frozen=True)
class Alignment:
    """The correspondence of a model's topics and a fit's nodes.

    Attributes
    ----------
    topics
        A row for each topic: `topic`, `kind` (of `TOPIC_KINDS`), `node` (its nodes, joined by
        ``+``; for junk the nearest), `of` (whether that is a ``"topic"`` or its ``"branch"``),
        `share` (the share of the topic that these nodes explain), `explained` (the share of the
        topic's divergence from the background that any nodes explain), `divergence` from its nodes
        with `low` and `high`, `overlap` of FREX words, `assigned` (the node assigned to this topic
        alone, or empty), `steps` (in the tree, from the assigned node to the topic's nodes), and
        `words`, the best by FREX.
    nodes
        A row for each node with documents: `node`, `kind` (of `NODE_KINDS`), `topics` (that
        correspond to it), `nearest` (topic), `divergence` with `low` and `high`, `overlap`,
        `exposure` (amount of text about it).
    coverage
        `divergence`; `covered`, the share of nodes with a topic within this divergence, with `low`
        and `high`; and `possible`, the share for topics equal to the fit's own typical rates.
    figures
        `n_words` (shared by fit and model) and `known` (the share of the topics' probability on
        these words); `n_topics`, `n_nodes` and the counts of each kind; `coverage` (the mean of the
        curve, with `coverage_low`, `coverage_high` and `coverage_possible`); `assigned_divergence`,
        the mean; and, for documents, `purity`, `nmi` and `ari`, NaN if the model has no
        memberships.
    """

    topics: pd.DataFrame
    nodes: pd.DataFrame
    coverage: pd.DataFrame
    figures: dict[str, float]

    def __str__(self) -> str:
        counted = ", ".join(f"{self.figures[f'topics_{kind}']:.0f} {kind}" for kind in TOPIC_KINDS)
        nodes = ", ".join(f"{self.figures[f'nodes_{kind}']:.0f} {kind}" for kind in NODE_KINDS)
        return f"{len(self.topics):,} topics: {counted}. {len(self.nodes):,} nodes: {nodes}."


def alignment(
    fit: Posterior | str | PathLike[str],
    model: Any,
    *,
    words: Any = None,
    memberships: Any = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> Alignment:
    """Align the topics of a model with the nodes of a fit.

    Parameters
    ----------
    fit
        A fit of documents with labels, or its folder.
    model
        A model for `frex.scores.from_model`: of scikit-learn, gensim, tomotopy or BERTopic, a
        matrix, or a file; or a fit, or its folder.
    words
        The words of a matrix or of a model that does not store them; see `frex.scores.from_model`.
    memberships
        Memberships of the fit's documents, in its order, in the model's topics: documents x topics,
        or the topic of each document, negative for none. By default those that the model stores
        (PCM, tomotopy, BERTopic).
    draws
        Number of draws of the nodes' rates for the intervals.
    seed
        The same seed gives the same intervals.

    Returns
    -------
    Alignment
        Tables of topics, nodes and coverage, and summary figures.

    Examples
    --------
    >>> from frex.evaluate import alignment
    >>> found = alignment('FIT', 'FIT')
    >>> found.topics['kind'].tolist()
    ['resolved', 'resolved', 'resolved']
    """
    if isinstance(fit, str | PathLike):
        fit = read_posterior(fit)
    if isinstance(model, str | PathLike) and Path(model).is_dir():
        model = read_posterior(model)
    topics = model if isinstance(model, TopicWords) else from_model(model, words)
    members = find_memberships(model, memberships, fit.ids, len(topics.topics))
    shared, places = shared_words(fit, topics.words)
    rates = _on_shared(topics.rates, places, len(shared))
    compared = _Comparison(Nodes(fit, shared), rates, topics.topics, draws, seed)
    known = topics.rates[:, places >= 0].sum() / topics.rates.sum()
    figures = {"n_words": float(len(shared)), "known": float(known)}
    figures |= compared.figures | agreement(fit, members)
    return Alignment(
        compared.topic_table(), compared.node_table(), compared.coverage_table(), figures
    )


class _Comparison:
    """Topics and nodes, with the statistics of all pairs."""

    def __init__(
        self, nodes: Nodes, rates: Array, names: Sequence[str], draws: int, seed: int
    ) -> None:
        self.nodes, self.names = nodes, names
        self.divergences = hellinger(rates, nodes.rates)
        components = np.concatenate([nodes.rates[: nodes.n_own], nodes.background[None]])
        self.shares = mixture_shares(rates, components)
        self.explained = explained(rates, self.shares @ components, nodes.background)
        self.named = name_topics(nodes, self.shares, self.explained, self.divergences)
        self.best = _best_words(rates)
        self.overlap = _overlap(self.best, nodes.best_words(WORDS), rates.shape[1])
        self.assigned = self._assign()
        self.topic_kinds, self.node_kinds = self._kinds()
        self._draw(rates, draws, seed)
        self.figures = self._figures()

    def _assign(self) -> NDArray[np.int64]:
        """Return the one-to-one assignment of topics to nodes; -1 for none.

        The cost of a pair is the mean of three numbers from 0 to 1: the divergence, the share of
        FREX words that they do not have in common, and the mean distance in the tree between the
        node and the nodes of which the topic is a mixture.
        """
        n = self.nodes.n_own
        own, rest = self.shares[:, :-1], self.shares[:, -1:]
        away = own @ self.nodes.distances() + rest
        costs = (self.divergences[:, :n] + (1 - self.overlap) + away) / 3
        found = np.full(len(costs), -1, np.int64)
        topics, nodes = linear_sum_assignment(costs)
        found[topics] = nodes
        return found

    def _kinds(self) -> tuple[list[str], list[str]]:
        """Return the kind of each topic, and of each node."""
        single = [name.rows[0] if len(name.rows) == 1 and not name.junk else -1
                  for name in self.named]  # fmt: skip
        times = {row: single.count(row) for row in single}
        topics = [
            "junk" if name.junk else "fused" if row < 0 else "split" if times[row] > 1
            else "resolved" for name, row in zip(self.named, single, strict=True)
        ]  # fmt: skip
        below, fused = self.nodes.below(), np.zeros(self.nodes.n_own, np.bool_)
        for name in self.named:
            if not name.junk:
                fused |= below[name.rows[name.rows >= self.nodes.n_own]].any(axis=0)
                fused[name.rows[name.rows < self.nodes.n_own]] = True
        nodes = [
            ("split" if times[row] > 1 else "resolved") if row in times
            else "fused" if fused[row] else "missing" for row in range(self.nodes.n_own)
        ]  # fmt: skip
        return topics, nodes

    def _draw(self, rates: Array, draws: int, seed: int) -> None:
        """Draw divergences of topics from their nodes, and of nodes from their nearest topic."""
        roots, n = np.sqrt(rates), self.nodes.n_own
        named, nearest, own = [], [], []
        typical = np.sqrt(self.nodes.rates[:n])
        for drawn in self.nodes.draws(draws, seed):
            mixtures = np.stack([_mixed(name, drawn) for name in self.named])
            named.append(1 - np.einsum("tf,tf->t", roots, np.sqrt(mixtures)))
            drawn_roots = np.sqrt(drawn[:n])
            nearest.append((1 - roots @ drawn_roots.T).min(axis=0))
            own.append(1 - np.einsum("kf,kf->k", typical, drawn_roots))
        self.of_named, self.of_nodes = np.clip(named, 0, 1), np.clip(nearest, 0, 1)
        self.possible = np.clip(own, 0, 1)

    def _figures(self) -> dict[str, float]:
        figures: dict[str, float] = {"n_topics": len(self.named), "n_nodes": self.nodes.n_own}
        for what, kinds, found in (
            ("topics", TOPIC_KINDS, self.topic_kinds), ("nodes", NODE_KINDS, self.node_kinds)
        ):  # fmt: skip
            figures |= {f"{what}_{kind}": float(found.count(kind)) for kind in kinds}
        low, middle, high = _quantiles(1 - self.of_nodes.mean(axis=1))
        taken = np.flatnonzero(self.assigned >= 0)
        return figures | {
            "coverage": float(middle),
            "coverage_low": float(low),
            "coverage_high": float(high),
            "coverage_possible": float(np.median(1 - self.possible.mean(axis=1))),
            "assigned_divergence": float(self.divergences[taken, self.assigned[taken]].mean()),
        }

    def topic_table(self) -> pd.DataFrame:
        """Return `Alignment.topics`."""
        low, middle, high = _quantiles(self.of_named)
        nodes, surface = self.nodes, self.nodes.fit.surface or self.nodes.fit.words
        steps = self._steps()
        rows = []
        for topic, name in enumerate(self.named):
            own = name.rows[name.rows < nodes.n_own]
            assigned = self.assigned[topic]
            rows.append({
                "topic": self.names[topic],
                "kind": self.topic_kinds[topic],
                "node": " + ".join(nodes.names[row] for row in name.rows),
                "of": "topic" if len(own) else "branch",
                "share": float(name.shares.sum() * self.shares[topic, :-1].sum()),
                "explained": float(self.explained[topic]),
                "divergence": middle[topic],
                "low": low[topic],
                "high": high[topic],
                "overlap": float(self.overlap[topic, own].max()) if len(own) else np.nan,
                "assigned": nodes.names[assigned] if assigned >= 0 else "",
                "steps": steps[topic],
                "words": " ".join(surface[nodes.words[word]] for word in self.best[topic, :10]),
            })  # fmt: skip
        return pd.DataFrame(rows)

    def node_table(self) -> pd.DataFrame:
        """Return `Alignment.nodes`."""
        nodes, n = self.nodes, self.nodes.n_own
        called: list[list[str]] = [[] for _ in range(n)]
        for topic, name in zip(self.names, self.named, strict=True):
            for row in name.rows[name.rows < n] if not name.junk else ():
                called[row].append(topic)
        low, middle, high = _quantiles(self.of_nodes)
        nearest = self.divergences[:, :n].argmin(axis=0)
        return pd.DataFrame({
            "node": nodes.names[:n],
            "kind": self.node_kinds,
            "topics": [", ".join(topics) for topics in called],
            "nearest": [self.names[topic] for topic in nearest],
            "divergence": middle,
            "low": low,
            "high": high,
            "overlap": self.overlap[nearest, np.arange(n)],
            "exposure": nodes.exposures,
        })  # fmt: skip

    def coverage_table(self) -> pd.DataFrame:
        """Return `Alignment.coverage`."""
        low, middle, high = _quantiles(_curves(self.of_nodes))
        return pd.DataFrame({
            "divergence": GRID,
            "covered": middle,
            "low": low,
            "high": high,
            "possible": np.median(_curves(self.possible), axis=0),
        })  # fmt: skip

    def _steps(self) -> list[float]:
        """Return the steps in the tree between each topic's assigned node and its nodes."""
        found = []
        for name, assigned in zip(self.named, self.assigned, strict=True):
            if assigned < 0:
                found.append(np.nan)
                continue
            here = self._path(assigned)
            paths = [float(len(here ^ self._path(row))) for row in name.rows]
            found.append(min(paths))
        return found

    def _path(self, row: int) -> set[int]:
        """Return the node of a row, and all above it."""
        node = int(self.nodes.rows[row])
        return {node, *self.nodes.fit.tree.ancestors(node)}


def hellinger(a: Array, b: Array) -> Array:
    """Return the squared Hellinger distances of distributions: rows of `a` x rows of `b`."""
    return np.asarray(np.clip(1 - np.sqrt(a) @ np.sqrt(b).T, 0, 1))


def _on_shared(rates: Array, places: NDArray[np.int64], n: int) -> Array:
    """Return topics as distributions over the shared words; words of one stem are summed."""
    known = places >= 0
    summed = np.zeros((len(rates), n))
    np.add.at(summed.T, places[known], rates[:, known].T)
    empty = summed.sum(axis=1) == 0
    summed[empty] = 1.0  # a topic without words becomes uniform, which is junk
    return np.asarray(frequency(summed))


def _best_words(rates: Array) -> NDArray[np.int64]:
    return np.argsort(-frex(rates), axis=1, kind="stable")[:, :WORDS]


def _overlap(topics: NDArray[np.int64], nodes: NDArray[np.int64], n_words: int) -> Array:
    """Return the share of best words that topics and nodes have in common."""
    flags = [np.zeros((len(best), n_words), np.float32) for best in (topics, nodes)]
    for flag, best in zip(flags, (topics, nodes), strict=True):
        np.put_along_axis(flag, best, 1.0, axis=1)
    shared: Array = flags[0].astype(np.float64) @ flags[1].T
    return np.asarray(shared / topics.shape[1])


def _mixed(name: Name, rates: Array) -> Array:
    return np.asarray(name.shares / name.shares.sum() @ rates[name.rows])


def _quantiles(draws: Array) -> Array:
    """Return low, median and high over the first axis."""
    found: Array = np.quantile(draws, [(1 - LEVEL) / 2, 0.5, (1 + LEVEL) / 2], axis=0)
    return found


def _curves(divergences: Array) -> Array:
    """Return for each draw the share of nodes within each divergence: draws x `GRID`."""
    return np.stack([(row[:, None] <= GRID).mean(axis=0) for row in divergences])

"""The record of the draws: moments of everything, scores of leading words, and traced values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frex.errors import InputError
from frex.sampler.scored import ScoredDraws, choose_candidates
from frex.storage import tidy
from frex.tree.comparisons import comparison_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from frex.corpus import Corpus
    from frex.model.reductions import Reduced
    from frex.sampler.arrays import Array, Floats, Ints
    from frex.sampler.context import Context
    from frex.sampler.engines.verbs import Engine
    from frex.sampler.exchange import RowKind
    from frex.sampler.moments import RunningMoments
    from frex.sampler.scan import ScanReport
    from frex.sampler.settings import Settings
    from frex.sampler.state import State
    from frex.tree import TopicTree
    from frex.tree.comparisons import Compare

KEPT = np.float32
"""Precision of the running moments over words x nodes."""


class ComparisonSets(NamedTuple):
    """The distinct comparison sets of all topics, which topics share.

    If all topics are compared with one level, a topic at another level is not in the shared set,
    and is added to it. To sum a separate set for each topic would cost words x topics^2 per draw.
    """

    starts: Ints
    nodes: Ints
    of_topic: Ints
    outside: Floats  #: 1 if the topic is not in the set, else 0

    @classmethod
    def of(cls, tree: TopicTree, compare: Compare) -> ComparisonSets:
        """Find every topic's comparison set."""
        choice = list(compare) if isinstance(compare, tuple) else compare
        shared = [tree.compared_with(node, choice) for node in range(1, tree.n_nodes)]
        sets = {nodes: number for number, nodes in enumerate(dict.fromkeys(shared))}
        return cls(
            np.cumsum([0, *map(len, sets)]),
            np.array([node for nodes in sets for node in nodes]),
            np.array([sets[nodes] for nodes in shared]),
            np.array([float(node not in nodes) for node, nodes in enumerate(shared, 1)]),
        )


class WholeRecord(NamedTuple):
    """Moments and scores of all words, labels and topics."""

    moments: dict[str, RunningMoments]
    exclusivity: dict[str, RunningMoments]
    scored: dict[str, ScoredDraws]


class Outcome(NamedTuple):
    """The result of a fit's draws."""

    whole: WholeRecord
    draws: dict[str, Floats]  #: (chain, draw, ...), cut to the shortest chain
    stats: dict[str, Floats]
    traced_rates: Ints
    traced_active: Ints


class Record:
    """Moments and scores pooled over the chains, and draws of each chain.

    The words whose scores are stored are chosen before the first draw, by the means over the last
    scans of the warm-up (`add_warm_up`). So every draw can be scored, and a run that is resumed for
    more draws has the same bits as a run that made all draws at once.

    Each of several processes has the moments of its words and labels, and the scores of its topics.
    Draws and statistics of scans are the same in all processes.

    Parameters
    ----------
    corpus
        The corpus to fit.
    settings
        The comparison sets and the traced parameters.
    engine
        The engine with the corpus.
    """

    def __init__(self, corpus: Corpus, settings: Settings, engine: Engine) -> None:
        self.engine, reduced = engine, engine.reduced
        tree, self.known = reduced.tree, reduced.known
        n_groups = len(np.unique(tree.parents[1:]))
        # on the log scale, because the exponential of a Student-t has no mean
        self.moments = {
            "log_rates": engine.moments("words", (tree.n_nodes,), KEPT),
            "log_dispersions": engine.moments("words", (n_groups,), KEPT),
            "memberships": engine.moments("labels", (), np.float64),  # so that they sum to 1
        }
        self.sets = {comparison_name(c): ComparisonSets.of(tree, c) for c in settings.compare}
        self.exclusivity = {
            name: engine.moments("words", (tree.n_topics,), KEPT) for name in self.sets
        }
        self.scored: dict[str, ScoredDraws] = {}  # empty until the words are chosen
        self.n_sequences = 1 if settings.method == "map" else settings.chains
        self.traced_rates, self.traced_active = _choose_traced(corpus, reduced, settings)
        self._trace = engine.tracer(self.traced_rates, self.traced_active)
        self.draws: list[dict[str, list[Any]]] = [{} for _ in range(settings.chains)]
        self.stats: list[dict[str, list[float]]] = [{} for _ in range(settings.chains)]

    @property
    def n_draws(self) -> int:
        """Number of draws that every chain has."""
        return min(len(chain.get("root_mean", [])) for chain in self.draws)

    def add(self, chain: int, context: Context) -> None:
        """Add a draw of a chain."""
        state = context.state
        self.add_moments(context)
        values = state.hyper.named()
        values["log_rates"], values["memberships"] = self._trace(state)
        if self.known is not None:
            values["log_rates"] = values["log_rates"] + self.known.offsets[*self.traced_rates.T]
        for name, value in values.items():
            self.draws[chain].setdefault(name, []).append(value)

    def _log_rates(self, state: State) -> Array:
        """Return log rates with their offsets, if they have any."""
        return state.log_rates if self.known is None else state.log_rates + self.known.offsets

    def add_warm_up(self, context: Context) -> None:
        """Add a late scan of the warm-up, which only serves to choose the scored words."""
        self.moments["log_rates"].take(self._log_rates(context.state))
        rates, _ = context.rates()
        for name, values in self._exclusivity(rates):
            self.exclusivity[name].take_rows(values)

    def add_moments(self, context: Context) -> None:
        """Add a draw to the moments and the scores."""
        self.add_shares(context)
        self.moments["log_rates"].take(self._log_rates(context.state))
        self.moments["log_dispersions"].take(context.state.dispersions, logarithm=True)

    def add_shares(self, context: Context) -> None:
        """Add what has no closed form even for a Gaussian: memberships, exclusivity and scores."""
        if not self.scored:
            self._choose_words(context)
            tidy()
        context.memberships()  # of all processes, for the traced values
        self.moments["memberships"].take(context.state.memberships)
        rates, _ = context.rates()
        for name, values in self._exclusivity(rates):
            self.exclusivity[name].take_rows(values)
            self.scored[name].add(rates, values)

    def _choose_words(self, context: Context) -> None:
        """Choose the words whose scores are stored, and discard the means of the warm-up.

        Without a warm-up the first draw decides.
        """
        if not self.moments["log_rates"].count:
            self.add_warm_up(context)
        topics = self.topics
        means = self.moments["log_rates"].whole_mean()[:, topics.start : topics.stop + 1]
        for name, moments in self.exclusivity.items():
            words = choose_candidates(means, moments.whole_mean()[:, topics])
            self.scored[name] = ScoredDraws(words, self.n_sequences, self.engine.scorer(words))
            self.exclusivity[name] = moments.again()
        self.moments["log_rates"] = self.moments["log_rates"].again()

    @property
    def topics(self) -> slice:
        """The topics whose scores this process stores."""
        return self.engine.exchange.stretch(self.engine.reduced.tree.n_topics)

    def _exclusivity(self, rates: Array) -> Iterator[tuple[str, Array]]:
        """Yield each comparison set's name and exclusivity, in memory that the next one reuses."""
        for name, sets in self.sets.items():
            yield name, self.engine.exclusivity(rates, sets)

    def whole(self) -> WholeRecord:
        """Return the record, complete on the first process; all processes must call this."""
        scored, exchange = dict(self.scored), self.engine.exchange
        for name, own in self.scored.items() if exchange.size > 1 else ():
            parts = exchange.gather_values(own.to_arrays())
            if parts is not None:
                scored[name] = ScoredDraws.joined(parts, self.n_sequences)
        return WholeRecord(
            {name: kept.whole() for name, kept in self.moments.items()},
            {name: kept.whole() for name, kept in self.exclusivity.items()},
            scored,
        )

    def outcome(self, *, with_draws: bool = True) -> Outcome:
        """Return the result, complete on the first process; all processes must call this."""
        draws, stats = (
            (self.stacked(self.draws), self.stacked(self.stats)) if with_draws else ({}, {})
        )
        return Outcome(self.whole(), draws, stats, self.traced_rates, self.traced_active)

    def continue_from(self, whole: WholeRecord) -> None:
        """Continue from a complete record, of which each process takes its part."""
        moments_from, topics = self.engine.moments_from, self.topics
        for name, moments in whole.moments.items():
            kind: RowKind = "labels" if name == "memberships" else "words"
            self.moments[name] = moments_from(kind, moments)
        for name, moments in whole.exclusivity.items():
            self.exclusivity[name] = moments_from("words", moments)
        for name, scored in whole.scored.items():
            arrays = scored.to_arrays()
            arrays["words"] = arrays["words"][topics]
            arrays["values"] = arrays["values"][..., topics, :]
            own = ScoredDraws.from_arrays(arrays, self.n_sequences)
            own.score = self.engine.scorer(own.words)
            self.scored[name] = own

    def add_stats(
        self, chain: int, report: ScanReport, steps: Mapping[str, float], seconds: float
    ) -> None:
        """Add the statistics of a scan."""
        values = {f"acceptance_{name}": value for name, value in report.acceptance.items()}
        values |= {f"energy_error_{name}": value for name, value in report.energy.items()}
        values |= {
            f"step_size_{name}": value for name, value in steps.items() if name in report.acceptance
        }
        values["seconds"] = seconds
        for name, value in values.items():
            self.stats[chain].setdefault(name, []).append(value)

    def stacked(self, kept: list[dict[str, list[Any]]]) -> dict[str, Floats]:
        """Return draws or stats as arrays (chain, draw, ...), cut to the shortest chain."""
        n = self.n_draws
        return {
            name: np.array([chain[name][:n] for chain in kept], dtype=np.float64)
            for name in kept[0]
        }


def _choose_traced(corpus: Corpus, reduced: Reduced, settings: Settings) -> tuple[Ints, Ints]:
    """Choose (word, node) pairs and active labels: those of the named words, and random ones."""
    rng = np.random.default_rng(settings.seed)
    n_nodes = reduced.tree.n_nodes
    number = {word: f for f, word in enumerate(corpus.words)} if settings.traced_words else {}
    for word in settings.traced_words:
        if word not in number:
            raise InputError(
                f"the word {word!r} is not in the vocabulary, so it cannot be traced",
                remedy="Name words as the corpus has them; text that was stemmed has stems.",
            )
    named = [
        number[word] * n_nodes + node for word in settings.traced_words for node in range(n_nodes)
    ]
    # of topics: the root's rates are shown nowhere, and above a single topic next to unknown
    n_cells = corpus.n_words * (n_nodes - 1)
    chosen = rng.choice(n_cells, min(settings.traced_rates, n_cells), replace=False)
    words, topics = np.divmod(chosen, n_nodes - 1)
    cells = np.unique([*named, *(words * n_nodes + topics + 1)]).astype(np.int64)
    n_active = reduced.labels.nnz
    active = rng.choice(n_active, min(settings.traced_memberships, n_active), replace=False)
    return np.stack(np.divmod(cells, n_nodes), axis=1), np.sort(active)

"""What is kept of the draws: moments of all, scores of leading words, all values of the traced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frex.errors import InputError
from frex.sampler.kernels.exclusivity import exclusivity
from frex.sampler.moments import RunningMoments
from frex.sampler.scored import ScoredDraws, choose_candidates
from frex.tree.comparisons import comparison_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.model.reductions import Reduced
    from frex.sampler.scan import Sampler, ScanReport
    from frex.sampler.settings import Settings
    from frex.sampler.state import State
    from frex.tree import TopicTree
    from frex.tree.comparisons import Compare

MOMENTS = ("log_rates", "log_dispersions", "memberships")
"""What is averaged over draws. No rate and no dispersion is: exp of a Student-t has no mean."""

KEPT = np.float32
"""The precision of the moments over words x nodes while they grow."""


class ComparisonSets(NamedTuple):
    """The comparison sets of all topics, each once, as topics share them.

    A topic at another level than that with which all are compared is not in the set that it shares,
    and is added to it. Were its own set summed by itself, a draw would cost words x topics^2.
    """

    starts: NDArray[np.int64]
    nodes: NDArray[np.int64]
    of_topic: NDArray[np.int64]
    apart: NDArray[np.float64]  #: 1 where the topic is not in the set, 0 where it is

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


class Record:
    """Moments and scores pooled over the chains, and draws of each chain.

    The words whose scores are kept are chosen before the first draw, by the means over the last
    scans of the warm-up, which `foresee` takes in: then every draw can be scored, and a run that is
    resumed for more draws has the bits of one that was asked for all of them at once.

    Parameters
    ----------
    corpus, reduced
        What is fitted.
    settings
        Which comparison sets, and what to trace.
    """

    def __init__(self, corpus: Corpus, reduced: Reduced, settings: Settings) -> None:
        tree = reduced.tree
        n_words, n_groups = corpus.n_words, len(np.unique(tree.parents[1:]))
        n_active = reduced.labels.nnz
        shapes: dict[str, tuple[int, ...]] = {
            "log_rates": (n_words, tree.n_nodes),
            "log_dispersions": (n_words, n_groups),
        }
        self.moments = {name: RunningMoments(shape, KEPT) for name, shape in shapes.items()}
        self.moments["memberships"] = RunningMoments(n_active)  # so that they still add up to 1
        self.sets = {comparison_name(c): ComparisonSets.of(tree, c) for c in settings.compare}
        exclusivity = n_words, tree.n_topics
        self.exclusivity = {name: RunningMoments(exclusivity, KEPT) for name in self.sets}
        self.scored: dict[str, ScoredDraws] = {}  # empty until the words are chosen
        self.n_sequences = 1 if settings.method == "map" else settings.chains
        self.traced_rates, self.traced_active = _choose_traced(corpus, reduced, settings)
        self.draws: list[dict[str, list[Any]]] = [{} for _ in range(settings.chains)]
        self.stats: list[dict[str, list[float]]] = [{} for _ in range(settings.chains)]

    @property
    def n_draws(self) -> int:
        """Draws that every chain has."""
        return min(len(chain.get("root_mean", [])) for chain in self.draws)

    def add(self, chain: int, state: State, sampler: Sampler) -> None:
        """Take in a draw of a chain."""
        rates, _ = sampler.exponentiated(state)
        self.add_moments(state, rates, sampler)
        values = state.hyper._asdict()
        values["log_rates"] = state.log_rates[tuple(self.traced_rates.T)].copy()
        values["memberships"] = state.memberships[self.traced_active].copy()
        for name, value in values.items():
            self.draws[chain].setdefault(name, []).append(value)

    def foresee(
        self, log_rates: NDArray[np.float64], rates: NDArray[np.float64], sampler: Sampler
    ) -> None:
        """Take in rates that are close to the posterior, but no draw of it."""
        self.moments["log_rates"].update(log_rates)
        for name, values in self._exclusivity(rates, sampler):
            self.exclusivity[name].update(values)

    def add_moments(self, state: State, rates: NDArray[np.float64], sampler: Sampler) -> None:
        """Take the draw into the moments and the scores."""
        self.add_shares(state, rates, sampler)
        self.moments["log_rates"].update(state.log_rates)
        self.moments["log_dispersions"].update(np.log(state.dispersions))

    def add_shares(self, state: State, rates: NDArray[np.float64], sampler: Sampler) -> None:
        """Take in what even a Gaussian has no closed form of: memberships, exclusivity, scores."""
        if not self.scored:
            self._choose_words(state.log_rates, rates, sampler)
        self.moments["memberships"].update(state.memberships)
        for name, values in self._exclusivity(rates, sampler):
            self.exclusivity[name].update(values)
            self.scored[name].add(rates, values)

    def _choose_words(
        self, log_rates: NDArray[np.float64], rates: NDArray[np.float64], sampler: Sampler
    ) -> None:
        """Choose whose scores are kept, and forget what led to the choice.

        Without a warm-up nothing was foreseen, and the first draw decides.
        """
        if not self.moments["log_rates"].count:
            self.foresee(log_rates, rates, sampler)
        means = self.moments["log_rates"].mean
        for name, moments in self.exclusivity.items():
            words = choose_candidates(means, moments.mean)
            self.scored[name] = ScoredDraws(words, self.n_sequences)
            self.exclusivity[name] = moments.again()
        self.moments["log_rates"] = self.moments["log_rates"].again()

    def _exclusivity(
        self, rates: NDArray[np.float64], sampler: Sampler
    ) -> Iterator[tuple[str, NDArray[np.float64]]]:
        """Yield each comparison set's name and exclusivity, words x topics, good until the next."""
        shape = rates.shape[0], rates.shape[1] - 1
        values = sampler.data.rooms.slopes.reshape(-1)[: shape[0] * shape[1]].reshape(shape)
        for name, sets in self.sets.items():
            exclusivity(rates, *sets, values)
            yield name, values

    def add_stats(
        self, chain: int, report: ScanReport, steps: Mapping[str, float], seconds: float
    ) -> None:
        """Take in what a scan did."""
        values = {f"acceptance_{name}": value for name, value in report.acceptance.items()}
        values |= {f"energy_error_{name}": value for name, value in report.energy.items()}
        values |= {
            f"step_size_{name}": value for name, value in steps.items() if name in report.acceptance
        }
        values["seconds"] = seconds
        for name, value in values.items():
            self.stats[chain].setdefault(name, []).append(value)

    def stacked(self, kept: list[dict[str, list[Any]]]) -> dict[str, NDArray[np.float64]]:
        """Return draws or stats as arrays (chain, draw, ...), cut to the shortest chain."""
        n = self.n_draws
        return {
            name: np.array([chain[name][:n] for chain in kept], dtype=np.float64)
            for name in kept[0]
        }


def _choose_traced(
    corpus: Corpus, reduced: Reduced, settings: Settings
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Choose (word, node) pairs and active labels: all of the words named, and some at random."""
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
    n_cells = corpus.n_words * n_nodes
    chosen = rng.choice(n_cells, min(settings.traced_rates, n_cells), replace=False)
    cells = np.unique(np.concatenate([np.array(named, dtype=np.int64), chosen]))
    n_active = reduced.labels.nnz
    active = rng.choice(n_active, min(settings.traced_memberships, n_active), replace=False)
    return np.stack(np.divmod(cells, n_nodes), axis=1), np.sort(active)

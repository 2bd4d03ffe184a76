"""What is kept of the draws: each rank has the moments of its words and labels.

The scores of a topic's words need the rates of all words; so each rank scores its share of the
topics. Draws and statistics of the scans are the same on every rank.
"""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.kernels.scored import score_words
from frex.sampler.moments import RunningMoments
from frex.sampler.record import Record
from frex.sampler.scored import ScoredDraws, choose_candidates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.sampler.ranks.corpus import Part
    from frex.sampler.ranks.exchange import Dealt, Ranks
    from frex.sampler.ranks.tables import Table
    from frex.sampler.scan import Sampler
    from frex.sampler.settings import Settings
    from frex.sampler.state import State


class RankScoredDraws(ScoredDraws):
    """Scores of the candidates of this rank's topics."""

    record: RankRecord  #: which knows the ranks and their topics

    @cached_property
    def _every(self) -> Table:
        """Room for the exclusivity of all words, in the order of the ranks."""
        words, topics = self.record.part.words, self.record.part.reduced.tree.n_topics
        return self.record.ranks.table(words, (topics,), in_order=True)

    def score(
        self,
        rates: NDArray[np.float64],
        exclusivity: NDArray[np.float64],
        out: NDArray[np.float32],
    ) -> None:
        """Fill the scores of a draw: rates of all words, exclusivity of this rank's."""
        record, every = self.record, self._every.array
        every[record.part.words.mine] = exclusivity
        record.ranks.fill(self._every)
        topics = record.topics
        own = np.ascontiguousarray(rates[:, topics.start : topics.stop + 1])
        rows = record.rows[self.words].astype(np.int32)
        score_words(own, np.ascontiguousarray(every[:, topics]), rows, out)


class RankRecord(Record):
    """Moments and scores pooled over the chains, of this rank; and draws of each chain.

    Parameters
    ----------
    corpus, settings
        As for `Record`.
    part
        Of the corpus.
    ranks
        All of them.
    """

    def __init__(self, corpus: Corpus, settings: Settings, part: Part, ranks: Ranks) -> None:
        super().__init__(corpus, part.reduced, settings)
        self.part = part
        self.ranks = ranks
        self.rows = part.words.rows
        self.topics = ranks.stretch(part.reduced.tree.n_topics)
        self.keep_own()

    def keep_own(self) -> None:
        """Keep this rank's part of moments and scores that are whole, as those on disk are."""
        for kept, name, dealt in _dealt(self, self.part):
            arrays = kept[name].to_arrays()
            own = {part: arrays[part][dealt.own] for part in ("mean", "squares")}
            kept[name] = RunningMoments.from_arrays({"count": arrays["count"], **own})
        for name, scored in self.scored.items():
            parts = scored.to_arrays()
            parts["words"] = parts["words"][self.topics]
            parts["values"] = parts["values"][..., self.topics, :]
            self.scored[name] = self._scored_here(parts)

    def whole(self) -> Record:
        """Bring moments and scores together on the first rank; all ranks ask for it."""
        return gather_record(self, self.part, self.ranks)

    def add(self, chain: int, state: State, sampler: Sampler) -> None:
        """Take in a draw of a chain."""
        rates, _ = sampler.exponentiated(state)
        self.add_moments(state, rates, sampler)
        values = state.hyper._asdict()
        values["log_rates"] = self._traced(state.log_rates)
        values["memberships"] = state.memberships[self.traced_active].copy()
        for name, value in values.items():
            self.draws[chain].setdefault(name, []).append(value)

    def foresee(
        self, log_rates: NDArray[np.float64], rates: NDArray[np.float64], sampler: Sampler
    ) -> None:
        """Take in rates that are close to the posterior, but no draw of it."""
        words = self.part.words
        super().foresee(log_rates[words.own], rates[words.mine], sampler)

    def add_moments(self, state: State, rates: NDArray[np.float64], sampler: Sampler) -> None:
        """Take the draw into the moments and the scores."""
        if not self.scored:
            self._choose_words(state.log_rates, rates, sampler)
        words = self.part.words
        self.moments["log_rates"].update(state.log_rates[words.own])
        self.moments["log_dispersions"].update(np.log(state.dispersions[words.own]))
        self.moments["memberships"].update(state.memberships[self.part.labels.own])
        for name, values in self._exclusivity(rates[words.mine], sampler):
            self.exclusivity[name].update(values)
            self.scored[name].add(rates, values)

    def _choose_words(
        self, log_rates: NDArray[np.float64], rates: NDArray[np.float64], sampler: Sampler
    ) -> None:
        """Choose whose scores are kept, each rank for its topics; forget what led to the choice."""
        if not self.moments["log_rates"].count:
            self.foresee(log_rates, rates, sampler)
        means = self._shared(self.moments["log_rates"].mean)
        first, last = self.topics.start, self.topics.stop
        for name, moments in self.exclusivity.items():
            every = self._shared(moments.mean)
            words = choose_candidates(means[:, first : last + 1], every[:, self.topics])
            fresh = ScoredDraws(words, self.n_sequences)
            self.scored[name] = self._scored_here(fresh.to_arrays())
            self.exclusivity[name] = moments.again()
        self.moments["log_rates"] = self.moments["log_rates"].again()

    def _scored_here(self, arrays: dict[str, NDArray[np.generic]]) -> ScoredDraws:
        scored = RankScoredDraws.from_arrays(arrays, self.n_sequences)
        assert isinstance(scored, RankScoredDraws)
        scored.record = self
        return scored

    def _shared(self, rows: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return an array over all words from this rank's rows of it."""
        words = self.part.words
        every = np.empty((len(words.order), rows.shape[1]))
        every[words.own] = rows
        self.ranks.share(words, every)
        return every

    def _traced(self, log_rates: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the traced log rates, each from the rank that has the word."""
        words, nodes = self.traced_rates.T
        mine = np.zeros(len(log_rates), np.bool_)
        mine[self.part.words.own] = True
        return self.ranks.largest(np.where(mine[words], log_rates[words, nodes], -np.inf))


def gather_record(record: Record, part: Part, ranks: Ranks) -> Record:
    """Return a record whose moments and scores are whole on the first rank, from its parts."""
    whole = copy(record)
    whole.moments, whole.exclusivity = dict(record.moments), dict(record.exclusivity)
    whole.scored = {}
    for kept, name, dealt in _dealt(whole, part):
        kept[name] = _gathered(kept[name], dealt, ranks)
    for name, scored in record.scored.items():
        parts = ranks.gather(scored.to_arrays())
        if parts is not None:
            joined: dict[str, Any] = dict(parts[0])
            joined["words"] = np.concatenate([own["words"] for own in parts])
            joined["values"] = np.concatenate([own["values"] for own in parts], axis=-2)
            whole.scored[name] = ScoredDraws.from_arrays(joined, record.n_sequences)
    return whole


def _dealt(record: Record, part: Part) -> list[tuple[dict[str, RunningMoments], str, Dealt]]:
    """Return for each moment its dictionary and key, and which rank has what of it."""
    found = [
        (record.moments, name, part.labels if name == "memberships" else part.words)
        for name in record.moments
    ]
    return found + [(record.exclusivity, name, part.words) for name in record.exclusivity]


def _gathered(moments: RunningMoments, dealt: Dealt, ranks: Ranks) -> RunningMoments:
    """Return moments of all places on the first rank."""
    arrays = moments.to_arrays()
    n_places = len(dealt.order) if ranks.first else 0
    joined: dict[str, NDArray[Any]] = {"count": arrays["count"]}
    for name in ("mean", "squares"):
        own: NDArray[Any] = np.asarray(arrays[name])
        whole = np.empty((n_places, *moments.shape[1:]), own.dtype)
        ranks.gather_rows(dealt, own, whole)
        joined[name] = whole
    return RunningMoments.from_arrays(joined)

"""Draws of the scores, kept only for the words that may matter, and only so many.

A topic's FREX words, and how sure they are, depend on the joint posterior of all its rates: an ECDF
is over the whole vocabulary. What is kept is enough and small: for a hundred words of each topic
their log rate, exclusivity and both ECDFs, of at most 128 draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.posterior import SCORED, Scored
from frex.scores import frex_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from frex.sampler.arrays import Array, Ints

    Score = Callable[[Array, Array, NDArray[np.float32]], None]

N_CANDIDATES = 100
"""Words of each topic whose scores are kept."""

MOST_DRAWS = 128
"""Draws that are kept, of all chains; a long run has at least half as many."""

BLOCK = 16
"""Topics whose candidates are chosen at a time, so that their columns are read once."""


def choose_candidates(
    log_rates: NDArray[np.floating], exclusivity: NDArray[np.floating]
) -> NDArray[np.int32]:
    """Return for each topic the words that are high up in any of three orders, topics x candidates.

    Words are taken by the best of their ranks by log rate, by FREX and by exclusivity; ties go to
    the earlier word. They come in the order of the vocabulary.

    Parameters
    ----------
    log_rates, exclusivity
        Means so far: words x nodes, and words x topics.
    """
    n_words, n_topics = exclusivity.shape
    chosen = np.empty((n_topics, min(n_words, N_CANDIDATES)), dtype=np.int32)
    for start in range(0, n_topics, BLOCK):
        here = slice(start, start + BLOCK)
        exclusive = np.ascontiguousarray(exclusivity[:, here].T)
        frequent = np.ascontiguousarray(log_rates[:, 1:][:, here].T)
        orders = zip(frequent, frex_from(exclusive, frequent), exclusive, strict=True)
        for topic, scores in enumerate(orders, start):
            chosen[topic] = _in_any_lead(scores, chosen.shape[1])
    return chosen


def _in_any_lead(orders: Iterable[NDArray[np.floating]], n: int) -> Ints:
    """Return the n words with the best ranks in any of some orders by scores."""
    led, ranks = [], []
    for scores in orders:
        bar = np.partition(scores, len(scores) - n)[len(scores) - n]
        able = np.flatnonzero(scores >= bar)  # sorting these few takes no time
        led.append(able[np.argsort(-scores[able], kind="stable")[:n]])
        ranks.append(np.arange(n))
    words, rank = np.concatenate(led), np.concatenate(ranks)
    best = words[np.lexsort((words, rank))]
    _, first = np.unique(best, return_index=True)
    return np.sort(best[np.sort(first)[:n]])


class ScoredDraws:
    """Scores of each topic's candidates, of every draw, or every second, fourth, ...

    When the place is full every second scan is dropped, and from then on taken: what is kept after
    some draws does not depend on how many are to follow. A scan is kept of all chains or of none.

    Parameters
    ----------
    words
        The candidates, topics x candidates.
    n_chains
        Chains, whose draws are added in turn.
    score
        Fills the scores of a draw; not needed where there are no more draws to come.
    """

    PARTS = ("words", "counters", "values")

    def __init__(self, words: NDArray[np.int32], n_chains: int, score: Score | None = None) -> None:
        self.words, self.score = words, score
        self.stride = 1
        self.n_seen = 0  # draws of all chains
        self.n_kept = 0  # scans
        # the system gives memory to what is written, so that a short run takes little
        shape = self.most_scans(n_chains), n_chains, len(SCORED), *words.shape
        self._values = np.empty(shape, np.float32)

    @staticmethod
    def most_scans(n_chains: int) -> int:
        """Return how many scans are kept at most; an even number, so that half can be dropped."""
        return max(2, MOST_DRAWS // n_chains // 2 * 2)

    def add(self, rates: Array, exclusivity: Array) -> None:
        """Take in a draw: rates of all words, and exclusivity of this process'."""
        assert self.score is not None
        most_scans, n_chains = self._values.shape[:2]
        scan, chain = divmod(self.n_seen, n_chains)
        self.n_seen += 1
        if chain == 0 and self.n_kept == most_scans and scan % self.stride == 0:
            self.n_kept //= 2
            for place in range(1, self.n_kept):  # one by one: all at once NumPy would copy
                self._values[place] = self._values[2 * place]
            self.stride *= 2
        if scan % self.stride == 0:
            place = scan // self.stride
            self.score(rates, exclusivity, self._values[place, chain])
            self.n_kept = place + 1

    def to_scored(self) -> Scored:
        """Return what was kept: the scans in order, the chains of each side by side."""
        kept = self._values[: self.n_kept]
        return Scored(self.words, kept.reshape(-1, *kept.shape[2:]))

    def to_arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the state as plain arrays, not copied: write them before the next draw."""
        counters = np.array([self.stride, self.n_seen, self.n_kept])
        return dict(
            zip(self.PARTS, (self.words, counters, self._values[: self.n_kept]), strict=True)
        )

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]], n_chains: int) -> ScoredDraws:
        """Rebuild from a copy of `to_arrays`."""
        draws = cls(np.array(arrays["words"], dtype=np.int32), n_chains)
        draws.stride, draws.n_seen, draws.n_kept = map(int, arrays["counters"])
        draws._values[: draws.n_kept] = arrays["values"]
        return draws

    @classmethod
    def joined(
        cls, parts: Sequence[Mapping[str, NDArray[np.generic]]], n_chains: int
    ) -> ScoredDraws:
        """Put together what processes have of their topics, each `to_arrays`."""
        joined = dict(parts[0])
        joined["words"] = np.concatenate([own["words"] for own in parts])
        joined["values"] = np.concatenate([own["values"] for own in parts], axis=-2)
        return cls.from_arrays(joined, n_chains)

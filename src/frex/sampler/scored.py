"""Draws of the scores of leading words, in bounded memory.

A topic's FREX words and their uncertainty depend on the joint posterior of all its rates, because
an ECDF is over the whole vocabulary. For a hundred words of each topic, the log rate, the
exclusivity and both ECDFs are stored, for at most 128 draws.
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
"""Number of words of each topic whose scores are stored."""

MOST_DRAWS = 128
"""Most draws that are stored, over all chains; a long run stores at least half as many."""

BLOCK = 16
"""Number of topics whose candidates are chosen at a time, so that columns are read once."""


def choose_candidates(
    log_rates: NDArray[np.floating], exclusivity: NDArray[np.floating]
) -> NDArray[np.int32]:
    """Return for each topic the words that rank high in any of three orders, topics x candidates.

    Words are chosen by the best of their ranks by log rate, by FREX and by exclusivity; ties go to
    the earlier word. They are returned in the order of the vocabulary.

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
    """Return the n words with the best rank in any of several orders by scores."""
    led, ranks = [], []
    for scores in orders:
        bar = np.partition(scores, len(scores) - n)[len(scores) - n]
        able = np.flatnonzero(scores >= bar)  # few enough to sort quickly
        led.append(able[np.argsort(-scores[able], kind="stable")[:n]])
        ranks.append(np.arange(n))
    words, rank = np.concatenate(led), np.concatenate(ranks)
    best = words[np.lexsort((words, rank))]
    _, first = np.unique(best, return_index=True)
    return np.sort(best[np.sort(first)[:n]])


class ScoredDraws:
    """Scores of each topic's candidates in every draw, or in every second, fourth, ...

    When the buffer is full, every second scan is dropped, and from then on only every second scan
    is stored. So the stored draws do not depend on how many are to follow. A scan is stored for all
    chains or for none.

    Parameters
    ----------
    words
        The candidates, topics x candidates.
    n_chains
        Number of chains, whose draws are added in turn.
    score
        Fills the scores of a draw; not needed if no more draws are added.
    """

    PARTS = ("words", "counters", "values")

    def __init__(self, words: NDArray[np.int32], n_chains: int, score: Score | None = None) -> None:
        self.words, self.score = words, score
        self.stride = 1
        self.n_seen = 0  # draws of all chains
        self.n_kept = 0  # scans
        # the system allocates pages when they are written, so a short run takes little memory
        shape = self.most_scans(n_chains), n_chains, len(SCORED), *words.shape
        self._values = np.empty(shape, np.float32)

    @staticmethod
    def most_scans(n_chains: int) -> int:
        """Return the most scans that are stored; even, so that half of them can be dropped."""
        return max(2, MOST_DRAWS // n_chains // 2 * 2)

    def add(self, rates: Array, exclusivity: Array) -> None:
        """Add a draw: the rates of all words, and the exclusivity of this process's words."""
        assert self.score is not None
        most_scans, n_chains = self._values.shape[:2]
        scan, chain = divmod(self.n_seen, n_chains)
        self.n_seen += 1
        if chain == 0 and self.n_kept == most_scans and scan % self.stride == 0:
            self.n_kept //= 2
            for place in range(1, self.n_kept):  # one by one, because NumPy would make a copy
                self._values[place] = self._values[2 * place]
            self.stride *= 2
        if scan % self.stride == 0:
            place = scan // self.stride
            self.score(rates, exclusivity, self._values[place, chain])
            self.n_kept = place + 1

    def to_scored(self) -> Scored:
        """Return the stored scores: scans in order, with the chains of each scan in sequence."""
        kept = self._values[: self.n_kept]
        return Scored(self.words, kept.reshape(-1, *kept.shape[2:]))

    def to_arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the state as plain arrays, not copied: the next draw changes them."""
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
        """Join the arrays (`to_arrays`) that processes have of their topics."""
        joined = dict(parts[0])
        joined["words"] = np.concatenate([own["words"] for own in parts])
        joined["values"] = np.concatenate([own["values"] for own in parts], axis=-2)
        return cls.from_arrays(joined, n_chains)

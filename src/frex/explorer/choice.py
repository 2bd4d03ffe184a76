"""Choice of the words and draws in the page: all that its lists show, within a budget of bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

STEPS = 20
"""The slider's steps: the page can be asked for the weights 0, 1/20, ..., 1, and no other."""
LIST = 40
"""The longest list of words that a topic can show."""
MIN_LIST = 10

# Bytes before base64 makes four of three; deflate is not counted on. Together at most 14.2 MB.
_TOPIC_BYTES, _DRAW_BYTES, _WORD_BYTES = 3_600_000, 2_800_000, 4_200_000
# beyond these, more would not be seen
_MAX = {"records": 500, "topics": 60, "scored": 60, "draws": 60}
_MIN = {"records": 120, "topics": 10, "scored": 12}


class Plan(NamedTuple):
    """Sizes of the parts of a fit in the page."""

    records: int  #: words of a list
    topics: int  #: topics of a word
    scored: int  #: words of a topic and comparison set that have draws
    draws: int  #: draws of each


def make_plan(
    n_topics: int,
    n_words: int,
    *,
    n_lists: int,
    n_sets: int,
    n_scored: int,
    candidates: int,
    draws: int,
) -> Plan:
    """Divide the budget.

    Parameters
    ----------
    n_topics, n_words
        The size of the fit.
    n_lists
        Number of lists of words: an inner topic has two.
    n_sets, n_scored
        How many comparison sets there are, and how many of them have draws.
    candidates, draws
        How many words of a topic have draws, and how many draws each.
    """
    whole = 2 if n_words <= 65535 else 4
    record = 2 * whole + 2 + n_sets * (whole + 2)
    kept_draws = min(_MAX["draws"], draws)
    room = {
        "records": _TOPIC_BYTES // (n_lists * record),
        "topics": _WORD_BYTES // (n_words * record),
        "scored": _DRAW_BYTES // (n_topics * max(n_scored * kept_draws, 1) * 2),
    }
    there = {"records": n_words, "topics": n_topics, "scored": candidates}
    fair = {name: int(np.clip(room[name], _MIN[name], _MAX[name])) for name in room}
    return Plan(**{name: min(fair[name], there[name]) for name in fair}, draws=kept_draws)


def leaders(
    exclusivity: NDArray[np.float64], frequency: NDArray[np.float64], n: int = LIST
) -> NDArray[np.int64]:
    """Return a topic's n best words by FREX, best first, for each weight of the slider.

    Takes the ECDFs of a topic's words. Equal scores are in the order of the words, as a stable sort
    leaves them; the arithmetic is that of `frex.scores.frex_from`, so that the bits agree too.
    """
    n = min(n, len(frequency))
    # a mean lies between the two: a word whose larger value is below n smaller ones is in no list
    worst = np.minimum(exclusivity, frequency)
    bar = np.partition(worst, len(worst) - n)[len(worst) - n] * (1 - 1e-9)
    able = np.flatnonzero(np.maximum(exclusivity, frequency) >= bar)
    exclusivity, frequency = exclusivity[able], frequency[able]
    best = np.empty((STEPS + 1, n), dtype=np.int64)
    for step in range(STEPS + 1):
        weight = step / STEPS
        if step in {0, STEPS}:
            scores = exclusivity if step else frequency
        else:
            scores = 1 / (weight / exclusivity + (1 - weight) / frequency)
        best[step] = able[np.argsort(-scores, kind="stable")[:n]]
    return best


def choose_words(
    best: Sequence[NDArray[np.int64]], frequency: NDArray[np.float64], records: int
) -> tuple[NDArray[np.int64], int]:
    """Choose the words of a topic that the page holds.

    Parameters
    ----------
    best
        The topic's `leaders` in each comparison set.
    frequency
        The ECDF of its words' rates.
    records
        How many words to hold.

    Returns
    -------
    The words: first those of the lists, then as many others, evenly spread over the
    frequencies, as the size allows; and the greatest length of a list without a gap. Lists are
    shortened if there are many comparison sets, down to `MIN_LIST` words.
    """
    longest = min(table.shape[1] for table in best)
    for length in range(longest, 0, -5):
        listed = np.unique(np.concatenate([table[:, :length].ravel() for table in best]))
        if len(listed) <= records or length - 5 < MIN_LIST:
            break
    rest = np.setdiff1d(np.argsort(frequency, kind="stable"), listed, assume_unique=True)
    room = min(max(records - len(listed), 0), len(rest))
    spread = np.linspace(0, len(rest) - 1, room).round().astype(np.int64)
    return np.concatenate([listed, rest[spread]]), length


def first_in_lists(
    best: NDArray[np.int64], candidates: NDArray[np.int32], n: int
) -> NDArray[np.int64]:
    """Return the positions of the n candidates with the highest ranks in any of a topic's lists."""
    places = np.full(int(max(best.max(), candidates.max())) + 1, best.shape[1])
    for row in best:
        places[row] = np.minimum(places[row], np.arange(len(row)))
    return np.argsort(places[candidates], kind="stable")[:n]

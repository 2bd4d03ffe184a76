"""How far a fit can be trusted, for readers who do not know chains and draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from frex.posterior.guards import count_not_finite
from frex.posterior.problems import can_be_judged, rarely_accepts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from frex.posterior.convergence import Shortfall
    from frex.posterior.measures import Block
    from frex.posterior.posterior import Posterior

Level: TypeAlias = Literal["settled", "partly settled", "approximate", "provisional", "unusable"]

SETTLED = (
    "These figures can be relied on: {n} computations that began apart came to the same result. "
    "Where something is uncertain its interval says how much."
)
ALONE = (
    "These figures have settled, but they come from a single computation, and no second one "
    "confirms them."
)
LISTS_SETTLED = (
    "The word lists can be relied on, for the rates of words have settled; some general settings "
    "of the model have not, so take intervals as rough."
)
PROVISIONAL = (
    "These figures are provisional: {share} rates of words have not settled yet. Trust the first "
    "words of each list; trust less the order further down, words with a wide interval, and the "
    "intervals themselves."
)
HARDLY_MOVED = (
    "These figures are provisional: part of the computation hardly moved, so it should be repeated "
    "before much is built on them."
)
APPROXIMATE = (
    "These figures are a quick approximation: trust the first words of each list; intervals are "
    "rough, and too narrow for rare words."
)
TOO_SHORT = "Do not rely on these figures: the computation ended before it could be judged."
BROKEN = "Do not rely on these figures: the computation went wrong and has to be repeated."


class Trust(NamedTuple):
    """How far a fit can be trusted."""

    level: Level
    sentence: str


def judge_trust(posterior: Posterior, found: Sequence[Shortfall], blocks: Sequence[Block]) -> Trust:
    """Say how far a fit can be trusted.

    Parameters
    ----------
    posterior
        The fit.
    found
        The convergence criteria that its draws do not meet.
    blocks
        Statistics of the blocks of the scan.
    """
    if count_not_finite(posterior):
        return Trust("unusable", BROKEN)
    if posterior.settings["method"] == "map":
        return Trust("approximate", APPROXIMATE)
    if not can_be_judged(posterior):
        return Trust("unusable", TOO_SHORT)
    if rarely_accepts(blocks):
        return Trust("provisional", HARDLY_MOVED)
    rates = [short for short in found if short.variable == "log_rates"]
    if rates:
        share = max(len(short.beyond) / short.n_elements for short in rates)
        return Trust("provisional", PROVISIONAL.format(share=_in_words(share)))
    if found and not len(posterior.traced_rates):  # convergence of rates is unknown
        return Trust("provisional", PROVISIONAL.format(share="some"))
    if found:
        return Trust("partly settled", LISTS_SETTLED)
    if posterior.n_chains == 1:
        return Trust("settled", ALONE)
    return Trust("settled", SETTLED.format(n=_number(posterior.n_chains)))


def _in_words(share: float) -> str:
    return "most" if share > 0.5 else f"about {max(1, round(100 * share))} in 100"


def _number(n: int) -> str:
    return {2: "two", 3: "three", 4: "four"}.get(n, f"{n:,}")

"""The sentences of a diagnosis: what is wrong with a fit, and what to do about it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from frex.posterior.guards import count_not_finite, estimates
from frex.posterior.measures import worst
from frex.posterior.posterior import HYPERPARAMETERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from frex.posterior.measures import Block, Quantity
    from frex.posterior.posterior import Posterior

R_HAT_LIMIT = 1.01
ESS_PER_CHAIN = 100
ACCEPTANCE_LIMITS = 0.5, 0.99
MIN_DRAWS = 4
"""Split chains need two draws in each half."""


def find_problems(
    posterior: Posterior, measured: Mapping[str, Sequence[Quantity]], blocks: Sequence[Block]
) -> list[str]:
    """Return what is wrong, a sentence or two each, gravest first."""
    problems = [*_not_finite(posterior), *_stopped(posterior)]
    if posterior.n_draws:
        problems += _too_few_draws(posterior)
        problems += _stuck(measured)
        problems += _not_mixed(posterior, measured)
        problems += _few_effective(posterior, measured)
        problems += _rarely_accepted(posterior, blocks)
    return problems


def find_notes(posterior: Posterior, blocks: Sequence[Block]) -> list[str]:
    """Return what a reader should know although nothing is wrong."""
    return [*_no_draws(posterior), *_one_chain(posterior), *_cautious(blocks), *_empty(posterior)]


def _not_finite(posterior: Posterior) -> Iterator[str]:
    if posterior.draws and not posterior.n_draws:
        return  # before the first draw a mean is NaN
    for name, array in estimates(posterior):
        n_bad = count_not_finite(array)
        if n_bad:
            yield (
                f"{n_bad:,} {name} are not finite: the chain left the range of numbers. Do not use "
                "this fit; fit again with proper priors (--priors weak) and another --seed."
            )


def _stopped(posterior: Posterior) -> Iterator[str]:
    if not posterior.complete:
        made, asked = posterior.n_draws, posterior.settings.get("draws")
        of = "" if asked is None else f" of {asked:,}"
        done = f"after {made:,}{of} draws a chain" if made else "before its first draw"
        yield f"The run was stopped {done}. Finish it: frex fit ... --resume"


def _too_few_draws(posterior: Posterior) -> Iterator[str]:
    needed = MIN_DRAWS if posterior.n_chains > 1 else 2 * MIN_DRAWS
    if posterior.n_draws < needed:
        yield (
            f"{posterior.n_draws} draws a chain are too few to judge the chains by. "
            f"Draw more: {_command(draws=700)}"
        )


def _stuck(measured: Mapping[str, Sequence[Quantity]]) -> Iterator[str]:
    rows = [row for name in HYPERPARAMETERS for row in measured.get(name, ())]
    still = [row for row in rows if row.sd == 0]
    if still:
        yield (
            f"{still[0].name} has the same value in every draw{_and_more(len(still))}: "
            "no proposal was accepted. Look at the acceptance of its block, and fit again with a "
            "longer --warmup."
        )


def _not_mixed(posterior: Posterior, measured: Mapping[str, Sequence[Quantity]]) -> Iterator[str]:
    rows = _beyond(posterior, measured, "r_hat")
    found = worst(rows, "r_hat")
    if found:
        yield (
            f"R-hat of {found.name} is {found.r_hat:.5g} (above {R_HAT_LIMIT})"
            f"{_and_more(len(rows))}: the chains have not mixed. {_go_on(posterior, measured)}"
        )


def _few_effective(
    posterior: Posterior, measured: Mapping[str, Sequence[Quantity]]
) -> Iterator[str]:
    told = {
        "ess_bulk": ("Bulk", "means and spreads are noisy"),
        "ess_tail": ("Tail", "the ends of intervals are noisy"),
    }
    for field, (part, meaning) in told.items():
        rows = _beyond(posterior, measured, field)
        found = worst(rows, field)
        if found:
            yield (
                f"{part} ESS of {found.name} is {getattr(found, field):.0f} (below "
                f"{ESS_PER_CHAIN * posterior.n_chains}, {ESS_PER_CHAIN} for each chain)"
                f"{_and_more(len(rows))}: {meaning}. {_go_on(posterior, measured)}"
            )


def _beyond(
    posterior: Posterior, measured: Mapping[str, Sequence[Quantity]], field: str
) -> list[Quantity]:
    """Return the quantities on the wrong side of a measure's limit; one that is NaN is on none."""
    rows = [row for group in measured.values() for row in group]
    if field == "r_hat":
        return [row for row in rows if row.r_hat > R_HAT_LIMIT]
    return [row for row in rows if getattr(row, field) < ESS_PER_CHAIN * posterior.n_chains]


def _go_on(posterior: Posterior, measured: Mapping[str, Sequence[Quantity]]) -> str:
    """Return the one remedy for all that the chains lack, so that no two sentences contradict."""
    if not posterior.complete:
        return "Finish the run: frex fit ... --resume"
    if _beyond(posterior, measured, "r_hat"):
        longer = _command(warmup=2 * posterior.settings["warmup"], draws=2 * posterior.n_draws)
        return f"Run longer: {longer}"
    rows = [row for group in measured.values() for row in group]
    sizes = [size for row in rows for size in (row.ess_bulk, row.ess_tail) if size > 0]
    draws = posterior.n_draws * ESS_PER_CHAIN * posterior.n_chains / min(sizes)
    return f"Draw more: {_command(draws=100 * math.ceil(draws / 100), resume=True)}"


def _rarely_accepted(posterior: Posterior, blocks: Sequence[Block]) -> Iterator[str]:
    low = ACCEPTANCE_LIMITS[0]
    for block in blocks:
        if (block.acceptance < low).any():
            chain = int(np.nanargmin(block.acceptance))
            longer = _command(warmup=2 * posterior.settings["warmup"])
            yield (
                f"Acceptance of the block {_spoken(block)} is {block.acceptance[chain]:.3g} in "
                f"chain {chain + 1} (below {low}): its step size was still too long when warm-up "
                f"ended. Give it more: {longer}"
            )


def _no_draws(posterior: Posterior) -> Iterator[str]:
    if posterior.settings["method"] == "map":
        yield (
            "This is a MAP fit: it has no draws, so there are no chains to diagnose, and its "
            "intervals are Laplace approximations. For the posterior itself: "
            "frex fit ... --method sample"
        )


def _one_chain(posterior: Posterior) -> Iterator[str]:
    if posterior.n_chains == 1:
        yield (
            "There is one chain: R-hat compares its quarters, and cannot see what the chain never "
            "came near. Run several: frex fit ... --chains 2"
        )


def _cautious(blocks: Sequence[Block]) -> Iterator[str]:
    high = ACCEPTANCE_LIMITS[1]
    for block in blocks:
        if (block.acceptance > high).all():
            yield (
                f"Acceptance of the block {_spoken(block)} is {block.acceptance.mean():.4g} "
                f"(above {high}): the draws are right, with longer steps they would tell more."
            )


def _empty(posterior: Posterior) -> Iterator[str]:
    empty = posterior.without_documents
    if empty:
        named = ", ".join(empty[:5]) + (", ..." if len(empty) > 5 else "")
        yield (
            f"{len(empty):,} of {posterior.taxonomy.n_topics:,} topics have no documents, nor has "
            f"any topic below them, and were left out: {named}. Nothing is known of their words, "
            "and they are never predicted."
        )


def _and_more(count: int) -> str:
    return f", and {count - 1:,} more like it" if count > 1 else ""


def _spoken(block: Block) -> str:
    return block.name.replace("_", " ")


def _command(*, warmup: int | None = None, draws: int | None = None, resume: bool = False) -> str:
    """Return the command that fits again; a longer warm-up makes other draws, so no resume."""
    options = {"--warmup": warmup, "--draws": draws}
    parts = [f"{option} {value}" for option, value in options.items() if value is not None]
    return " ".join(["frex fit ...", *parts, *(["--resume"] if resume else [])])

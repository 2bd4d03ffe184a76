"""The sentences of a diagnosis: problems of a fit, and remedies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from frex.model.priors import DRIFT, HYPERPARAMETERS
from frex.posterior.convergence import (
    ESS_PER_CHAIN,
    FEWEST_DRAWS,
    MOST_DRAWS,
    OF_AFFINITIES,
    R_HAT,
    R_HAT_FAR,
    TOLERATED,
    is_judged,
    likely_draws,
)
from frex.posterior.guards import count_not_finite
from frex.posterior.measures import worst
from frex.posterior.remedies import fit_again
from frex.posterior.together import never_apart

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from frex.posterior.convergence import Shortfall
    from frex.posterior.measures import Block, Quantity
    from frex.posterior.posterior import Posterior
    from frex.posterior.remedies import AskedFrom

    Measured = Mapping[str, Sequence[Quantity]]

LEAST_ACCEPTANCE = 0.25
"""Trajectories aim at 0.8, and a random walk in one dimension is best at 0.44."""

MIN_DRAWS = 4
"""Split chains need two draws in each half."""

TOO_MANY_DRAWS = 100_000
"""Largest number of draws that is suggested; beyond it a projection says little."""

MEANING = {
    "r_hat": ("R-hat", "the chains have not mixed"),
    "ess_bulk": ("Bulk ESS", "means and spreads are noisy"),
    "ess_tail": ("Tail ESS", "the ends of intervals are noisy"),
}


def find_problems(
    posterior: Posterior,
    measured: Measured,
    found: Sequence[Shortfall],
    blocks: Sequence[Block],
    asked_from: AskedFrom,
) -> list[str]:
    """Return the problems, a sentence or two each, the most serious first, then the remedy."""
    problems = [*_not_finite(posterior, asked_from)]
    if problems:
        return problems
    if not can_be_judged(posterior):
        return [
            *_stopped(posterior, asked_from, finish=True),
            *_too_few_draws(posterior, asked_from),
        ]
    still = [measured[short.variable][i] for short in found for i in short.beyond]
    still = [row for row in dict.fromkeys(still) if row.sd == 0]
    measurable = [short for short in found if math.isfinite(short.factor)]
    draws = likely_draws(measurable, posterior.n_draws)
    anew = bool(still) or rarely_accepts(blocks)
    to_come = posterior.n_draws if posterior.complete else _draws_to_be(posterior)
    longer = bool(measurable) and draws > to_come
    problems += _stopped(posterior, asked_from, finish=not anew and not longer)
    problems += [*_stuck(still), *_rarely_accepted(blocks)]
    problems += [*_not_good(posterior, measured, found), *_rates_not_good(measured, found)]
    if anew:
        problems += _fit_anew(posterior, draws if measurable else None, asked_from)
    elif longer:
        problems += _draw_more(posterior, draws, asked_from)
    return problems


def find_notes(
    posterior: Posterior, measured: Measured, found: Sequence[Shortfall], asked_from: AskedFrom
) -> list[str]:
    """Return further information that is not a problem."""
    notes = [*_no_draws(posterior, asked_from), *_one_chain(posterior, asked_from)]
    if can_be_judged(posterior):
        notes += [*_lagging_rates(measured, found), *_lagging_memberships(posterior, measured)]
        notes += _lagging_affinities(posterior, measured)
    return [*notes, *_together(posterior), *_empty(posterior)]


def can_be_judged(posterior: Posterior) -> bool:
    """Tell whether there are enough draws to compare chains, or parts of one chain."""
    needed = MIN_DRAWS if posterior.n_chains > 1 else 2 * MIN_DRAWS
    return posterior.n_draws >= needed


def rarely_accepts(blocks: Sequence[Block]) -> bool:
    """Tell whether a block rarely accepts in some chain."""
    return any(_rarely(block) for block in blocks)


def _rarely(block: Block) -> bool:
    """Tell whether a block's steps are too long; a block without steps has no target."""
    return block.step_size is not None and bool((block.acceptance < LEAST_ACCEPTANCE).any())


def _not_finite(posterior: Posterior, asked_from: AskedFrom) -> Iterator[str]:
    for name, count in count_not_finite(posterior).items():
        again = fit_again(posterior, asked_from, priors="weak", seed=posterior.settings["seed"] + 1)
        yield (
            f"{count:,} {name} are not finite: the chain left the range of numbers. Do not use "
            f"this fit; fit again with proper priors and another seed: {again}"
        )


def _stopped(posterior: Posterior, asked_from: AskedFrom, *, finish: bool) -> Iterator[str]:
    if not posterior.complete:
        made, asked = posterior.n_draws, posterior.settings.get("draws")
        of = "" if asked is None else f" of {asked:,}"
        done = f"after {made:,}{of} draws a chain" if made else "before its first draw"
        remedy = f" Finish it: {fit_again(posterior, asked_from, resume=True)}" if finish else ""
        yield f"The run was stopped {done}.{remedy}"


def _too_few_draws(posterior: Posterior, asked_from: AskedFrom) -> Iterator[str]:
    if posterior.n_draws:
        again = fit_again(posterior, asked_from, resume=True, draws=FEWEST_DRAWS)
        remedy = f" Draw more: {again}" if posterior.complete else ""
        draws = "draw a chain is" if posterior.n_draws == 1 else "draws a chain are"
        yield f"{posterior.n_draws} {draws} too few to judge the chains by.{remedy}"


def _stuck(still: Sequence[Quantity]) -> Iterator[str]:
    if still:
        yield (
            f"{still[0].name} has the same value in every draw{_and_more(len(still))}: "
            "no proposal was accepted. Look at the acceptance of its block."
        )


def _not_good(
    posterior: Posterior, measured: Measured, found: Sequence[Shortfall]
) -> Iterator[str]:
    """Yield a sentence for each limit, with all hyperparameters beyond it."""
    for measure, (called, meaning) in MEANING.items():
        short = [
            one
            for one in found
            if one.variable in (*HYPERPARAMETERS, DRIFT) and one.limit.measure == measure
        ]
        rows = [measured[one.variable][i] for one in short for i in one.beyond]
        rows = [row for row in rows if not math.isnan(getattr(row, measure)) and row.sd > 0]
        row = worst(rows, measure)
        if row and measure == "r_hat":
            figure = f"{row.r_hat:.5g} (above {R_HAT})"
        elif row:
            least = ESS_PER_CHAIN * posterior.n_chains
            figure = f"{getattr(row, measure):.0f} (below {least}, {ESS_PER_CHAIN} for each chain)"
        if row:
            yield f"{called} of {row.name} is {figure}{_and_more(len(rows))}: {meaning}."


def _rates_not_good(measured: Measured, found: Sequence[Shortfall]) -> Iterator[str]:
    for short in found:
        if short.variable == "log_rates":
            limit = short.limit
            called, meaning = MEANING[limit.measure]
            rows = [measured["log_rates"][i] for i in short.beyond]
            row = worst(rows, limit.measure)
            named = f" (worst {row.name}, {getattr(row, limit.measure):.4g})" if row else ""
            side = "above" if limit.measure == "r_hat" else "below"
            yield (
                f"{called} of {len(rows):,} of {short.n_elements:,} traced log rates is {side} "
                f"{limit.value:g}{named}; {100 * limit.share:.0f} in 100 may be: {meaning}."
            )


def _fit_anew(posterior: Posterior, draws: float | None, asked_from: AskedFrom) -> Iterator[str]:
    longer = {"warmup": max(300, 2 * posterior.settings["warmup"])}
    if draws is not None and draws <= TOO_MANY_DRAWS:
        longer["draws"] = int(draws)
    again = fit_again(posterior, asked_from, **longer)
    yield f"Fit anew with a longer warm-up, so that step sizes suit: {again}"


def _draw_more(posterior: Posterior, draws: float, asked_from: AskedFrom) -> Iterator[str]:
    """Yield one remedy for all criteria that are not met, so that no two sentences contradict."""
    if draws > TOO_MANY_DRAWS:
        seed = posterior.settings["seed"] + 1
        yield (
            f"At this pace more than {TOO_MANY_DRAWS:,} draws a chain would be needed: the chains "
            "have not converged. Fit again from another start, and trust what the word lists of "
            f"both fits share, not their intervals: {fit_again(posterior, asked_from, seed=seed)}"
        )
    else:
        again = fit_again(posterior, asked_from, resume=True, draws=int(draws))
        yield (
            f"{_where_it_ended(posterior, draws)}About {draws:,} draws a chain are likely needed "
            f"in all: {again}"
        )


def _draws_to_be(posterior: Posterior) -> int:
    """Return the number of draws of a run if it is not interrupted."""
    asked = posterior.settings.get("draws")
    return MOST_DRAWS if asked is None else asked


def _where_it_ended(posterior: Posterior, draws: float) -> str:
    """Return why a run ended by itself without converging; empty if its length was given."""
    made = posterior.n_draws
    if not posterior.complete or posterior.settings.get("draws") is not None:
        return ""
    if made >= MOST_DRAWS:
        return f"The run ended at {made:,} draws a chain, the most that it makes unasked. "
    if draws > MOST_DRAWS:
        most = f"more than the {MOST_DRAWS:,} that it makes unasked"
        return f"The run ended after {made:,} draws a chain, as it would likely need {most}. "
    return ""


def _rarely_accepted(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        if _rarely(block):
            chain = int(np.nanargmin(block.acceptance))
            yield (
                f"Acceptance of the block {_spoken(block)} is {block.acceptance[chain]:.3g} in "
                f"chain {chain + 1} (below {LEAST_ACCEPTANCE}): its step size was still too long "
                "when warm-up ended."
            )


def _no_draws(posterior: Posterior, asked_from: AskedFrom) -> Iterator[str]:
    if posterior.settings["method"] == "map":
        yield (
            "This is a MAP fit: it has no draws, so there are no chains to diagnose, and its "
            "intervals are Laplace approximations. For the posterior itself: "
            f"{fit_again(posterior, asked_from, method='sample')}"
        )


def _one_chain(posterior: Posterior, asked_from: AskedFrom) -> Iterator[str]:
    if posterior.n_chains == 1 and posterior.n_draws:
        yield (
            "There is one chain: R-hat compares its quarters, and cannot see what the chain never "
            f"came near. Run several: {fit_again(posterior, asked_from, chains=2)}"
        )


def _lagging_rates(measured: Measured, found: Sequence[Shortfall]) -> Iterator[str]:
    """Yield a note on log rates far from convergence, if they are too few to be a problem."""
    rows = measured.get("log_rates", ())
    far = [row for row in rows if row.r_hat > R_HAT_FAR]
    row = worst(far, "r_hat")
    if row and not any(short.variable == "log_rates" for short in found):
        yield (
            f"{len(far)} of {len(rows):,} traced log rates lag (worst {row.name}, R-hat "
            f"{row.r_hat:.4g}): the chains place such a word differently. Look at a word's "
            "interval before you build on it."
        )


def _lagging_memberships(posterior: Posterior, measured: Measured) -> Iterator[str]:
    rows = measured.get("memberships", ())
    least = ESS_PER_CHAIN * posterior.n_chains
    lag = [row for row in rows if row.r_hat > R_HAT or min(row.ess_bulk, row.ess_tail) < least]
    row = worst(lag, "r_hat")
    if row and len(lag) > TOLERATED * len(rows):
        yield (
            f"{len(lag):,} of {len(rows):,} traced memberships lag (worst {row.name}, R-hat "
            f"{row.r_hat:.4g}): the shares of single documents among their own labels are rough. "
            "Word lists and exclusivity hardly depend on them, predictions of other documents "
            "do not."
        )


def _lagging_affinities(posterior: Posterior, measured: Measured) -> Iterator[str]:
    """Yield a note on affinities that have not converged, if words do not depend on them."""
    if any(is_judged(name, len(posterior.traced_memberships)) for name in OF_AFFINITIES):
        return
    rows = [row for name in OF_AFFINITIES for row in measured.get(name, ()) if row.r_hat > R_HAT]
    row = worst(rows, "r_hat")
    if row:
        yield (
            f"{row.name} has not settled (R-hat {row.r_hat:.4g}){_and_more(len(rows))}: it tells "
            "how labels share a document, of which documents with one label each say next to "
            "nothing. Words and their intervals do not depend on it."
        )


def _together(posterior: Posterior) -> Iterator[str]:
    labelled = posterior.settings.get("n_topics") is None
    groups = never_apart(posterior.labels) if labelled else []
    if groups:
        names = [" and ".join(posterior.tree.topics[k] for k in group) for group in groups]
        named = "; ".join(names[:5]) + ("; ..." if len(groups) > 5 else "")
        pairs = "group of topics is" if len(groups) == 1 else "groups of topics are"
        yield (
            f"{len(groups):,} {pairs} never filed apart, so that documents do not say which of "
            f"them a word is of: {named}. Their words are a guess by their neighbours in the tree, "
            "and their shares of a document mean nothing; a document that has only one of them "
            "would tell them apart."
        )


def _empty(posterior: Posterior) -> Iterator[str]:
    empty = posterior.without_documents
    if empty:
        named = ", ".join(empty[:5]) + (", ..." if len(empty) > 5 else "")
        of = f"{len(empty):,} of {posterior.taxonomy.n_topics:,} topics"
        yield (
            f"{of} has no documents, nor has any topic below it, and was left out: {named}. "
            "Nothing is known of its words, and it is never predicted."
            if len(empty) == 1
            else f"{of} have no documents, nor has any topic below them, and were left out: "
            f"{named}. Nothing is known of their words, and they are never predicted."
        )


def _and_more(count: int) -> str:
    return f", and {count - 1:,} more like it" if count > 1 else ""


def _spoken(block: Block) -> str:
    return block.name.replace("_", " ")

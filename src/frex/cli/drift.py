"""The command `drift`: how far topics of a prior have drifted, and which words most."""

from __future__ import annotations

from typing import Annotated

import typer

import frex.posterior
import frex.posterior.drifts
from frex.cli.options import FitFolder, Level
from frex.cli.screen import say

LONGEST = 40  # characters of a topic's name


def drift(
    fit: FitFolder,
    *,
    topic: Annotated[
        str | None,
        typer.Option("--topic", "-t", help="A topic of the prior. Without one: all of them."),
    ] = None,
    n: Annotated[
        int | None, typer.Option("-n", "--words", help="How many words: 14, or 4 of each.", min=1)
    ] = None,
    level: Level = 0.9,
) -> None:
    """Show how far topics of a fit's prior have drifted, and the words that have drifted most.

    For fits made with --prior. A word's drift in a topic is how many times as often it is used
    there as the prior had it, beyond what changed in all documents.
    """
    posterior = frex.posterior.read_posterior(fit)
    if topic is not None:
        rows = frex.posterior.drifts.drift_columns(posterior, topic, n or 14, level)
        say(f"{'word':<24}{'times':>8}{f'{level:.0%} interval':>18}   known to the prior")
        for word, times, low, high, known in zip(
            *(rows[name] for name in ("word", "times", "low", "high", "known")), strict=True
        ):
            interval = f"{low:.2f} to {high:.2f}"
            say(f"{word[:23]:<24}{times:>8.2f}{interval:>18}   {'yes' if known else 'no'}")
        return
    import pandas as pd  # noqa: PLC0415 - slow to load

    table = frex.posterior.drifts.topic_drifts(posterior, level=level)
    head = f"{level:.0%} interval"
    say(f"{'':<{LONGEST}}{'drift':>7}{head:>16}   words that drifted most, times as often")
    for row in table.itertuples():
        about = None if row.Index == 0 else row.topic
        found = frex.posterior.drifts.drift_columns(posterior, about, n or 4, level)
        pairs = zip(found["word"], found["times"], strict=True)
        words = ", ".join(f"{word} {times:.2g}" for word, times in pairs)
        interval = "" if pd.isna(row.low) else f"{row.low:.2f} to {row.high:.2f}"
        name = row.topic if row.title == row.topic else f"{row.topic}  {row.title}"
        say(f"{name[: LONGEST - 1]:<{LONGEST}}{row.sd:>7.2f}{interval:>16}   {words}")
    extra = posterior.tree.topics[posterior.n_known :]
    if extra:
        say(f"\nExtra topics, which had no prior: {', '.join(extra)}")
    say("\ndrift: how far a log rate typically moves; 0.1 is 10 %, 1 a factor of 2.7")

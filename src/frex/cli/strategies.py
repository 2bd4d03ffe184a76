"""The strategies of a study that are orders of a fit's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frex.cli.typed import read_stop_words
from frex.errors import InputError
from frex.posterior import read_posterior
from frex.study import summaries_from_fit
from frex.study.evaluated import summaries_from_evaluated as from_evaluated
from frex.text.languages import ENGLISH
from frex.text.stopwords import smart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from frex.posterior import Posterior
    from frex.study import Summary
    from frex.study.summaries import By

__all__ = ["from_evaluated", "from_fits"]

_LABELS = {"frex": "FREX", "frequency": "FREQ"}  # as the paper calls them


def from_fits(fits: Sequence[str], by: str, stop_words: str | None = None) -> list[Summary]:
    """Return the summaries of fits given as NAME=FIT or NAME@GROUP=FIT.

    Parameters
    ----------
    fits
        The fits.
    by
        How words are ranked.
    stop_words
        Words that are not shown: ``"smart"``, ``"none"`` or a file; by default the former where the
        texts are English, for "of" and "the" tell nobody what a topic is about.
    """
    orders = [order.strip() for order in by.split(",")]
    if not set(orders) <= set(_LABELS) or len(set(orders)) < len(orders):
        raise InputError(f"--by is {by!r}", remedy="Choose frex, frequency, or frex,frequency.")
    found = []
    for text in fits:
        name, equals, path = text.partition("=")
        name, _, group = (part.strip() for part in name.partition("@"))
        if not (name and equals and path):
            raise InputError(f"--fit is {text!r}", remedy="Write NAME=FIT, e.g. --fit HPC=my-fit.")
        posterior = read_posterior(path)
        without = _left_out(posterior, stop_words)
        for order in orders:
            strategy = f"{name} {_LABELS[order]}" if len(orders) > 1 else name
            ranked: By = "frex" if order == "frex" else "frequency"
            found += summaries_from_fit(
                posterior, strategy, by=ranked, group=group, without=without
            )
    return found


def _left_out(posterior: Posterior, stop_words: str | None) -> frozenset[str]:
    if stop_words is None:
        language = (posterior.analyzer or {}).get("language", ENGLISH)
        stop_words = "smart" if language == ENGLISH else "none"
    if stop_words == "none":
        return frozenset()
    words = read_stop_words(stop_words)
    return smart() if isinstance(words, str) else frozenset(map(str.casefold, words))

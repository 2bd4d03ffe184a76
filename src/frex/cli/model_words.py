"""How words of topics are printed that another program has found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import frex.scores
from frex.cli.screen import Format, say, show_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from frex.scores import Scoring, TopicWords
    from frex.scores.topics import By

N_LISTED, N_IN_LINE = 14, 5
"""Words of a topic that is asked for, and of each where none is."""


def show_model_words(
    file: Path,
    topics: Sequence[str],
    n: int | None,
    *,
    by: By,
    weight: float,
    stm: bool,
    form: str,
) -> None:
    """Print the best words of topics in a file."""
    model = frex.scores.from_model(file)
    scoring = frex.scores.Scoring(weight)
    if stm:
        scoring = frex.scores.Scoring.of_stm(weight, with_counts=model.counts is not None)
    if form != "table":
        columns = model.columns(n or N_LISTED, topics=topics, by=by, scoring=scoring)
        show_table(columns, Format(form))
    elif topics:
        _show_topics(model, topics, n or N_LISTED, by, scoring)
    else:
        _show_lines(model, n or N_IN_LINE, by, scoring)


def _show_lines(model: TopicWords, n: int, by: By, scoring: Scoring) -> None:
    """Print a line for each topic."""
    columns = model.columns(n, by=by, scoring=scoring)
    words: dict[str, list[str]] = {topic: [] for topic in model.topics}
    for topic, word in zip(columns["topic"], columns["word"], strict=True):
        words[topic].append(word)
    width = max(map(len, model.topics))
    for topic, best in words.items():
        say(f"{topic:<{width}}  {' '.join(best)}")


def _show_topics(
    model: TopicWords, topics: Sequence[str], n: int, by: By, scoring: Scoring
) -> None:
    """Print topics one after the other, each as two lists: that asked for, and another."""
    beside: By = "frequency" if by != "frequency" else "frex"
    heads = {"frex": "FREX", "frequency": "most frequent", "exclusivity": "most exclusive"}
    for number, topic in enumerate(topics):
        columns = model.columns(n, topics=[topic], by=by, scoring=scoring)
        others = model.columns(n, topics=[topic], by=beside, scoring=scoring)
        say(f"{chr(10) * bool(number)}topic {topic}")
        table = {
            heads[by]: columns["word"],
            "score": [f"{score:.3f}" for score in columns["frex"]],
            "exclusivity": [f"{share:.2f}" for share in columns["exclusivity"]],
            "in 1,000": [f"{1000 * rate:.1f}" for rate in columns["frequency"]],
            heads[beside]: others["word"],
        }
        show_table(table, Format.table)

"""`TopicWords`: the topics of any model as rates of named words, and their best words by FREX."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from frex.errors import InputError
from frex.scores.words import exclusivity, frequency, frex_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from frex.scores.words import Compare, Shrink, Ties, WeightOn

By: TypeAlias = Literal["frex", "frequency", "exclusivity"]
Backend: TypeAlias = Literal["pandas", "polars", "pyarrow"]


@dataclass(frozen=True)
class Scoring:
    """Options of FREX; the defaults are those of `frex.scores.frex`.

    Parameters
    ----------
    weight, weight_on, ties, shrink, compare
        See `frex.scores.frex`.
    """

    weight: float = 0.5
    weight_on: WeightOn = "exclusivity"
    ties: Ties = "max"
    shrink: Shrink | None = None
    compare: Compare = "all"

    @classmethod
    def of_stm(cls, weight: float = 0.5, *, with_counts: bool) -> Scoring:
        """Return the options of R's stm, with shrinkage if word counts are known."""
        shrink: Shrink | None = "james-stein" if with_counts else None
        return cls(weight, "frequency", "average", shrink)


@dataclass(frozen=True)
class TopicWords:
    """The topics of a model, each as a distribution over named words.

    Parameters
    ----------
    rates
        Non-negative weights, topics x words; each topic's are divided by their sum.
    words
        A name for each column.
    topics
        A name for each row; by default their numbers, from 0.
    counts
        Counts of each word in the corpus, if known.
    """

    rates: NDArray[np.float64]
    words: Sequence[str]
    topics: Sequence[str] = field(default=())
    counts: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        rates = frequency(self.rates)
        n_topics, n_words = rates.shape
        topics = tuple(self.topics) or tuple(map(str, range(n_topics)))
        words = tuple(map(str, self.words))
        for what, names, n in (("words", words, n_words), ("topics", topics, n_topics)):
            if len(names) != n:
                raise InputError(
                    f"the model has {n:,} {what}, and {len(names):,} are named",
                    remedy="Give the names that belong to this model.",
                )
        object.__setattr__(self, "rates", rates)
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "topics", topics)

    def row(self, topic: str) -> int:
        """Return the number of a topic, by its name."""
        if topic not in self.topics:
            shown = ", ".join(self.topics[:8]) + (", ..." if len(self.topics) > 8 else "")
            raise InputError(f"there is no topic {topic!r}", remedy=f"The topics are {shown}.")
        return list(self.topics).index(topic)

    def columns(
        self,
        n: int = 14,
        *,
        topics: Sequence[str] = (),
        by: By = "frex",
        scoring: Scoring | None = None,
    ) -> dict[str, list[Any]]:
        """Return the best words of topics as columns, as for `top_words`."""
        how = scoring or Scoring()
        if how.shrink is not None and self.counts is None:
            raise InputError(
                "the model does not say how often words occur, so nothing can be shrunk",
                remedy="Leave shrink out.",
            )
        counts = self.counts if how.shrink else None
        phi = exclusivity(self.rates, compare=how.compare, shrink=how.shrink, counts=counts)
        scores = {
            "frex": frex_from(
                phi, self.rates, weight=how.weight, weight_on=how.weight_on, ties=how.ties
            ),
            "frequency": self.rates,
            "exclusivity": phi,
        }
        if by not in scores:
            raise InputError(f"by is {by!r}", remedy=f"Choose {', '.join(scores)}.")
        found: dict[str, list[Any]] = {name: [] for name in ("topic", "rank", "word", *scores)}
        for row in [self.row(topic) for topic in topics] or range(len(self.topics)):
            # ties in the score go to the more frequent word: a stable sort on two keys
            best = np.lexsort((-self.rates[row], -scores[by][row]))[:n]
            found["topic"] += [self.topics[row]] * len(best)
            found["rank"] += range(1, len(best) + 1)
            found["word"] += [self.words[word] for word in best]
            for name, score in scores.items():
                found[name] += score[row, best].tolist()
        return found

    def top_words(
        self,
        n: int = 14,
        *,
        topics: Sequence[str] = (),
        by: By = "frex",
        backend: Backend = "pandas",
        **scoring: Any,
    ) -> Any:
        """Return the best words of topics as a data frame, one row for each topic and word.

        Parameters
        ----------
        n
            Number of words of each topic.
        topics
            Names of the topics; all by default.
        by
            The score that ranks the words.
        backend
            ``"pandas"``, ``"polars"`` or ``"pyarrow"``.
        **scoring
            Fields of `Scoring`: ``weight``, ``weight_on``, ``ties``, ``shrink``, ``compare``.
        """
        import narwhals as nw  # noqa: PLC0415 - scores themselves need no data frames

        columns = self.columns(n, topics=topics, by=by, scoring=Scoring(**scoring))
        return nw.from_dict(columns, backend=backend).to_native()

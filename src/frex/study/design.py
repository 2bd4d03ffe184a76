"""Tasks for evaluators, as in section 4.6 of the paper.

Word intrusion: the five best words of a topic and one of the twenty best of another, in random
order; a task has two questions for each strategy. Coherence: a summary of each strategy is rated
from 1 to 3; then the evaluator says which is noticeably more coherent, if any. Topics are drawn at
random, without replacement until all have been used.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import islice, tee
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from frex.errors import InputError
from frex.scores.intruders import SHOWN as N_SHOWN
from frex.scores.intruders import intruders
from frex.study.summaries import N_WORDS, Summary, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Kind: TypeAlias = Literal["intrusion", "coherence"]
Strategies: TypeAlias = "dict[str, dict[str, Summary]]"
"""Summaries of a group by strategy and topic."""

N_ASKED = 2
"""Number of questions for each strategy in a task of word intrusion."""

RATINGS = (1, 2, 3)
NO_PREFERENCE = 0


@dataclass(frozen=True)
class Question:
    """The displayed words of a topic."""

    strategy: str
    topic: str
    words: tuple[str, ...]
    intruder: int = 0  #: its position among the words, from 1; 0 for none


@dataclass(frozen=True)
class Task:
    """A page of questions. Answers are integers, whose ranges are in `choices`."""

    number: int
    evaluator: int
    kind: Kind
    group: str
    questions: tuple[Question, ...]

    @property
    def choices(self) -> tuple[tuple[int, ...], ...]:
        """The choices of each answer: a word's position or a rating; last the preferred summary."""
        if self.kind == "intrusion":
            return tuple(tuple(range(1, len(q.words) + 1)) for q in self.questions)
        summaries = range(1, len(self.questions) + 1)
        return (*[RATINGS] * len(self.questions), (NO_PREFERENCE, *summaries))

    def to_dict(self) -> dict[str, Any]:
        """Return the task as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> Task:
        """Return the task from `to_dict`."""
        questions = (Question(**q | {"words": tuple(q["words"])}) for q in saved["questions"])
        return cls(**saved | {"questions": tuple(questions)})


def make_tasks(
    summaries: Sequence[Summary],
    *,
    evaluators: int = 20,
    intrusion: int = 5,
    coherence: int = 5,
    words: int = 10,
    matched: bool = False,
    seed: int = 0,
) -> list[Task]:
    """Return the tasks of all evaluators: those of word intrusion first.

    Parameters
    ----------
    summaries
        Summaries of every strategy and topic; every task has all strategies of a group.
    evaluators
        Number of evaluators, each with separate tasks.
    intrusion, coherence
        Numbers of tasks of each kind for an evaluator; groups alternate.
    words
        Number of rated words of a topic.
    matched
        Whether a task shows summaries of the same topic, by its name.
    seed
        The same seed gives the same tasks.
    """
    if evaluators < 1 or intrusion < 0 or coherence < 0 or intrusion + coherence < 1:
        raise InputError(
            f"{evaluators} evaluators with {intrusion} + {coherence} tasks have nothing to do",
            remedy="Ask for at least one evaluator and one task.",
        )
    if words < 1:
        raise InputError(f"summaries of {words} words", remedy="Show at least one word.")
    groups = _by_group(summaries)
    for name, group in groups.items():
        _check_group(name, group, intrusion=intrusion > 0, coherence=coherence > 0, words=words)
    rng = np.random.default_rng(seed)
    kinds: dict[Kind, tuple[int, Mapping[str, _Asker | _Rater]]] = {
        "intrusion": (intrusion, {name: _Asker(group, rng) for name, group in groups.items()}),
        "coherence": (
            coherence,
            {
                name: _Rater(group, rng, words, matched=matched and coherence > 0)
                for name, group in groups.items()
            },
        ),
    }
    turns = {kind: _deal(list(groups), rng) for kind in kinds}
    tasks: list[Task] = []
    for evaluator in range(1, evaluators + 1):
        for kind, (times, makers) in kinds.items():
            for name in islice(turns[kind], times):
                questions = makers[name].questions()
                tasks.append(Task(len(tasks) + 1, evaluator, kind, name, questions))
    return tasks


class _Asker:
    """Questions of word intrusion about the summaries of one group."""

    def __init__(self, strategies: Strategies, rng: np.random.Generator) -> None:
        self._strategies, self._rng = strategies, rng
        self._topics = {name: _deal(list(own), rng) for name, own in strategies.items()}

    def questions(self) -> tuple[Question, ...]:
        """Return the questions of one task, in random order."""
        asked = []
        for strategy, topics in self._topics.items():
            drawn: list[str] = []
            while len(drawn) < N_ASKED:  # the order of topics may restart between two draws
                topic = next(topics)
                if topic not in drawn:
                    drawn.append(topic)
            asked += [self._question(strategy, topic) for topic in drawn]
        return tuple(asked[k] for k in self._rng.permutation(len(asked)))

    def _question(self, strategy: str, topic: str) -> Question:
        own = self._strategies[strategy][topic].words[:N_WORDS]
        shown = [*own[:N_SHOWN], self._intruder(strategy, topic)]
        order = self._rng.permutation(len(shown))
        intruder = int(np.flatnonzero(order == N_SHOWN)[0]) + 1
        return Question(strategy, topic, tuple(shown[k] for k in order), intruder)

    def _intruder(self, strategy: str, topic: str) -> str:
        """Draw one of the best words of another topic that is not among this topic's."""
        summaries = self._strategies[strategy]
        own = [fold(word) for word in summaries[topic].words]
        others = [name for name in summaries if name != topic]
        for k in self._rng.permutation(len(others)):
            shown = {fold(word): word for word in reversed(summaries[others[k]].words[:N_WORDS])}
            theirs = [fold(word) for word in summaries[others[k]].words]
            words = [shown[word] for word in intruders(own, theirs)]
            if words:
                return words[self._rng.integers(len(words))]
        raise InputError(
            f"{strategy}: every other topic has the very words of {topic}, so none is an intruder",
            remedy="Leave the topic out.",
        )


class _Rater:
    """Coherence questions about the summaries of one group."""

    def __init__(
        self, strategies: Strategies, rng: np.random.Generator, words: int, *, matched: bool
    ) -> None:
        self._strategies, self._rng, self._words = strategies, rng, words
        if matched:
            self._topics = zip(*tee(_deal(_shared(strategies), rng), len(strategies)), strict=True)
        else:
            decks = [_deal(list(own), rng) for own in strategies.values()]
            self._topics = zip(*decks, strict=True)

    def questions(self) -> tuple[Question, ...]:
        """Return the summaries of one task, in random order."""
        asked = [
            Question(strategy, topic, self._strategies[strategy][topic].words[: self._words])
            for strategy, topic in zip(self._strategies, next(self._topics), strict=True)
        ]
        return tuple(asked[k] for k in self._rng.permutation(len(asked)))


def _deal(items: list[str], rng: np.random.Generator) -> Iterator[str]:
    """Yield items forever in random order, each once before any repeats."""
    while True:
        yield from (items[k] for k in rng.permutation(len(items)))


def _shared(strategies: Strategies) -> list[str]:
    """Return the topics that all strategies have."""
    first, *rest = strategies.values()
    shared = [topic for topic in first if all(topic in own for own in rest)]
    if not shared:
        raise InputError(
            f"no topic is in all of {', '.join(strategies)}",
            remedy="Give the same names to the same topics, or leave --matched out.",
        )
    return shared


def _by_group(summaries: Sequence[Summary]) -> dict[str, Strategies]:
    groups: dict[str, Strategies] = {}
    for summary in summaries:
        topics = groups.setdefault(summary.group, {}).setdefault(summary.strategy, {})
        if summary.topic in topics:
            raise InputError(
                f"{summary.strategy} has two summaries of topic {summary.topic}",
                remedy="Give the strategies different names.",
            )
        topics[summary.topic] = summary
    return groups


def _check_group(
    name: str, group: Strategies, *, intrusion: bool, coherence: bool, words: int
) -> None:
    """Raise an error for summaries from which tasks cannot be made."""
    where = f"in group {name}, " if name else ""
    if coherence and len(group) < 2:
        raise InputError(
            f"{where}there is only the strategy {next(iter(group))}, and nothing to prefer to it",
            remedy="Give two strategies or more, or --coherence 0.",
        )
    needed = max(N_SHOWN * intrusion, words * coherence)
    for strategy, topics in group.items():
        if intrusion and len(topics) < N_ASKED:
            raise InputError(
                f"{where}{strategy} has a single topic",
                remedy="An intruder comes from another: give two topics or more.",
            )
        for topic, summary in topics.items():
            if len(summary.words) < needed:
                raise InputError(
                    f"{where}{strategy}, topic {topic} has {len(summary.words)} words",
                    remedy=f"Give at least {needed} words; {N_WORDS} are best.",
                )

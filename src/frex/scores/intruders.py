"""Which words may intrude into a topic's summary: one rule for people and for vectors.

A question shows the five best words of a topic and an intruder (Chang and others, 2009; the paper's
section 4.6). The intruder is one of the twenty best words of another topic, and none of the twenty
best of this one: a word that is nearly among the five would be no mistake to miss. Every other
topic that has such words is as likely, and so is each of its words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    Word = TypeVar("Word", bound=Hashable)

SHOWN, INTRUDERS = 5, 20
"""Best words of a topic that a question shows; best words of another one that may intrude."""


def intruders(own: Sequence[Word], other: Sequence[Word]) -> list[Word]:
    """Return the words of another topic that may intrude, in their order.

    Parameters
    ----------
    own, other
        Words of the topic and of the other one, the best first, in a form in which words that look
        alike are equal.
    """
    mine = set(own[:INTRUDERS])
    return [word for word in other[:INTRUDERS] if word not in mine]

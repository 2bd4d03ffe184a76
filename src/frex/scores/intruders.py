"""The intruders of word intrusion, by the same rule for people and for vectors.

A question shows the five best words of a topic and an intruder (Chang and others, 2009; the paper's
section 4.6). The intruder is one of the twenty best words of another topic, and not among the
twenty best of this one, because a word that almost is among the five cannot be recognised. All
other topics with such words have equal probability, and so have their words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    Word = TypeVar("Word", bound=Hashable)

SHOWN, INTRUDERS = 5, 20
"""Number of best words that a question shows, and of best words that may be intruders."""


def intruders(own: Sequence[Word], other: Sequence[Word]) -> list[Word]:
    """Return the words of another topic that may be intruders, in order.

    Parameters
    ----------
    own, other
        Words of the topic and of the other one, the best first, in a form in which words that look
        the same are equal.
    """
    mine = set(own[:INTRUDERS])
    return [word for word in other[:INTRUDERS] if word not in mine]

"""`VocabularyRule`: selects the stems of a corpus's vocabulary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


_ENOUGH, _FEW = 5, 2  # documents that a word is to be in

_RARE = 0.1
"""Share of the text that rare words may be. Of laws, papers and manuals they are 1 to 6 %; of
glosses and names 20 to 70 %, and labels of new ones are far worse without them."""

_SHORT = 20.0
"""Mean length of documents below which every word is kept. Words of a single document are then 3 to
30 % of the text, and an SVM without them labels one to two new titles or synopses in a hundred
fewer correctly. For documents of 60 words and more the effect has either sign."""

_MOST_WORDS = 50_000
"""More words are not kept for that: of text that nobody segmented almost every word is rare."""


@dataclass(frozen=True)
class VocabularyRule:
    """Selects the stems of the vocabulary; a stem must satisfy every given condition.

    Parameters
    ----------
    share
        The most frequent stems, as a share of all distinct stems; 0.03 in the paper.
    top
        The most frequent stems, as a number.
    min_documents
        Least number of documents of a stem. A stem in only a few documents says nothing about a
        topic that could not be chance.

    Examples
    --------
    >>> from frex.text import VocabularyRule
    >>> VocabularyRule(top=5000, min_documents=10)
    VocabularyRule(share=None, top=5000, min_documents=10)
    """

    share: float | None = None
    top: int | None = None
    min_documents: int | None = None

    def __post_init__(self) -> None:
        if self.share is not None and not 0 < self.share <= 1:
            raise InputError(
                f"the share of stems to keep is {self.share}",
                remedy="Give a number above 0 and at most 1, e.g. 0.03 for 3 %.",
            )
        for name, value in (("top", self.top), ("min_documents", self.min_documents)):
            if value is not None and value < 1:
                raise InputError(f"{name} is {value}", remedy="Give 1 or more.")

    def in_words(self) -> str:
        """Return the conditions as a phrase."""
        n = self.min_documents
        parts = [
            f"is among the first {100 * self.share:g} %" if self.share is not None else "",
            f"is among the first {self.top:,}" if self.top is not None else "",
            f"is in {n:,} document{'s' if n > 1 else ''} or more" if n is not None else "",
        ]
        return " and ".join(filter(None, parts)) or "is kept"

    def choose(
        self,
        stems: Sequence[str],
        totals: NDArray[np.int64],
        documents: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """Return the positions of the stems to keep, in alphabetical order of the stems.

        Parameters
        ----------
        stems
            Distinct stems; the choice does not depend on their order.
        totals
            How often each occurs.
        documents
            In how many documents each occurs.
        """
        order = np.array(sorted(range(len(stems)), key=stems.__getitem__), dtype=np.int64)
        order = order[totals[order] > 0]
        # a stable sort keeps stems with equal totals in alphabetical order
        rank = np.empty(len(order), dtype=np.int64)
        rank[np.argsort(-totals[order], kind="stable")] = np.arange(len(order))
        keep = np.ones(len(order), dtype=bool)
        if self.share is not None:
            # rounded first, so that 3 % of 100 is 3 in spite of binary fractions
            keep &= rank < max(1, int(round(self.share * len(order), 6)))
        if self.top is not None:
            keep &= rank < self.top
        if self.min_documents is not None:
            keep &= documents[order] >= self.min_documents
        return order[keep]


def default_rule(
    n_documents: int, totals: NDArray[np.int64], documents: NDArray[np.int64]
) -> VocabularyRule:
    """Return the default rule.

    It selects words in at least five documents. It selects those in at least two if there are fewer
    than 1,000 documents, or if words in fewer than five are more than a tenth of the text. It
    selects all words if documents have fewer than 20 on average, as titles, names and glosses do:
    few words describe such a document, and often the rarest says most about its topic.

    Parameters
    ----------
    n_documents
        Number of documents.
    totals
        Count of each stem.
    documents
        In how many documents each occurs.
    """
    if totals.sum() < _SHORT * n_documents and (documents >= 1).sum() <= _MOST_WORDS:
        return VocabularyRule(min_documents=1)
    rare = totals[documents < _ENOUGH].sum()
    many = rare > _RARE * totals.sum() and (documents >= _FEW).sum() <= _MOST_WORDS
    return VocabularyRule(min_documents=_FEW if n_documents < 1000 or many else _ENOUGH)

"""What is known of documents by judges that did not see them, and at which topics it is kept.

A document has a place for each of its given labels and for each of the topics that come nearest. Of
the topics that are far from it a few are there too, drawn at random; each stands for several, as
many as `weights` says, so that what is learned holds for all topics.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from frex.predict.judges import FEATURES
from frex.predict.linear import PENALTY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    Single: TypeAlias = NDArray[np.float32]
    Rows: TypeAlias = NDArray[np.int64]

NEAREST = 32
"""Topics of a document that are kept by each of the two scores, beside its given labels."""

FAR = 16
"""Others of a document that are drawn at random and stand for all that are far."""


class Places(NamedTuple):
    """What a judge says of some documents, place by place."""

    documents: Rows
    columns: NDArray[np.int32]
    features: Single
    given: NDArray[np.bool_]
    near: NDArray[np.bool_]
    weights: Single
    seen: NDArray[np.int32]

    def at(self, places: Rows) -> Places:
        """Return what is said at some places."""
        arrays: tuple[Any, ...] = self
        return Places(*(array[places] for array in arrays))


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """What is known of documents by judges that did not see them, at their likeliest topics.

    Attributes
    ----------
    topics
        Names of the topics that have documents, of their own or below them: the columns.
    starts, columns
        Document d has the places ``starts[d]`` to ``starts[d + 1]``, at these columns, in order.
    features
        Places x `frex.predict.judges.FEATURES`.
    given
        Whether the document has the label.
    near
        Whether the topic is among those that come nearest; a given label may not be, and those that
        stand for others are not.
    weights
        How many places each stands for: 1, or more for those that are neither near nor given.
    seen
        How many documents of the topic the judge has seen.
    folds
        The fold of each document.
    saturation
        What was learned of documents' lengths (`frex.predict.evidence`).
    penalty
        What was learned of the linear scorer's (`frex.predict.penalty`): that of the judges, which
        have seen a part of the documents; `whole_penalty` is for a scorer of all.
    """

    topics: tuple[str, ...]
    starts: Rows
    columns: NDArray[np.int32]
    features: Single
    given: NDArray[np.bool_]
    near: NDArray[np.bool_]
    weights: Single
    seen: NDArray[np.int32]
    folds: NDArray[np.int32]
    saturation: float
    penalty: float = PENALTY

    @classmethod
    def of(
        cls,
        topics: Sequence[str],
        found: Sequence[Places],
        folds: NDArray[np.int32],
        **learned: Any,
    ) -> OutOfFold:
        """Put places in the order of the documents.

        Parameters
        ----------
        topics, folds
            As the attributes.
        found
            Places of all documents, in any order.
        **learned
            Saturation and penalty.
        """
        documents = np.concatenate([places.documents for places in found])
        order = np.argsort(documents, kind="stable")
        starts = np.zeros(len(folds) + 1, np.int64)
        np.cumsum(np.bincount(documents, minlength=len(folds)), out=starts[1:])
        arrays: dict[str, Any] = {  # one after the other: they may be most of the memory
            name: np.concatenate([getattr(places, name) for places in found])[order]
            for name in Places._fields[1:]
        }
        return cls(tuple(topics), starts, folds=folds, **arrays, **learned)

    @property
    def hpc(self) -> Single:
        """Log probability, by HPC's rates, that the document is about the topic, at each place."""
        return self.features[:, FEATURES.index("words")]

    @property
    def linear(self) -> Single:
        """Decision values of the linear scorer, at each place."""
        return self.features[:, FEATURES.index("linear")]

    @property
    def documents(self) -> Rows:
        """The document of each place."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def whole_penalty(self) -> float:
        """The penalty for a scorer of all documents, which weighs errors as the judges' did.

        An SVM adds up what errors cost, so that with more documents they outweigh its margins
        more: its decision values grow, and what was learned of the judges' would be too sure.
        """
        n_folds = int(self.folds.max(initial=1)) + 1
        return self.penalty * (1.0 - 1.0 / n_folds)

    def without_far(self) -> OutOfFold:
        """Return the places that stand for themselves, the near ones and the given labels."""
        kept = self.near | self.given
        n_kept = np.concatenate([[0], np.cumsum(kept)])
        fields = ("columns", "features", "given", "near", "weights", "seen")
        arrays: dict[str, Any] = {name: getattr(self, name)[kept] for name in fields}
        return replace(self, starts=n_kept[self.starts], **arrays)

    def matrix(self, values: NDArray[Any]) -> sparse.csr_array:
        """Return values of the places as a sparse matrix, documents x topics.

        Parameters
        ----------
        values
            One for each place.
        """
        shape = (len(self.starts) - 1, len(self.topics))
        return sparse.csr_array((values, self.columns, self.starts), shape=shape, copy=True)


def nearest(values: Single) -> NDArray[np.bool_]:
    """Mark the largest values of each row, `NEAREST` of them or all."""
    if values.shape[1] <= NEAREST:
        return np.ones(values.shape, np.bool_)
    marked = np.zeros(values.shape, np.bool_)
    places = np.argpartition(values, -NEAREST, axis=1)[:, -NEAREST:]
    np.put_along_axis(marked, places, values=True, axis=1)
    return marked


def weigh(kept: NDArray[np.bool_], rng: np.random.Generator) -> Single:
    """Return weights: 1 of what is kept; others are drawn, `FAR` of each row, and stand for all.

    Parameters
    ----------
    kept
        Documents x topics.
    rng
        What draws them.
    """
    weights = kept.astype(np.float32)
    n_others = kept.shape[1] - kept.sum(axis=1)
    n_drawn = np.minimum(n_others, FAR)
    if n_others.max(initial=0) > 0:
        lots = np.where(kept, 2.0, rng.random(kept.shape))
        drawn = np.argsort(lots, axis=1)[:, :FAR]
        stand_for = np.where(
            np.arange(drawn.shape[1]) < n_drawn[:, None],
            (n_others / np.maximum(n_drawn, 1))[:, None],
            1.0,  # fewer are left than are drawn: these are kept in any case
        )
        np.put_along_axis(weights, drawn, stand_for.astype(np.float32), axis=1)
    return weights

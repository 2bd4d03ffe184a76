"""Out-of-fold scores of documents, stored for a few topics of each.

A document has an entry for each of its given labels and for each of its highest-scoring topics. A
few of the other topics are sampled at random. `weights` has the inverse of their sampling
probability, so that what is learned holds for all topics.
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
"""Number of highest-scoring topics that are stored for each of the two scores."""

FAR = 16
"""Number of other topics of a document that are sampled at random."""


class Places(NamedTuple):
    """A judge's scores of some documents, by entry."""

    documents: Rows
    columns: NDArray[np.int32]
    features: Single
    given: NDArray[np.bool_]
    near: NDArray[np.bool_]
    weights: Single
    seen: NDArray[np.int32]

    def at(self, places: Rows) -> Places:
        """Return some of the entries."""
        arrays: tuple[Any, ...] = self
        return Places(*(array[places] for array in arrays))


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """Out-of-fold scores of documents at their highest-scoring topics.

    Attributes
    ----------
    topics
        Names of the topics that have documents of their own or below them: the columns.
    starts, columns
        Document d has the entries ``starts[d]`` to ``starts[d + 1]``, at these columns, in order.
    features
        Entries x `frex.predict.judges.FEATURES`.
    given
        Whether the document has the label.
    near
        Whether the topic is among the highest-scoring ones; a given label may not be, and sampled
        topics are not.
    weights
        Weight of each entry: 1, or more for sampled ones.
    seen
        Number of the topic's documents in the training folds.
    folds
        The fold of each document.
    saturation
        The learned saturation (`frex.predict.evidence`).
    penalty
        The chosen penalty of the judges' linear scorers (`frex.predict.penalty`), which are trained
        on a part of the documents; `whole_penalty` is for a scorer of all documents.
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
        """Sort entries by document.

        Parameters
        ----------
        topics
            As the attribute.
        found
            Entries of all documents, in any order.
        folds
            As the attribute.
        **learned
            Saturation and penalty.
        """
        documents = np.concatenate([places.documents for places in found])
        order = np.argsort(documents, kind="stable")
        starts = np.zeros(len(folds) + 1, np.int64)
        np.cumsum(np.bincount(documents, minlength=len(folds)), out=starts[1:])
        arrays: dict[str, Any] = {  # one by one, because they may take most of the memory
            name: np.concatenate([getattr(places, name) for places in found])[order]
            for name in Places._fields[1:]
        }
        return cls(tuple(topics), starts, folds=folds, **arrays, **learned)

    @property
    def hpc(self) -> Single:
        """Log probability, by HPC's rates, that the document is about the topic, by entry."""
        return self.features[:, FEATURES.index("words")]

    @property
    def linear(self) -> Single:
        """Decision values of the linear scorer, by entry."""
        return self.features[:, FEATURES.index("linear")]

    @property
    def documents(self) -> Rows:
        """The document of each entry."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def whole_penalty(self) -> float:
        """The penalty for a scorer of all documents, equivalent to that of the judges.

        An SVM sums the losses of documents, so more documents increase their weight relative to the
        margin. Its decision values would grow, and the calibration of the judges' decision values
        would give overconfident probabilities.
        """
        n_folds = int(self.folds.max(initial=1)) + 1
        return self.penalty * (1.0 - 1.0 / n_folds)

    def without_far(self) -> OutOfFold:
        """Return the entries that were not sampled: highest-scoring topics and given labels."""
        kept = self.near | self.given
        n_kept = np.concatenate([[0], np.cumsum(kept)])
        fields = ("columns", "features", "given", "near", "weights", "seen")
        arrays: dict[str, Any] = {name: getattr(self, name)[kept] for name in fields}
        return replace(self, starts=n_kept[self.starts], **arrays)

    def matrix(self, values: NDArray[Any]) -> sparse.csr_array:
        """Return values of the entries as a sparse matrix, documents x topics.

        Parameters
        ----------
        values
            One for each entry.
        """
        shape = (len(self.starts) - 1, len(self.topics))
        return sparse.csr_array((values, self.columns, self.starts), shape=shape, copy=True)


def nearest(values: Single) -> NDArray[np.bool_]:
    """Mark the `NEAREST` largest values of each row."""
    if values.shape[1] <= NEAREST:
        return np.ones(values.shape, np.bool_)
    marked = np.zeros(values.shape, np.bool_)
    places = np.argpartition(values, -NEAREST, axis=1)[:, -NEAREST:]
    np.put_along_axis(marked, places, values=True, axis=1)
    return marked


def weigh(kept: NDArray[np.bool_], rng: np.random.Generator) -> Single:
    """Return weights: 1 for stored entries; `FAR` others of each row are sampled, with weights.

    Parameters
    ----------
    kept
        Stored entries, documents x topics.
    rng
        Random numbers of the sample.
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
            1.0,  # fewer are left than are sampled, so all of them are stored
        )
        np.put_along_axis(weights, drawn, stand_for.astype(np.float32), axis=1)
    return weights

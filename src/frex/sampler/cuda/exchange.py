"""What crosses between GPUs: nothing where there is one, which has all words and documents.

`ranks/gpus.py` has the twin for many, each with some of the bins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.sampler.data import KernelData


class Alone:
    """One GPU.

    Parameters
    ----------
    data
        The kernels' form of the corpus, on the host.

    Attributes
    ----------
    n_words
        Of the whole corpus.
    rows
        Where each word is in the table of all rates.
    words, topics
        This GPU's: rows of that table, and topics whose scores it keeps.
    """

    def __init__(self, data: KernelData) -> None:
        self.n_words, n_nodes = data.words.single_counts.shape
        self.rows: NDArray[np.int64] = np.arange(self.n_words)
        self.words = slice(0, self.n_words)
        self.topics = slice(0, n_nodes - 1)

    # on the device

    def places_for_words(self, label_places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where the words find the membership of each label.

        Parameters
        ----------
        label_places
            Where this GPU's documents have theirs.
        """
        return label_places

    def memberships(self, own: Any) -> Any:
        """Return the memberships of all documents, as the words find them, from this GPU's."""
        return own

    def share_rates(self, table: Any) -> None:
        """Fill the rows of other GPUs in a table of all rates."""

    def allowance(self, free: float) -> float:
        """Return how much of a GPU's free memory this process may take."""
        return free

    # on the host

    def every_bin(self, own: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return sums of all bins, from those of this GPU's."""
        return own

    def share_words(self, *arrays: NDArray[np.float64]) -> None:
        """Fill what other GPUs have of arrays over words."""

    def share_documents(self, *arrays: NDArray[np.float64]) -> None:
        """Fill what other GPUs have of arrays over documents."""

    def share_squares(self, *arrays: NDArray[np.float64]) -> None:
        """Fill what other GPUs have of the documents' flat matrices."""

    def largest(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the largest of what the GPUs have at each place."""
        return values

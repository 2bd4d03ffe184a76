"""What crosses between GPUs of several ranks: it goes by the host, and there from rank to rank."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.cuda.exchange import Alone
from frex.sampler.cuda.memory import copied, cuda, room
from frex.sampler.kernels.cuda.options import striding
from frex.sampler.kernels.cuda.rates import gather

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.sampler.ranks.corpus import Part
    from frex.sampler.ranks.exchange import Ranks


def gpus_of(ranks: Ranks) -> list[tuple[str, str]]:
    """Return the host and GPU of every rank; all ranks ask for it."""
    mine = socket.gethostname(), str(cuda.get_current_device().uuid)
    every: list[tuple[str, str]] = ranks.communicator.allgather(mine)
    return every


class AmongRanks(Alone):
    """The GPU of a rank, among those of others; each has the words and documents of its bins.

    In a scan of a chain the memberships of all documents cross once, and once the rates of all
    words, through memory that the host does not move. Sums cross by bins: all ranks then add the
    same numbers in the same order.

    Parameters
    ----------
    part
        This rank's of the corpus.
    ranks
        All of them.
    """

    def __init__(self, part: Part, ranks: Ranks) -> None:
        super().__init__(part.data)
        self._part, self._ranks = part, ranks
        gpus = gpus_of(ranks)
        self._n_sharing = gpus.count(gpus[ranks.rank])
        self.rows = part.words.rows
        self.words = part.words.mine
        self.topics = ranks.stretch(part.reduced.tree.n_topics)
        self._rates: Any = cuda.pinned_array(part.data.words.single_counts.shape)

    def places_for_words(self, label_places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where the words find the membership of each label: in a table of all."""
        n_labels = len(self._part.labels.order)
        self._places = copied(label_places.astype(np.int32))
        self._own = room(len(label_places))
        self._table: Any = cuda.pinned_array((max(n_labels, 1), 1))
        self._table_on_device = room(self._table.shape).reshape((self._table.size,))
        return self._part.labels.rows

    def memberships(self, own: Any) -> Any:
        """Return the memberships of all documents, as the words find them, from this GPU's."""
        labels, table = self._part.labels, self._table
        n_labels = labels.mine.stop - labels.mine.start
        gather[striding(n_labels)](self._places, own, self._own)
        table[labels.mine, 0] = self._own.copy_to_host()[:n_labels]
        self._ranks.fill_table(labels, table)
        self._table_on_device.copy_to_device(table.reshape(-1))
        return self._table_on_device

    def share_rates(self, table: Any) -> None:
        """Fill the rows of other GPUs in a table of all rates."""
        if self.words.start < self.words.stop:
            table[self.words].copy_to_host(self._rates[self.words])
        self._ranks.fill_table(self._part.words, self._rates)
        table.copy_to_device(self._rates)

    def allowance(self, free: float) -> float:
        """Return this rank's share of a GPU's free memory, once all ranks have looked."""
        self._ranks.communicator.Barrier()
        return free / self._n_sharing

    def every_bin(self, own: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return sums of all bins, from those of this rank's."""
        return self._ranks.all_bins(own)

    def share_words(self, *arrays: NDArray[np.float64]) -> None:
        """Fill what other ranks have of arrays over words."""
        self._ranks.share(self._part.words, *arrays)

    def share_documents(self, *arrays: NDArray[np.float64]) -> None:
        """Fill what other ranks have of arrays over documents."""
        self._ranks.share(self._part.documents, *arrays)

    def share_squares(self, *arrays: NDArray[np.float64]) -> None:
        """Fill what other ranks have of the documents' flat matrices."""
        self._ranks.share(self._part.squares, *arrays)

    def largest(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the largest of what the ranks have at each place."""
        return self._ranks.largest(values)

"""Tables of all memberships and all rates, from which words and documents on a GPU gather.

A single GPU has these tables already. With several ranks, each has the words and documents of its
bins. The other rows are exchanged through the hosts once per chain and scan, in pinned memory.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.engines.cuda.memory import copied, cuda, zeros
from frex.sampler.kernels.cuda.options import striding
from frex.sampler.kernels.cuda.rates import gather

if TYPE_CHECKING:
    from frex.sampler.arrays import Ints
    from frex.sampler.exchange import Exchange
    from frex.sampler.ranks.exchange import Ranks


def gpus_of(ranks: Ranks) -> list[tuple[str, str]]:
    """Return the host and GPU of every rank; all ranks must call this."""
    mine = socket.gethostname(), str(cuda.get_current_device().uuid)
    every: list[tuple[str, str]] = ranks.communicator.allgather(mine)
    return every


def allowance(exchange: Any, free: float) -> float:
    """Return this process's share of a GPU's free memory, after all processes have read it."""
    if exchange.size == 1:
        return free
    gpus = gpus_of(exchange.ranks)
    exchange.ranks.communicator.Barrier()
    return free / gpus.count(gpus[exchange.rank])


class Tables:
    """The tables of this GPU.

    Parameters
    ----------
    exchange
        Communication with the other GPUs.
    n_nodes
        Number of nodes of the tree.
    label_places
        Positions of the memberships of labels on this GPU.

    Attributes
    ----------
    label_places
        Positions from which words gather memberships: the same, or in a table of all.
    """

    def __init__(self, exchange: Exchange, n_nodes: int, label_places: Ints) -> None:
        self._exchange: Any = exchange
        self._mine = exchange.mine("labels"), exchange.mine("words")
        self.label_places = label_places
        if exchange.size > 1:
            self.label_places = exchange.rows("labels")
            self._places = copied(label_places.astype(np.int32))
            self._own = zeros(len(label_places))
            shape = (max(exchange.sizes["labels"], 1), 1)
            self._memberships: Any = cuda.pinned_array(shape)
            self._on_device = zeros(shape).reshape((shape[0],))
            self._rates: Any = cuda.pinned_array((exchange.sizes["words"], n_nodes))

    def memberships(self, own: Any) -> Any:
        """Return the memberships of all documents for the words, given those of this GPU."""
        if self._exchange.size == 1:
            return own
        labels = self._mine[0]
        n_labels = labels.stop - labels.start
        gather[striding(n_labels)](self._places, own, self._own)
        self._memberships[labels, 0] = self._own.copy_to_host()[:n_labels]
        self._exchange.fill_rows("labels", self._memberships)
        self._on_device.copy_to_device(self._memberships.reshape(-1))
        return self._on_device

    def share_rates(self, table: Any) -> None:
        """Fill the rows of other GPUs in a table of all rates."""
        if self._exchange.size == 1:
            return
        words = self._mine[1]
        if words.start < words.stop:
            table[words].copy_to_host(self._rates[words])
        self._exchange.fill_rows("words", self._rates)
        table.copy_to_device(self._rates)

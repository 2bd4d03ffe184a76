"""Temporary memory of a scan, shared by all chains: a field for each purpose.

Large arrays share memory if one is no longer needed when another is filled; `SHARING` declares
which do. A reader asks for an array by its name, and an assertion fails if another array has used
the memory in the meantime (Python skips assertions with ``-O``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.kernels.vectors import LANES

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from frex.sampler.arrays import Floats
    from frex.sampler.kernels.documents import DocumentData
    from frex.sampler.kernels.words import WordData

SHARING = (
    ("token_memberships", "gathered_rates"),  # while words move; while documents move
    ("slopes", "exclusivity"),  # from the words' trajectories on; for the record
    # while curvatures are found; while words move along; while documents move, and for the record
    ("modes", "proposed_log_rates", "rates"),
    ("held_affinities", "scaled_affinities"),  # while eta moves; while it is scaled
    # while chains set out; while words move along; while documents are given rates
    ("exposed_rates", "held_log_rates", "narrow_rates"),
)
"""Arrays that share memory, and when each uses it."""

_PLACE = {purpose: names[0] for names in SHARING for purpose in names}


@dataclass
class Workspace:
    """Temporary arrays of a scan, besides the corpus and the state."""

    token_memberships: NDArray[np.floating]  #: of the labels of words' tokens, in their order
    gathered_rates: NDArray[np.floating]  #: x 8, the rates of the documents' words
    slopes: Floats  #: V x N, of the words' likelihood
    exclusivity: Floats  #: V x K
    modes: Floats  #: V x N, of the log rates
    proposed_log_rates: Floats  #: V x N
    rates: Floats  #: V x N
    exposed_rates: Floats  #: V x N, E beta, the curvature about which chains set out
    held_log_rates: Floats  #: V x N, what a move holds fixed of log rates
    narrow_rates: NDArray[np.floating]  #: V x N, the rates as documents look them up
    proposed_dispersions: Floats  #: V x P
    held_dispersions: Floats  #: V x P, what a move holds fixed of dispersions
    held_affinities: Floats  #: flat, what a move holds fixed of affinities
    scaled_affinities: Floats  #: flat, proposed
    _holders: dict[str, str] = field(default_factory=dict)

    @classmethod
    def create(
        cls, words: WordData, documents: DocumentData, precision: DTypeLike = np.float32
    ) -> Workspace:
        """Return memory for a corpus.

        Parameters
        ----------
        words, documents
            Their data.
        precision
            Precision of the largest array, in which words gather memberships and documents gather
            rates. In single precision a block conditions on memberships, or rates, with a relative
            error of 6e-8, and a scan takes a twelfth less time. All sums are in double precision.
            Tests that compare to the last digits use double precision.
        """
        by_node = words.single_counts.shape
        by_group = by_node[0], words.n_groups
        n_tokens = 0 if words.width else len(words.nodes)
        n_rates = 0 if words.width else LANES * int(documents.rate_starts[-1])
        gathered: NDArray[Any] = np.empty(max(n_tokens, n_rates), precision)
        slopes, rates, held = np.zeros(by_node), np.empty(by_node), np.empty(by_node)
        n_words, n_nodes = by_node
        affinities = np.empty(int(documents.label_starts[-1]))
        narrow = held.reshape(-1).view(precision)[: held.size].reshape(by_node)
        return cls(
            token_memberships=gathered[:n_tokens],
            gathered_rates=gathered[:n_rates].reshape(-1, LANES),
            slopes=slopes,
            exclusivity=slopes.reshape(-1)[: n_words * (n_nodes - 1)].reshape(n_words, -1),
            modes=rates,
            proposed_log_rates=rates,
            rates=rates,
            exposed_rates=held,
            held_log_rates=held,
            narrow_rates=narrow,
            proposed_dispersions=np.empty(by_group),
            held_dispersions=np.empty(by_group),
            held_affinities=affinities,
            scaled_affinities=affinities,
        )

    @property
    def precision(self) -> np.dtype[np.floating]:
        """Precision of what is gathered."""
        return self.gathered_rates.dtype

    def take(self, purpose: str) -> Any:
        """Return the memory of an array to fill; arrays that share it become invalid."""
        self._holders[_PLACE[purpose]] = purpose
        return getattr(self, purpose)

    def read(self, purpose: str) -> Any:
        """Return a filled array."""
        holder = self._holders.get(_PLACE[purpose])
        assert holder == purpose, f"{purpose} is gone: {holder} has its memory"
        return getattr(self, purpose)

"""The state of a chain, and the quantities that blocks derive from it, cached while they are valid.

A quantity that depends on log rates or memberships is computed when a block asks for it. It stays
cached until log rates or memberships change, which a block reports with `moved`. Words and
documents share memory, so a quantity of one is invalid as soon as the other uses this memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from frex.model.hyperparameters import AffinityStatistics
    from frex.sampler.arrays import Array, Floats
    from frex.sampler.blocks.coordinates import Coordinates
    from frex.sampler.engines.verbs import Documents, Words
    from frex.sampler.state import State

DEPENDS_ON = {
    "memberships of all": {"memberships"},
    "memberships at words": {"memberships"},
    "squares": {"log_rates"},
    "rates": {"log_rates"},
    "rates at documents": {"log_rates"},
    "statistics": {"memberships"},
    "likelihood of words": {"log_rates", "memberships"},
    "likelihood of documents": {"log_rates", "memberships"},
}
"""Dependencies of each cached quantity."""

LOST_TO_WORDS = {"rates", "rates at documents"}
"""Quantities whose memory is overwritten when words gather memberships."""


class Context:
    """A state with its cached quantities.

    Parameters
    ----------
    state
        State of a chain; changed in place.
    words, documents
        The chain's passes over them.
    coordinates
        Coordinates of eta.
    """

    def __init__(
        self, state: State, words: Words, documents: Documents, coordinates: Coordinates
    ) -> None:
        self.state = state
        self._words, self._documents, self._coordinates = words, documents, coordinates
        self._known: dict[str, Any] = {}

    def moved(self, *what: Literal["log_rates", "memberships"]) -> None:
        """Invalidate what depends on the changed quantities; affinities count as memberships."""
        moved = set(what)
        self._known = {
            name: value for name, value in self._known.items() if not moved & DEPENDS_ON[name]
        }

    def words(self) -> Words:
        """Return the words, with the current memberships."""
        if "memberships at words" not in self._known:
            self._words.set_memberships(self._documents.exposure(self.state), self.memberships())
            for name in LOST_TO_WORDS:
                self._known.pop(name, None)
            self._known["memberships at words"] = True
        return self._words

    def documents(self) -> Documents:
        """Return the documents, with the current rates."""
        if "rates at documents" not in self._known:
            rates = self.rates()
            self._documents.set_rates(*rates)
            self._known.pop("memberships at words", None)
            self._known["rates at documents"] = True
        return self._documents

    def memberships(self) -> Array:
        """Return the memberships of all documents."""
        if "memberships of all" not in self._known:
            self._known["memberships of all"] = self._documents.all_memberships(self.state)
        return self._known["memberships of all"]

    def rates(self) -> tuple[Array, Array]:
        """Return the rates of all words, and their sums."""
        if "rates" not in self._known:
            self._known["rates"] = self._words.exponentiate(self.state)
            self._known.pop("memberships at words", None)  # moving words along uses its memory
        rates: tuple[Array, Array] = self._known["rates"]
        return rates

    def squares(self) -> Array:
        """Return the squared deviations of every group."""
        if "squares" not in self._known:
            self._known["squares"] = self._words.squares(self.state.log_rates)
        return self._known["squares"]

    def root(self) -> Floats:
        """Return every word's log rate at the root."""
        return self._words.root(self.state.log_rates)

    def statistics(self) -> AffinityStatistics:
        """Return the sufficient statistics of eta and lambda; sums are taken about eta."""
        if "statistics" not in self._known:
            mean = self.state.hyper.affinity_mean
            deviations, squares = self._documents.deviations(self.state, mean)
            self._known["statistics"] = self._coordinates.statistics(mean, deviations, squares)
        statistics: AffinityStatistics = self._known["statistics"]
        return statistics

    def note_likelihood(self, of: Literal["words", "documents"]) -> None:
        """Note that a block has computed the words' likelihood, by word or by document."""
        self._known[f"likelihood of {of}"] = True

    def knows_likelihood(self, of: Literal["words", "documents"]) -> bool:
        """Tell whether this likelihood is still valid."""
        return f"likelihood of {of}" in self._known

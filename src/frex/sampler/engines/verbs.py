"""The interface of engines, which blocks, start and record use.

An engine has a corpus, or a process's part of it. For each chain it makes `Words` and `Documents`,
which make passes over the corpus. Arrays that only an engine reads have the type `Array`: NumPy
arrays on the CPU, device arrays on a GPU. Sums are over the words or documents of all processes,
and are returned on the host.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from frex.model.reductions import Reduced
    from frex.sampler.arrays import Array, Floats, Ints
    from frex.sampler.data import Labels
    from frex.sampler.exchange import Exchange, RowKind
    from frex.sampler.formulas.interweaving_words import Terms
    from frex.sampler.formulas.random import Address
    from frex.sampler.moments import RunningMoments
    from frex.sampler.record import ComparisonSets
    from frex.sampler.state import State

MOST_ITERATIONS, TOLERANCE = 50, 1e-6
"""Newton's search for the mode of a word or document: most steps, and least gain of a step."""


class Moves(NamedTuple):
    """The outcome of a block: means over its items, and each item's acceptance if available.

    A block that draws exactly has no items.
    """

    items: Array | None = None
    acceptance: float = np.nan
    energy: float = np.nan  #: mean absolute change of energy


class Learned(NamedTuple):
    """An array that a block adapts in the warm-up; changed in place, never replaced."""

    name: str
    array: Array
    kind: RowKind | None = (
        None  #: kind of its rows, which are divided among processes; None: every process has all
    )


class Steps(Protocol):
    """Step sizes of items, adapted to a target acceptance probability as in `schmc.StepSize`."""

    @property
    def value(self) -> Floats:
        """The step sizes, on the host."""
        ...

    def learn(self, acceptance: Array, *, late: bool) -> None:
        """Adapt after a scan of the warm-up; late scans enter the final average."""

    def freeze(self) -> None:
        """End the adaptation."""

    def learned(self) -> list[Learned]:
        """Return the arrays of the adaptation."""
        ...


class Words(Protocol):
    """A chain's passes over words."""

    def new_steps(self, n_stages: int) -> Any:
        """Return step sizes to begin with, one for each word."""

    def set_memberships(self, exposure: Floats, memberships: Array) -> None:
        """Store the exposure by node, and gather the memberships of the words' tokens."""

    def find_modes(self, state: State) -> None:
        """Find every word's conditional mode, and store the curvature there."""

    def draw(self, state: State, steps: Any, address: Address) -> Moves:
        """Draw all log rates by one trajectory each."""
        ...

    def squares(self, log_rates: Array) -> Array:
        """Return the squared deviations of every group; its length is the number of all words."""

    def dispersion_sums(self, squares: Array, scale: float) -> Floats:
        """Return the sums over words that the density of ``(nu, sigma2)`` needs, groups x 3."""
        ...

    def draw_dispersions(
        self, squares: Array, df: float, scale: float, address: Address, out: Array
    ) -> None:
        """Draw all dispersions given the squares."""

    def exponentiate(self, state: State) -> tuple[Array, Array]:
        """Return the rates of all words, and their sums."""
        ...

    def root(self, log_rates: Array) -> Floats:
        """Return every word's log rate at the root."""
        ...

    # interweaving of (nu, sigma2) with log rates and dispersions

    def fit_gaussians(self, state: State) -> None:
        """Fit Gaussians to the words' likelihoods at their modes."""

    def standardise(self, state: State, terms: Terms) -> None:
        """Store the standardised values that the move holds fixed."""

    def log_density(self, state: State, terms: Terms, *, likelihood_known: bool = False) -> Floats:
        """Propose log rates and dispersions; return the log density there, and its two slopes.

        The priors of nu and sigma2 are not included. With `likelihood_known` the words have not
        changed since `draw`, which computed their likelihood.
        """
        ...

    def accept(self, state: State) -> None:
        """Accept the proposal of the last `log_density` into the state."""

    # the Gaussian about the current log rates

    def find_curvature(self, state: State) -> None:
        """Compute the curvature of the tree's mass at the log rates, for the next three methods."""

    def draw_about(self, state: State, centre: Array, address: Address) -> Array:
        """Return log rates drawn from the Gaussian about a centre."""

    def add_variances(self, state: State, squares: Array) -> None:
        """Add the variances of this Gaussian to squared deviations."""

    def expect_dispersions(self, squares: Array, df: float, scale: float, out: Array) -> None:
        """Fill the dispersions with the scale of their conditional distribution."""

    def move_to_modes(self, state: State) -> None:
        """Set the state to the modes that were found last."""

    def learned(self) -> list[Learned]:
        """Return the curvature of the log rates."""
        ...

    def learned_gaussians(self) -> list[Learned]:
        """Return the Gaussians."""
        ...


class WordsOfKnown(Words, Protocol):
    """`Words` with topics whose log rates have known means."""

    def drift_sums(self, state: State, drifts: Floats) -> Floats:
        """Return sums over words that the density of the drifts needs, known topics x 3."""
        ...

    def about_root(self, state: State) -> tuple[Floats, Floats]:
        """Return the mean and variance of every word's root given its topics, on the host."""
        ...


class Documents(Protocol):
    """A chain's passes over the documents with several labels."""

    n_items: int  #: documents, of all processes

    def new_steps(self, n_stages: int, length: float) -> Any:
        """Return step sizes to begin with, one for each document."""

    def exposure(self, state: State) -> Floats:
        """Return the exposures E by node; that of the root is 0."""
        ...

    def all_memberships(self, state: State) -> Array:
        """Return the memberships of all documents, as `Words.set_memberships` takes them."""

    def set_rates(self, rates: Array, sums: Array) -> None:
        """Store the sums of the rates by node, and gather the rates of the documents' words."""

    def find_modes(self, state: State) -> None:
        """Find every document's conditional mode, and store the curvature there."""

    def move_to_modes(self, state: State) -> None:
        """Set affinities and memberships to the modes that were found last."""

    def draw(self, state: State, steps: Any, address: Address) -> Moves:
        """Draw all affinities by one trajectory each, and update the memberships."""
        ...

    def deviations(self, state: State, mean: Floats) -> tuple[Floats, Floats]:
        """Return sums by topic of the affinities minus their means, and of the squares of these."""
        ...

    def variance_sums(self, affinity_variance: float) -> Floats:
        """Return sums by topic of the affinities' variances about their modes."""
        ...

    # interweaving of (eta, lambda) with the affinities

    def fit_gaussians(self, state: State) -> Floats:
        """Fit Gaussians to the documents' likelihoods at their modes.

        Returns their information about eta, topics x topics.
        """
        ...

    def standardise(self, state: State, address: Address | None) -> None:
        """Store the standardised values that the move holds fixed; random ones need an address."""

    def log_density(
        self,
        mean: Floats,
        variance: float,
        *,
        with_value: bool = True,
        likelihood_known: bool = False,
    ) -> tuple[float, Floats, float]:
        """Return the log density at (eta, lambda2), and its slopes in eta and in log lambda.

        The slopes alone cost less. With `likelihood_known` the documents have not changed since
        `draw`, which computed the words' likelihood.
        """
        ...

    def accept(self, state: State) -> None:
        """Transform affinities and memberships to the state's (eta, lambda2)."""

    def learned(self) -> list[Learned]:
        """Return the curvature of the affinities."""
        ...

    def learned_gaussians(self) -> list[Learned]:
        """Return the Gaussians."""
        ...


class LabelledDocuments(Documents, Protocol):
    """`Documents` with labels."""

    def swap(self, state: State, address: Address) -> Moves:
        """Propose to swap the affinities of two labels of a document, and update memberships."""
        ...

    def scale(self, state: State, factor: float) -> float:
        """Propose affinities that grow with (eta, lambda) by a factor.

        Returns the log ratio of all documents' densities, with the Jacobian of their affinities.
        """
        ...

    def accept_scaled(self, state: State) -> None:
        """Take over what `scale` proposed; memberships move along."""
        ...


class Moments(Protocol):
    """Running moments of this process's rows of an array."""

    @property
    def count(self) -> int:
        """Number of draws."""
        ...

    def take(self, draw: Array, *, logarithm: bool = False) -> None:
        """Add a draw of the array."""

    def take_rows(self, rows: Array) -> None:
        """Add a draw of this process's rows."""

    def whole_mean(self) -> NDArray[np.floating]:
        """Return the mean of all rows; all processes must call this."""
        ...

    def whole(self) -> RunningMoments:
        """Return the moments of all rows, on the first process; all processes must call this."""
        ...

    def again(self) -> Moments:
        """Return empty moments for the same array."""
        ...


class Engine(Protocol):
    """A corpus, or a process's part of it, on the device that makes passes over it."""

    reduced: Reduced
    labels: Labels  #: the documents' labels, on the host
    exchange: Exchange
    word_totals: Floats  #: count of each word

    def words(self, curvature: str) -> Words:
        """Return passes over words for a chain."""
        ...

    def documents(self) -> Documents:
        """Return passes over documents for a chain."""
        ...

    def whole(self) -> Reduced:
        """Return the reduced corpus with all its counts."""
        ...

    def forget_counts(self) -> None:
        """Release the counts, which the engine holds in its own layout."""

    # states and what is learned, from and to files

    def adopt(self, state: State) -> State:
        """Return a state of the host in the memory and layout of the engine."""
        ...

    def copied(self, state: State) -> State:
        """Return a copy of a state."""
        ...

    def fetch(self, learned: Learned) -> NDArray[Any]:
        """Return an array on the host, complete on the first process; all must call this."""
        ...

    def put(self, learned: Learned, host: NDArray[Any]) -> None:
        """Copy a complete array from the host."""

    def shape(self, learned: Learned) -> tuple[int, ...]:
        """Return the shape of the complete array."""
        ...

    # the record

    def moments(
        self, kind: RowKind, width: tuple[int, ...], precision: type[np.floating]
    ) -> Moments:
        """Return empty moments."""
        ...

    def moments_from(self, kind: RowKind, whole: RunningMoments) -> Moments:
        """Return moments that continue from complete ones."""
        ...

    def exclusivity(self, rates: Array, sets: ComparisonSets) -> Array:
        """Return the exclusivity of this process's words, in memory that the next call reuses."""

    def scorer(self, words: NDArray[np.int32]) -> Callable[[Array, Array, NDArray[Any]], None]:
        """Return a function that fills the scores of some words of this process's topics.

        Its arguments are the rates of all words, the exclusivity of this process's words, and the
        array of scores to fill.
        """
        ...

    def tracer(self, cells: Ints, labels: Ints) -> Callable[[State], tuple[Floats, Floats]]:
        """Return a function that looks up log rates at (word, node) cells, and memberships."""
        ...

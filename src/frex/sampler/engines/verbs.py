"""What every engine can do: the verbs that blocks, start and record are written in.

An engine has a corpus, or a process' part of it; for each chain it makes `Words` and `Documents`,
which pass over them. Arrays that only an engine reads are `Array`: NumPy's on the CPU, the device's
on a GPU. Sums are over the words or documents of all processes, and lie on the host.
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
"""Newton's search for a word's or a document's mode: steps at most, and what the last gains."""


class Moves(NamedTuple):
    """What a block did: means over its items, and each item's acceptance where the engine has it.

    A block that draws exactly has no items.
    """

    items: Array | None = None
    acceptance: float = np.nan
    energy: float = np.nan  #: size of the changes of energy


class Learned(NamedTuple):
    """An array that a block learns in the warm-up; changed in place, never replaced."""

    name: str
    array: Array
    kind: RowKind | None = (
        None  #: what its rows are, of which every process has its own; None: all is all
    )


class Steps(Protocol):
    """Step sizes of items, which learn their target acceptance; `schmc.StepSize` says how."""

    @property
    def value(self) -> Floats:
        """The step sizes, on the host."""
        ...

    def learn(self, acceptance: Array, *, late: bool) -> None:
        """Learn from a scan of the warm-up; those near its end count for the average."""

    def freeze(self) -> None:
        """End the learning."""

    def learned(self) -> list[Learned]:
        """Return the arrays that it keeps."""
        ...


class Words(Protocol):
    """A chain's passes over words."""

    def new_steps(self, n_stages: int) -> Any:
        """Return step sizes to begin with, one for each word."""

    def set_memberships(self, exposure: Floats, memberships: Array) -> None:
        """Note the exposure by node, and give the words' tokens their documents' memberships."""

    def find_modes(self, state: State) -> None:
        """Find every word's conditional mode, and keep the curvature there."""

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

    # (nu, sigma2) with log rates and dispersions moving along

    def fit_gaussians(self, state: State) -> None:
        """Fit Gaussians to the words' likelihoods at their modes."""

    def standardise(self, state: State, terms: Terms) -> None:
        """Note what the move holds fixed."""

    def log_density(self, state: State, terms: Terms, *, likelihood_known: bool = False) -> Floats:
        """Propose log rates and dispersions; return the log density there, and its two slopes.

        The priors of nu and sigma2 are left out. Where the words are as `draw` left them their
        likelihood is known.
        """
        ...

    def accept(self, state: State) -> None:
        """Put what the last `log_density` proposed into the state."""

    # the Gaussian about the log rates as they are

    def find_curvature(self, state: State) -> None:
        """Find the curvature of the tree's mass at the log rates, for the three below."""

    def draw_about(self, state: State, centre: Array, address: Address) -> Array:
        """Return log rates drawn from the Gaussian about a centre."""

    def add_variances(self, state: State, squares: Array) -> None:
        """Add their variances to squared deviations."""

    def expect_dispersions(self, squares: Array, df: float, scale: float, out: Array) -> None:
        """Fill the dispersions with the scale of what they would be drawn from."""

    def move_to_modes(self, state: State) -> None:
        """Put the modes that were found last into the state."""

    def learned(self) -> list[Learned]:
        """Return the curvature of the log rates."""
        ...

    def learned_gaussians(self) -> list[Learned]:
        """Return the Gaussians."""
        ...


class WordsOfKnown(Words, Protocol):
    """The same where some topics have known means."""

    def drift_sums(self, state: State, drifts: Floats) -> Floats:
        """Return sums over words that the density of the drifts needs, known topics x 3."""
        ...

    def about_root(self, state: State) -> tuple[Floats, Floats]:
        """Return what topics say of every word's root, its mean and variance, on the host."""
        ...


class Documents(Protocol):
    """A chain's passes over the documents with several labels."""

    n_items: int  #: documents, of all processes

    def new_steps(self, n_stages: int, length: float) -> Any:
        """Return step sizes to begin with, one for each document."""

    def exposure(self, state: State) -> Floats:
        """Return E by node; the root has none."""
        ...

    def all_memberships(self, state: State) -> Array:
        """Return the memberships of all documents, as `Words.set_memberships` takes them."""

    def set_rates(self, rates: Array, sums: Array) -> None:
        """Note the sums of the rates by node, and give the documents the rates of their words."""

    def find_modes(self, state: State) -> None:
        """Find every document's conditional mode, and keep the curvature there."""

    def move_to_modes(self, state: State) -> None:
        """Put the modes that were found last into the state, with their memberships."""

    def draw(self, state: State, steps: Any, address: Address) -> Moves:
        """Draw all affinities by one trajectory each; memberships move along."""
        ...

    def deviations(self, state: State, mean: Floats) -> tuple[Floats, Floats]:
        """Return sums by topic of the affinities less their means, and of their squares."""
        ...

    def variance_sums(self, affinity_variance: float) -> Floats:
        """Return sums by topic of the affinities' variances about their modes."""
        ...

    # (eta, lambda) with the affinities moving along

    def fit_gaussians(self, state: State) -> Floats:
        """Fit Gaussians to the documents' likelihoods at their modes.

        Return their information about eta, topics x topics.
        """
        ...

    def standardise(self, state: State, address: Address | None) -> None:
        """Note what the move holds fixed; what of it is random is 0 without an address."""

    def log_density(
        self,
        mean: Floats,
        variance: float,
        *,
        with_value: bool = True,
        likelihood_known: bool = False,
    ) -> tuple[float, Floats, float]:
        """Return the log density at (eta, lambda2), and its slopes in eta and in log lambda.

        Without the value the slopes cost less. Where the documents are as `draw` left them the
        words' likelihood is known.
        """
        ...

    def accept(self, state: State) -> None:
        """Move affinities and memberships along, to the state's (eta, lambda2)."""

    def learned(self) -> list[Learned]:
        """Return the curvature of the affinities."""
        ...

    def learned_gaussians(self) -> list[Learned]:
        """Return the Gaussians."""
        ...


class LabelledDocuments(Documents, Protocol):
    """The same where documents have labels, of which they may be about one or another."""

    def swap(self, state: State, address: Address) -> Moves:
        """Let affinities of a document's labels change places; memberships move along."""
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
    """Running moments of this process' rows of an array."""

    @property
    def count(self) -> int:
        """How many draws there were."""
        ...

    def take(self, draw: Array, *, logarithm: bool = False) -> None:
        """Take in a draw of the array."""

    def take_rows(self, rows: Array) -> None:
        """Take in a draw of this process' rows."""

    def whole_mean(self) -> NDArray[np.floating]:
        """Return the mean of all rows; all processes ask for it."""
        ...

    def whole(self) -> RunningMoments:
        """Return the moments of all rows, on the first process; all of them ask for it."""
        ...

    def again(self) -> Moments:
        """Return moments of no draws."""
        ...


class Engine(Protocol):
    """A corpus, or a process' part of it, where the passes over it are made."""

    reduced: Reduced
    labels: Labels  #: the documents' labels, on the host
    exchange: Exchange
    word_totals: Floats  #: how often each word was counted

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
        """Let go of the counts, which the engine has in a form of its own."""

    # states and what is learned, from and to files

    def adopt(self, state: State) -> State:
        """Return a state of the host where the engine works on it."""
        ...

    def copied(self, state: State) -> State:
        """Return a state with arrays of its own."""
        ...

    def fetch(self, learned: Learned) -> NDArray[Any]:
        """Return an array on the host, whole on the first process; all of them ask for it."""
        ...

    def put(self, learned: Learned, host: NDArray[Any]) -> None:
        """Take over an array of the host, which is whole."""

    def shape(self, learned: Learned) -> tuple[int, ...]:
        """Return the shape of the whole array."""
        ...

    # the record

    def moments(
        self, kind: RowKind, width: tuple[int, ...], precision: type[np.floating]
    ) -> Moments:
        """Return moments of no draws."""
        ...

    def moments_from(self, kind: RowKind, whole: RunningMoments) -> Moments:
        """Return moments that go on from whole ones."""
        ...

    def exclusivity(self, rates: Array, sets: ComparisonSets) -> Array:
        """Return the exclusivity of this process' words; good until the next."""

    def scorer(self, words: NDArray[np.int32]) -> Callable[[Array, Array, NDArray[Any]], None]:
        """Return what fills the scores of some words of this process' topics.

        It is called with rates of all words, exclusivity of this process' and where to put scores.
        """
        ...

    def tracer(self, cells: Ints, labels: Ints) -> Callable[[State], tuple[Floats, Floats]]:
        """Return what looks up log rates at (word, node) cells, and memberships of labels."""
        ...

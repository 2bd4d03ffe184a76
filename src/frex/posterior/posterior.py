"""`Posterior`: the result of a fit."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from frex.corpus.documents import Details
from frex.errors import InputError
from frex.model.priors import DRIFT, HYPERPARAMETERS, Hyperparameters
from frex.posterior.branches import Branches

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from frex.posterior.measures import Backend
    from frex.tree import TopicTree


class Moment(NamedTuple):
    """Posterior mean and standard deviation of an array, over the draws of all chains."""

    mean: NDArray[np.float64]
    sd: NDArray[np.float64]


class Scored(NamedTuple):
    """Draws of the scores of each topic's leading words.

    An ECDF is over all words of the topic, and ties share the highest rank. So a word's FREX in a
    draw can be computed without the other words.
    """

    words: NDArray[np.int32]  #: topics x candidates: word numbers
    values: NDArray[np.float32]  #: draws x 4 x topics x candidates, in the order of `SCORED`


SCORED = ("log_rate", "exclusivity", "rate_ecdf", "exclusivity_ecdf")
"""The rows of `Scored.values`."""


class Typical(NamedTuple):
    """The documents most typical of each topic, by `frex.posterior.typical`."""

    starts: NDArray[np.int64]  #: topics + 1; topic k has rows starts[k] to starts[k+1], best first
    documents: NDArray[np.int64]  #: row numbers, as in `Posterior.ids`
    scores: NDArray[np.float64]
    words: NDArray[np.int32]  #: rows x 8: the strongest evidence for the topic; then -1


@dataclass(frozen=True, eq=False, repr=False)
class Posterior:
    """Means and standard deviations of all estimates, and draws of the traced parameters.

    The constructor does not validate its arguments; `frex.posterior.read_posterior` does.

    Attributes
    ----------
    tree
        The topics that were fitted: those of the taxonomy that have documents of their own or below
        them.
    words, surface, ids
        The corpus's vocabulary, display forms (or None) and document ids.
    labels
        Documents x topics; its pattern is that of the memberships.
    mean_length
        Number of tokens of a document with exposure 1.
    settings
        Settings of the fit as JSON values: `method` (``"sample"`` or ``"map"``), `warmup`, `draws`
        and `chains` as requested, `seed`, and the other settings of the method.
    moments
        `log_rates` (words x nodes), `log_dispersions` (words x nodes with children), `memberships`
        (one for each stored label, in the order of `labels`), and any other array that a fit
        averaged; `prior_log_rates` (words x (1 + known topics)) if another fit was the prior of the
        first topics. Rates and dispersions are not averaged: exp of a Student-t has no mean. A MAP
        fit also has the hyperparameters here, by name, because it has no draws of them.
    exposures
        For each topic, the sum over its documents of their relative lengths times their posterior
        mean memberships: the amount of text about the topic, in documents of mean length.
    exclusivity
        Words x topics, for each comparison set by name.
    scored
        For each comparison set by name, draws of the scores of each topic's leading words. Empty in
        fits of old versions.
    typical
        The documents most typical of each topic; None in fits of old versions.
    draws
        By name, (chain, draw, ...): the hyperparameters, and the traced `log_rates` and
        `memberships`. Chains of an interrupted run are cut to the shortest.
    stats
        By name, (chain, draw): `acceptance_B`, `energy_error_B` and `step_size_B` of each block B,
        and `seconds`.
    traced_rates
        Word and node of each traced log rate, one row each.
    traced_memberships
        Document and topic (column of `labels`) of each traced membership, one row each.
    complete
        Whether the run reached its end; False if the user stopped it.
    analyzer
        The text options of the corpus (see `Corpus.analyzer`), or None.
    given_taxonomy
        The corpus's topics, if some of them were left out.
    details
        Details of the corpus's documents: titles, links, dates and further fields.
    """

    tree: TopicTree
    words: Sequence[str]
    ids: Sequence[str]
    labels: csr_array
    mean_length: float
    settings: Mapping[str, Any]
    moments: Mapping[str, Moment]
    exposures: NDArray[np.float64]
    exclusivity: Mapping[str, Moment] = field(default_factory=dict)
    draws: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    stats: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    traced_rates: NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 2), np.int64))
    traced_memberships: NDArray[np.int64] = field(
        default_factory=lambda: np.empty((0, 2), np.int64)
    )
    surface: Sequence[str] | None = None
    complete: bool = True
    scored: Mapping[str, Scored] = field(default_factory=dict)
    typical: Typical | None = None
    analyzer: Mapping[str, Any] | None = None
    given_taxonomy: TopicTree | None = None
    details: Details = field(default_factory=Details)

    def __post_init__(self) -> None:
        shapes = {array.shape[:2] for array in (*self.draws.values(), *self.stats.values())}
        assert len(shapes) <= 1, f"chains and draws differ: {shapes}"

    def __repr__(self) -> str:
        made = f"{self.n_chains} x {self.n_draws} draws" if self.draws else "no draws"
        return f"Posterior({len(self.words):,} words, {self.tree.n_topics:,} topics, {made})"

    @property
    def n_chains(self) -> int:
        """Number of chains; 0 without draws."""
        return next(iter(self.draws.values())).shape[0] if self.draws else 0

    @property
    def n_draws(self) -> int:
        """Number of draws in each chain."""
        return next(iter(self.draws.values())).shape[1] if self.draws else 0

    @property
    def n_known(self) -> int:
        """Number of the first topics whose prior was another fit."""
        return int(self.settings.get("n_known", 0))

    @property
    def taxonomy(self) -> TopicTree:
        """The corpus's topics, including those without documents."""
        return self.tree if self.given_taxonomy is None else self.given_taxonomy

    @cached_property
    def without_documents(self) -> tuple[str, ...]:
        """Names of the topics of the taxonomy that were not fitted, in its order."""
        return tuple(name for name in self.taxonomy.topics if name not in self.tree)

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        """For each topic of the tree, its column among the topics of the taxonomy."""
        return np.array([self.taxonomy.node(name) - 1 for name in self.tree.topics], np.int64)

    def find(self, topic: str) -> int:
        """Return the node of a topic, as `TopicTree.find`; raise an error if it was not fitted.

        Parameters
        ----------
        topic
            Its name, or a unique title.
        """
        name = self.taxonomy.names[self.taxonomy.find(topic)]
        if name not in self.tree:
            raise InputError(
                f"the topic {name!r} has no documents, nor has any below it: nothing is known of "
                "its words",
                remedy="File documents under it and fit again, or choose another topic.",
            )
        return self.tree.node(name)

    @cached_property
    def rates(self) -> NDArray[np.float64]:
        """Typical rates, exp of the posterior means of the log rates: words x nodes, root first.

        The mean of a rate need not exist, because a log rate has the tails of a Student-t.
        """
        rates: NDArray[np.float64] = np.exp(self.log_rates.mean)
        return rates

    @cached_property
    def branches(self) -> Branches:
        """The branches of topics: their own documents together with all documents below."""
        return Branches(self.tree, self.log_rates.mean, self.exposures)

    @property
    def log_rates(self) -> Moment:
        """Log rates mu, words x nodes; column 0 is the root."""
        return self.moments["log_rates"]

    @property
    def dispersions(self) -> NDArray[np.float64]:
        """Typical dispersions tau2, words x nodes that have children, in node order."""
        dispersions: NDArray[np.float64] = np.exp(self.moments["log_dispersions"].mean)
        return dispersions

    @property
    def memberships(self) -> Moment:
        """Memberships theta of the stored labels, in the order of `labels`."""
        return self.moments["memberships"]

    @property
    def frequency(self) -> NDArray[np.float64]:
        """Typical rate of each word in each topic, words x topics."""
        return self.rates[:, 1:]

    def membership_matrix(self) -> csr_array[np.float64]:
        """Return the posterior mean memberships, documents x topics."""
        return csr_array(
            (self.memberships.mean, self.labels.indices, self.labels.indptr),
            shape=self.labels.shape,
        )

    @property
    def hyperparameters(self) -> Hyperparameters:
        """Posterior means of the hyperparameters."""
        means = {}
        for name in (*HYPERPARAMETERS, DRIFT):
            if name in self.draws and self.n_draws:
                means[name] = np.mean(self.draws[name], axis=(0, 1))
            elif name in self.moments:
                means[name] = self.moments[name].mean
            elif name != DRIFT:
                raise InputError(
                    f"the fit holds no value of {name}",
                    remedy="Let the run make at least one draw.",
                )
        return Hyperparameters(**means).checked(self.tree.n_topics)

    def element_names(self, name: str, shape: tuple[int, ...]) -> list[str]:
        """Return the names of the elements of a stored variable, in the order of its array.

        Examples are ``affinity_mean[Sports]`` and ``log_rates[goal, Sports]``; a scalar has the
        bare name.

        Parameters
        ----------
        name, shape
            The variable, and the shape of one draw of it.
        """
        if not shape:
            return [name]
        if name in ("affinity_mean", DRIFT):
            inner = list(self.tree.topics[: shape[0]])
        elif name == "log_rates":
            inner = [f"{self.words[w]}, {self.tree.names[n]}" for w, n in self.traced_rates]
        elif name == "memberships":
            inner = [f"{self.ids[d]}, {self.tree.topics[k]}" for d, k in self.traced_memberships]
        else:
            inner = [", ".join(map(str, index)) for index in np.ndindex(shape)]
        return [f"{name}[{element}]" for element in inner]

    def summary(self, *, backend: Backend = "pandas") -> Any:
        """Return a table of the hyperparameters, one row each, and one for each affinity mean.

        Columns: `name`, `mean`, `sd`, `q5`, `q95`, `r_hat`, `ess_bulk`, `ess_tail`. A MAP fit has
        no draws, so it has only the estimate, and its standard deviation if known.

        Parameters
        ----------
        backend
            The data frame library of the result: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.
        """
        from frex.posterior.measures import as_table, measure  # noqa: PLC0415 - it imports this module

        return as_table(measure(self, (*HYPERPARAMETERS, DRIFT)), backend)

    def to_arviz(self) -> Any:
        """Return an ArviZ `DataTree` with groups `posterior`, `sample_stats` and `moments`."""
        from frex.posterior.labelled import to_arviz  # noqa: PLC0415 - it imports this module

        return to_arviz(self)

    def write(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Save the fit as a folder; `frex.posterior.read_posterior` reads it."""
        from frex.posterior.folder import write_posterior  # noqa: PLC0415 - it imports this module

        write_posterior(self, path, overwrite=overwrite)

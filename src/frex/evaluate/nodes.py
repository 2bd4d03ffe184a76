"""The nodes of a labelled fit as distributions over words, for the alignment of other topics.

A node is a topic with documents of its own. If the documents at and below a topic are in several
nodes, the topic has a second distribution, that of its branch, because a model with few topics may
find the branch as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.errors import InputError
from frex.posterior.guards import refuse_not_finite
from frex.posterior.words import score
from frex.scores import frequency

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.posterior import Posterior

    Array: TypeAlias = NDArray[np.float64]


class Nodes:
    """The nodes of a labelled fit, over the words that it shares with a model.

    Rows are the nodes with documents of their own, then the branches; both in the tree's order.

    Parameters
    ----------
    fit
        A fit with labels.
    words
        Numbers of the shared words, each once.

    Attributes
    ----------
    own, inner
        Numbers of the nodes with documents, and of those with a branch distribution.
    names
        Names of the rows; a node and its branch have the same.
    exposures
        Amount of text about each node of `own`.
    rates
        Rows x words, each row a distribution: the typical rates.
    background
        The distribution of all documents together.
    """

    def __init__(self, fit: Posterior, words: NDArray[np.int64]) -> None:
        refuse_not_finite(fit)
        if fit.settings.get("n_topics") or not fit.exposures.any():
            raise InputError(
                "the fit has no labels, so its topics are no standard",
                remedy="Name a fit of labelled documents first, and then the models.",
            )
        self.fit, self.words = fit, words
        self.own = np.flatnonzero(fit.exposures > 0) + 1
        self.inner = np.array(self._with_branches(), np.int64)
        self.rows = np.concatenate([self.own, self.inner])
        self.names = tuple(fit.tree.names[node] for node in self.rows)
        self.exposures = fit.exposures[self.own - 1]
        self.rates = self._distributions(fit.log_rates.mean[words])
        weights = self.exposures * np.exp(fit.log_rates.mean[words][:, self.own]).sum(axis=0)
        self.background = weights @ self.rates[: self.n_own] / weights.sum()

    @property
    def n_own(self) -> int:
        """Number of rows that are nodes with documents."""
        return len(self.own)

    def __len__(self) -> int:
        return len(self.rows)

    def below(self) -> NDArray[np.bool_]:
        """Return which nodes of `own` are in the branch of each row: rows x `own`."""
        return np.asarray(self._lineage()[np.ix_(self.own, self.rows)].T)

    def distances(self) -> Array:
        """Return the distances in the tree between nodes of `own`, divided by the largest."""
        lineage = self._lineage()[self.own].astype(np.float64)
        depth = lineage.sum(axis=1)
        steps = depth[:, None] + depth - 2 * lineage @ lineage.T
        return np.asarray(steps / max(steps.max(), 1.0))

    def best_words(self, n: int) -> NDArray[np.int64]:
        """Return the positions, in `words`, of the n best words by FREX of each node of `own`."""
        scores = score(self.fit, of="topic")[self.own - 1][:, self.words]
        return np.argsort(-scores, axis=1, kind="stable")[:, :n]

    def draws(self, n: int, seed: int) -> Iterator[Array]:
        """Yield draws of `rates`, rows x words.

        The log rates of a topic's leading words are the stored draws. All others are simulated with
        the fit's mean, standard deviation and the skewness of a Poisson likelihood: the term E
        exp(mu) has a third derivative of E exp(mu), so the skewness is about -E exp(mu) sd^3.
        Without it, rare words would get too much probability, and the divergences would be too
        large.

        Parameters
        ----------
        n, seed
            Number of draws, and the seed of the simulated ones.
        """
        rng = np.random.default_rng(seed)
        mean, sd = (part[self.words] for part in self.fit.log_rates)
        if not np.isfinite(sd).all():
            raise InputError(
                "the fit has a single draw, and no spread", remedy="Fit with more --draws."
            )
        exposures = np.concatenate([[0.0], self.fit.exposures])
        skewness = np.clip(-exposures * np.exp(mean) * sd**3, -1.0, 0.0)
        followed = list(self._followed())
        for draw in range(n):
            normal = rng.standard_normal(mean.shape)
            log_rates = mean + sd * (normal + skewness / 6 * (normal**2 - 1))  # Cornish and Fisher
            for node, places, values in followed:
                log_rates[places, node] = values[draw * len(values) // n]
            yield self._distributions(log_rates)

    def _with_branches(self) -> list[int]:
        """Return the nodes with documents in more than one node of their branch."""
        tree, exposures = self.fit.tree, self.fit.exposures
        below = np.concatenate([[0.0], tree.sum_up(exposures)])
        found = []
        for node in range(1, tree.n_nodes):
            places = sum(below[child] > 0 for child in tree.children(node))
            if places + (exposures[node - 1] > 0) > 1:
                found.append(node)
        return found

    def _distributions(self, log_rates: Array) -> Array:
        """Return own and branch distributions from log rates, words x nodes of the tree."""
        rates = np.exp(log_rates.T)
        below = self.fit.tree.sum_up(rates[1:] * self.fit.exposures[:, None])
        return frequency(np.concatenate([rates[self.own], below[self.inner - 1]]))

    def _lineage(self) -> NDArray[np.bool_]:
        """Return which nodes are above each node, including itself."""
        tree = self.fit.tree
        found = np.eye(tree.n_nodes, dtype=np.bool_)
        for node in range(1, tree.n_nodes):
            found[node] |= found[tree.parents[node]]
        return found

    def _followed(self) -> Iterator[tuple[int, NDArray[np.int64], Array]]:
        """Yield node, positions in `words`, and the stored draws of log rates."""
        if not self.fit.scored:
            return
        kept = next(iter(self.fit.scored.values()))
        place = np.full(len(self.fit.words), -1)
        place[self.words] = np.arange(len(self.words))
        for topic, candidates in enumerate(kept.words):
            known = place[candidates] >= 0
            values = kept.values[:, 0, topic][:, known].astype(np.float64)
            if known.any() and len(values):
                yield topic + 1, place[candidates[known]], values


def shared_words(
    fit: Posterior, words: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Match a model's words to those of a fit, by stem or else by display form.

    Parameters
    ----------
    fit, words
        The fit, and the model's words.

    Returns
    -------
    tuple
        Numbers of the fit's words that the model has; and the position of each word of the model
        among these, or -1.
    """
    number = {word: place for place, word in enumerate(fit.words)}
    for place, form in enumerate(fit.surface or ()):
        number.setdefault(form.casefold(), place)
    found = np.array(
        [number.get(word, number.get(word.casefold(), -1)) for word in words], np.int64
    )
    shared = np.unique(found[found >= 0])
    if len(shared) < 2:
        raise InputError(
            f"{len(shared)} of the model's words are words of the fit",
            remedy="Compare models of one language, with words or stems as the fit has them.",
        )
    places = np.where(found >= 0, np.searchsorted(shared, found), -1)
    return shared, places

"""The generative process, one function a line of section 1 of the model.

Per word: a root log rate, one dispersion for each parent, then log rates down the tree. Per
document: affinities, labels, memberships, counts. Every function takes what the lines before it
drew and a random generator, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.special import expit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.priors import Hyperparameters
    from frex.tree import TopicTree


def parent_nodes(tree: TopicTree) -> NDArray[np.intp]:
    """Return the nodes that have children, in node order: the columns of the dispersions."""
    return np.unique(tree.parents[1:]).astype(np.intp)


def draw_root_log_rates(
    hyper: Hyperparameters, n_words: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """``mu[f,0] ~ Normal(psi, gamma2)``."""
    return rng.normal(hyper.root_mean, np.sqrt(hyper.root_variance), n_words)


def draw_dispersions(
    tree: TopicTree, hyper: Hyperparameters, n_words: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """``tau2[f,p] ~ Scaled-Inv-chi2(nu, sigma2)`` for every node ``p`` that has children."""
    nu = hyper.dispersion_df
    chi2 = rng.chisquare(nu, (n_words, len(parent_nodes(tree))))
    with np.errstate(divide="ignore", over="ignore"):  # below one degree of freedom chi2 can be 0
        return nu * hyper.dispersion_scale / chi2


def draw_log_rates(
    tree: TopicTree,
    root_log_rates: NDArray[np.float64],
    dispersions: NDArray[np.float64],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """``mu[f,j] ~ Normal(mu[f,p], tau2[f,p])`` for each child ``j`` of ``p``; root first."""
    column = {int(node): i for i, node in enumerate(parent_nodes(tree))}
    log_rates = np.empty((len(root_log_rates), tree.n_nodes))
    log_rates[:, 0] = root_log_rates
    for node in range(1, tree.n_nodes):  # parents come first
        parent = int(tree.parents[node])
        sd = np.sqrt(dispersions[:, column[parent]])
        log_rates[:, node] = log_rates[:, parent] + sd * rng.standard_normal(len(sd))
    return log_rates


def draw_affinities(
    hyper: Hyperparameters, n_documents: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """``xi[d] ~ Normal(eta, lambda2 Identity)``, over all topics."""
    shape = (n_documents, len(hyper.affinity_mean))
    return rng.normal(hyper.affinity_mean, np.sqrt(hyper.affinity_variance), shape)


def draw_labels(affinities: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """``I[d,k] ~ Bernoulli(logistic(xi[d,k]))``."""
    labels: NDArray[np.bool_] = rng.random(affinities.shape) < expit(affinities)
    return labels


def draw_labelled(
    hyper: Hyperparameters, n_documents: int, rng: np.random.Generator, *, redraw: bool
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """``xi`` and ``I``; with `redraw`, given that each document has a label.

    A document without a label is then drawn again until it has one.
    """
    affinities = draw_affinities(hyper, n_documents, rng)
    labels = draw_labels(affinities, rng)
    while redraw and len(without := np.flatnonzero(~labels.any(axis=1))):
        affinities[without] = draw_affinities(hyper, len(without), rng)
        labels[without] = draw_labels(affinities[without], rng)
    return affinities, labels


def active_affinities(
    affinities: NDArray[np.float64], labels: NDArray[np.bool_]
) -> csr_array[np.float64]:
    """Keep ``xi[d,k]`` where ``I[d,k] = 1``: the pattern of the result is the labels."""
    indptr = np.concatenate([[0], np.cumsum(labels.sum(axis=1))])
    return csr_array((affinities[labels], labels.nonzero()[1], indptr), shape=labels.shape)


def memberships(active: csr_array[np.float64]) -> csr_array[np.float64]:
    """``theta[d,k] = exp(xi[d,k]) I[d,k] / sum_j exp(xi[d,j]) I[d,j]``; no label, no membership."""
    n_documents = active.shape[0]
    document = _rows(active)
    highest = np.full(n_documents, -np.inf)
    np.maximum.at(highest, document, active.data)
    weight = np.exp(active.data - highest[document])
    theta = weight / np.bincount(document, weight, n_documents)[document]
    return csr_array((theta, active.indices, active.indptr), shape=active.shape)


def draw_counts(
    rates: NDArray[np.float64],
    memberships: csr_array[np.float64],
    exposures: NDArray[np.float64],
    rng: np.random.Generator,
) -> csr_array[np.int32]:
    """``w[f,d] ~ Poisson(l_d theta_d' beta_f)``, in time that grows with the tokens, not ``D V``.

    Parameters
    ----------
    rates
        ``V x K``, the topics' rates without the root's.
    memberships
        ``D x K``.
    exposures
        ``l_d``, one per document.
    rng
        The source of randomness.
    """
    # w[f,d] is a sum over topics of independent w[f,d,k] ~ Poisson(l_d theta_dk beta_fk). Poissons
    # with a given total are multinomial, and their total is Poisson of the summed rate. So
    # n[d,k] ~ Poisson(l_d theta_dk B_k), B_k = sum_f beta_fk, followed by n[d,k] words drawn
    # independently from beta_.k / B_k, gives exactly the same joint distribution.
    n_words, n_topics = rates.shape
    document, topic = _rows(memberships), memberships.indices
    tokens = rng.poisson(exposures[document] * memberships.data * rates.sum(axis=0)[topic])
    order = np.argsort(topic, kind="stable")
    per_topic = np.bincount(topic, tokens, n_topics).astype(np.int64)
    words = np.concatenate(
        [_draw_words(rates[:, k], per_topic[k], rng) for k in range(n_topics)], dtype=np.int32
    )
    documents = np.repeat(document[order], tokens[order]).astype(np.int32)
    ones = np.ones(len(words), dtype=np.int32)
    shape = (memberships.shape[0], n_words)
    return coo_array((ones, (documents, words)), shape=shape).tocsr()


def _draw_words(
    rates: NDArray[np.float64], n_tokens: int, rng: np.random.Generator
) -> NDArray[np.intp]:
    """Draw words in proportion to their rates, by inversion of the distribution function."""
    if n_tokens == 0:
        return np.empty(0, dtype=np.intp)
    cumulative = np.cumsum(rates)
    # u < 1 keeps u * total below the total after rounding too, so the index is a word's
    at: NDArray[np.float64] = rng.random(n_tokens) * cumulative[-1]
    return np.searchsorted(cumulative, at, side="right")


def _rows(matrix: csr_array[np.float64]) -> NDArray[np.intp]:
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))

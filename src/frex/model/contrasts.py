"""The unsupervised variant, PCM: every topic in every document (section 9 of the model).

A root with ``K`` children and no labels: ``theta_d = softmax(xi_d)``, ``xi_d ~ Normal(eta,
lambda2)``. The softmax does not depend on the level of ``xi_d``, its mean over topics, and the
Gaussian is spherical. So the level is independent of the contrasts, ``xi_d`` minus its level, and
of everything else in the model. It is integrated out, exactly, by leaving it out:

    H' xi_d ~ Normal(H' eta, lambda2 Identity),        H' eta ~ Normal(0, s2 Identity)

with ``H`` an orthonormal basis of the contrasts and ``s2`` the variance of the prior of each
``eta_k``. These are ``K - 1`` affinities as in HPC, without labels, and its densities apply to
them unchanged. The words do not depend on the mean of ``eta`` either: ``xi_d`` and ``eta`` are
represented by the vectors that sum to 0.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array
from scipy.special import softmax

from frex.errors import InputError
from frex.model.hyperparameters import AffinityStatistics
from frex.model.priors import Normal, PaperPriors
from frex.model.reductions import reduce
from frex.tree import TopicTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.model.affinities import Document
    from frex.model.known import KnownTopics
    from frex.model.priors import Priors
    from frex.model.reductions import Reduced

FEWEST_TOPICS = 2


def with_every_topic(corpus: Corpus, n_topics: int, tree: TopicTree | None = None) -> Corpus:
    """Return the corpus with topics ``topic 1`` to ``topic K``, each a label of every document.

    Labels of the documents are ignored. The topics may be those of a tree.
    """
    if n_topics < FEWEST_TOPICS:
        raise InputError(f"{n_topics} topics were asked for", remedy="Ask for 2 or more.")
    n_documents = corpus.n_documents
    starts = label_starts(n_documents, n_topics)
    topics = np.tile(np.arange(n_topics, dtype=np.int32), n_documents)
    labels = csr_array(
        (np.ones(len(topics), dtype=np.bool_), topics, starts), shape=(n_documents, n_topics)
    )
    names = [f"topic {number}" for number in range(1, n_topics + 1)]
    return replace(corpus, labels=labels, tree=tree or TopicTree(names, [None] * n_topics))


def label_starts(n_documents: int, n_topics: int) -> NDArray[np.int64]:
    """Return where each document's labels begin, and where all end: ``D K`` may exceed 2^31."""
    return np.arange(n_documents + 1, dtype=np.int64) * n_topics


def reduce_unlabelled(corpus: Corpus, known: KnownTopics | None = None) -> Reduced:
    """Return the data of a corpus `with_every_topic`: all documents are in ``M``.

    A fit may be the prior of the first topics.
    """
    return reduce(corpus, conditioned=False)._replace(labelled=False, known=known)


def contrast_basis(n_topics: int) -> NDArray[np.float64]:
    """``H``, ``K x (K - 1)``: columns orthonormal, each with the sum 0 (Helmert's)."""
    basis = np.zeros((n_topics, n_topics - 1))
    for j in range(1, n_topics):
        basis[:j, j - 1], basis[j, j - 1] = 1, -j
        basis[:, j - 1] /= np.sqrt(j * (j + 1))
    return basis


def centred(affinities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Subtract the level: the result sums to 0 along the last axis."""
    contrasts: NDArray[np.float64] = affinities - affinities.mean(axis=-1, keepdims=True)
    return contrasts


def contrast_priors(priors: Priors) -> Priors:
    """Return the priors with that of each ``H' eta`` in place of that of each ``eta_k``."""
    if isinstance(priors, PaperPriors):
        return priors
    return replace(priors, affinity_mean=Normal(0.0, priors.affinity_mean.scale))


def contrast_statistics(
    affinities: NDArray[np.float64], basis: NDArray[np.float64]
) -> AffinityStatistics:
    """Summarise the ``D x K`` contrasts for ``(H' eta, lambda)``, as `affinity_statistics` does.

    Only the sum of the squares is used, so it is distributed evenly here: a rotation of all
    documents would cost ``D K^2``.
    """
    n_documents, n_topics = affinities.shape
    mean = affinities.mean(axis=0)
    squares = float(((affinities - mean) ** 2).sum())
    none = np.zeros(n_topics - 1, dtype=np.int64)
    return AffinityStatistics(
        n_absent=none,
        n_single=none,
        n_active=np.full(n_topics - 1, n_documents),
        active_mean=basis.T @ mean,
        active_squares=np.full(n_topics - 1, squares / (n_topics - 1)),
    )


def contrast_log_density(
    affinities: NDArray[np.float64],
    document: Document,
    affinity_mean: NDArray[np.float64],
    affinity_variance: float,
) -> float:
    """Log density of a document's contrasts given everything else, up to a constant.

    This is `affinity_log_density` without the labels. For ``xi_d`` and ``eta`` that do not sum to
    0 it is the density of ``xi_d``.
    """
    theta = softmax(affinities)
    words = document.counts @ np.log(document.rates @ theta)
    expected = document.exposure * (document.totals @ theta)
    distance = ((affinities - affinity_mean) ** 2).sum()
    return float(words - expected - 0.5 * distance / affinity_variance)


def contrast_gradient(
    affinities: NDArray[np.float64],
    document: Document,
    affinity_mean: NDArray[np.float64],
    affinity_variance: float,
) -> NDArray[np.float64]:
    """Gradient of `contrast_log_density`; it sums to 0 if ``xi_d`` and ``eta`` do."""
    words = _word_gradient(softmax(affinities), document)
    return words - (affinities - affinity_mean) / affinity_variance


def contrast_weights(affinities: NDArray[np.float64], document: Document) -> NDArray[np.float64]:
    """Find ``a`` such that ``diag(a) - a a' / sum(a)`` approximates the words' curvature.

    That is the curvature of a softmax, diagonal plus rank one, and constant along the level like
    the words' own. The latter is ``sum_f w_f (r_f - theta)(r_f - theta)'`` plus a part that may be
    negative, which is replaced by ``max(0, -g)`` on the diagonal, ``g`` the words' gradient: this
    term limits the increase of a topic in a document that is not about it. With ``c`` the diagonal
    of both, ``a_k (1 - a_k / sum a)`` should be ``c_k``: one step towards that is taken from
    ``a = c``, which at most doubles each. Factorising, solving and drawing then cost ``O(K)`` for a
    document, not ``O(K^3)``.
    """
    theta = softmax(affinities)
    diagonal = document.counts @ (_shares(theta, document) - theta) ** 2
    diagonal += np.maximum(-_word_gradient(theta, document), 0.0)
    share = diagonal / max(float(diagonal.sum()), np.finfo(np.float64).tiny)
    weights: NDArray[np.float64] = diagonal / (1 - np.minimum(share, 0.5))
    return weights


def contrast_curvature(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the curvature given by `contrast_weights`, ``K x K``."""
    total = max(float(weights.sum()), np.finfo(np.float64).tiny)
    return np.diag(weights) - np.outer(weights, weights) / total


def _word_gradient(theta: NDArray[np.float64], document: Document) -> NDArray[np.float64]:
    """``sum_f w_f (r_f - theta) - l theta (B - theta' B)``."""
    found = document.counts @ (_shares(theta, document) - theta)
    expected = document.exposure * theta * (document.totals - theta @ document.totals)
    gradient: NDArray[np.float64] = found - expected
    return gradient


def _shares(theta: NDArray[np.float64], document: Document) -> NDArray[np.float64]:
    """``r_fk = theta_k beta_fk / theta' beta_f``: a topic's share of a word in the document."""
    shares = theta * document.rates
    shares /= shares.sum(axis=1, keepdims=True)
    return shares

"""Every topic in every document: the unsupervised variant, PCM (section 9 of the model).

A root with ``K`` children and no labels: ``theta_d = softmax(xi_d)``, ``xi_d ~ Normal(eta,
lambda2)``. The softmax does not see the level of ``xi_d``, its mean over topics, and the Gaussian
is spherical: so the level is independent of the contrasts, ``xi_d`` less its level, and nothing
else in the model meets it. It is integrated out, exactly, by leaving it out:

    H' xi_d ~ Normal(H' eta, lambda2 Identity),        H' eta ~ Normal(0, s2 Identity)

with ``H`` an orthonormal basis of the contrasts and ``s2`` the variance of the prior of each
``eta_k``. These are ``K - 1`` affinities as HPC has them, without labels, and its densities hold
for them as they are. The mean of ``eta`` is no parameter of the words either: what stands for
``xi_d`` and ``eta`` are the vectors that sum to 0.
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

    Labels that the documents have are forgotten. The topics may be those of a tree.
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
    """Return where each document's labels begin, and where all end: ``D K`` may pass 2^31."""
    return np.arange(n_documents + 1, dtype=np.int64) * n_topics


def reduce_unlabelled(corpus: Corpus, known: KnownTopics | None = None) -> Reduced:
    """Return the data of a corpus `with_every_topic`: all documents are in ``M``.

    Of the first topics a fit may be the prior.
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
    """Take away the level: what is left along the last axis sums to 0."""
    contrasts: NDArray[np.float64] = affinities - affinities.mean(axis=-1, keepdims=True)
    return contrasts


def contrast_priors(priors: Priors) -> Priors:
    """Return the priors with that of each ``H' eta`` in the place of that of each ``eta_k``."""
    if isinstance(priors, PaperPriors):
        return priors
    return replace(priors, affinity_mean=Normal(0.0, priors.affinity_mean.scale))


def contrast_statistics(
    affinities: NDArray[np.float64], basis: NDArray[np.float64]
) -> AffinityStatistics:
    """Summarise the ``D x K`` contrasts for ``(H' eta, lambda)``, as `affinity_statistics` does.

    Of the squares only the sum is ever looked at, so that it is shared out evenly here: a rotation
    of all documents would cost ``D K^2``.
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

    As `affinity_log_density` without the labels. The same for ``xi_d`` and ``eta`` that do not sum
    to 0, where it is the density of ``xi_d``.
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
    """Gradient of `contrast_log_density`; it sums to 0 where ``xi_d`` and ``eta`` do."""
    words = _word_gradient(softmax(affinities), document)
    return words - (affinities - affinity_mean) / affinity_variance


def contrast_weights(affinities: NDArray[np.float64], document: Document) -> NDArray[np.float64]:
    """Find ``a``, whose ``diag(a) - a a' / sum(a)`` stands for the words' curvature.

    That is the curvature of a softmax, diagonal plus rank one, and as blind to the level as the
    words' own. The latter is ``sum_f w_f (r_f - theta)(r_f - theta)'`` plus a part that may be
    negative, of which ``max(0, -g)`` on the diagonal is taken, ``g`` the words' gradient: it is
    what meets a topic on its way up into a document that is not about it. With ``c`` the diagonal
    of both, ``a_k (1 - a_k / sum a)`` is to be ``c_k``: one step towards that from ``a = c`` is
    taken, at most doubling any. Factor, solution and draw then cost ``K`` for a document, not
    ``K^3``.
    """
    theta = softmax(affinities)
    diagonal = document.counts @ (_shares(theta, document) - theta) ** 2
    diagonal += np.maximum(-_word_gradient(theta, document), 0.0)
    share = diagonal / max(float(diagonal.sum()), np.finfo(np.float64).tiny)
    weights: NDArray[np.float64] = diagonal / (1 - np.minimum(share, 0.5))
    return weights


def contrast_curvature(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the curvature that `contrast_weights` make, ``K x K``."""
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

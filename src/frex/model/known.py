"""Topics with rates from an earlier fit: a prior for documents without labels.

Log rates are relative to offsets, ``mu[f,i] = o[f,i] + x[f,i]``, and the tree is PCM's, a root
with all topics below it:

    root            x[f,0] ~ Normal(psi,    s[f,0] + gamma2)
    known topic k   x[f,k] ~ Normal(x[f,0], s[f,k] + delta_k)
    extra topic j   x[f,j] ~ Normal(x[f,0], tau2[f]),          tau2 as in PCM

``o[f,k]`` is the fit's mean of the log rate, ``s[f,k]`` its variance, and ``delta_k`` the variance
of the topic's drift. The offset of the root and of the extra topics is the fit's mean at the root,
so ``x[f,0]`` is how much more, or less, all documents use a word than those of the fit. Its mean is
``psi`` and its variance ``gamma2``. Given the deviations

    e[f,0] = x[f,0] - psi,    e[f,k] = x[f,k] - x[f,0]

the variances are independent of one another. Each has the density below, in the logarithm of its
square root.

The offsets of a word that is not in the fit are the mean over words of the fit's log rates at the
root; ``s[f,0]`` is their variance, and ``s[f,k]`` the mean square of the differences between the
topic and the root over the words of the fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.priors import HalfNormal, Hyperparameters, Normal


@dataclass(frozen=True, eq=False)
class KnownTopics:
    """Prior means and variances of the log rates from a fit; they are fixed during a run.

    Attributes
    ----------
    offsets
        Words x nodes, the root first, then the known topics, then the extra ones.
    spreads
        Words x (1 + known topics): ``s``, of the root and the known topics.
    """

    offsets: NDArray[np.float64]
    spreads: NDArray[np.float64]

    @property
    def n_known(self) -> int:
        """Number of known topics."""
        return int(self.spreads.shape[1]) - 1

    @property
    def n_extra(self) -> int:
        """Number of extra topics."""
        return int(self.offsets.shape[1]) - 1 - self.n_known

    @cached_property
    def factors(self) -> NDArray[np.float64]:
        """Factors that turn ``exp(x)`` into a rate, words x nodes."""
        factors: NDArray[np.float64] = np.exp(self.offsets)
        return factors

    def variances(self, hyper: Hyperparameters) -> NDArray[np.float64]:
        """Variances of the root and of known topics about their means, words x (1 + known)."""
        variances: NDArray[np.float64] = self.spreads + drift_variances(hyper)
        return variances


def drift_variances(hyper: Hyperparameters) -> NDArray[np.float64]:
    """``gamma2``, then ``delta``."""
    return np.append(hyper.root_variance, hyper.drift_variance)


def known_topics(
    means: NDArray[np.float64],
    variances: NDArray[np.float64],
    rows: NDArray[np.int64],
    n_extra: int,
    level: float = 0.0,
) -> KnownTopics:
    """Return offsets and spreads for the words of a corpus.

    Parameters
    ----------
    means, variances
        Of the fit's log rates, its words x (1 + known topics), the root first.
    rows
        For each word of the corpus its row in the fit; -1 for a word that the fit does not know.
    n_extra
        Extra topics.
    level
        Added to all offsets: the log ratio of the lengths of the documents and those of the fit.
    """
    unknown, root = rows < 0, means[:, 0]
    from_root = ((means[:, 1:] - root[:, None]) ** 2 + variances[:, 1:]).mean(axis=0)
    known_means = np.where(unknown[:, None], root.mean(), means[rows])
    spreads = np.where(unknown[:, None], np.append(root.var(), from_root), variances[rows])
    # the root of a word of the fit varies by ``gamma2`` alone
    spreads[~unknown, 0] = 0.0
    extra = np.repeat(known_means[:, :1], n_extra, axis=1)
    return KnownTopics(np.hstack([known_means, extra]) + level, spreads)


def deviation_squares(
    known: KnownTopics, log_rates: NDArray[np.float64], root_mean: float
) -> NDArray[np.float64]:
    """Squares of ``e``, words x (1 + known topics); `log_rates` are relative to the offsets."""
    about = np.repeat(log_rates[:, :1], 1 + known.n_known, axis=1)
    about[:, 0] = root_mean
    squares: NDArray[np.float64] = (log_rates[:, : 1 + known.n_known] - about) ** 2
    return squares


def drift_log_density(
    log_sd: NDArray[np.float64],
    squares: NDArray[np.float64],
    spreads: NDArray[np.float64],
    prior: HalfNormal,
) -> float:
    """Log density of the drifts' log standard deviations given ``e``, up to a constant.

    ``-1/2 sum_f [log v + e^2 / v]``, ``v = s + exp(2 z)``, for each ``z`` separately, plus the
    prior.
    """
    v = spreads + np.exp(2 * log_sd)
    return float(-0.5 * (np.log(v) + squares / v).sum() + np.sum(prior.log_density_of_log(log_sd)))


def drift_gradient(
    log_sd: NDArray[np.float64],
    squares: NDArray[np.float64],
    spreads: NDArray[np.float64],
    prior: HalfNormal,
) -> NDArray[np.float64]:
    """Gradient of `drift_log_density`: ``sum_f r (e^2 / v - 1)``, ``r = exp(2 z) / v``."""
    delta = np.exp(2 * log_sd)
    v = spreads + delta
    slopes: NDArray[np.float64] = (delta / v * (squares / v - 1)).sum(axis=0)
    return np.asarray(slopes + prior.gradient_of_log(log_sd))


def drift_hessian(
    log_sd: NDArray[np.float64],
    squares: NDArray[np.float64],
    spreads: NDArray[np.float64],
    prior: HalfNormal,
) -> NDArray[np.float64]:
    """Return the diagonal of its diagonal Hessian: ``sum_f 2 r [(1 - 2 r) e^2/v + r - 1]``.

    The derivative of ``r`` is ``2 r (1 - r)``, that of ``e^2 / v`` is ``-2 r e^2 / v``.
    """
    delta = np.exp(2 * log_sd)
    v = spreads + delta
    r, ratio = delta / v, squares / v
    bends: NDArray[np.float64] = (2 * r * ((1 - 2 * r) * ratio + r - 1)).sum(axis=0)
    return np.asarray(bends + prior.second_derivative_of_log(log_sd))


def level_conditional(
    root: NDArray[np.float64], variances: NDArray[np.float64], prior: Normal
) -> tuple[float, float]:
    """Return mean and variance of ``psi`` given ``x[f,0]`` and their variances about it."""
    precision = float((1 / variances).sum()) + prior.scale**-2
    pull = float((root / variances).sum()) + prior.location * prior.scale**-2
    return pull / precision, 1 / precision


def drift_of_words(
    deviations: NDArray[np.float64],
    deviation_variances: NDArray[np.float64],
    spreads: NDArray[np.float64],
    drift_variance: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return mean and variance of the drift of each word of a known topic.

    A deviation ``e`` is the sum of the fit's error and the drift; given the sum the drift
    is ``Normal(r e, r s)``, ``r = delta / (s + delta)``.

    Parameters
    ----------
    deviations, deviation_variances
        Posterior means and variances of ``e``.
    spreads
        ``s`` of the topic.
    drift_variance
        ``delta``.
    """
    r = drift_variance / (spreads + drift_variance)
    return r * deviations, r * spreads + r * r * deviation_variances

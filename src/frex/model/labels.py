"""Probability that a topic labels a document, with the affinity integrated out.

``P1(eta, lambda) = integral of logistic(x) Normal(x; eta, lambda^2) dx`` and ``P0 = 1 - P1``.
An affinity on which the words do not depend enters the rest of the model only through these
(section 2.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import log_expit

from frex.errors import InputError
from frex.model.priors import LOG_TWO_PI

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# The logistic's poles lie at distance pi from the real line. Moving the line of integration 2.84
# towards them multiplies the integrand's integral by no more than 7 exp(2.84^2 / (2 lambda^2)), and
# that bounds the trapezoidal rule's relative error by 14 exp(4.1 / lambda^2 - 2 pi 2.84 / step):
# below 1e-17 for a step of 0.4 and lambda > 1.2. For smaller lambda the Gaussian limits the step
# instead: a third of lambda leaves less than 1e-17 too, and less the smaller lambda is.
LOGISTIC_STEP = 0.4
GAUSSIAN_STEP = 1 / 3

# The integrand's logarithm has a second derivative between -1/lambda^2 - 1/4 and -1/lambda^2. So
# beyond nine lambda from its mode lies a share of at most 2.3e-19 sqrt(1 + lambda^2 / 4) of it,
# whatever eta is.
REACH = 9.0


def log_label_probability(
    affinity_mean: ArrayLike, affinity_sd: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Log probability that a topic does not, and that it does, label a document.

    Both have full relative accuracy in either tail: the logarithm of a probability of 1e-200 is as
    accurate as that of one half.

    Parameters
    ----------
    affinity_mean
        ``eta``, of any shape.
    affinity_sd
        ``lambda``, positive.

    Returns
    -------
    log_p0, log_p1
        Arrays of the shape of ``affinity_mean``.
    """
    mean = np.asarray(affinity_mean, dtype=np.float64)
    _check_sd(affinity_sd)
    # logistic(-x) = 1 - logistic(x), and the Gaussian is symmetric
    return _log_mean_logistic(-mean, affinity_sd), _log_mean_logistic(mean, affinity_sd)


def log_probability_of_any_label(log_p0: NDArray[np.float64], log_p1: NDArray[np.float64]) -> float:
    """``log(1 - prod_k P0_k)``: the log probability that a document has at least one label.

    One of its labels comes first in the order of the topics, so the probability is
    ``sum_k P1_k prod_{j<k} P0_j``. Nothing cancels in this sum: if all labels are rare, and
    ``prod_k P0_k`` is 1 to rounding, it is still relatively accurate.

    Parameters
    ----------
    log_p0, log_p1
        As of `log_label_probability`, one for each topic.
    """
    none_before = np.zeros(len(log_p0))
    np.cumsum(log_p0[:-1], out=none_before[1:])
    return float(np.logaddexp.reduce(log_p1 + none_before))


class LabelDerivatives(NamedTuple):
    """`log_label_probability` with its derivatives in ``eta`` and ``log lambda``.

    The arrays have the shape of the means, after a first axis over the derivatives.
    """

    log_p0: NDArray[np.float64]
    log_p1: NDArray[np.float64]
    gradient_p0: NDArray[np.float64]  #: of log_p0 in eta, in log lambda
    gradient_p1: NDArray[np.float64]
    hessian_p0: NDArray[np.float64]  #: of log_p0 in eta twice, in both, in log lambda twice
    hessian_p1: NDArray[np.float64]


def label_probability_derivatives(affinity_mean: ArrayLike, affinity_sd: float) -> LabelDerivatives:
    """Log label probabilities with first and second derivatives in ``eta`` and ``log lambda``.

    Parameters
    ----------
    affinity_mean
        ``eta``, of any shape.
    affinity_sd
        ``lambda``, positive.
    """
    # With x = eta + lambda z, z standard normal, every derivative of P1 is an integral against
    # Q q(z) = logistic'(x) Normal(z), q a density; x has the derivatives 1 in eta and lambda z in
    # log lambda, and logistic'' = logistic' t with t = 1 - 2 logistic(x). Q is integrated in log
    # space like P0 and P1, so that Q / P1 and Q / P0 keep their relative accuracy in both tails.
    mean, sd = np.asarray(affinity_mean, dtype=np.float64), affinity_sd
    _check_sd(sd)
    # One grid for all three. The logarithm of logistic' is that of logistic(x) plus that of
    # logistic(-x), so its slope, and with it the mode of q, lies between theirs.
    z, log_weight = _grid(-_highest_mode(-mean, sd), _highest_mode(mean, sd), sd)
    x = mean[..., None] + sd * z
    log_logistic = log_expit(x)
    log_normal = -0.5 * z * z
    log_p1, _ = _log_sum(log_logistic + log_normal, log_weight)
    log_p0, _ = _log_sum(log_logistic - x + log_normal, log_weight)
    log_q, weight = _log_sum(2 * log_logistic - x + log_normal, log_weight)

    shift = sd * z
    tilt = -np.tanh(0.5 * x) * weight
    mean_shift = (weight * shift).sum(axis=-1)
    bent = (tilt * shift).sum(axis=-1)
    first = np.stack([np.ones_like(mean), mean_shift])
    second = np.stack([tilt.sum(axis=-1), bent, (tilt * shift * shift).sum(axis=-1) + mean_shift])

    def derivatives(
        log_p: NDArray[np.float64], sign: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        ratio = sign * np.exp(log_q - log_p)
        gradient = ratio * first
        return gradient, ratio * second - gradient[[0, 0, 1]] * gradient[[0, 1, 1]]

    gradient_p0, hessian_p0 = derivatives(log_p0, -1.0)
    gradient_p1, hessian_p1 = derivatives(log_p1, 1.0)
    return LabelDerivatives(log_p0, log_p1, gradient_p0, gradient_p1, hessian_p0, hessian_p1)


def _log_sum(
    log_integrand: NDArray[np.float64], log_weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the log integral over the last axis, and the integrand's share at each point."""
    highest = log_integrand.max(axis=-1)
    share = np.exp(log_integrand - highest[..., None])
    total = share.sum(axis=-1)
    share /= total[..., None]
    return np.log(total) + highest + log_weight, share


def _log_mean_logistic(mean: NDArray[np.float64], sd: float) -> NDArray[np.float64]:
    """Trapezoidal rule for ``log E logistic(mean + sd z)``, ``z ~ Normal(0, 1)``."""
    z, log_weight = _grid(np.zeros_like(mean), _highest_mode(mean, sd), sd)
    return _log_sum(log_expit(mean[..., None] + sd * z) - 0.5 * z * z, log_weight)[0]


def _highest_mode(mean: NDArray[np.float64], sd: float) -> NDArray[np.float64]:
    """Bound ``z`` at the mode of ``logistic(mean + sd z) Normal(z; 0, 1)``; it is never below 0."""
    # The mode x solves x - mean = sd^2 logistic(-x). Hence mean <= x <= mean + sd^2, and, because
    # logistic(-x) <= exp(-x), also x <= max(mean, 0) + log(1 + sd^2).
    highest: NDArray[np.float64]
    highest = np.minimum(sd, (np.maximum(-mean, 0.0) + np.log1p(sd * sd)) / sd)
    return highest


def _grid(
    lowest_mode: NDArray[np.float64], highest_mode: NDArray[np.float64], sd: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a grid in ``z`` for each mean, along a new last axis, and the log of its weight.

    The weight of a point is the step times the normal density's constant.
    """
    width = highest_mode - lowest_mode + 2 * REACH
    n_steps = int(np.ceil(width.max(initial=0.0) / min(GAUSSIAN_STEP, LOGISTIC_STEP / sd))) + 1
    step = width / n_steps
    start = lowest_mode - REACH
    z = start[..., None] + step[..., None] * np.arange(n_steps + 1)
    return z, np.log(step) - 0.5 * LOG_TWO_PI


def _check_sd(affinity_sd: float) -> None:
    if not (np.isfinite(affinity_sd) and affinity_sd > 0):
        raise InputError(
            f"the affinities' standard deviation is {affinity_sd}",
            remedy="Give a positive, finite number.",
        )

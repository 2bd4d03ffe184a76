"""How likely a topic is to label a document, with the affinity integrated out.

``P1(eta, lambda) = integral of logistic(x) Normal(x; eta, lambda^2) dx`` and ``P0 = 1 - P1``: the
only way in which an affinity that the words cannot see meets the rest of the model (section 2.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import log_expit, logsumexp

from frex.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# The logistic's poles lie at distance pi from the real line. Moving the line of integration 2.84
# towards them multiplies the integrand's integral by no more than 7 exp(2.84^2 / (2 lambda^2)), and
# that bounds the trapezoidal rule's relative error by 14 exp(4.1 / lambda^2 - 2 pi 2.84 / step):
# below 1e-17 for a step of 0.4 and lambda > 1.2. For smaller lambda the Gaussian limits the step
# instead: a third of lambda leaves less than 1e-17 too, and less the smaller lambda is.
_LOGISTIC_STEP = 0.4
_GAUSSIAN_STEP = 1 / 3

# The integrand's logarithm has a second derivative between -1/lambda^2 - 1/4 and -1/lambda^2. So
# beyond nine lambda from its mode lies a share of at most 2.3e-19 sqrt(1 + lambda^2 / 4) of it,
# whatever eta is.
_REACH = 9.0


def log_label_probability(
    affinity_mean: ArrayLike, affinity_sd: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Log probability that a topic does not, and that it does, label a document.

    Both keep full relative accuracy in either tail: a probability of 1e-200 has a logarithm as
    good as that of one half.

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
    if not (np.isfinite(affinity_sd) and affinity_sd > 0):
        raise InputError(
            f"the affinities' standard deviation is {affinity_sd}",
            remedy="Give a positive, finite number.",
        )
    # logistic(-x) = 1 - logistic(x), and the Gaussian is symmetric
    return _log_mean_logistic(-mean, affinity_sd), _log_mean_logistic(mean, affinity_sd)


def _log_mean_logistic(mean: NDArray[np.float64], sd: float) -> NDArray[np.float64]:
    """Trapezoidal rule for ``log E logistic(mean + sd z)``, ``z ~ Normal(0, 1)``."""
    # The mode x solves x - mean = sd^2 logistic(-x). Hence mean <= x <= mean + sd^2, and, because
    # logistic(-x) <= exp(-x), also x <= max(mean, 0) + log(1 + sd^2).
    highest_mode = np.minimum(sd, (np.maximum(-mean, 0.0) + np.log1p(sd * sd)) / sd)
    width = highest_mode + 2 * _REACH
    n_steps = int(np.ceil(width.max(initial=0.0) / min(_GAUSSIAN_STEP, _LOGISTIC_STEP / sd))) + 1
    step = width / n_steps
    z = -_REACH + step[..., None] * np.arange(n_steps + 1)
    log_integrand = log_expit(mean[..., None] + sd * z) - 0.5 * z * z
    total: NDArray[np.float64] = logsumexp(log_integrand, axis=-1)
    total += np.log(step) - 0.5 * np.log(2 * np.pi)
    return total

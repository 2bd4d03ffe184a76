"""The likelihood of one word; numbers are of one word, or of eight side by side (`rows.py`).

With r_dk = theta_dk beta_fk / theta_d' beta_f its topics' shares in document d:

    log likelihood   n_f' mu + sum_d w_d log(theta_d' beta) - E' beta
    gradient         n_f + sum_d w_d r_d - E beta
    curvature        E beta, the diagonal that stands for minus the Hessian

The sums are over the multi-label documents that have the word.
"""

from __future__ import annotations

from frex.sampler.formulas.options import formula


@formula
def slope_of(single_count, rate, pull, exposure):
    """Return a node's entry of the gradient, the pull being sum_d w_d theta_d / s_d."""
    return single_count + rate * (pull - exposure)


@formula
def single_value(single_count, log_rate, rate, exposure):
    """Return a node's part of n' mu - E' beta."""
    return single_count * log_rate - rate * exposure


@formula
def curvature_of(rate, exposure):
    """Return a node's entry of the diagonal."""
    return exposure * rate

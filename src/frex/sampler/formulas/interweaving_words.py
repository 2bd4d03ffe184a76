"""One node, or group, of a word when (log nu, log sigma2) moves: `model/interweaving.py`, words.

Every quantity has slopes in log nu and in log sigma2, which follow it here. Numbers are of one
word, or of eight side by side (`rows.py`). A and B are what lies below a node knows of it, and its
pull; t is 1 / tau2 of its group.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from frex.sampler.formulas.elementary import root
from frex.sampler.formulas.options import scalar


class WordGaussians(NamedTuple):
    """What stands for the words' likelihoods; fixed after the warm-up."""

    curvature: Any  #: V x N, C
    pulls: Any  #: V x N, h
    group_precisions: Any  #: V x P
    group_pulls: Any  #: V x P


class Terms(NamedTuple):
    """What (nu, sigma2) says of every log tau2, with slopes in log nu; and the root's prior."""

    df: float
    log_scale: float  #: log nu sigma2
    mean: float  #: of log tau2
    mean_slope: float
    precision: float
    precision_slope: float
    constant: float  #: -(nu / 2) log 2 - log Gamma(nu / 2)
    constant_slope: float
    root_mean: float
    root_precision: float


# What a move holds fixed


@scalar
def pulled_pull(curvature, mode, slope):
    """Return h, with which the Gaussian has the likelihood's slope at the mode."""
    return curvature * mode + slope


@scalar
def share_of(a, t):
    """Return the share of a node's A and B that its parent gets, and 1 / (A + t)."""
    inverse = 1.0 / (a + t)
    return t * inverse, inverse


@scalar
def dispersion_information(a, b, t, mode_above):
    """Return a child's part of the information on log tau2, and of its slope there."""
    inverse = 1.0 / (a + t)
    w = a * inverse
    deviation = (b - a * mode_above) * t * inverse
    return 0.5 * w * w, 0.5 * (deviation * deviation / t - w)


@scalar
def held_log_rate(x, a, b, t, above):
    """Return the standardised log rate of a node, above being its parent's."""
    v = a + t
    return (x - (b + t * above) / v) * root(v)


@scalar
def held_dispersion(level, precision, pull, terms):
    """Return the standardised log dispersion of a group."""
    v = precision + terms.precision
    return (level - (pull + terms.precision * terms.mean) / v) * root(v)


# Where it moves them


@scalar
def group_level(held, precision, pull, terms):
    """Return log tau2 of a group and its slopes, and 1 over its precision."""
    r = 1.0 / (precision + terms.precision)
    centre = (pull + terms.precision * terms.mean) * r
    deviation = held * root(r)
    share = terms.precision * r
    bend = (terms.mean - centre - 0.5 * deviation) * r
    slope = share * terms.mean_slope + bend * terms.precision_slope
    return centre + deviation, slope, share, r


@scalar
def group_terms(level, slope, share, r, t, n_children, half, scale, terms):
    """Return log prior plus log Jacobian of a group, without log(r) / 2, and its slopes.

    With them are those of log t / 2 of every child, which are the prior's of the log rates. `half`
    is nu / 2, and `scale` nu sigma2.
    """
    halves = half * (terms.log_scale - level)
    chi2 = 0.5 * scale * t
    children = 0.5 * n_children
    in_df = halves + (half - chi2) * (1.0 - slope) - children * slope + terms.constant_slope
    in_df = in_df - 0.5 * terms.precision_slope * r
    in_scale = (half - chi2) * (1.0 - share) - children * share
    return halves - chi2 + terms.constant, in_df, in_scale


@scalar
def share_slopes(t_df, t_scale, a_df, a_scale, share, r):
    """Return the slopes of a share, r being 1 / (A + t)."""
    return (t_df - share * (a_df + t_df)) * r, (t_scale - share * (a_scale + t_scale)) * r


@scalar
def root_at(held, a, a_df, a_scale, b, b_df, b_scale, precision, mean):
    """Return the root's log rate, log prior plus log Jacobian without log(r) / 2, and r.

    The first two have their slopes behind them.
    """
    r = 1.0 / (a + precision)
    deviation = held * root(r)
    centre = (b + precision * mean) * r
    turn = centre + 0.5 * deviation
    top = centre + deviation
    top_df, top_scale = (b_df - turn * a_df) * r, (b_scale - turn * a_scale) * r
    pull = precision * (top - mean)
    value = -0.5 * pull * (top - mean)
    in_df = -0.5 * a_df * r - pull * top_df
    in_scale = -0.5 * a_scale * r - pull * top_scale
    return top, top_df, top_scale, value, in_df, in_scale, r


@scalar
def node_at(held, r, a_df, a_scale, b, b_df, b_scale, t, t_df, t_scale, x, x_df, x_scale):
    """Return a node's log rate, and log prior plus log Jacobian without log(t r) / 2.

    Both have their slopes behind them; x is the parent's log rate, r is 1 / (A + t). The slopes of
    log t are the group's.
    """
    deviation = held * root(r)
    centre = (b + t * x) * r
    turn = centre + 0.5 * deviation
    own = centre + deviation
    v_df, v_scale = a_df + t_df, a_scale + t_scale
    own_df = (b_df + t_df * x + t * x_df - turn * v_df) * r
    own_scale = (b_scale + t_scale * x + t * x_scale - turn * v_scale) * r
    gap = own - x
    pull = t * gap
    half_square = 0.5 * gap * gap
    in_df = 0.5 * v_df * r + t_df * half_square + pull * (own_df - x_df)
    in_scale = 0.5 * v_scale * r + t_scale * half_square + pull * (own_scale - x_scale)
    return own, own_df, own_scale, t * half_square, in_df, in_scale

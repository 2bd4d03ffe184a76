"""Dispersions ``tau2`` given the log rates; ``(nu, sigma2)`` with the dispersions integrated out.

A group is a word ``f`` and a parent ``p`` with its ``J`` children. Its deviations
``mu[f,j] - mu[f,p]`` are, given ``tau2[f,p]``, independent ``Normal(0, tau2[f,p])``; all that
follows depends on them only through the sum of their squares ``S[f,p]`` (section 2.4).

Densities of ``(log nu, log sigma2)`` here are likelihoods: the prior, in the same coordinates, is
in `frex.model.priors`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import digamma, gammaln, polygamma

from frex.model.process import parent_nodes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.tree import TopicTree


class ScaledInverseChi2(NamedTuple):
    """``df scale / x`` is chi-square with ``df`` degrees of freedom; both may be arrays."""

    df: NDArray[np.float64] | float
    scale: NDArray[np.float64] | float

    def log_density_of_log(self, log_value: NDArray[np.float64] | float) -> NDArray[np.float64]:
        """Log density of the logarithm of the value, normalised; it includes the Jacobian."""
        half = 0.5 * np.asarray(self.df)
        ratio = np.log(self.scale) - log_value
        density: NDArray[np.float64]
        density = half * (np.log(half) + ratio - np.exp(ratio)) - gammaln(half)
        return density

    def sample(self, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw one value for each entry of ``scale``."""
        chi2: NDArray[np.float64] = rng.chisquare(self.df, np.shape(self.scale))
        return np.asarray(self.df) * self.scale / chi2


def group_of_topic(tree: TopicTree) -> NDArray[np.intp]:
    """Return for each topic the group of which it is a child: a column of the dispersions."""
    return np.searchsorted(parent_nodes(tree), tree.parents[1:])


def group_sizes(tree: TopicTree) -> NDArray[np.int64]:
    """``J`` of each group, in the order of the dispersions' columns."""
    return np.bincount(group_of_topic(tree))


def deviation_squares(tree: TopicTree, log_rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """``S[f,p] = sum over children j of (mu[f,j] - mu[f,p])^2``, from the ``V x N`` log rates."""
    deviations = log_rates[:, 1:] - log_rates[:, tree.parents[1:]]
    squares = np.zeros((len(log_rates), len(parent_nodes(tree))))
    np.add.at(squares.T, group_of_topic(tree), deviations.T**2)
    return squares


def dispersion_conditional(
    squares: NDArray[np.float64], n_children: NDArray[np.int64], df: float, scale: float
) -> ScaledInverseChi2:
    """``tau2 | mu, nu, sigma2 ~ Inv-chi2(J + nu, (nu sigma2 + S) / (J + nu))``, exactly."""
    total = n_children.astype(np.float64) + df
    return ScaledInverseChi2(total, (df * scale + squares) / total)


def group_log_density(
    log_nu: float,
    log_sigma2: float,
    squares: NDArray[np.float64],
    n_children: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Log density of each group's deviations with ``tau2`` integrated out, ``V x P``.

    A ``J``-variate t with ``nu`` degrees of freedom and scale matrix ``sigma2 Identity``.
    """
    nu, half_sum = np.exp(log_nu), 0.5 * (np.exp(log_nu) + n_children)
    constant = (
        gammaln(half_sum)
        - gammaln(0.5 * nu)
        - 0.5 * n_children * (np.log(np.pi) + log_nu + log_sigma2)
    )
    density: NDArray[np.float64]
    density = constant - half_sum * np.log1p(squares * np.exp(-log_nu - log_sigma2))
    return density


def dispersion_log_density(
    log_nu: float,
    log_sigma2: float,
    squares: NDArray[np.float64],
    n_children: NDArray[np.int64],
) -> float:
    """Log density of all deviations given ``(log nu, log sigma2)``, normalised.

    Parameters
    ----------
    log_nu, log_sigma2
        Where to evaluate.
    squares
        ``S``, ``V x P``, as of `deviation_squares`.
    n_children
        ``J``, ``P``, as of `group_sizes`.
    """
    return float(group_log_density(log_nu, log_sigma2, squares, n_children).sum())


def dispersion_gradient(
    log_nu: float,
    log_sigma2: float,
    squares: NDArray[np.float64],
    n_children: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Gradient of `dispersion_log_density` in ``(log nu, log sigma2)``."""
    in_nu, in_sigma2 = _slopes(log_nu, log_sigma2, squares, n_children)
    return np.array([in_nu.sum(), in_sigma2.sum()])


def dispersion_hessian(
    log_nu: float,
    log_sigma2: float,
    squares: NDArray[np.float64],
    n_children: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Hessian of `dispersion_log_density` in ``(log nu, log sigma2)``, 2 x 2."""
    nu, half_sum = np.exp(log_nu), 0.5 * (np.exp(log_nu) + n_children)
    share = _share(log_nu, log_sigma2, squares)
    in_nu, in_sigma2 = _slopes(log_nu, log_sigma2, squares, n_children)
    trigamma = polygamma(1, half_sum) - polygamma(1, 0.5 * nu)
    # the share's slope in either coordinate is -share (1 - share)
    both_sigma2 = -half_sum * share * (1 - share)
    mixed = 0.5 * nu * share + both_sigma2
    both_nu = (in_nu - in_sigma2) + 0.25 * nu**2 * trigamma + nu * share + both_sigma2
    return np.array([[both_nu.sum(), mixed.sum()], [mixed.sum(), both_sigma2.sum()]])


def _share(log_nu: float, log_sigma2: float, squares: NDArray[np.float64]) -> NDArray[np.float64]:
    """``u / (1 + u)`` with ``u = S / (nu sigma2)``: the deviations' share in the scale of tau2."""
    share: NDArray[np.float64] = squares / (np.exp(log_nu + log_sigma2) + squares)
    return share


def _slopes(
    log_nu: float,
    log_sigma2: float,
    squares: NDArray[np.float64],
    n_children: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Slopes of `group_log_density` in ``log nu`` and in ``log sigma2``, each ``V x P``."""
    nu, half_sum = np.exp(log_nu), 0.5 * (np.exp(log_nu) + n_children)
    in_sigma2 = half_sum * _share(log_nu, log_sigma2, squares) - 0.5 * n_children
    log_excess = np.log1p(squares * np.exp(-log_nu - log_sigma2))
    in_nu = 0.5 * nu * (digamma(half_sum) - digamma(0.5 * nu) - log_excess) + in_sigma2
    return in_nu, in_sigma2

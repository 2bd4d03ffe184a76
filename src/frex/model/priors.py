"""Hyperparameters and their priors: the proper ones of the default, and the paper's flat ones.

`WeakPriors` is the family of section 5 of the model: ``psi``, ``eta_k``, ``log nu`` and
``log sigma2`` are normal, ``gamma`` and ``lambda`` half-normal. `PaperPriors` has the same six
names, all of them flat.

The sampler moves on an unconstrained scale: ``psi``, ``log gamma``, ``eta``, ``log lambda``,
``log nu``, ``log sigma2``. Every log density here is normalised with respect to these coordinates.
Four of them are the ones in which their prior is stated; for ``gamma`` and ``lambda`` the Jacobian
of the logarithm, ``+ log gamma`` and ``+ log lambda``, is included. (Taking ``log gamma2`` as the
coordinate instead would change the density by the constant ``log 2`` and nothing else.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn

import numpy as np
from scipy.special import gammaln

from frex.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

LOG_TWO_PI = float(np.log(2 * np.pi))

DRIFT = "drift_variance"
"""The hyperparameter that only a fit with known topics has."""

LARGEST_LOG_AFFINITY_SD = 6.0
"""Of log lambda. The quadrature over affinities has a grid of some 45 lambda points; corpora have
lambda of 2 to 11."""


class Hyperparameters(NamedTuple):
    """The parameters that all words, or all documents, share."""

    root_mean: float  #: psi, the mean over words of the root's log rate
    root_variance: float  #: gamma2, its variance over words
    affinity_mean: NDArray[np.float64]  #: eta, one per topic: its popularity
    affinity_variance: float  #: lambda2, the same for all topics
    dispersion_df: float  #: nu, degrees of freedom of the dispersions
    dispersion_scale: float  #: sigma2, their scale
    drift_variance: NDArray[np.float64] = np.empty(0)  #: delta, one per known topic (`model.known`)

    def named(self) -> dict[str, Any]:
        """Return the values by name; drifts only where there are known topics."""
        values = self._asdict()
        return values if len(self.drift_variance) else _without_drift(values)

    def checked(self, n_topics: int, n_known: int | None = None) -> Hyperparameters:
        """Return a copy with plain floats and ``n_topics`` affinity means, or say what is wrong.

        Where it is told how many topics are known, there must be as many drifts.
        """
        means = np.array(self.affinity_mean, dtype=np.float64)
        if means.shape != (n_topics,):
            raise InputError(
                f"affinity_mean has shape {means.shape}; the tree has {n_topics} topics",
                remedy="Give one affinity mean for each topic.",
            )
        drifts = np.array(self.drift_variance, dtype=np.float64)
        if drifts.ndim != 1 or n_known not in (None, len(drifts)):
            raise InputError(
                f"drift_variance has shape {drifts.shape}, and {n_known} topics are known",
                remedy="Give one drift for each known topic.",
            )
        if not (np.isfinite(drifts) & (drifts > 0)).all():
            raise InputError("drift_variance holds a value that is no positive, finite number")
        plain = _without_drift(self._asdict())
        values = {name: float(x) for name, x in plain.items() if name != "affinity_mean"}
        for name, value in values.items():
            if not np.isfinite(value) or (name != "root_mean" and value <= 0):
                wanted = "a finite number" if name == "root_mean" else "a positive, finite number"
                raise InputError(f"{name} is {value}", remedy=f"Give {wanted}.")
        if not np.isfinite(means).all():
            raise InputError("affinity_mean holds a value that is not finite")
        if 0.5 * np.log(values["affinity_variance"]) > LARGEST_LOG_AFFINITY_SD:
            raise InputError(
                f"affinity_variance is {values['affinity_variance']}: the quadrature over "
                "affinities would not fit into memory",
                remedy=f"Give at most {np.exp(2 * LARGEST_LOG_AFFINITY_SD):,.0f}.",
            )
        return Hyperparameters(affinity_mean=means, drift_variance=drifts, **values)


def _without_drift(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != DRIFT}


HYPERPARAMETERS = tuple(_without_drift(dict.fromkeys(Hyperparameters._fields)))
"""Names of those that every model has."""


def _check_prior(location: float, scale: float) -> None:
    if not (np.isfinite(location) and np.isfinite(scale) and scale > 0):
        raise InputError(
            f"a prior with location {location} and scale {scale}",
            remedy="Give a finite location and a positive, finite scale.",
        )


@dataclass(frozen=True)
class Normal:
    """A normal prior."""

    location: float
    scale: float

    def __post_init__(self) -> None:
        _check_prior(self.location, self.scale)

    def sample(self, rng: np.random.Generator, size: int | None = None) -> Any:
        """Draw one value, or ``size`` independent ones."""
        return rng.normal(self.location, self.scale, size)

    def log_density(self, value: ArrayLike) -> Any:
        """Log density at each value."""
        z = (np.asarray(value, dtype=np.float64) - self.location) / self.scale
        return -0.5 * z * z - np.log(self.scale) - 0.5 * LOG_TWO_PI

    def gradient(self, value: ArrayLike) -> Any:
        """Slope of the log density at each value."""
        return (self.location - np.asarray(value, dtype=np.float64)) / self.scale**2

    def second_derivative(self, value: ArrayLike) -> Any:
        """Second derivative of the log density at each value: minus the precision."""
        return np.full(np.shape(value), -(self.scale**-2))[()]

    def joint_log_density(self, values: NDArray[np.float64]) -> float:
        """Log density of independent values."""
        return float(self.log_density(values).sum())

    def joint_gradient(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Gradient of `joint_log_density`."""
        return np.asarray(self.gradient(values))

    def joint_hessian(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Hessian of `joint_log_density`, n x n, the same everywhere."""
        return np.diag(self.second_derivative(values))


@dataclass(frozen=True)
class StudentAboutLevel:
    """Normals about a level that they share; level and spread are unknown and integrated out.

    ``x_k ~ N(m, s^2)``, ``m ~ N(location, (reach s)^2)`` and ``df scale^2 / s^2 ~ chi2(df)``:
    together a multivariate Student-t of ``df`` degrees of freedom and scale matrix
    ``scale^2 (I + reach^2 1 1')``.

    Independent normals hold the level of ``K`` values ``K`` times, and a given spread holds theirs
    ``K`` times. Affinity means may be stretched at little cost when ``lambda`` grows with them, so
    hundreds of topics would take ``lambda`` to where that spread is.
    """

    location: float
    scale: float
    reach: float
    df: float

    def __post_init__(self) -> None:
        for scale in (self.scale, self.reach, self.df):
            _check_prior(self.location, scale)

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        """Draw ``size`` values about one level."""
        spread = self.scale * np.sqrt(self.df / rng.chisquare(self.df))
        level = rng.normal(self.location, self.reach * spread)
        return rng.normal(level, spread, size)

    def joint_log_density(self, values: NDArray[np.float64]) -> float:
        """Log density of all values."""
        n, deviation = len(values), values - self.location
        log_determinant = 2.0 * n * np.log(self.scale) + np.log1p(n * self.reach**2)
        half = 0.5 * (self.df + n)
        return float(
            gammaln(half)
            - gammaln(0.5 * self.df)
            - 0.5 * (n * np.log(self.df * np.pi) + log_determinant)
            - half * np.log1p(deviation @ self._whitened(deviation) / self.df)
        )

    def joint_gradient(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Gradient of `joint_log_density`."""
        deviation = values - self.location
        whitened = self._whitened(deviation)
        return -(self.df + len(values)) / (self.df + deviation @ whitened) * whitened

    def joint_hessian(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Hessian of `joint_log_density`, n x n."""
        n, deviation = len(values), values - self.location
        whitened = self._whitened(deviation)
        weight = 1.0 / (self.df + deviation @ whitened)
        inverse = self._whitened(np.eye(n))
        return (self.df + n) * weight * (2.0 * weight * np.outer(whitened, whitened) - inverse)

    def _whitened(self, deviation: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the inverse of the scale matrix times vectors, by Sherman and Morrison."""
        share = self.reach**2 / (1.0 + len(deviation) * self.reach**2)
        return np.asarray((deviation - share * deviation.sum(axis=0)) / self.scale**2)


@dataclass(frozen=True)
class HalfNormal:
    """The prior of ``|x|`` when ``x ~ Normal(0, scale)``."""

    scale: float

    def __post_init__(self) -> None:
        _check_prior(0.0, self.scale)

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one value."""
        return abs(float(rng.normal(0.0, self.scale)))

    def log_density_of_log(self, log_value: ArrayLike) -> Any:
        """Log density of the logarithm of the value: the half-normal's plus the Jacobian."""
        log_value = np.asarray(log_value, dtype=np.float64)
        z = np.exp(log_value) / self.scale
        return log_value - 0.5 * z * z - np.log(self.scale) + 0.5 * (np.log(4.0) - LOG_TWO_PI)

    def gradient_of_log(self, log_value: ArrayLike) -> Any:
        """Slope of `log_density_of_log`."""
        z = np.exp(np.asarray(log_value, dtype=np.float64)) / self.scale
        return 1.0 - z * z

    def second_derivative_of_log(self, log_value: ArrayLike) -> Any:
        """Second derivative of `log_density_of_log`."""
        z = np.exp(np.asarray(log_value, dtype=np.float64)) / self.scale
        return -2.0 * z * z


@dataclass(frozen=True)
class Flat:
    """The improper prior that is constant in its coordinate, whichever of the six that is."""

    def log_density(self, value: ArrayLike) -> Any:
        """Zero at each value."""
        return np.zeros(np.shape(value))[()]

    def joint_log_density(self, values: NDArray[np.float64]) -> float:  # noqa: ARG002 - the signature of Normal
        """Zero."""
        return 0.0

    def joint_hessian(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Zero, n x n."""
        return np.zeros((len(values), len(values)))

    gradient = second_derivative = joint_gradient = log_density
    log_density_of_log = gradient_of_log = second_derivative_of_log = log_density


@dataclass(frozen=True)
class WeakPriors:
    """Proper priors that rule out the absurd and leave the rest to the data.

    Rates are counts per document of mean length. A corpus of 3,000 to 10,000 words and documents
    of 60 to 150 tokens has root log rates around ``log(mean length / words)`` less half their
    variance, about -6; topic affinities around -5 when a document has one or two of some hundred
    topics; ``lambda`` of 4 to 11, ``nu`` of 2 to 10, ``sigma2`` of 0.1 to 2.

    Parameters
    ----------
    root_mean
        Prior of ``psi``.
    root_sd
        Prior of ``gamma``.
    affinity_mean
        Prior of ``eta``. By default the topics share a level and a spread, which the data find:
        rare labels, and a large ``lambda``, take the level far down and stretch the spread.
    affinity_sd
        Prior of ``lambda``.
    log_dispersion_df
        Prior of ``log nu``; the default has its median at 4.5.
    log_dispersion_scale
        Prior of ``log sigma2``; the default has its median at 0.37.
    drift_level
        Where a fit's topics are the prior: of ``psi``, how far all words have drifted together.
    drift_sd
        There, of how far a word drifts in a known topic, and in all documents: ``sqrt(delta_k)``
        and ``gamma``. With 1 a word's rate changes by a factor of 2.7.
    """

    proper: ClassVar[bool] = True

    root_mean: Normal = Normal(-6.0, 3.0)
    root_sd: HalfNormal = HalfNormal(3.0)
    affinity_mean: Normal | StudentAboutLevel = StudentAboutLevel(-5.0, 4.0, reach=10.0, df=3.0)
    affinity_sd: HalfNormal = HalfNormal(10.0)
    log_dispersion_df: Normal = Normal(1.5, 1.0)
    log_dispersion_scale: Normal = Normal(-1.0, 1.5)
    drift_level: Normal = Normal(0.0, 1.0)
    drift_sd: HalfNormal = HalfNormal(1.0)

    def sample(self, rng: np.random.Generator, n_topics: int) -> Hyperparameters:
        """Draw all hyperparameters of a model with ``n_topics`` topics."""
        return Hyperparameters(
            root_mean=float(self.root_mean.sample(rng)),
            root_variance=self.root_sd.sample(rng) ** 2,
            affinity_mean=self.affinity_mean.sample(rng, n_topics),
            affinity_variance=self.affinity_sd.sample(rng) ** 2,
            dispersion_df=float(np.exp(self.log_dispersion_df.sample(rng))),
            dispersion_scale=float(np.exp(self.log_dispersion_scale.sample(rng))),
        )

    def log_density(self, hyper: Hyperparameters) -> float:
        """Log density of ``(psi, log gamma, eta, log lambda, log nu, log sigma2)``, normalised."""
        return float(
            self.root_mean.log_density(hyper.root_mean)
            + self.root_sd.log_density_of_log(0.5 * np.log(hyper.root_variance))
            + self.affinity_mean.joint_log_density(hyper.affinity_mean)
            + self.affinity_sd.log_density_of_log(0.5 * np.log(hyper.affinity_variance))
            + self.log_dispersion_df.log_density(np.log(hyper.dispersion_df))
            + self.log_dispersion_scale.log_density(np.log(hyper.dispersion_scale))
        )


@dataclass(frozen=True)
class PaperPriors:
    """The paper's priors: flat in ``psi, log gamma2, eta, log lambda2, log kappa, log lam``.

    ``kappa = nu / 2`` and ``lam = 2 / (nu sigma2)`` are linear in the logarithms, so flat in the
    last two is flat in ``log nu`` and ``log sigma2``. The posterior that they give is improper: the
    likelihood tends to a positive constant as ``lambda2``, ``gamma2`` or ``sigma2`` goes to 0, as
    ``nu`` grows, as ``lambda`` grows with ``eta`` in proportion, as ``eta_k`` of a topic without
    documents falls, or of one that labels all rises, and, where each document has one label and is
    conditioned on having one, as all ``eta_k`` fall together. They are for comparison.
    """

    proper: ClassVar[bool] = False

    root_mean: Flat = Flat()
    root_sd: Flat = Flat()
    affinity_mean: Flat = Flat()
    affinity_sd: Flat = Flat()
    log_dispersion_df: Flat = Flat()
    log_dispersion_scale: Flat = Flat()

    def sample(self, rng: np.random.Generator, n_topics: int) -> NoReturn:  # noqa: ARG002 - the signature of WeakPriors
        """Refuse: nothing can be drawn from an improper distribution."""
        raise InputError(
            "the paper's priors are flat, so no hyperparameters can be drawn from them",
            remedy="Give the hyperparameters, or use WeakPriors.",
        )

    def log_density(self, hyper: Hyperparameters) -> float:  # noqa: ARG002 - the signature of WeakPriors
        """Zero: flat in the coordinates in which `WeakPriors.log_density` is stated."""
        return 0.0


Priors = WeakPriors | PaperPriors

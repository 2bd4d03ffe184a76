"""Refuse fits with estimates that are not finite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from frex.posterior.posterior import Posterior


def refuse_not_finite(posterior: Posterior) -> None:
    """Raise an error if an estimate of a fit is not finite.

    Standard deviations are not checked, because a single draw has none.

    Parameters
    ----------
    posterior
        The fit.
    """
    for name, n_bad in count_not_finite(posterior).items():
        raise InputError(
            f"{n_bad:,} {name} of the fit are not finite numbers",
            remedy="See what is wrong with it, frex diagnose FIT; then fit again.",
        )


def count_not_finite(posterior: Posterior) -> dict[str, int]:
    """Count the estimates that are infinite or NaN, by name."""
    counts = {
        name: int(array.size - np.count_nonzero(np.isfinite(array)))
        for name, array in _estimates(posterior)
    }
    return {name: count for name, count in counts.items() if count}


def _estimates(posterior: Posterior) -> Iterator[tuple[str, NDArray[np.floating]]]:
    """Yield all estimates of a fit by name."""
    for name, draws in posterior.draws.items():
        yield f"draws of {name}", draws
    if posterior.draws and not posterior.n_draws:
        return  # before the first draw a mean is NaN
    yield "exposures of topics", posterior.exposures
    for name, moment in posterior.moments.items():
        yield f"means of {name}", moment.mean
    for name, moment in posterior.exclusivity.items():
        yield f"means of exclusivity ({name})", moment.mean

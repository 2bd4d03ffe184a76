"""Refusing fits whose estimates are no numbers, before anything is said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from frex.posterior.posterior import Posterior


def refuse_not_finite(posterior: Posterior) -> None:
    """Refuse a fit in which an estimate is not finite.

    Spreads are not looked at: one draw has none.

    Parameters
    ----------
    posterior
        The fit.
    """
    for name, array in estimates(posterior):
        n_bad = count_not_finite(array)
        if n_bad:
            raise InputError(
                f"{n_bad:,} {name} of the fit are not finite numbers",
                remedy="See what is wrong with it, frex diagnose FIT; then fit again.",
            )


def count_not_finite(array: NDArray[np.floating]) -> int:
    """Return how many elements are infinite or NaN."""
    return int(array.size - np.count_nonzero(np.isfinite(array)))


def estimates(posterior: Posterior) -> Iterator[tuple[str, NDArray[np.floating]]]:
    """Yield all estimates of a fit by name."""
    for name, draws in posterior.draws.items():
        yield f"draws of {name}", draws
    for name, moment in posterior.moments.items():
        yield f"means of {name}", moment.mean
    for name, moment in posterior.exclusivity.items():
        yield f"means of exclusivity ({name})", moment.mean

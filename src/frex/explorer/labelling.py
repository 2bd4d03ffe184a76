"""Data with which the page labels a text by itself, as `frex predict` does.

The two large tables, log rates and the weights of the linear scorer, are stored as integer
multiples of small steps: a log rate as its difference from the parent's, which is 0 for most words
of most topics. Both steps are so small that labels are the same (`tests/explorer/test_paste.py`).
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import InputError
from frex.explorer.packing import bundle, whole_type
from frex.predict import Predictor, analyzer_of
from frex.predict.judges import FEATURES, LEAST, UNLIKELY
from frex.text.languages import ENGLISH
from frex.text.stopwords import smart

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.posterior import Posterior
    from frex.predict import Calibration
    from frex.text import Analyzer
    from frex.tree import TopicTree

    Array: TypeAlias = NDArray[np.float64]

FINE, COARSE = (0.002, 0.001), (0.05, 0.0025)
"""Steps of log rates and of weights. With the fine ones the error of log odds is below 0.01; with
earlier ones, 0.01 and 0.0025, two labels of 150 short texts differed. Of 1,000 Spanish acts among
1,303 topics 999 got the labels of `frex predict` with the coarse ones, with an earlier calibration,
and 984 with a step of 0.0125 for the weights (`benchmarks/box.py`)."""

LARGE = 4_000_000
"""Words times topics from which on the steps are coarse."""

PIECE = "label"


def label_piece(posterior: Posterior, calibration: Calibration) -> str | None:
    """Return the piece with which the page labels; None if the calibration is of another kind.

    Parameters
    ----------
    posterior
        The fit.
    calibration
        Its calibration.
    """
    joined = calibration.joined
    if joined is None or calibration.topics != tuple(posterior.tree.topics):
        return None
    predictor = Predictor(posterior, threads=1)
    judge, join = joined.judge(predictor), joined.join
    rate_step, weight_step = COARSE if joined.linear.weights.size > LARGE else FINE
    meta: dict[str, Any] = {
        "parents": posterior.tree.parents.tolist(),
        "nodes": (posterior.columns + 1).tolist(),
        "above": _above(posterior.tree),
        "meanLength": predictor.mean_length,
        "saturation": joined.saturation,
        "least": float(LEAST),
        "unlikely": float(UNLIKELY),
        "sums": _short(judge.evidence.sums),
        "prior": _short(judge.evidence.prior),
        "sizes": _short(judge.sizes),
        "used": (joined.sizes > 0).tolist(),
        "unused": joined.unused,
        "mostLabels": joined.most_labels,
        "intercepts": _short(joined.linear.intercepts),
        "idf": _short(joined.linear.idf),
        "intercept": float(join.intercept),
        "coefficients": dict(zip(FEATURES, join.coefficients.tolist(), strict=True)),
        "knots": join.curve.knots.tolist(),
        "values": join.curve.values.tolist(),
        "thresholds": _log_odds(calibration.thresholds),
        "rateStep": rate_step,
        "weightStep": weight_step,
    }
    rates = np.rint(posterior.log_rates.mean / rate_step).astype(np.int64)
    rates -= rates.min()
    parents = posterior.tree.parents[1:]
    differences = np.column_stack([rates[:, 0], rates[:, 1:] - rates[:, parents]])
    weights = np.rint(joined.linear.weights / weight_step).astype(np.int64)
    return bundle(meta, {"rate": _unsigned(differences), "weight": _unsigned(weights)})


def reading_of(posterior: Posterior) -> dict[str, Any] | None:
    """Return the rules by which the page reads a text; None if only Python can read it.

    Parameters
    ----------
    posterior
        The fit.
    """
    try:
        analyzer = analyzer_of(posterior)
    except InputError:  # counts were made elsewhere
        return None
    return {
        "tokens": analyzer.tokens,
        "stem": analyzer.stem,
        "language": analyzer.language,
        "stops": _stops(analyzer),
        "tagged": analyzer.drop_proper_nouns,
        "phrases": analyzer.phrases,
    }


def stemmer_scripts(reading: dict[str, Any] | None) -> list[str]:
    """Return the scripts with which the page stems words; none if there is no such stemmer.

    Parameters
    ----------
    reading
        The rules by which the page reads a text.
    """
    if reading is None or not reading["stem"]:
        return []
    algorithm = "porter" if reading["language"] == ENGLISH else reading["language"]
    name = f"stemmers/{algorithm}"
    is_there = (files("frex.explorer") / "assets" / f"{name}.js").is_file()
    return ["stemmers/base", name] if is_there else []


def _stops(analyzer: Analyzer) -> list[str]:
    if analyzer.stop_words is None:
        return []
    return sorted(smart() if analyzer.stop_words == "smart" else analyzer.stop_words)


def _above(tree: TopicTree) -> list[list[int]]:
    """Return for each topic the numbers of all topics above it, by any of its parents."""
    starts, nodes = tree.ancestry
    parts = zip(starts[1:-1].tolist(), starts[2:].tolist(), strict=True)
    return [(nodes[first:last] - 1).tolist() for first, last in parts]


def _short(values: NDArray[Any]) -> list[float]:
    """Return numbers rounded to single precision."""
    return [float(f"{value:.8g}") for value in values.tolist()]


def _log_odds(probabilities: Array) -> list[float]:
    """Return thresholds as log odds; 1 and 0 as values that no sum reaches."""
    inside = np.clip(probabilities, 1e-300, 1.0 - 1e-16)
    return [float(value) for value in np.log(inside) - np.log1p(-inside)]


def _unsigned(values: NDArray[np.int64]) -> NDArray[np.uint16 | np.uint32]:
    """Return 0, -1, 1, -2, ... as 0, 1, 2, 3, ...: small numbers have an empty upper byte."""
    codes = np.where(values >= 0, 2 * values, -2 * values - 1)
    return codes.astype(whole_type(int(codes.max(initial=0))))

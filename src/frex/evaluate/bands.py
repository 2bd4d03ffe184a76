"""Calibration of probabilities, and accuracy of the labels of rare topics.

All possible labels of test documents, documents x topics, are divided in two ways: into tenths of
the probability that a model gives them, and by the number of training documents of their topic. In
each band the expected number of labels, the sum of the probabilities, is compared with the observed
number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from frex.evaluate.parts import Answer

    Array: TypeAlias = NDArray[np.float64]

TENTHS = tuple(round(tenth / 10, 1) for tenth in range(10))
SIZES = (0, 1, 4, 11, 31, 101)
"""Lower ends of the bands of topics, in training documents."""

COLUMNS = (
    "by", "low", "high", "labels", "expected", "observed", "variance", "topics", "macro_f1",
)  # fmt: skip


def band_rows(
    actual: csr_array[np.bool_], answer: Answer, sizes: NDArray[np.int64]
) -> list[dict[str, Any]]:
    """Return a row for each tenth of probability and each band of topics, with `COLUMNS`.

    Parameters
    ----------
    actual
        The test documents' labels.
    answer
        A model's answer.
    sizes
        Number of training documents of each topic.
    """
    truth = actual.toarray()
    chance = np.clip(answer.scores, 0.0, 1.0)
    tenth = np.minimum((chance * 10).astype(np.int64), 9)
    band = np.searchsorted(SIZES, sizes, side="right") - 1
    f1, n_actual = f1_by_topic(actual, answer.labels)
    rows = []
    for number, low in enumerate(TENTHS):
        at = tenth == number
        rows.append(
            {"by": "probability", "low": low, "high": round(low + 0.1, 1)}
            | _counts(chance[at], truth[at]) | {"topics": "", "macro_f1": ""}
        )  # fmt: skip
    for number, low in enumerate(SIZES):
        at = band == number
        tested = at & (n_actual > 0)
        macro = float(f1[tested].mean()) if tested.any() else ""
        high = SIZES[number + 1] - 1 if number + 1 < len(SIZES) else ""
        rows.append(
            {"by": "size", "low": low, "high": high}
            | _counts(chance[:, at], truth[:, at])
            | {"topics": int(tested.sum()), "macro_f1": macro}
        )
    return rows


def _counts(chance: Array, truth: NDArray[np.bool_]) -> dict[str, Any]:
    return {
        "labels": chance.size,
        "expected": float(chance.sum()),
        "observed": int(truth.sum()),
        "variance": float((chance * (1.0 - chance)).sum()),
    }


def f1_by_topic(
    actual: csr_array[np.bool_], predicted: csr_array[np.bool_]
) -> tuple[Array, NDArray[np.int64]]:
    """Return the F1 of every topic, and the number of its documents."""
    n_actual = np.asarray(actual.sum(axis=0, dtype=np.int64))
    n_predicted = np.asarray(predicted.sum(axis=0, dtype=np.int64))
    true = np.asarray(actual.multiply(predicted).sum(axis=0, dtype=np.int64))
    f1: Array = 2.0 * true / np.maximum(n_actual + n_predicted, 1)
    return f1, n_actual


def summarize_bands(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the bands over all repeats, one row for each model and band.

    Columns: `model`, `by`, `low`, `high`; `labels`, the number of possible labels; `expected` and
    `observed`, the shares of them; `error`, the standard error of the latter for calibrated
    probabilities and independent labels; `topics` and `macro_f1`, means over repeats.

    Parameters
    ----------
    rows
        Rows with `model` and `COLUMNS`.
    """
    keys = ["model", "by", "low", "high"]
    groups = rows.groupby(keys, sort=False, dropna=False)
    sums = groups[["labels", "expected", "observed", "variance"]].sum()
    n = np.maximum(sums["labels"], 1)
    table = pd.DataFrame(
        {
            "labels": sums["labels"],
            "expected": sums["expected"] / n,
            "observed": sums["observed"] / n,
            "error": np.sqrt(sums["variance"]) / n,
            "topics": groups["topics"].mean(),
            "macro_f1": groups["macro_f1"].mean(),
        }
    )
    return table.reset_index()

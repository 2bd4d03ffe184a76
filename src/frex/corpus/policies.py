"""The policies of a corpus, for example for empty or unlabelled documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

POLICIES = {
    "unlabelled": ("error", "drop", "keep"),
    "empty": ("drop", "keep", "error"),
    "unknown": ("error", "drop"),
    "ancestors": ("remove", "keep"),
    "several_parents": ("best", "first", "error"),
}


def check_policies(**policies: str) -> None:
    """Raise an error for a policy that does not exist."""
    for name, value in policies.items():
        if value not in POLICIES[name]:
            raise InputError(
                f"{name}={value!r} is not a choice",
                remedy=f"Use one of {', '.join(POLICIES[name])}.",
            )


def documents_to_keep(
    lengths: NDArray[np.int64],
    n_labels: NDArray[Any] | None,
    *,
    unlabelled: str,
    empty: str,
    name: Callable[[int], str],
) -> tuple[NDArray[np.bool_], dict[str, int]]:
    """Return which documents are kept, and the numbers of dropped ones by reason.

    A document without words and without labels counts as empty. `name` returns the beginning of an
    error message about a row.
    """
    is_empty = lengths == 0
    bad = {"empty_documents": (is_empty, empty, "has no words of the vocabulary")}
    if n_labels is not None:
        bad["unlabelled_documents"] = (
            ~is_empty & (n_labels == 0), unlabelled, "has words and no label",
        )  # fmt: skip
    keep = np.ones(len(lengths), dtype=np.bool_)
    dropped = {}
    for reason, (rows, policy, complaint) in bad.items():
        n = int(rows.sum())
        if n and policy == "error":
            raise InputError(
                f"{name(int(np.argmax(rows)))} {complaint}"
                + (f", and so have {n - 1:,} more" if n > 1 else ""),
                remedy="Drop or keep such documents: "
                + ("--unlabelled drop, unlabelled" if reason.startswith("un") else "empty")
                + "='drop'.",
            )
        if policy == "drop":
            keep &= ~rows
            dropped[reason] = n
    if not keep.any():
        raise InputError(
            "no documents are left" if len(keep) else "there are no documents",
            remedy="Check the vocabulary, the labels and the tree: "
            + (", ".join(f"{n:,} {r.replace('_', ' ')}" for r, n in dropped.items()) or "nothing")
            + " dropped.",
        )
    return keep, dropped

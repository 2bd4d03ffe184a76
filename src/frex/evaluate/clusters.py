"""Agreement of documents' main topics and main labels: purity, NMI and ARI.

A document's main label has its largest membership in the labelled fit; its main topic has its
largest membership in the model. Documents without a topic form a cluster of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from frex.posterior import Posterior

MEASURES = ("purity", "nmi", "ari")


def agreement(fit: Posterior, main: NDArray[np.int64] | None) -> dict[str, float]:
    """Return `MEASURES` of documents; NaN without memberships.

    Parameters
    ----------
    fit
        The labelled fit.
    main
        The main topic of each of its documents: negative for none, and -2 for a document that is
        not in the model, which is left out.
    """
    if main is None or not (main > -2).any():
        return dict.fromkeys(MEASURES, np.nan)
    known = main > -2
    labels, topics = main_topics(fit.membership_matrix())[known], main[known]
    both = contingency_matrix(labels, topics)
    return {
        "purity": float(both.max(axis=0).sum() / both.sum()),
        "nmi": float(normalized_mutual_info_score(labels, topics)),
        "ari": float(adjusted_rand_score(labels, topics)),
    }


def find_memberships(
    model: Any, given: Any, ids: Sequence[str], n_topics: int
) -> NDArray[np.int64] | None:
    """Return the main topic of each document, given or as stored by the model.

    Parameters
    ----------
    model
        Any model; a fit, a fitted estimator, tomotopy and BERTopic store memberships.
    given
        Documents x topics, or a topic for each document; None to use those of the model.
    ids
        Ids of the documents.
    n_topics
        Number of the model's topics.
    """
    if given is None:
        fit = getattr(model, "posterior_", model)
        if hasattr(fit, "membership_matrix"):
            return _by_id(fit, ids)
        given = _kept(model)
        if given is None or len(given) != len(ids):
            return None
    else:
        given = given if sparse.issparse(given) else np.asarray(given)
    main = main_topics(given) if len(given.shape) == 2 else given.astype(np.int64).clip(min=-1)
    wide = given.shape[1] if len(given.shape) == 2 else int(main.max(initial=-1)) + 1
    if len(main) != len(ids) or wide > n_topics:
        raise InputError(
            f"memberships are of {len(main):,} documents and {wide:,} topics, where the fit has "
            f"{len(ids):,} documents and the model {n_topics:,} topics",
            remedy="Give a row for each document of the fit, in its order.",
        )
    return main


def main_topics(memberships: Any) -> NDArray[np.int64]:
    """Return the column of each row's largest value; -1 for an empty row."""
    sparse_rows: Any = memberships
    dense = np.asarray(sparse_rows.toarray() if sparse.issparse(memberships) else memberships)
    return np.where(dense.max(axis=1) > 0, dense.argmax(axis=1), -1).astype(np.int64)


def _by_id(fit: Posterior, ids: Sequence[str]) -> NDArray[np.int64] | None:
    """Return the main topics of documents by id; -2 for documents that are not in the fit."""
    row = {name: number for number, name in enumerate(fit.ids)}
    rows = np.array([row.get(name, -1) for name in ids], np.int64)
    return np.where(rows >= 0, main_topics(fit.membership_matrix())[rows], -2)


def _kept(model: Any) -> Any:
    """Return the memberships that tomotopy and BERTopic store."""
    if hasattr(model, "get_topic_word_dist"):
        found = [document.get_topic_dist() for document in model.docs]
        return np.array(found) if len({len(row) for row in found}) == 1 else None
    if hasattr(model, "c_tf_idf_") and getattr(model, "topics_", None) is not None:
        return np.asarray(model.topics_)
    return None

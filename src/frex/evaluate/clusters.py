"""Documents by their main topic beside documents by their main label: purity, NMI and ARI.

A document's main label is that of its largest membership in the labelled fit; its main topic that
of its largest membership in the model. Documents in no topic are a cluster of their own.
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
        The main topic of each of its documents: a number below 0 for none, and -2 for a document
        that the model does not know, which is left out.
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
    """Return the main topic of each document: those given, or those that the model keeps.

    Parameters
    ----------
    model
        Any; a fit, an estimator of one, tomotopy and BERTopic keep memberships.
    given
        Documents x topics, or a number for each document; None to look for them.
    ids
        Names of the documents.
    n_topics
        How many topics the model has.
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
    """Return the column of each row's largest value; -1 where a row has none."""
    sparse_rows: Any = memberships
    dense = np.asarray(sparse_rows.toarray() if sparse.issparse(memberships) else memberships)
    return np.where(dense.max(axis=1) > 0, dense.argmax(axis=1), -1).astype(np.int64)


def _by_id(fit: Posterior, ids: Sequence[str]) -> NDArray[np.int64] | None:
    """Return the main topics of documents by their names; -2 of those that the fit has not."""
    row = {name: number for number, name in enumerate(fit.ids)}
    rows = np.array([row.get(name, -1) for name in ids], np.int64)
    return np.where(rows >= 0, main_topics(fit.membership_matrix())[rows], -2)


def _kept(model: Any) -> Any:
    """Return what tomotopy and BERTopic keep of the documents that they were fitted to."""
    if hasattr(model, "get_topic_word_dist"):
        found = [document.get_topic_dist() for document in model.docs]
        return np.array(found) if len({len(row) for row in found}) == 1 else None
    if hasattr(model, "c_tf_idf_") and getattr(model, "topics_", None) is not None:
        return np.asarray(model.topics_)
    return None

"""Labels of documents that are probably wrong or missing, classified by the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from frex.audit.companions import LEAST_WEIGHT, companion_weights, with_companions
from frex.audit.doubts import Places, document_doubts, find_doubts
from frex.audit.findings import LabelFinding
from frex.audit.reasons import Reasons
from frex.predict import learn_join, out_of_fold
from frex.predict.judges import FEATURES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from frex.audit.doubts import Doubts
    from frex.audit.findings import Wrong
    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.predict import OutOfFold
    from frex.tree import TopicTree

    Array: TypeAlias = NDArray[np.float64]

Only: TypeAlias = Literal["all", "given", "missing"]

LEAST = 0.1
"""Least probability of a finding."""

LIKELY = 0.05
"""Least probability of a named replacement."""


def audit_labels(
    posterior: Posterior,
    corpus: Corpus,
    *,
    judged: OutOfFold | None = None,
    least: float = LEAST,
    limit: int | None = None,
    topic: str | None = None,
    only: Only = "all",
    seed: int = 0,
    threads: int = 0,
    progress: Callable[[int], None] | None = None,
) -> list[LabelFinding]:
    """Return labels that are probably wrong or missing.

    Documents are sorted by the probability that all of their labels are right, the lowest first
    (`frex.audit.doubts.document_doubts`); the findings of a document are contiguous. Probabilities
    come from out-of-fold scores; the words for and against a finding come from the rates of the
    fit.

    Parameters
    ----------
    posterior
        A fit of the corpus, for the words.
    corpus
        A corpus with labels.
    judged
        The result of `frex.predict.out_of_fold` for the corpus; computed by default.
    least
        Least probability of a finding.
    limit
        Most findings.
    topic
        Only findings about this topic or those below it.
    only
        ``"given"``: only findings about given labels; ``"missing"``: only missing labels;
        ``"all"``.
    seed, threads, progress
        As for `frex.predict.out_of_fold`.

    Returns
    -------
    list of LabelFinding
        `frex.audit.label_table` makes a data frame of it.

    Examples
    --------
    >>> from frex import read_corpus
    >>> from frex.audit import audit_labels
    >>> from frex.posterior import read_posterior
    >>> found = audit_labels(read_posterior('FIT'), read_corpus('CORPUS'))
    """
    fitted = corpus.without_empty_topics()
    assert fitted.tree is not None
    if judged is None:
        judged = out_of_fold(corpus, seed=seed, threads=threads, progress=progress)
    places = places_of(judged)
    found = find_doubts(places, fitted.tree)
    doubtful = np.asarray(found.wrong + found.missing, np.float64)
    expected = np.bincount(places.documents, doubtful, len(fitted)).tolist()
    order = (-document_doubts(places, found)).tolist()
    rows = _changes(places, found, fitted, least) + _redundant(fitted)
    if only != "all":
        rows = [row for row in rows if (row.kind == "missing") == (only == "missing")]
    if topic is not None:
        shown = _branch(fitted.tree, posterior.find(topic))
        rows = [row for row in rows if row.label in shown or row.other in shown]
    # redundant labels come last, because they need no reading
    rows.sort(key=lambda one: (one.kind == "redundant", order[one.document], one.document,
                               -one.probability))  # fmt: skip
    return list(_findings(rows[:limit], expected, posterior, fitted))


def places_of(
    judged: OutOfFold, features: Sequence[str] = FEATURES, *, companions: bool = True
) -> Places:
    """Return the entries of out-of-fold scores, with the log odds of the join.

    These are the log odds of the logistic regression, without the calibration curve: the curve
    would absorb the editors' errors, which `frex.audit.doubts` models.

    Parameters
    ----------
    judged
        The result of `frex.predict.out_of_fold`.
    features
        Names of the features of `frex.predict.judges.FEATURES` to use.
    companions
        Whether to use a document's other labels.
    """
    join, judged = learn_join(judged, features), judged.without_far()
    odds = np.asarray(judged.features @ join.coefficients + join.intercept, np.float64)
    if companions:
        odds = with_companions(judged, odds)
    n_documents = len(judged.starts) - 1
    return Places(
        judged.documents, judged.columns.astype(np.int64), odds, judged.given, judged.seen > 0,
        judged.near, n_documents,
    )  # fmt: skip


@dataclass(frozen=True)
class Change:
    """A proposed change, by numbers; -1 is no topic."""

    kind: Wrong
    document: int
    label: int
    other: int
    probability: float


def _changes(places: Places, found: Doubts, corpus: Corpus, least: float) -> list[Change]:
    """Return wrong labels with their replacements, and missing labels that replace none."""
    assert corpus.tree is not None
    wrong = np.flatnonzero((found.wrong >= least) & (found.wrong > 0))
    instead = _replacements(found)
    made: list[Change] = []
    taken = {-1}
    for place in wrong[np.argsort(-found.wrong[wrong], kind="stable")].tolist():
        label, best = int(places.topics[place]), instead.get(place, -1)
        other = -1 if best in taken else int(places.topics[best])
        taken.add(best)
        kind: Wrong = "wrong" if other < 0 else _relation(label, other, corpus.tree)
        document, chance = int(places.documents[place]), float(found.wrong[place])
        made.append(Change(kind, document, label, other, chance))
    missing = np.flatnonzero((found.missing >= least) & (found.missing > 0))
    made += [
        Change(
            "missing", int(places.documents[p]), -1, int(places.topics[p]), float(found.missing[p])
        )
        for p in missing.tolist()
        if p not in taken
    ]
    return made


def _replacements(found: Doubts) -> dict[int, int]:
    """Return the most probable replacement of given labels, by entry.

    A label is left out if it is more probable that no label replaces it.
    """
    pairs, swapped = found.pairs, found.swapped
    none = found.wrong - np.bincount(pairs.given, swapped, len(found.wrong))
    order = np.argsort(swapped, kind="stable")  # the most probable last, which stays in the dict
    order = order[swapped[order] >= np.maximum(none[pairs.given[order]], LIKELY)]
    return dict(zip(pairs.given[order].tolist(), pairs.absent[order].tolist(), strict=True))


def _relation(label: int, other: int, tree: TopicTree) -> Wrong:
    """Return the kind of error of a label that another should replace."""
    if label + 1 in tree.all_ancestors(other + 1):
        return "too general"
    if other + 1 in tree.all_ancestors(label + 1):
        return "too specific"
    if set(tree.all_parents(label + 1)) & set(tree.all_parents(other + 1)):
        return "sibling"
    return "elsewhere"


def _redundant(corpus: Corpus) -> list[Change]:
    """Return labels made redundant by a label below them; of several such labels, the first."""
    tree, labels = corpus.tree, corpus.labels
    assert tree is not None
    several = np.flatnonzero(np.diff(labels.indptr) > 1)
    made = []
    for document in several.tolist():
        own = labels.indices[slice(*labels.indptr[document : document + 2])].tolist()
        above = {up - 1: k for k in reversed(own) for up in tree.all_ancestors(k + 1)}
        made += [Change("redundant", document, k, above[k], 1.0) for k in own if k in above]
    return made


def _branch(tree: TopicTree, node: int) -> set[int]:
    return {k for k in range(tree.n_topics) if node in (k + 1, *tree.all_ancestors(k + 1))}


def _findings(
    changes: list[Change], expected: Sequence[float], posterior: Posterior, corpus: Corpus
) -> Iterator[LabelFinding]:
    """Yield findings with their words, titles and links."""
    assert corpus.tree is not None
    reasons, names = Reasons(posterior, corpus), (*corpus.tree.topics, None)
    weights = companion_weights(corpus.labels.astype(np.float64)) if changes else np.empty((0, 0))
    for one in changes:
        argued = reasons.of(one.document, one.label, one.other)
        speaking = _supporting_labels(one, corpus, weights)
        yield LabelFinding(
            one.kind, corpus.ids[one.document], corpus.details.title(one.document),
            corpus.details.link(one.document), names[one.label], names[one.other],
            one.probability, expected[one.document], *argued,
            corpus.labels_of(one.document), speaking,
        )  # fmt: skip


def _supporting_labels(one: Change, corpus: Corpus, weights: Array) -> tuple[str, ...]:
    """Return labels of the document that usually occur with the one to add."""
    assert corpus.tree is not None
    if one.other < 0 or one.kind == "redundant":
        return ()
    own = corpus.labels.indices[slice(*corpus.labels.indptr[one.document : one.document + 2])]
    said = {int(k): weights[k, one.other] for k in own if k != one.label}
    names = corpus.tree.topics
    return tuple(names[k] for k in sorted(said, key=lambda k: -said[k]) if said[k] >= LEAST_WEIGHT)

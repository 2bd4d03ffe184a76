"""From a stream of documents to their labels, in memory that does not grow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import expit

from frex.corpus.documents import free_name
from frex.errors import InputError
from frex.predict.branches import branch_probabilities, choose_branches
from frex.predict.calibration import MEMBERSHIP
from frex.predict.explain import explain
from frex.predict.labels import choose_labels
from frex.predict.reasons import give_reasons

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from frex.predict.calibration import Calibration
    from frex.predict.documents import Documents
    from frex.predict.explain import Explanation
    from frex.predict.labels import AnyForm
    from frex.predict.modes import Predictor
    from frex.predict.reasons import Reasons

N_WORDS = 10
"""Number of words shown for and against a label together."""


_FIELDS = ("id", "labels", "probabilities", "memberships", "tokens", "words")


class Predicted(NamedTuple):
    """Predictions for a batch of documents."""

    documents: Documents
    affinities: NDArray[np.float64]
    """Documents x topics; no rows if the calibration is joined, which does not use them."""
    probabilities: NDArray[np.float64]  #: documents x topics
    labels: csr_array[np.bool_]  #: documents x topics


def predict(
    predictor: Predictor,
    calibration: Calibration | None,
    documents: Documents,
    *,
    form: AnyForm = "open",
    at_least_one: bool = True,
) -> Predicted:
    """Predict the labels of some documents.

    Parameters
    ----------
    predictor
        Predictor of the fit.
    calibration
        The calibration; `calibration_of` returns a fit's own. With None, probabilities are those of
        the paper, and a label is a topic whose membership reaches `MEMBERSHIP`. For a fit without
        labels, memberships are returned instead of probabilities.
    documents
        The documents. A document without any known word gets no label.
    form, at_least_one
        As for `choose_labels`; or ``"cautious"``: an inner topic if the leaf is uncertain, which
        maximises hierarchical F1. Probabilities are then those of a topic or one below it.

    Returns
    -------
    Predicted
        Labels and probabilities, documents x topics.

    Raises
    ------
    InputError
        The calibration has other topics than the fit, or does not support ``"cautious"``.

    Examples
    --------
    >>> from frex.posterior import read_posterior
    >>> from frex.predict import Predictor, analyzer_of, count_in_words, predict
    >>> from frex.predict.documents import Documents
    >>> posterior = read_posterior('FIT')
    >>> counts = count_in_words(['Gold and silver'], posterior.words, analyzer_of(posterior))
    >>> batch = Documents(['new'], counts, None)
    >>> predict(Predictor(posterior), None, batch).labels.shape
    (1, 4)
    """
    n_topics = predictor.tree.n_topics
    if calibration is not None and calibration.topics != tuple(predictor.tree.topics):
        raise InputError(
            "the calibration has other topics than the fit", remedy="Calibrate this fit."
        )
    n_words = None if calibration is None else calibration.n_words
    if n_words is not None and n_words != len(predictor.words):
        raise InputError(
            f"the calibration is of {n_words:,} words, and the fit has {len(predictor.words):,}",
            remedy="Calibrate this fit.",
        )
    joined = None if calibration is None else calibration.joined
    if form == "cautious" and joined is None:
        raise InputError(
            "only a fit that is calibrated by its own documents knows which labels are in doubt",
            remedy="Use the form open or closed, or fit without --no-calibrate.",
        )
    affinities = np.empty((0, n_topics))
    if joined is not None:
        predictor.check(documents.counts)
        odds = joined.log_odds(predictor, documents.counts, documents.exposures)
        probabilities = measure = expit(odds)
    else:
        scores = predictor.scores(documents.counts, documents.exposures)
        affinities = scores.affinities
        if calibration is None:
            measure = np.exp(scores.log_memberships)
            probabilities = expit(affinities) if predictor.labelled else measure
        else:
            probabilities = measure = calibration.probabilities(scores, predictor.log_odds)
    thresholds = np.full(n_topics, MEMBERSHIP) if calibration is None else calibration.thresholds
    most = None if calibration is None else calibration.most_labels
    if form == "cautious":
        assert joined is not None, "any other calibration is refused above"
        chances = branch_probabilities(
            sparse.csr_array(probabilities), predictor.tree, single=most == 1
        )
        probabilities = chances.toarray()
        labels = choose_branches(
            probabilities, joined.branch_threshold, predictor.tree,
            at_least_one=at_least_one, most=most,
        )  # fmt: skip
    else:
        labels = choose_labels(
            measure, thresholds, predictor.tree, form=form, at_least_one=at_least_one, most=most
        )
    worded = np.diff(documents.counts.indptr) > 0
    labels.data &= np.repeat(worded, np.diff(labels.indptr))
    labels.eliminate_zeros()
    return Predicted(documents, affinities, probabilities, labels)


def records(
    predictor: Predictor,
    calibration: Calibration | None,
    batches: Iterable[Documents],
    *,
    form: AnyForm = "open",
    at_least_one: bool = True,
    shown: Sequence[str] | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield a record for each document: id, details, labels, probabilities, number of tokens.

    The details are the title, link, date and further fields of a document.

    Parameters
    ----------
    predictor, calibration, form, at_least_one
        As for `predict`.
    batches
        The documents.
    shown
        The display forms of words; if given, each label is explained by words for and against it.

    Yields
    ------
    dict
        One record for each document, with JSON values.

    Raises
    ------
    InputError
        Explanations of the form ``"cautious"`` were requested.

    Examples
    --------
    >>> from frex.posterior import read_posterior
    >>> from frex.predict import Predictor, analyzer_of, count_in_words, records
    >>> from frex.predict.documents import Documents
    >>> posterior = read_posterior('FIT')
    >>> counts = count_in_words(['Gold and silver'], posterior.words, analyzer_of(posterior))
    >>> batch = Documents(['new'], counts, None)
    >>> [row['labels'] for row in records(Predictor(posterior), None, [batch])]
    [['metal']]
    """
    if shown is not None and form == "cautious":
        raise InputError(
            "labels of the form cautious are of whole branches, which no words explain",
            remedy="Leave out --explain, or use the form open.",
        )
    topics = predictor.tree.topics
    called = "probabilities" if predictor.labelled else "memberships"
    for batch in batches:
        made = predict(predictor, calibration, batch, form=form, at_least_one=at_least_one)
        tokens: NDArray[np.int64] = np.asarray(batch.counts.sum(axis=1, dtype=np.int64))
        for row, name in enumerate(batch.ids):
            labels = made.labels.indices[made.labels.indptr[row] : made.labels.indptr[row + 1]]
            likeliest = np.argsort(-made.probabilities[row, labels], kind="stable")
            columns = labels[likeliest].astype(np.int64)
            record: dict[str, Any] = {
                "id": name,
                **{free_name(n, _FIELDS): text for n, text in batch.details.of(row).items()},
                "labels": [topics[k] for k in columns],
                called: {topics[k]: _short(made.probabilities[row, k]) for k in columns},
                "tokens": int(tokens[row]),
            }
            if shown is not None:
                record["words"] = _why(predictor, calibration, made, row, (columns, shown))
            yield record


def _why(
    predictor: Predictor,
    calibration: Calibration | None,
    made: Predicted,
    row: int,
    labels: tuple[NDArray[np.int64], Sequence[str]],
) -> dict[str, Any]:
    """Return the explanation of each label in displayed words."""
    columns, shown = labels
    documents, topics = made.documents, predictor.tree.topics
    counts = documents.counts[[row]]
    exposure = None if documents.exposures is None else float(documents.exposures[row])
    if calibration is not None and calibration.joined is not None:
        reasons = give_reasons(predictor, calibration.joined, counts, columns, exposure)
        return {topics[r.topic]: _sum(r, shown) for r in reasons}
    found = explain(predictor, counts, made.affinities[row], columns, exposure)
    return {topics[e.topic]: _arguments(e, shown) for e in found}


def _sum(reasons: Reasons, shown: Sequence[str]) -> dict[str, Any]:
    """Return the terms of a label's log odds: the words with the largest terms, and the others."""
    strongest = np.sort(np.argsort(-np.abs(reasons.gains), kind="stable")[:N_WORDS])
    pairs = [
        [shown[word], _short(gain)]
        for word, gain in zip(
            reasons.words[strongest].tolist(), reasons.gains[strongest].tolist(), strict=True
        )
    ]
    return {
        "log_odds": _short(reasons.log_odds),
        "prior": _short(reasons.prior),
        "for": [pair for pair in pairs if pair[1] > 0],
        "against": [pair for pair in reversed(pairs) if pair[1] < 0],
        "others": _short(float(reasons.gains.sum() - reasons.gains[strongest].sum())),
        "missing": _short(reasons.missing),
        "tree": _short(reasons.tree),
    }


def _arguments(explanation: Explanation, shown: Sequence[str]) -> dict[str, Any]:
    pairs = [
        [shown[word], _short(gain)]
        for word, gain in zip(explanation.words.tolist(), explanation.gains.tolist(), strict=True)
    ]
    return {
        "gain": _short(explanation.gain),
        "for": [pair for pair in pairs[: N_WORDS // 2] if pair[1] > 0],
        "against": [pair for pair in pairs[: -N_WORDS // 2 - 1 : -1] if pair[1] < 0],
        "missing": _short(explanation.missing),
    }


def _short(value: float) -> float:
    """Round to four digits, for readable lines."""
    return float(f"{value:.4g}")

"""`Calibration`: from scores to label probabilities and labels, learned on held-out documents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
from scipy.special import expit

from frex.errors import InputError
from frex.predict.correction import Correction, learn
from frex.predict.curve import Curve
from frex.predict.folds import N_FOLDS
from frex.predict.join import Join
from frex.predict.joined import Joined, learn_joined
from frex.predict.judges import FEATURES
from frex.predict.linear import LinearScorer
from frex.predict.thresholds import find_thresholds
from frex.sampler.threads import use_threads
from frex.storage import FolderReader, FolderWriter
from frex.storage.rules import Numbers

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.predict.modes import Predictor, Scores
    from frex.predict.thresholds import By, Criterion
    from frex.storage.rules import Rule

    Array: TypeAlias = NDArray[np.float64]

Method: TypeAlias = Literal["corrected", "paper"]
Learned: TypeAlias = Literal["joined", "corrected", "paper"]

KIND, VERSION = "frex-calibration", 5
FOLDER = "calibration"
"""Subfolder of a fit with its own calibration."""

FOLD_STEPS = N_FOLDS + 1
"""Number of progress reports of `calibrate_by_folds`."""

MEMBERSHIP = 0.3
"""Without calibration, a label is a topic with at least this membership; on the test documents of
Reuters-21578 micro F1 is 0.75 with 0.2, 0.77 with 0.3 and with 0.4."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """The map from a fit's scores to label probabilities and labels.

    Attributes
    ----------
    topics
        The fit's topics.
    thresholds
        For each topic, the probability at or above which it is a label.
    correction
        The correction learned on held-out documents; None for the probabilities of the paper.
    joined
        The calibration learned on the fit's own documents; then there is no correction.
    """

    topics: tuple[str, ...]
    thresholds: Array
    correction: Correction | None = None
    joined: Joined | None = None

    @property
    def method(self) -> Learned:
        """``"joined"``, ``"corrected"``, or ``"paper"``."""
        if self.joined is not None:
            return "joined"
        return "paper" if self.correction is None else "corrected"

    @property
    def most_labels(self) -> int | None:
        """Most labels of a document; None for any number."""
        return None if self.joined is None else self.joined.most_labels

    @property
    def n_words(self) -> int | None:
        """Number of words that the fit must have; None for any number."""
        if self.joined is not None:
            return len(self.joined.linear.weights)
        return None if self.correction is None else len(self.correction.weights)

    def probabilities(self, scores: Scores, prior: Array) -> Array:
        """Return the probability of every label, documents x topics, for methods except joined.

        Parameters
        ----------
        scores
            Scores of the documents.
        prior
            Prior log odds of each label.
        """
        odds = (
            scores.affinities
            if self.correction is None
            else self.correction.log_odds(scores, prior)
        )
        probabilities: Array = expit(odds)
        return probabilities

    def write(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Save the calibration as a folder; `read_calibration` reads it."""
        with FolderWriter(path, kind=KIND, version=VERSION, overwrite=overwrite) as folder:
            folder.meta["method"] = self.method
            folder.write_json("topics", list(self.topics))
            folder.write_array("thresholds", self.thresholds)
            if self.correction is not None:
                for name, array in self.correction._asdict().items():
                    folder.write_array(name, array)
            if self.joined is not None:
                folder.meta |= {
                    "documents": self.joined.n_documents,
                    "saturation": self.joined.saturation,
                    "intercept": self.joined.join.intercept,
                    "most_labels": self.joined.most_labels,
                    "branch_threshold": self.joined.branch_threshold,
                    "features": list(FEATURES),
                }
                for name, array in _arrays(self.joined).items():
                    folder.write_array(name, array)


def _arrays(joined: Joined) -> dict[str, NDArray[Any]]:
    """Return the arrays of a joined calibration by name."""
    return {
        "sizes": joined.sizes.astype(np.int64),
        "coefficients": joined.join.coefficients,
        **{f"curve_{name}": array for name, array in joined.join.curve._asdict().items()},
        **{f"linear_{name}": array for name, array in joined.linear._asdict().items()},
    }


def read_calibration(path: str | PathLike[str]) -> Calibration:
    """Read a saved calibration."""
    folder = FolderReader(path, kind=KIND, version=VERSION, contents=_contents)
    correction = joined = None
    if folder.meta["method"] == "corrected":
        correction = Correction(*(np.array(folder.array(name)) for name in Correction._fields))
    if folder.meta["method"] == "joined":
        joined = _joined_in(folder)
    topics = tuple(folder.json("topics", [str]))
    return Calibration(topics, np.array(folder.array("thresholds")), correction, joined)


def calibration_of(fit: str | PathLike[str]) -> Calibration | None:
    """Read the calibration in a fit's folder; None if there is none."""
    place = Path(fit) / FOLDER
    return read_calibration(place) if place.is_dir() else None


def _joined_in(folder: FolderReader) -> Joined:
    def arrays(kind: Any, prefix: str) -> Any:
        return kind(*(np.array(folder.array(f"{prefix}_{name}")) for name in kind._fields))

    meta = folder.meta
    join = Join(meta["intercept"], np.array(folder.array("coefficients")), arrays(Curve, "curve"))
    linear = arrays(LinearScorer, "linear")
    sizes = np.array(folder.array("sizes"))
    return Joined(
        linear,
        sizes,
        meta["documents"],
        meta["saturation"],
        join,
        meta["most_labels"],
        meta["branch_threshold"],
    )


def _contents(folder: FolderReader) -> dict[str, Rule]:
    """Return the rules for the arrays of a calibration."""
    if folder.meta.get("method") not in get_args(Learned):
        raise folder.damaged("manifest.json", f"declares the method {folder.meta.get('method')!r}")
    method = folder.meta["method"]
    folder.check_meta({"method": str} if method != "joined" else JOINED_META)
    n_topics = len(folder.json("topics", [str]))
    rules: dict[str, Rule] = {"thresholds": Numbers((np.float64,), (n_topics,), 0, 1)}
    if method == "corrected":
        n_words, _ = folder.shape("weights", 2)
        shapes = {"common": (3,), "slopes": (n_topics,), "intercepts": (n_topics,), "ends": (3,)}
        rules |= {name: Numbers((np.float64,), shape) for name, shape in shapes.items()}
        rules["weights"] = Numbers((np.float32,), (n_words, n_topics))
    return rules | _joined_rules(folder, n_topics) if method == "joined" else rules


JOINED_META: dict[str, Any] = {
    "method": str,
    "documents": int,
    "saturation": float,
    "intercept": float,
    "most_labels": int,
    "branch_threshold": float,
    "features": [str],
}


def _joined_rules(folder: FolderReader, n_topics: int) -> dict[str, Rule]:
    meta = folder.meta
    if tuple(meta["features"]) != FEATURES:
        raise folder.damaged("manifest.json", "names other features than this frex knows")
    if meta["saturation"] <= 0 or min(meta["documents"], meta["most_labels"]) < 1:
        raise folder.damaged("manifest.json", "declares a saturation, documents or labels below 0")
    if not 0 < meta["branch_threshold"] < 1:
        raise folder.damaged("manifest.json", "declares a branch_threshold outside 0 and 1")
    (n_words,), (n_knots,) = folder.shape("linear_idf"), folder.shape("curve_knots")
    if n_knots < 2:
        raise folder.damaged("curve_knots.npy", "is no curve")
    float32, float64 = (np.float32,), (np.float64,)
    return {
        "sizes": Numbers((np.int64,), (n_topics,), 0, np.full(n_topics, meta["documents"])),
        "coefficients": Numbers(float64, (len(FEATURES),)),
        "curve_knots": Numbers(float64, (n_knots,)),
        "curve_values": Numbers(float64, (n_knots,)),
        "linear_idf": Numbers(float32, (n_words,), 0),
        "linear_weights": Numbers(float32, (n_words, n_topics)),
        "linear_intercepts": Numbers(float32, (n_topics,)),
    }


def calibrate_by_folds(
    corpus: Corpus,
    *,
    priors: Any = "weak",
    seed: int = 0,
    threads: int = 0,
    near: Posterior | None = None,
    thresholds: By | Literal["expected"] = "expected",
    criterion: Criterion | Literal["both"] = "both",
    progress: Callable[[int], None] | None = None,
) -> Calibration:
    """Calibrate on the documents of a fit, with out-of-fold scores.

    Parameters
    ----------
    corpus
        The corpus of the fit, with labels.
    priors, seed
        Priors and seed of the fit.
    threads
        Number of threads; 0 for one per core. The result does not depend on it.
    near
        The fit; the fits to parts of the documents then start at its mode, which takes less time.
    thresholds
        ``"expected"``: one for each topic, by expected counts; ``"global"`` or ``"topic"``: as for
        `find_thresholds`, by observed counts.
    criterion
        The criterion to maximise: ``"micro"`` or ``"macro"`` F1, or, with expected counts,
        ``"both"``, their mean.
    progress
        Called with 1 after each of `FOLD_STEPS` steps.

    Returns
    -------
    Calibration
        The calibration for `predict`.

    Raises
    ------
    InputError
        There are too few documents with labels, or only one topic.

    Examples
    --------
    >>> from frex import read_corpus
    >>> from frex.predict import calibrate_by_folds
    >>> calibrate_by_folds(read_corpus('CORPUS')).method
    'joined'
    """
    learned = learn_joined(
        corpus, priors=priors, seed=seed, threads=threads, near=near,
        thresholds=thresholds, criterion=criterion, progress=progress,
    )  # fmt: skip
    tree = corpus.without_empty_topics().tree
    assert tree is not None, "without labels there are too few documents"
    return Calibration(tuple(tree.topics), learned.thresholds, joined=learned.joined)


def calibrate(
    predictor: Predictor,
    documents: Corpus,
    *,
    method: Method = "corrected",
    thresholds: By = "global",
    criterion: Criterion = "micro",
) -> Calibration:
    """Calibrate on held-out labelled documents.

    Parameters
    ----------
    predictor
        Predictor of the fit.
    documents
        Labelled documents, over the fit's words and topics.
    method
        ``"paper"``: a label's probability is the logistic of its affinity at the mode.
        ``"corrected"``: it is calibrated on the held-out documents.
    thresholds, criterion
        As for `find_thresholds`.

    Returns
    -------
    Calibration
        The calibration for `predict`.

    Raises
    ------
    InputError
        The documents have no labels, or other words or topics than the fit.

    Examples
    --------
    >>> from frex import read_corpus
    >>> from frex.posterior import read_posterior
    >>> from frex.predict import Predictor, calibrate
    >>> predictor = Predictor(read_posterior('FIT'))
    >>> learned = calibrate(predictor, read_corpus('CORPUS'))
    """
    if method not in ("corrected", "paper"):
        raise InputError(f"method={method!r} is not a choice", remedy="Use 'corrected' or 'paper'.")
    tree = documents.tree
    if tree is None or not set(predictor.tree.topics) <= set(tree.topics):
        raise InputError(
            "the held-out documents have other topics than the fit", remedy="Use the same tree."
        )
    known = np.flatnonzero(np.diff(documents.labels.indptr))
    labels = documents.labels[known].toarray().astype(np.bool_)
    labels = labels[:, predictor.tree.label_columns(tree)]
    if not labels.any():
        raise InputError(
            "no held-out document has a label that is a topic of the fit",
            remedy="Calibrate with labelled documents.",
        )
    given = documents.given_exposures
    scores = predictor.scores(documents.counts[known], None if given is None else given[known])
    correction, odds = None, scores.affinities
    if method == "corrected" and not labels.all():  # with one topic there is nothing to learn
        with use_threads(predictor.threads):
            correction, odds = learn(scores, predictor.log_odds, labels)
    chosen = find_thresholds(expit(odds), labels, by=thresholds, criterion=criterion)
    return Calibration(tuple(predictor.tree.topics), chosen, correction)

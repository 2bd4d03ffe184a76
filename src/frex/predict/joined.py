"""`Joined`: the calibration of a fit on its own documents.

The documents get out-of-fold scores (`frex.predict.folds`). From these the log odds of HPC and a
linear scorer (`frex.predict.join`) and the thresholds are learned. The linear scorer in the
calibration is trained on all documents, as the fit is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from scipy.special import expit

from frex.errors import InputError
from frex.predict.branches import learn_branch_threshold
from frex.predict.expected import Places, expected_thresholds
from frex.predict.folds import BLOCK, N_FOLDS, out_of_fold
from frex.predict.join import Join, learn_join, learnable, of_labelled
from frex.predict.judges import FEATURES, Judge, log_shares
from frex.predict.linear import LinearScorer, learn_linear
from frex.predict.most import learn_most
from frex.predict.thresholds import thresholds_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.predict.judged import OutOfFold
    from frex.predict.modes import Predictor
    from frex.predict.thresholds import By, Criterion

    Array: TypeAlias = NDArray[np.float64]

FEWEST_DOCUMENTS, FEWEST_PLACES = 20, 10
"""Least numbers of labelled documents, and of labels known to a judge, for learning a join."""

NEVER = 1.0
"""Threshold of a topic without documents of its own."""


class Joined(NamedTuple):
    """The calibration of a fit on its own documents."""

    linear: LinearScorer
    sizes: NDArray[np.int64]  #: number of documents of each topic
    n_documents: int
    saturation: float
    join: Join
    most_labels: int  #: most labels of a new document (`frex.predict.most`)
    branch_threshold: float  #: threshold of the probability of a topic or one below it

    def judge(self, predictor: Predictor) -> Judge:
        """Return the judge of new documents.

        Parameters
        ----------
        predictor
            Predictor of the fit.
        """
        return Judge(predictor, self.linear, self.sizes, self.n_documents)

    def log_odds(
        self, predictor: Predictor, counts: csr_array[np.int32], exposures: Array | None = None
    ) -> Array:
        """Return the log odds of labels, documents x topics.

        Parameters
        ----------
        predictor
            Predictor of the fit.
        counts, exposures
            As for `Predictor.affinities`.
        """
        judge, odds = self.judge(predictor), np.empty((counts.shape[0], len(self.sizes)))
        size = max(1, BLOCK // max(1, len(self.sizes)))
        for start in range(0, len(odds), size):
            rows = slice(start, start + size)
            reading = judge.read(counts[rows], None if exposures is None else exposures[rows])
            planes = judge.features(reading, self.saturation)
            odds[rows] = self.join.log_odds_of_planes(planes)
        odds[:, self.sizes == 0] = self.unused
        return odds

    @property
    def unused(self) -> float:
        """Log odds of an inner topic without documents of its own.

        Nothing can be learned about such topics. With the coefficients of the others, every second
        document would get one if all labels are at leaves.
        """
        return float(log_shares(np.zeros(1, np.int64), self.n_documents)[0])


class Learned(NamedTuple):
    """The join, and the thresholds of its probabilities."""

    joined: Joined
    thresholds: Array  #: one threshold for each topic


def learn_joined(
    corpus: Corpus,
    *,
    n_folds: int = N_FOLDS,
    priors: Any = "weak",
    seed: int = 0,
    threads: int = 0,
    near: Posterior | None = None,
    features: Sequence[str] = FEATURES,
    thresholds: By | Literal["expected"] = "expected",
    criterion: Criterion | Literal["both"] = "both",
    progress: Callable[[int], None] | None = None,
) -> Learned:
    """Calibrate the labels of new documents on the documents of a fit.

    Parameters
    ----------
    corpus
        The documents, with labels.
    n_folds, priors, seed, threads, near
        As for `frex.predict.out_of_fold`.
    features
        Names of the features of `frex.predict.judges.FEATURES` to use.
    thresholds
        ``"expected"``: one for each topic, by expected counts (`frex.predict.expected`);
        ``"global"`` or ``"topic"``: as for `frex.predict.find_thresholds`, by observed counts.
    criterion
        The criterion to maximise: ``"micro"`` or ``"macro"`` F1, or, with expected counts,
        ``"both"``, their mean.
    progress
        Called with 1 after each of `n_folds` + 1 steps.

    Returns
    -------
    Learned
        The join and the thresholds, for `Calibration`.

    Raises
    ------
    InputError
        There are too few documents to learn from.
    """
    corpus = corpus.without_empty_topics()
    labelled = np.flatnonzero(np.diff(corpus.labels.indptr))
    refuse_too_few(len(labelled), corpus.n_topics)
    judged = out_of_fold(
        corpus, n_folds=n_folds, priors=priors, seed=seed, threads=threads, near=near,
        progress=progress,
    )  # fmt: skip
    seen = corpus.take(labelled)
    sizes = np.bincount(seen.labels.indices, minlength=corpus.n_topics)
    join, chosen, most = learn_from(
        judged, sizes, features, thresholds, criterion, most=most_labels(seen)
    )
    assert corpus.tree is not None, "without labels there are too few documents"
    places = judged.without_far()
    chances = places.matrix(expit(join.log_odds(places.features)) * (places.seen > 0))
    of_branch = learn_branch_threshold(chances, corpus.tree, single=most == 1)
    linear = learn_linear(seen.counts, seen.labels, penalty=judged.whole_penalty, threads=threads)
    if progress is not None:
        progress(1)
    joined = Joined(linear, sizes, len(seen), judged.saturation, join, most, of_branch)
    return Learned(joined, chosen)


def learn_from(
    judged: OutOfFold,
    sizes: NDArray[np.int64],
    features: Sequence[str],
    thresholds: By | Literal["expected"],
    criterion: Criterion | Literal["both"],
    *,
    most: int,
) -> tuple[Join, Array, int]:
    """Learn the join, the thresholds, and the most labels of a document, from out-of-fold scores.

    Parameters
    ----------
    judged
        The out-of-fold scores.
    sizes
        Number of documents of each topic.
    features, thresholds, criterion
        As for `learn_joined`.
    most
        Most labels of a labelled document.
    """
    teach = learnable(judged)
    n_given = int(judged.given[teach].sum())
    if n_given < FEWEST_PLACES:
        raise InputError(
            f"{n_given} labels of other documents are too few to learn from",
            remedy="Give more documents, so that topics have several.",
        )
    join = learn_join(judged, features)
    chosen = _thresholds(join, judged, sizes, thresholds, criterion, most=most)
    chosen = np.where(sizes > 0, chosen, NEVER)
    odds = join.log_odds(judged.features)
    return join, chosen, learn_most(judged, odds, chosen, most, str(criterion))


def most_labels(corpus: Corpus) -> int:
    """Return the largest number of labels of a document."""
    return int(np.diff(corpus.labels.indptr).max())


def _thresholds(
    join: Join,
    judged: OutOfFold,
    sizes: NDArray[np.int64],
    thresholds: By | Literal["expected"],
    criterion: Criterion | Literal["both"],
    *,
    most: int,
) -> Array:
    use = of_labelled(judged)
    if thresholds != "expected":  # these count entries, and exclude sampled ones
        judged, use = judged.without_far(), use[judged.near | judged.given]
    odds = join.log_odds(judged.features[use])
    given, columns = judged.given[use], judged.columns[use]
    if thresholds == "expected":
        at = judged.documents[use], columns, judged.seen[use], judged.weights[use]
        places, n_given = Places(odds, *at), int(given.sum())
        return expected_thresholds(places, n_given, sizes, str(criterion), single=most == 1)
    if criterion == "both":
        raise InputError(
            "by what was counted there are no thresholds for both F1",
            remedy="Use criterion 'micro' or 'macro', or thresholds='expected'.",
        )
    n_topics = len(judged.topics)
    return thresholds_of(expit(odds), given, columns, n_topics, by=thresholds, criterion=criterion)


def refuse_too_few(n_documents: int, n_topics: int) -> None:
    """Raise an error for too few documents or topics, before anything is fitted."""
    if n_documents < FEWEST_DOCUMENTS:
        raise InputError(
            f"{n_documents} {'document' if n_documents == 1 else 'documents'} with labels "
            f"{'is' if n_documents == 1 else 'are'} too few to calibrate by",
            remedy=f"Give {FEWEST_DOCUMENTS} or more.",
        )
    if n_topics < 2:
        raise InputError(
            "there is one topic, so that every document has it", remedy="Give two topics or more."
        )

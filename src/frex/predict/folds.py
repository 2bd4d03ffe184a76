"""Out-of-fold scores: every document is scored by fits that did not see it.

Usage: `judged = out_of_fold(corpus)` fits HPC (by the mode) and the linear scorer to all folds
except one, in turn, and stores for each document of that fold its given labels and its
highest-scoring topics. `join = learn_join(judged)` combines the features into one log odds
(`frex.predict.join`). Then `judged.matrix(expit(join.log_odds(judged.features)))` is a sparse
matrix, documents x `judged.topics`, of probabilities. `judged.matrix(judged.given)`, `.seen`,
`.hpc` and `.linear` have the same pattern: whether the label is given, the number of the topic's
documents in the training folds, the log probability by HPC's rates, and the SVM's decision value.

Folds are stratified by topic. Copies of a document lie in one fold, because a judge that has seen
one copy would know the labels of the others. If all documents of a topic lie in one fold, the judge
of this fold does not know the topic: its given labels have `seen` 0 and the lowest features, and
nothing is learned from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.corpus.splits import stratify
from frex.errors import InputError, StoppedError
from frex.predict.evidence import SATURATION
from frex.predict.judged import OutOfFold, Places, nearest, weigh
from frex.predict.judges import FEATURES, Judge
from frex.predict.linear import PENALTY, learn_linear
from frex.predict.modes import Predictor
from frex.predict.penalty import choose_penalty
from frex.predict.saturation import Trial, are_enough, choose_saturation
from frex.sampler.fit import fit_on_first
from frex.sampler.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.tree import TopicTree

    Rows: TypeAlias = NDArray[np.int64]

N_FOLDS = 5
"""With three folds the judges would be trained on a third fewer documents than the final fit."""

BLOCK = 1 << 20
"""Number of entries, documents x topics, in a batch."""

COPIED = 10
"""Least number of tokens for equal documents to count as copies, not as equal by chance."""

SAMPLE, FEWEST = 1 << 17, 300
"""Limits of entries, documents x topics, and of documents for the choice of saturation and penalty.
With four times as many, the choice took half of the time of all folds on Reuters-21578."""


def out_of_fold(
    corpus: Corpus,
    *,
    n_folds: int = N_FOLDS,
    priors: Any = "weak",
    seed: int = 0,
    threads: int = 0,
    near: Posterior | None = None,
    progress: Callable[[int], None] | None = None,
) -> OutOfFold:
    """Score every document by fits to the other folds.

    Parameters
    ----------
    corpus
        A corpus with labels. Documents without labels are scored, but not used for training.
    n_folds
        Number of folds; at most the number of documents.
    priors
        Priors of the fits, as for `frex.sampler.settings.Settings`.
    seed
        The same seed gives the same folds.
    threads
        Number of threads; 0 for one per core. The result does not depend on it.
    near
        A fit of the corpus, from which the search for the judges' modes starts. This takes about
        half of the time. The result differs from that of a cold start by about as much as one round
        of the search more or less does.
    progress
        Called with 1 after each fold.

    Returns
    -------
    OutOfFold
        The scores, in memory that grows with the documents and not with the topics.

    Raises
    ------
    InputError
        There are fewer than two documents with labels.

    Examples
    --------
    >>> from frex import read_corpus
    >>> from frex.predict import learn_join, out_of_fold
    >>> judged = out_of_fold(read_corpus('CORPUS'), n_folds=3)
    >>> odds = judged.matrix(learn_join(judged).log_odds(judged.features))
    >>> odds.shape
    (36, 4)
    """
    corpus = corpus.without_empty_topics()
    labelled = np.diff(corpus.labels.indptr) > 0
    if corpus.tree is None or labelled.sum() < 2:
        raise InputError(
            f"{int(labelled.sum())} documents with labels are too few to judge one by the others",
            remedy="Give two or more.",
        )
    settings = Settings(method="map", draws=2, seed=seed, priors=priors)
    n_folds = max(2, min(n_folds, int(labelled.sum())))
    folds = deal(corpus, n_folds, seed)
    found: list[Places] = []
    saturation, penalty = None, PENALTY
    trials: list[Trial] = []
    waiting: list[tuple[Judge, Rows]] = []
    for fold in range(n_folds):
        held, others = np.flatnonzero(folds == fold), np.flatnonzero((folds != fold) & labelled)
        if len(held) and len(others):
            training = corpus.take(others).without_empty_topics()
            judge = learn_judge(training, settings, penalty=penalty, near=near, threads=threads)
            if saturation is None:
                some = corpus.take(held[: max(FEWEST, SAMPLE // corpus.n_topics)])
                if trials:
                    trials.append(_try(judge, some))
                else:
                    judge, saturation, penalty = _choices(judge, training, some)
                    trials = [_try(judge, some)]
            waiting.append((judge, held))
        if trials and saturation is None and (are_enough(trials) or fold == n_folds - 1):
            saturation = choose_saturation(trials)
        if saturation is not None:
            found += _judged_by_block(waiting, corpus, saturation)
            waiting = []
        if progress is not None:
            progress(1)
    return OutOfFold.of(
        corpus.tree.topics, found, folds, saturation=saturation or SATURATION, penalty=penalty
    )


def deal(corpus: Corpus, n_folds: int, seed: int = 0) -> NDArray[np.int32]:
    """Return a fold for each document, stratified by topic, with copies in the same fold.

    Parameters
    ----------
    corpus
        The documents. Documents with the same counts and at least `COPIED` tokens are copies;
        shorter ones may be equal by chance.
    n_folds, seed
        As for `out_of_fold`.
    """
    counts = corpus.counts.sorted_indices()
    ends = counts.indptr.tolist()
    first = np.arange(len(corpus))
    known: dict[int, int] = {}
    for row in np.flatnonzero(corpus.lengths >= COPIED).tolist():
        own = slice(*ends[row : row + 2])
        key = hash((counts.indices[own].tobytes(), counts.data[own].tobytes()))
        first[row] = known.setdefault(key, row)
    kept, place = np.unique(first, return_inverse=True)
    if len(kept) < n_folds:
        kept, place = np.arange(len(corpus)), np.arange(len(corpus))
    shares = [1.0 / n_folds] * n_folds
    folds: NDArray[np.int32] = stratify(corpus.labels[kept], shares, seed=seed)[place]
    return folds


def learn_judge(
    corpus: Corpus,
    settings: Settings,
    *,
    penalty: float = PENALTY,
    near: Posterior | None = None,
    threads: int = 0,
) -> Judge:
    """Fit HPC and the linear scorer to the same labelled documents.

    Parameters
    ----------
    corpus
        The documents.
    settings
        Settings of HPC's fit.
    penalty
        Penalty of the linear scorer.
    near
        As for `out_of_fold`.
    threads
        Number of threads; 0 for one per core.
    """
    corpus = corpus.without_empty_topics()
    linear = learn_linear(corpus.counts, corpus.labels, penalty=penalty, threads=threads)
    # without ranks, even if several were started: this is one rank's own work
    posterior = fit_on_first(corpus, settings, near=near, threads=threads)
    if posterior is None or not posterior.complete:
        raise StoppedError("the fit was stopped")
    sizes = np.bincount(corpus.labels.indices, minlength=corpus.n_topics)
    return Judge(Predictor(posterior, threads=threads), linear, sizes, len(corpus))


def _try(judge: Judge, documents: Corpus) -> Trial:
    """Return held-out documents as the judge reads them, with their labels."""
    columns = judge.predictor.tree.label_columns(_tree(documents))
    reading = judge.read(documents.counts, documents.given_exposures)
    return Trial(judge, reading, documents.labels[:, columns])


def _choices(
    judge: Judge, training: Corpus, documents: Corpus
) -> tuple[Judge, float | None, float]:
    """Choose saturation and penalty by the likelihood of held-out documents.

    Return a judge with this penalty, the saturation, or None if a choice needs more documents, and
    the penalty.
    """
    trial = _try(judge, documents)
    saturation = choose_saturation([trial])
    penalty = choose_penalty(judge, training, trial.reading, trial.labels, saturation)
    if penalty != PENALTY:
        linear = learn_linear(
            training.counts, training.labels, penalty=penalty, threads=judge.predictor.threads
        )
        judge = Judge(judge.predictor, linear, judge.seen, len(training))
    return judge, saturation if are_enough([trial]) else None, penalty


def _judged_by_block(
    judges: Sequence[tuple[Judge, Rows]], corpus: Corpus, saturation: float
) -> Iterator[Places]:
    """Yield judges' scores of their held-out documents, some documents at a time."""
    size = max(1, BLOCK // corpus.n_topics)
    for judge, rows in judges:
        for start in range(0, len(rows), size):
            some = rows[start : start + size]
            yield _judged(judge, corpus.take(some), some, saturation)


def _judged(judge: Judge, documents: Corpus, rows: Rows, saturation: float) -> Places:
    """Return a judge's scores of documents at their labels and highest-scoring topics."""
    tree = _tree(documents)
    columns = judge.predictor.tree.label_columns(tree)
    planes = judge.features(judge.read(documents.counts, documents.given_exposures), saturation)
    near = nearest(planes[FEATURES.index("linear")]) | nearest(planes[FEATURES.index("words")])
    given = documents.labels[:, columns].toarray().astype(np.bool_)
    weights = weigh(near | given, np.random.default_rng(int(rows[0])))
    at = np.nonzero(weights)
    sizes = judge.seen
    # a given label whose topic the judge does not know has the lowest features
    missing = np.ones(documents.n_topics, np.bool_)
    missing[columns] = False
    labels = documents.labels.tocoo()
    lost = missing[labels.col]
    unseen = judge.least(planes, labels.row[lost])
    found = Places(
        rows[np.concatenate([at[0], labels.row[lost]])],
        np.concatenate([columns[at[1]], labels.col[lost]]).astype(np.int32),
        np.concatenate([np.stack([plane[at] for plane in planes], axis=1), unseen]),
        np.concatenate([given[at], np.ones(len(unseen), np.bool_)]),
        np.concatenate([near[at], np.zeros(len(unseen), np.bool_)]),
        np.concatenate([weights[at], np.ones(len(unseen), np.float32)]),
        np.concatenate([sizes[at[1]], np.zeros(len(unseen), np.int64)]).astype(np.int32),
    )
    order = np.lexsort((found.columns, found.documents))
    return found.at(order)


def _tree(corpus: Corpus) -> TopicTree:
    assert corpus.tree is not None, "a corpus without labels is refused earlier"
    return corpus.tree

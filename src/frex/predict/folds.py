"""Every document judged by fits that did not see it.

How to use it: `judged = out_of_fold(corpus)` fits HPC (by the mode) and the linear scorer to all
folds but one, in turn, and keeps of each document its given labels and the topics that come
nearest; `join = learn_join(judged)` makes one log odds of the features (`frex.predict.join`); then
`judged.matrix(expit(join.log_odds(judged.features)))` is a sparse matrix, documents x
`judged.topics`, of probabilities, and `judged.matrix(judged.given)`, `.seen`, `.hpc` and `.linear`
lie on the same places: whether the label is given, how many documents of the topic the judge had
seen, the log probability by HPC's rates, the SVM's decision value.

Of the topics that are far from a document a few are there too, drawn at random; each stands for
several, as many as `weights` says, so that what is learned holds for all topics.

Folds are stratified: every topic is spread over them as evenly as it can be, and copies of a
document lie in one fold: a judge that has seen one would know the others' labels by heart. A topic
all of whose documents lie in one fold is unknown to that fold's judge: its given labels are there
with `seen` 0 and the lowest features, and nothing is learned from them.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from frex.corpus.splits import stratify
from frex.errors import InputError, StoppedError
from frex.predict.evidence import SATURATION
from frex.predict.judges import FEATURES, Judge
from frex.predict.linear import PENALTY, learn_linear
from frex.predict.modes import Predictor
from frex.predict.penalty import choose_penalty
from frex.predict.saturation import choose_saturation
from frex.sampler.fit import fit_on_first
from frex.sampler.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.tree import TopicTree

    Array: TypeAlias = NDArray[np.float64]
    Single: TypeAlias = NDArray[np.float32]
    Rows: TypeAlias = NDArray[np.int64]

N_FOLDS = 5
"""With three the judges have seen a third less than the fit that they stand for."""

NEAREST = 32
"""Topics of a document that are kept by each of the two scores, beside its given labels."""

FAR = 16
"""Others of a document that are drawn at random and stand for all that are far."""

BLOCK = 1 << 20
"""Documents x topics that are looked at together."""

COPIED = 10
"""Tokens that two documents share that are the same and not so by chance."""

SAMPLE, FEWEST = 1 << 17, 300
"""Documents x topics, and documents, by which saturation and penalty are chosen. With four times as
many this took half of the time that all folds take on Reuters-21578."""


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """What is known of documents by judges that did not see them, at their likeliest topics.

    Attributes
    ----------
    topics
        Names of the topics that have documents, of their own or below them: the columns.
    starts, columns
        Document d has the places ``starts[d]`` to ``starts[d + 1]``, at these columns, in order.
    features
        Places x `frex.predict.judges.FEATURES`.
    given
        Whether the document has the label.
    near
        Whether the topic is among those that come nearest; a given label may not be, and those that
        stand for others are not.
    weights
        How many places each stands for: 1, or more for those that are neither near nor given.
    seen
        How many documents of the topic the judge has seen.
    folds
        The fold of each document.
    saturation
        What was learned of documents' lengths (`frex.predict.evidence`).
    penalty
        What was learned of the linear scorer's (`frex.predict.penalty`): that of the judges, which
        have seen a part of the documents; `whole_penalty` is for a scorer of all.
    """

    topics: tuple[str, ...]
    starts: Rows
    columns: NDArray[np.int32]
    features: Single
    given: NDArray[np.bool_]
    near: NDArray[np.bool_]
    weights: Single
    seen: NDArray[np.int32]
    folds: NDArray[np.int32]
    saturation: float
    penalty: float = PENALTY

    @property
    def hpc(self) -> Single:
        """Log probability, by HPC's rates, that the document is about the topic, at each place."""
        return self.features[:, FEATURES.index("words")]

    @property
    def linear(self) -> Single:
        """Decision values of the linear scorer, at each place."""
        return self.features[:, FEATURES.index("linear")]

    @property
    def documents(self) -> Rows:
        """The document of each place."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def whole_penalty(self) -> float:
        """The penalty for a scorer of all documents, which weighs errors as the judges' did.

        An SVM adds up what errors cost, so that with more documents they outweigh its margins
        more: its decision values grow, and what was learned of the judges' would be too sure.
        """
        n_folds = int(self.folds.max(initial=1)) + 1
        return self.penalty * (1.0 - 1.0 / n_folds)

    def without_far(self) -> OutOfFold:
        """Return the places that stand for themselves, the near ones and the given labels."""
        kept = self.near | self.given
        n_kept = np.concatenate([[0], np.cumsum(kept)])
        fields = ("columns", "features", "given", "near", "weights", "seen")
        arrays: dict[str, Any] = {name: getattr(self, name)[kept] for name in fields}
        return replace(self, starts=n_kept[self.starts], **arrays)

    def matrix(self, values: NDArray[Any]) -> sparse.csr_array:
        """Return values of the places as a sparse matrix, documents x topics.

        Parameters
        ----------
        values
            One for each place.
        """
        shape = (len(self.starts) - 1, len(self.topics))
        return sparse.csr_array((values, self.columns, self.starts), shape=shape, copy=True)


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
    """Judge every document by fits to the others.

    Parameters
    ----------
    corpus
        With labels. Documents without any are judged as the others are, and teach nothing.
    n_folds
        How many; at most as many as documents.
    priors
        Priors of the fits, as `frex.sampler.settings.Settings` has them.
    seed
        The same seed gives the same folds.
    threads
        How many; 0 for one per core. The result does not depend on it.
    near
        A fit of the corpus, at which the search for the judges' modes begins: it takes about half
        of the time, and ends about as far from what it finds from nowhere as one of a round more
        or less does.
    progress
        Called with 1 after each fold.

    Returns
    -------
    OutOfFold
        What the judges say, in memory that grows with the documents and not with the topics.

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
    found: list[_Places] = []
    saturation, penalty = None, PENALTY
    for fold in range(n_folds):
        held, others = np.flatnonzero(folds == fold), np.flatnonzero((folds != fold) & labelled)
        if len(held) and len(others):
            training = corpus.take(others).without_empty_topics()
            judge = learn_judge(training, settings, penalty=penalty, near=near, threads=threads)
            if saturation is None:
                some = held[: max(FEWEST, SAMPLE // corpus.n_topics)]
                saturation, penalty = _choices(judge, training, corpus.take(some))
                if penalty != PENALTY:
                    linear = learn_linear(training.counts, training.labels, penalty=penalty)
                    judge = Judge(judge.predictor, linear, judge.seen, len(training))
            size = max(1, BLOCK // corpus.n_topics)
            for start in range(0, len(held), size):
                rows = held[start : start + size]
                found.append(_judged(judge, corpus.take(rows), rows, saturation))
        if progress is not None:
            progress(1)
    return _together(corpus, found, folds, saturation or SATURATION, penalty)


def deal(corpus: Corpus, n_folds: int, seed: int = 0) -> NDArray[np.int32]:
    """Return a fold for each document; topics have the same shares in all, copies are together.

    Parameters
    ----------
    corpus
        The documents. Those with the same counts of `COPIED` tokens or more are copies: shorter
        ones may be the same by chance, as a new document may be.
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
    """Fit HPC and the linear scorer to the same documents, which all have labels.

    Parameters
    ----------
    corpus
        The documents.
    settings
        Settings of HPC's fit.
    penalty
        Of the linear scorer.
    near
        As for `out_of_fold`.
    threads
        How many; with two or more the linear scorer learns beside the fit.
    """
    corpus = corpus.without_empty_topics()
    with ThreadPoolExecutor(1) as beside:
        promised = beside.submit(learn_linear, corpus.counts, corpus.labels, penalty=penalty)
        if threads == 1:
            promised.result()
        # alone, also where several ranks were started: this is one rank's own work
        posterior = fit_on_first(corpus, settings, near=near, threads=threads)
        if posterior is None or not posterior.complete:
            raise StoppedError("the fit was stopped")
        linear = promised.result()
    sizes = np.bincount(corpus.labels.indices, minlength=corpus.n_topics)
    return Judge(Predictor(posterior, threads=threads), linear, sizes, len(corpus))


class _Places(NamedTuple):
    """What a judge says of some documents, place by place."""

    documents: Rows
    columns: NDArray[np.int32]
    features: Single
    given: NDArray[np.bool_]
    near: NDArray[np.bool_]
    weights: Single
    seen: NDArray[np.int32]

    def at(self, places: Rows) -> _Places:
        """Return what is said at some places."""
        arrays: tuple[Any, ...] = self
        return _Places(*(array[places] for array in arrays))


def _choices(judge: Judge, training: Corpus, documents: Corpus) -> tuple[float, float]:
    """Return saturation and penalty under which most is said of documents that were not seen."""
    columns = judge.predictor.tree.label_columns(_tree(documents))
    labels = documents.labels[:, columns]
    reading = judge.read(documents.counts, documents.given_exposures)
    saturation = choose_saturation(judge, reading, labels)
    return saturation, choose_penalty(judge, training, reading, labels, saturation)


def _judged(judge: Judge, documents: Corpus, rows: Rows, saturation: float) -> _Places:
    """Return what a judge says of documents at their labels and nearest topics."""
    tree = _tree(documents)
    columns = judge.predictor.tree.label_columns(tree)
    planes = judge.features(judge.read(documents.counts, documents.given_exposures), saturation)
    near = nearest(planes[FEATURES.index("linear")]) | nearest(planes[FEATURES.index("words")])
    given = documents.labels[:, columns].toarray().astype(np.bool_)
    weights = weigh(near | given, np.random.default_rng(int(rows[0])))
    at = np.nonzero(weights)
    sizes = judge.seen
    # a given label whose topic the judge does not know
    missing = np.ones(documents.n_topics, np.bool_)
    missing[columns] = False
    labels = documents.labels.tocoo()
    lost = missing[labels.col]
    unseen = judge.least(planes, labels.row[lost])
    found = _Places(
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


def nearest(values: Single) -> NDArray[np.bool_]:
    """Mark the largest values of each row, `NEAREST` of them or all."""
    if values.shape[1] <= NEAREST:
        return np.ones(values.shape, np.bool_)
    marked = np.zeros(values.shape, np.bool_)
    places = np.argpartition(values, -NEAREST, axis=1)[:, -NEAREST:]
    np.put_along_axis(marked, places, values=True, axis=1)
    return marked


def weigh(kept: NDArray[np.bool_], rng: np.random.Generator) -> Single:
    """Return weights: 1 of what is kept; others are drawn, `FAR` of each row, and stand for all.

    Parameters
    ----------
    kept
        Documents x topics.
    rng
        What draws them.
    """
    weights = kept.astype(np.float32)
    n_others = kept.shape[1] - kept.sum(axis=1)
    n_drawn = np.minimum(n_others, FAR)
    if n_others.max(initial=0) > 0:
        lots = np.where(kept, 2.0, rng.random(kept.shape))
        drawn = np.argsort(lots, axis=1)[:, :FAR]
        stand_for = np.where(
            np.arange(drawn.shape[1]) < n_drawn[:, None],
            (n_others / np.maximum(n_drawn, 1))[:, None],
            1.0,  # fewer are left than are drawn: these are kept in any case
        )
        np.put_along_axis(weights, drawn, stand_for.astype(np.float32), axis=1)
    return weights


def _together(
    corpus: Corpus,
    found: list[_Places],
    folds: NDArray[np.int32],
    saturation: float,
    penalty: float,
) -> OutOfFold:
    """Put what was found in the order of the documents."""
    documents = np.concatenate([places.documents for places in found])
    order = np.argsort(documents, kind="stable")
    starts = np.zeros(len(corpus) + 1, np.int64)
    np.cumsum(np.bincount(documents, minlength=len(corpus)), out=starts[1:])

    def all_of(name: str) -> NDArray[Any]:
        whole: NDArray[Any] = np.concatenate([getattr(places, name) for places in found])[order]
        return whole

    return OutOfFold(
        topics=tuple(_tree(corpus).topics),
        starts=starts,
        columns=all_of("columns"),
        features=all_of("features"),
        given=all_of("given"),
        near=all_of("near"),
        weights=all_of("weights"),
        seen=all_of("seen"),
        folds=folds,
        saturation=saturation,
        penalty=penalty,
    )


def _tree(corpus: Corpus) -> TopicTree:
    assert corpus.tree is not None, "a corpus without labels is refused at the door"
    return corpus.tree

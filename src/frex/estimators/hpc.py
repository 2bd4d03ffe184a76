"""`HPC`: the model of labelled documents as a scikit-learn estimator."""

from __future__ import annotations

import time
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.utils.validation import check_is_fitted

from frex.corpus import Corpus
from frex.errors import InputError
from frex.estimators.labelling import Labelling

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Literal, Self

    from numpy.typing import NDArray

    from frex.posterior import Posterior
    from frex.sampler.blocks.rates import Curvature
    from frex.sampler.settings import Settings

_TINY = np.finfo(np.float64).tiny


class HPC(Labelling):
    """Hierarchical Poisson convolution: topics of a tree, each described by its words' rates.

    Parameters
    ----------
    method
        ``"sample"`` draws from the posterior; ``"map"`` takes the Gaussian about its mode, in
        seconds.
    warmup, draws, chains
        Scans of a chain that are used for learning, those that are kept, and how many chains.
        Without a number of draws a chain keeps 700, and more until `diagnosis_` has nothing to say
        against them: at most 7,000, fewer where these would not do.
        With ``method="map"`` only `draws` counts: those from the Gaussian, 64 by default.
    random_state
        A number gives the same bits every time.
    curvature
        Mass of the rate block: ``"tree"``, or ``"dense"`` as in the paper.
    priors
        ``"weak"``, ``"paper"``, or a `frex.model.WeakPriors`.
    compare
        What a word's exclusivity is measured against: ``"siblings"``, ``"all"``, the number of a
        level; or a list of these, in which a list of topic names may stand too.
    threads
        How many; 0 for one per core. The result does not depend on it.
    device
        Where the fit runs: ``"cpu"``, or ``"cuda"`` for one GPU.
    traced_words
        Words whose log rates are kept at every draw.
    checkpoint
        A folder in which the run is saved every minute.
    resume
        Go on from the checkpoint. More draws may be asked for than the saved run had.
    verbose
        Show a progress bar.
    tree
        The tree of topics, where `fit` is given matrices. Without one every topic is a top-level
        one. A `Corpus` has its own. Of a topic with several parents the fit takes the one that the
        tree has: `Corpus.from_matrices` can choose it by the words.

    Attributes
    ----------
    posterior_
        What was learned: a `frex.posterior.Posterior`.
    diagnosis_
        Whether the draws can be trusted. `fit` warns of its problems.
    tree_, classes_
        The topics: as a tree, and their names, the columns of what `transform` and `predict`
        return. Topics without documents, `posterior_.without_documents`, are among them; they are
        left out of the fit, have no membership, and are never predicted.
    words_, n_features_in_
        The vocabulary, and its size.
    feature_names_in_
        The vocabulary too, where `fit` was given a data frame.
    calibration_
        What `fit`, or `calibrate`, learned of labels: a `frex.predict.Calibration`. Not there where
        there were too few documents.

    Notes
    -----
    `fit_transform` returns the posterior means of the memberships given the labels; `transform`
    without labels knows only the words. So the two differ, on purpose.

    A pickle holds the fit in the format of `save`, and so is read by later versions as that is.

    Examples
    --------
    >>> from frex import HPC, read_corpus
    >>> corpus = read_corpus('CORPUS')
    >>> model = HPC(method='map').fit(corpus)
    >>> model.top_words('grain', 2)['word'].tolist()
    ['wheat', 'corn']
    """

    def __init__(
        self,
        *,
        method: Literal["sample", "map"] = "sample",
        warmup: int = 300,
        draws: int | None = None,
        chains: int = 2,
        random_state: Any = 0,
        curvature: Curvature = "tree",
        priors: Any = "weak",
        compare: Any = "siblings",
        threads: int = 0,
        device: Literal["cpu", "cuda"] = "cpu",
        traced_words: Sequence[str] = (),
        checkpoint: str | PathLike[str] | None = None,
        resume: bool = False,
        verbose: bool = False,
        tree: Any = None,
    ) -> None:
        self.method = method
        self.warmup = warmup
        self.draws = draws
        self.chains = chains
        self.random_state = random_state
        self.curvature = curvature
        self.priors = priors
        self.compare = compare
        self.threads = threads
        self.device = device
        self.traced_words = traced_words
        self.checkpoint = checkpoint
        self.resume = resume
        self.verbose = verbose
        self.tree = tree

    def fit(  # scikit-learn's names
        self,
        X: Any,  # noqa: N803
        y: Any = None,
        *,
        calibrate: bool = True,
    ) -> Self:
        """Fit the model, and learn how it is to label new documents.

        Parameters
        ----------
        X
            A `Corpus`; or counts, documents x words, whole numbers: a SciPy matrix, an array, a
            data frame, a vectorizer's output.
        y
            With counts, the labels: documents x topics of zeros and ones, in the order of
            `tree.topics`; or for each document its topic's name, or a list of them. Labels that a
            more specific one makes redundant are removed.
        calibrate
            Learn what `predict` and `predict_proba` go by, from fits by the mode to parts of the
            documents. Where there are too few documents, or the fit was stopped, `predict` does
            without, and `calibration_` is not there. False leaves it out, for who wants no labels.

        Returns
        -------
        HPC
            Itself; `posterior_` has what was learned.

        Examples
        --------
        >>> from frex import HPC
        >>> counts = [[3, 1, 0], [0, 2, 2], [4, 0, 1]] * 4
        >>> model = HPC(method='map').fit(counts, ['metal', 'grain', 'metal'] * 4)
        >>> model.classes_.tolist()
        ['grain', 'metal']
        """
        corpus, begun = self._training_corpus(X, y), time.perf_counter()
        self._fit(corpus, {}, device=self.device)
        if calibrate and self.posterior_.complete:
            self._calibrate_by_folds(corpus, time.perf_counter() - begun)
        return self

    def transform(self, X: Any, y: Any = None) -> NDArray[np.float64]:  # noqa: N803
        """Return the memberships of documents, new or not, documents x topics.

        Rates and hyperparameters are held at their posterior means.

        Parameters
        ----------
        X
            A `Corpus` of the same words and topics; counts, as for `fit`; or texts, where the fit
            knows how text becomes its words (`Corpus.analyzer`).
        y
            With counts, the labels, where they are known: a document's memberships are then shared
            among those that the fit has documents of. A document without any of them has a
            membership in every topic of the fit.

        Returns
        -------
        numpy.ndarray
            A row for each document and a column for each of `classes_`; rows sum to 1.

        Examples
        --------
        >>> from frex import HPC, read_corpus
        >>> model = HPC.load('FIT')
        >>> model.transform(read_corpus('CORPUS')).shape
        (36, 4)
        """
        check_is_fitted(self, "posterior_")
        documents = self._documents(X, y)
        counts, exposures = documents.counts, documents.given_exposures
        if documents.tree is None:
            return self._over_classes(self._free_memberships(counts, exposures))
        if exposures is None:
            exposures = documents.lengths / max(self.posterior_.mean_length, _TINY)
        from frex.predict.memberships import find_memberships  # noqa: PLC0415
        from frex.sampler.threads import use_threads  # noqa: PLC0415 - loads Numba

        with use_threads(self.threads):
            columns = self.posterior_.tree.label_columns(documents.tree)
            labels = csr_array(documents.labels[:, columns])
            shares = find_memberships(self.posterior_, counts, labels, exposures)
        unknown = np.flatnonzero(np.diff(labels.indptr) == 0)
        if len(unknown):
            shares[unknown] = self._free_memberships(counts[unknown], exposures[unknown])
        return self._over_classes(shares)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags

    @classmethod
    def _loaded(cls, posterior: Posterior, settings: Settings) -> dict[str, Any]:
        if settings.n_topics is not None:
            raise InputError("this is a fit without labels", remedy="Read it with frex.PCM.load.")
        return {"tree": posterior.taxonomy, "device": settings.device}

    def _training_corpus(self, X: Any, y: Any) -> Corpus:  # noqa: N803
        """Return what to fit, and note its columns as scikit-learn wants it."""
        if isinstance(X, Corpus):
            _refuse_labels(y)
            self._note_words(X)
            return X
        if y is None:
            raise InputError(
                "HPC requires y to be passed, but the target y is None",
                remedy="Give the labels beside the counts, or a Corpus that has labels.",
            )
        counts = self._counts(X, reset=True)
        return Corpus.from_matrices(
            counts,
            _topic_names(y),
            tree=self.tree,
            words=self._names_of(X),
            empty="keep",
            several_parents="first",  # another would change the order of the columns
        )

    def _documents(self, X: Any, y: Any) -> Corpus:  # noqa: N803
        """Return documents that share the fit's words and topics."""
        if isinstance(X, Corpus):
            _refuse_labels(y)
            self._check_words(X)
            if X.tree is not None and set(X.tree.topics) != set(self.tree_.topics):
                raise InputError(
                    "the corpus has other topics than the fit", remedy="Use the same tree."
                )
            return X
        return Corpus.from_matrices(
            self._counts(X, reset=False),
            None if y is None else _topic_names(y),
            tree=None if y is None else self.tree_,
            unlabelled="keep",
            empty="keep",
            several_parents="first",  # another would change the order of the columns
        )


def _refuse_labels(y: Any) -> None:
    if y is not None:
        raise InputError(
            "there are labels beside a corpus, which has its own", remedy="Leave them out."
        )


def _topic_names(y: Any) -> Any:
    """Take a classifier's target, one class for each document, for the topics' names."""
    if hasattr(y, "__array__") and not hasattr(y, "columns"):
        y = np.asarray(y)
    if isinstance(y, list | tuple) or getattr(y, "ndim", 2) == 1:
        return [str(int(topic)) if _is_whole(topic) else topic for topic in y]
    return y


def _is_whole(value: Any) -> bool:
    return isinstance(value, Real) and float(value).is_integer()

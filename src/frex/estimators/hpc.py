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
        ``"sample"`` draws from the posterior; ``"map"`` approximates it by a Gaussian at its mode,
        in seconds.
    warmup, draws, chains
        Scans of a chain for adaptation, scans that are kept, and the number of chains. Without a
        number of draws, a chain makes at least 700, and more until `diagnosis_` finds no problem:
        at most 7,000, and fewer if these would not be enough. With ``method="map"`` only `draws` is
        used: the number of draws from the Gaussian, 64 by default.
    random_state
        An integer gives the same result to the bit every time.
    curvature
        Mass of the rate block: ``"tree"``, or ``"dense"`` as in the paper.
    priors
        ``"weak"``, ``"paper"``, or a `frex.model.WeakPriors`.
    compare
        The comparison set of exclusivity: ``"siblings"``, ``"all"`` or the number of a level; or a
        list of these and of lists of topic names.
    threads
        Number of threads; 0 for one per core. The result does not depend on it.
    device
        Device of the fit: ``"cpu"``, or ``"cuda"`` for one GPU.
    traced_words
        Words whose log rates are stored at every draw.
    checkpoint
        A folder in which the run is saved every minute.
    resume
        Whether to continue from the checkpoint. The number of draws may be larger than in the saved
        run.
    verbose
        Whether to show a progress bar.
    tree
        The tree of topics, if `fit` gets matrices. Without a tree all topics are top-level topics.
        A `Corpus` has its own. For a topic with several parents the fit uses the tree's choice;
        `Corpus.from_matrices` can choose the parent by the words.

    Attributes
    ----------
    posterior_
        The result, a `frex.posterior.Posterior`.
    diagnosis_
        The diagnosis of the draws. `fit` warns of its problems.
    tree_, classes_
        The topics as a tree, and their names, the columns of `transform` and `predict`. Topics
        without documents, `posterior_.without_documents`, are included; they are not fitted, have
        a membership of 0, and are never predicted.
    words_, n_features_in_
        The vocabulary and its size.
    feature_names_in_
        The vocabulary too, if `fit` got a data frame.
    calibration_
        The calibration by `fit` or `calibrate`, a `frex.predict.Calibration`. Missing if there were
        too few documents.

    Notes
    -----
    `fit_transform` returns the posterior means of the memberships given the labels, while
    `transform` without labels uses only the words. So the two differ.

    A pickle contains the fit in the format of `save`, so that later versions can read it.

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
        """Fit the model, and calibrate the labels of new documents.

        Parameters
        ----------
        X
            A `Corpus`; or integer counts, documents x words: a SciPy matrix, an array, a data
            frame, or a vectorizer's output.
        y
            With counts, the labels: documents x topics of zeros and ones, in the order of
            `tree.topics`; or for each document its topic's name, or a list of them. Labels made
            redundant by a more specific one are removed.
        calibrate
            Whether to calibrate `predict` and `predict_proba`, by cross-validation with fits by the
            mode. If there are too few documents, or the fit was interrupted, labels are not
            calibrated, and `calibration_` is missing.

        Returns
        -------
        HPC
            The fitted estimator.

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
        """Return the memberships of documents, documents x topics.

        Rates and hyperparameters are fixed at their posterior means.

        Parameters
        ----------
        X
            A `Corpus` with the same words and topics; counts, as for `fit`; or texts, if the fit
            stores its analyzer (`Corpus.analyzer`).
        y
            With counts, the labels, if known: a document then has memberships only in those of its
            labels that the fit has documents of. A document without any of them has a membership in
            every topic of the fit.

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
        """Return the corpus to fit, and store its columns as scikit-learn requires."""
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
        """Return documents over the fit's words and topics."""
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
    """Interpret a classifier's target, one class for each document, as topic names."""
    if hasattr(y, "__array__") and not hasattr(y, "columns"):
        y = np.asarray(y)
    if isinstance(y, list | tuple) or getattr(y, "ndim", 2) == 1:
        return [str(int(topic)) if _is_whole(topic) else topic for topic in y]
    return y


def _is_whole(value: Any) -> bool:
    return isinstance(value, Real) and float(value).is_integer()

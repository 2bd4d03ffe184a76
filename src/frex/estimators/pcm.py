"""`PCM`: the model of documents without labels as a scikit-learn estimator."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from frex.corpus import Corpus
from frex.errors import InputError
from frex.estimators.common import TopicModel
from frex.posterior import Posterior, read_posterior

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal, Self

    import numpy as np
    from numpy.typing import NDArray

    from frex.sampler.blocks.rates import Curvature
    from frex.sampler.settings import Settings


class PCM(TopicModel):
    """Poisson convolution without labels: every document may have every topic.

    The rates of a word in different topics are shrunk towards one another, with a variance
    estimated for each word. So a topic's words are exclusive only if the data support it, and not
    because they are rare.

    Parameters
    ----------
    n_topics
        Number of topics; ignored with a prior, which has its own and the extra topics.
    prior
        A fit whose topics are the prior of the first topics: its folder, a `Posterior`, or a fitted
        `HPC` or `PCM`. How far their rates drift is estimated.
    extra_topics
        Number of topics in addition to those of the prior.
    method
        ``"sample"`` draws from the posterior; ``"map"`` approximates it by a Gaussian at a mode, in
        seconds.
    warmup, draws, chains
        Scans of a chain for adaptation, scans that are kept, and the number of chains. Without a
        number of draws, a chain makes at least 700, and more until `diagnosis_` finds no problem:
        at most 7,000, and fewer if these would not be enough. With ``method="map"`` only `draws` is
        used: the number of draws from the Gaussian, 64 by default.
    random_state
        An integer gives the same result to the bit every time. Another one may find other topics.
    curvature
        Mass of the rate block: ``"tree"``, or ``"dense"`` as in the paper.
    priors
        ``"weak"``, ``"paper"``, or a `frex.model.WeakPriors`.
    compare
        The comparison set of exclusivity: ``"siblings"``, which are all topics; or a list, which
        may contain lists of topic names.
    threads
        Number of threads; 0 for one per core. The result does not depend on it.
    traced_words
        Words whose log rates are stored at every draw.
    checkpoint
        A folder in which the run is saved every minute.
    resume
        Whether to continue from the checkpoint. The number of draws may be larger than in the saved
        run.
    verbose
        Whether to show a progress bar.

    Attributes
    ----------
    posterior_
        The result, a `frex.posterior.Posterior`.
    components_
        Typical rates, topics x words: the expected count of the word in a document of mean length
        that is about the topic alone.
    diagnosis_
        The diagnosis of the draws. `fit` warns of its problems.
    tree_, classes_
        The topics as a tree, with the best words of each as its title, and their names ``topic 1``,
        ``topic 2``, ..., the columns of `transform`; with a prior its names, then ``extra 1``,
        ``extra 2``, ...
    words_, n_features_in_
        The vocabulary and its size.
    feature_names_in_
        The vocabulary too, if `fit` got a data frame.

    Notes
    -----
    `fit_transform` returns posterior means of the memberships; `transform` returns their mode, with
    rates and hyperparameters fixed at their means. So the two differ a little.

    All chains start from the same topics, so R-hat only shows whether they agree about these, not
    whether other topics are equally good. Compare fits with other values of `random_state`.

    Examples
    --------
    >>> from frex import PCM, read_corpus
    >>> model = PCM(2, method='map').fit(read_corpus('CORPUS'))
    >>> model.classes_.tolist()
    ['topic 1', 'topic 2']
    """

    def __init__(
        self,
        n_topics: int = 10,
        *,
        prior: Any = None,
        extra_topics: int = 0,
        method: Literal["sample", "map"] = "sample",
        warmup: int = 300,
        draws: int | None = None,
        chains: int = 2,
        random_state: Any = 0,
        curvature: Curvature = "tree",
        priors: Any = "weak",
        compare: Any = "siblings",
        threads: int = 0,
        traced_words: Sequence[str] = (),
        checkpoint: str | PathLike[str] | None = None,
        resume: bool = False,
        verbose: bool = False,
    ) -> None:
        self.n_topics = n_topics
        self.prior = prior
        self.extra_topics = extra_topics
        self.method = method
        self.warmup = warmup
        self.draws = draws
        self.chains = chains
        self.random_state = random_state
        self.curvature = curvature
        self.priors = priors
        self.compare = compare
        self.threads = threads
        self.traced_words = traced_words
        self.checkpoint = checkpoint
        self.resume = resume
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002, N803 - scikit-learn's names
        """Fit the model.

        Parameters
        ----------
        X
            A `Corpus`, whose labels are ignored; or integer counts, documents x words: a SciPy
            matrix, an array, a data frame, or a vectorizer's output.
        y
            Ignored.

        Returns
        -------
        PCM
            The fitted estimator.

        Raises
        ------
        InputError
            The prior is not a fit, or extra topics were requested without a prior.

        Examples
        --------
        >>> from frex import PCM
        >>> PCM(2, method='map').fit([[3, 1, 0], [0, 2, 2], [4, 0, 1]] * 4).components_.shape
        (2, 3)
        """
        if isinstance(X, Corpus):
            self._note_words(X)
            corpus = X
        else:
            counts = self._counts(X, reset=True)
            corpus = Corpus.from_matrices(counts, words=self._names_of(X), empty="keep")
        if self.prior is None:
            if self.extra_topics:
                raise InputError(
                    "extra_topics are those besides the topics of a prior",
                    remedy="Give prior, or n_topics alone.",
                )
            return self._fit(corpus, {}, n_topics=self.n_topics)
        return self._fit(corpus, {"prior": _fit_of(self.prior), "extra_topics": self.extra_topics})

    def transform(self, X: Any) -> NDArray[np.float64]:  # noqa: N803
        """Return the memberships of documents, documents x topics.

        Rates and hyperparameters are fixed at their posterior means.

        Parameters
        ----------
        X
            A `Corpus` with the same words; or counts, as for `fit`.

        Returns
        -------
        numpy.ndarray
            A row for each document and a column for each topic; rows sum to 1.

        Examples
        --------
        >>> from frex import PCM, read_corpus
        >>> PCM.load('UNLABELLED').transform(read_corpus('CORPUS')).shape
        (36, 2)
        """
        check_is_fitted(self, "posterior_")
        if isinstance(X, Corpus):
            self._check_words(X)
            return self._free_memberships(X.counts, X.given_exposures)
        documents = Corpus.from_matrices(self._counts(X, reset=False), empty="keep")
        return self._free_memberships(documents.counts, None)

    @classmethod
    def _loaded(cls, posterior: Posterior, settings: Settings) -> dict[str, Any]:  # noqa: ARG003 - the signature of TopicModel
        if settings.n_topics is None:
            raise InputError("this is a fit with labels", remedy="Read it with frex.HPC.load.")
        return {"n_topics": settings.n_topics}


def _fit_of(prior: Any) -> Posterior:
    """Return the fit in a folder, a fit, or a fitted model."""
    if isinstance(prior, str | PathLike):
        return read_posterior(prior)
    found = getattr(prior, "posterior_", prior)
    if not isinstance(found, Posterior):
        raise InputError(
            f"prior is {prior!r}, and no fit",
            remedy="Give the folder of a fit, or a fitted HPC or PCM.",
        )
    return found

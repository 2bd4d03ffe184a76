"""The base class of `HPC` and `PCM`: a fit as a scikit-learn estimator, its pickle and folder."""

from __future__ import annotations

import warnings
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from frex.errors import InputError
from frex.estimators.counts import names_of
from frex.estimators.pickles import packed, unpacked
from frex.posterior import diagnose, read_posterior, top_words, top_words_of_all
from frex.progress import show_progress
from frex.sampler.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike
    from typing import Self

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.predict import Predictor

MATRIX = {"accept_sparse": "csr", "dtype": "numeric", "ensure_non_negative": True}
"""Options of scikit-learn's validation of counts."""

_DERIVED = ("diagnosis_", "tree_", "words_", "classes_")  # from the posterior


class TopicModel(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """An estimator whose fit is a `frex.posterior.Posterior`; its parameters are a fit's settings.

    A pickle contains the fit in the format of `save`, so that later versions can read it.
    """

    posterior_: Posterior

    def _fit(self, corpus: Corpus, how: Mapping[str, Any], **settings: Any) -> Self:
        """Fit a corpus, and warn if the draws have not converged; `how` is for `fit` itself."""
        from frex.compiled import saying_what_compiled  # noqa: PLC0415 - Numba is slow to load
        from frex.sampler.fit import fit  # noqa: PLC0415

        with (
            saying_what_compiled(print if self.verbose else lambda _: None),
            show_progress() if self.verbose else nullcontext() as progress,
        ):
            posterior = fit(
                corpus,
                self._settings(**settings),
                threads=self.threads,
                progress=progress,
                checkpoint=None if self.checkpoint is None else Path(self.checkpoint),
                resume=self.resume,
                **how,
            )
        self._take(posterior)
        if self.diagnosis_.problems:
            warnings.warn("\n".join(self.diagnosis_.problems), ConvergenceWarning, stacklevel=3)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> NDArray[np.float64]:  # noqa: N803 - scikit-learn's names
        """Fit the model, and return the posterior means of the memberships.

        Documents x topics; `posterior_.membership_matrix()` is the same as a sparse matrix.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        numpy.ndarray
            A row for each document and a column for each of `classes_`.

        Examples
        --------
        >>> from frex import PCM, read_corpus
        >>> PCM(2, method='map').fit_transform(read_corpus('CORPUS')).shape
        (36, 2)
        """
        means = self.fit(X, y).posterior_.membership_matrix().toarray()
        return self._over_classes(means)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:  # noqa: ARG002
        """Return the topics, which are the columns of `transform`.

        Parameters
        ----------
        input_features
            Ignored.
        """
        check_is_fitted(self, "posterior_")
        return self.classes_

    @property
    def components_(self) -> NDArray[np.float64]:
        """Typical rates, exp of the posterior means of the log rates: topics x words.

        A row for each of `classes_`; NaN for a topic without documents.
        """
        rates = np.full((len(self.classes_), len(self.words_)), np.nan)
        rates[self.posterior_.columns] = self.posterior_.frequency.T
        return rates

    def top_words(self, topic: str | None = None, n: int = 14, **options: Any) -> Any:
        """Return a topic's best words with intervals, or those of all topics.

        Parameters
        ----------
        topic
            Its name, or a unique title; all topics by default.
        n
            Number of words of a topic.
        options
            `by`, `weight`, `compare`, `of`, `level` and `backend`.

        Returns
        -------
        DataFrame
            A row for each word, as from `frex.posterior.top_words`; a pandas data frame, unless
            `backend` names another library. For all topics, with the additional columns `topic`,
            `title` and `rank`.

        Examples
        --------
        >>> from frex import HPC
        >>> HPC.load('FIT').top_words('sport', 1)['word'].tolist()
        ['match']
        >>> HPC.load('FIT').top_words(n=1)[['topic', 'word']].values.tolist()
        [['trade', 'and'], ['metal', 'gold'], ['grain', 'wheat'], ['sport', 'match']]
        """
        check_is_fitted(self, "posterior_")
        if topic is None:
            return top_words_of_all(self.posterior_, n, **options)
        return top_words(self.posterior_, topic, n, **options)

    def find_topics(self, text: str, n: int = 10, **options: Any) -> Any:
        """Return the topics that match a free text, as `frex.predict.find_topics` does.

        Parameters
        ----------
        text
            Some words, or a whole document.
        n
            Number of topics.
        options
            `stem` and `backend`.

        Returns
        -------
        DataFrame
            A row for each topic, the most probable first.

        Examples
        --------
        >>> from frex import HPC
        >>> 'grain' in HPC.load('FIT').find_topics('wheat prices', 2)['topic'].tolist()
        True
        """
        check_is_fitted(self, "posterior_")
        from frex.predict import find_topics  # noqa: PLC0415 - loads Numba

        return find_topics(self.posterior_, text, n, **options)

    def name_words(self, words: Any) -> Self:
        """Set the names of the words, after a fit in a pipeline that only passed on a matrix.

        Parameters
        ----------
        words
            A name for each column, as from ``pipeline[:-1].get_feature_names_out()``. This is not
            needed if the vectorizer is `frex.WordCounts`.

        Returns
        -------
        HPC or PCM
            Itself.

        Raises
        ------
        InputError
            The number of names differs from that of words, or a name is repeated.

        Examples
        --------
        >>> from frex import PCM
        >>> model = PCM(2, method='map').fit([[3, 1, 0], [0, 2, 2], [4, 0, 1]] * 4)
        >>> model.name_words(['ball', 'vote', 'the']).words_.tolist()
        ['ball', 'vote', 'the']
        """
        check_is_fitted(self, "posterior_")
        names = tuple(str(word) for word in words)
        if len(names) != len(self.posterior_.words) or len(set(names)) < len(names):
            raise InputError(
                f"{len(names)} names, {len(set(names))} of them different, for "
                f"{len(self.posterior_.words)} words",
                remedy="Give a name of its own to each column.",
            )
        self.posterior_ = replace(self.posterior_, words=names, surface=None)
        self.words_ = np.array(names, dtype=object)
        return self

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Save the fit as a folder, which `load` and the command line read.

        Parameters
        ----------
        path
            The folder to make.
        overwrite
            Replace an older fit.

        Examples
        --------
        >>> from frex import HPC
        >>> HPC.load('FIT').save('COPY', overwrite=True)
        """
        check_is_fitted(self, "posterior_")
        self.posterior_.write(path, overwrite=overwrite)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a saved fit, also one made by ``frex fit``; its arrays stay on disk.

        Parameters
        ----------
        path
            The folder of a fit.

        Returns
        -------
        HPC or PCM
            The fitted model.

        Examples
        --------
        >>> from frex import HPC
        >>> HPC.load('FIT').tree_
        TopicTree(4 topics, 2 levels)
        """
        posterior = read_posterior(path)
        settings = Settings.from_json(posterior.settings)
        model = cls(
            method=settings.method,
            warmup=settings.warmup,
            draws=settings.draws,
            chains=settings.chains,
            random_state=settings.seed,
            curvature=settings.curvature,
            priors=settings.priors,
            compare=settings.compare,
            traced_words=settings.traced_words,
            **cls._loaded(posterior, settings),
        )
        model._take(posterior)
        model.n_features_in_ = len(posterior.words)
        return model

    @classmethod
    def _loaded(cls, posterior: Posterior, settings: Settings) -> dict[str, Any]:
        """Return the parameters that only this kind of model has, from a saved fit."""
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        if "posterior_" in state:
            state = {name: value for name, value in state.items() if name not in _DERIVED}
            state["posterior_"] = packed(self.posterior_)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "posterior_" in state:
            self._take(unpacked(state["posterior_"]))

    def _take(self, posterior: Posterior) -> None:
        """Set the attributes of a fit."""
        self.posterior_ = posterior
        self.diagnosis_ = diagnose(posterior)
        self.tree_ = posterior.taxonomy
        self.words_ = np.array(posterior.words, dtype=object)
        self.classes_ = np.array(posterior.taxonomy.topics, dtype=object)

    def _over_classes(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Expand an array from the fitted topics to all of `classes_`, with 0 for the others."""
        spread = np.zeros((len(values), len(self.classes_)))
        spread[:, self.posterior_.columns] = values
        return spread

    def _settings(self, **others: Any) -> Settings:
        one = isinstance(self.compare, str | int)
        sets = [self.compare] if one else self.compare
        seed = self.random_state
        if not isinstance(seed, int | np.integer):
            seed = check_random_state(seed).randint(np.iinfo(np.int32).max)
        return Settings(
            method=self.method,
            warmup=self.warmup,
            draws=self.draws,
            chains=self.chains,
            seed=int(seed),
            curvature=self.curvature,
            priors=self.priors,
            compare=tuple(c if isinstance(c, str | int) else tuple(c) for c in sets),
            traced_words=tuple(self.traced_words),
            **others,
        )

    def _counts(self, X: Any, *, reset: bool) -> Any:  # noqa: N803
        """Validate counts by scikit-learn's rules, and store their columns when fitting.

        New documents may be texts, which are read in the same way as those of the fit.
        """
        if reset and _are_texts(X):
            raise InputError(
                "the documents are texts, and their words are not counted yet",
                remedy="Make a corpus, Corpus.from_texts(texts, labels, tree); or put "
                "frex.WordCounts() before, in a pipeline.",
            )
        if _are_texts(X):
            from frex.predict import analyzer_of, count_in_words  # noqa: PLC0415 - loads Numba

            return count_in_words(X, self.posterior_.words, analyzer_of(self.posterior_))
        return validate_data(self, X, reset=reset, **MATRIX)

    def _names_of(self, X: Any) -> Any:  # noqa: N803
        """Return the names of the columns to fit, or None if they are unknown."""
        return names_of(X) or getattr(self, "feature_names_in_", None)

    def _note_words(self, corpus: Corpus) -> None:
        """Store the columns of a corpus to fit."""
        self.n_features_in_ = corpus.n_words
        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit

    def _check_words(self, corpus: Corpus) -> None:
        """Raise an error if a corpus does not have the fit's words."""
        if tuple(corpus.words) != tuple(self.posterior_.words):
            raise InputError(
                "the corpus has other words than the fit",
                remedy="Prepare it with the fit's vocabulary.",
            )

    def _predictor(self) -> Predictor:
        from frex.predict import Predictor  # noqa: PLC0415 - loads Numba

        return Predictor(self.posterior_, threads=self.threads)

    def _free_memberships(
        self, counts: csr_array[np.int32], exposures: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        """Return the memberships given the words alone, at the mode, documents x topics."""
        shares: NDArray[np.float64]
        shares = softmax(self._predictor().affinities(counts, exposures), axis=1)
        return shares


def _are_texts(X: Any) -> bool:  # noqa: N803
    """Return whether the input is a text or a flat sequence of texts, and not counts."""
    if isinstance(X, str):
        return True
    flat = getattr(X, "ndim", 1) == 1 and hasattr(X, "__len__") and len(X) > 0
    return flat and isinstance(next(iter(X)), str)

"""The labels of `HPC`: calibration and prediction."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.utils.validation import check_is_fitted

from frex.errors import InputError
from frex.estimators.common import TopicModel

if TYPE_CHECKING:
    from os import PathLike
    from typing import Literal, Self

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.predict import Calibration, Predicted

_TINY = np.finfo(np.float64).tiny


class Labelling(TopicModel):
    """A model of labelled documents that predicts labels."""

    calibration_: Calibration
    priors: Any
    threads: int
    verbose: bool

    def _documents(self, X: Any, y: Any) -> Corpus:  # noqa: N803 - scikit-learn's name
        """Return documents over the fit's words and topics."""
        raise NotImplementedError

    def _calibrate_by_folds(self, corpus: Corpus, taken: float) -> None:
        """Calibrate on the documents of the fit, if there are enough."""
        from frex.predict import calibrate_by_folds  # noqa: PLC0415 - loads Numba

        begun = time.perf_counter()
        try:
            self.calibration_ = calibrate_by_folds(
                corpus, priors=self.priors, seed=self.posterior_.settings["seed"],
                threads=self.threads, near=self.posterior_,
            )  # fmt: skip
        except InputError as error:
            if self.verbose:
                print(f"not calibrated: {error.message}")  # noqa: T201 - asked for
            return
        if self.verbose:
            seconds = time.perf_counter() - begun
            share = seconds / max(taken + seconds, _TINY)
            print(f"calibrated in {seconds:,.1f} s, {share:.0%} of the time")  # noqa: T201

    def calibrate(self, X: Any, y: Any = None, **options: Any) -> Self:  # noqa: N803
        """Calibrate on held-out documents.

        Parameters
        ----------
        X, y
            Held-out documents with their labels, as for `fit`.
        **options
            `method`, `thresholds` and `criterion` of `frex.predict.calibrate`.

        Returns
        -------
        HPC
            The estimator, with a new `calibration_`.

        Raises
        ------
        InputError
            The documents have no labels.

        Examples
        --------
        >>> from frex import HPC, read_corpus
        >>> model = HPC.load('FIT').calibrate(read_corpus('CORPUS'))
        >>> model.predict(['Wheat prices rose']).shape
        (1, 4)
        """
        check_is_fitted(self, "posterior_")
        documents = self._documents(X, y)
        if documents.tree is None:
            raise InputError("the documents have no labels", remedy="Give their labels too.")
        from frex.predict import calibrate  # noqa: PLC0415 - loads Numba

        self.calibration_ = calibrate(self._predictor(), documents, **options)
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: N803
        """Return the probability of each label, documents x topics.

        A document may have several labels, so rows do not sum to 1. Without `calibration_` these
        are the paper's probabilities, the logistic function of the affinities at the mode, which
        rank documents but are not calibrated.

        Parameters
        ----------
        X
            Documents, as for `transform`; their labels are ignored. For more documents than fit
            into memory see `frex.predict.records`.

        Returns
        -------
        numpy.ndarray
            A row for each document and a column for each of `classes_`.

        Examples
        --------
        >>> from frex import HPC
        >>> HPC.load('FIT').predict_proba(['Gold and silver rose']).shape
        (1, 4)
        """
        return self._over_classes(self._predicted(X).probabilities)

    def predict(
        self,
        X: Any,  # noqa: N803
        *,
        form: Literal["open", "closed", "cautious"] = "open",
        at_least_one: bool = True,
    ) -> csr_array[np.bool_]:
        """Return the labels of documents, documents x topics in the order of `classes_`.

        Without `calibration_` a label is a topic with a membership of at least 30 %.

        Parameters
        ----------
        X
            Documents, as for `predict_proba`.
        form
            ``"open"``: the most specific labels, as in a corpus; ``"closed"``: also all topics
            above them; ``"cautious"``: an inner topic if the topic below is uncertain.
        at_least_one
            Whether every document with words gets at least its most probable label.

        Returns
        -------
        scipy.sparse.csr_array
            Booleans, a row for each document and a column for each of `classes_`.

        Examples
        --------
        >>> from frex import HPC
        >>> model = HPC.load('FIT')
        >>> labels = model.predict(['The gold mine', 'A match without a goal'])
        >>> [model.classes_[row].tolist() for row in labels.toarray()]
        [['metal'], ['sport']]
        """
        found = self._predicted(X, form=form, at_least_one=at_least_one).labels
        columns = self.posterior_.columns[found.indices]
        return csr_array(
            (found.data, columns, found.indptr), shape=(found.shape[0], len(self.classes_))
        )

    def _predicted(self, X: Any, **options: Any) -> Predicted:  # noqa: N803
        check_is_fitted(self, "posterior_")
        documents = self._documents(X, None)
        from frex.predict import predict  # noqa: PLC0415 - loads Numba
        from frex.predict.documents import Documents  # noqa: PLC0415

        batch = Documents(documents.ids, documents.counts, documents.given_exposures)
        return predict(self._predictor(), getattr(self, "calibration_", None), batch, **options)

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Save the fit as a folder, with its calibration; `load` and the command line read it.

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
        super().save(path, overwrite=overwrite)
        calibration = getattr(self, "calibration_", None)
        if calibration is not None:
            from frex.predict.calibration import FOLDER  # noqa: PLC0415 - loads Numba

            calibration.write(Path(path) / FOLDER, overwrite=True)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a saved fit, also one made by ``frex fit``; its arrays stay on disk.

        Parameters
        ----------
        path
            The folder of a fit.

        Returns
        -------
        HPC
            The fitted model.

        Examples
        --------
        >>> from frex import HPC
        >>> HPC.load('FIT').tree_
        TopicTree(4 topics, 2 levels)
        """
        model = super().load(path)
        from frex.predict import calibration_of  # noqa: PLC0415 - loads Numba

        own = calibration_of(path)
        if own is not None:
            model.calibration_ = own
        return model

    def __setstate__(self, state: dict[str, Any]) -> None:
        calibration = state.get("calibration_")
        super().__setstate__(state)
        if calibration is not None:
            self.calibration_ = calibration

    def _take(self, posterior: Posterior) -> None:
        self.__dict__.pop("calibration_", None)  # of an earlier fit
        super()._take(posterior)

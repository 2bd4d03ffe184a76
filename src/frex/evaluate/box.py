"""Labels out of the box: what `frex fit` and `frex predict` do, and rivals that get the same.

All are trained on both first parts. What turns scores into labels is learned on the same documents,
each judged by fits that did not see it (`frex.predict.folds`).
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from frex.corpus.splits import stratify
from frex.errors import StoppedError, require
from frex.evaluate.parts import Answer
from frex.predict import Calibration, Predictor, choose_labels, find_thresholds, predict
from frex.predict.documents import Documents
from frex.predict.folds import N_FOLDS
from frex.predict.joined import learn_joined
from frex.predict.judges import FEATURES, OF_HPC, OF_LINEAR
from frex.predict.linear import learn_linear
from frex.sampler.fit import fit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.evaluate.parts import Parts
    from frex.sampler.settings import Settings

    Array: TypeAlias = NDArray[np.float64]


def frex(parts: Parts, settings: Settings, *, threads: int = 0) -> Answer:
    """Do what `frex fit` and `frex predict` do without options.

    Parameters
    ----------
    parts
        The parts.
    settings
        Of the fit.
    threads
        How many; 0 for one per core.
    """
    return _joined(parts, settings, threads, FEATURES)


def frex_svm(parts: Parts, settings: Settings, *, threads: int = 0) -> Answer:
    """Do the same with the linear scorer's features only: an SVM with the same folds.

    Parameters
    ----------
    parts, settings, threads
        As for `frex`.
    """
    return _joined(parts, settings, threads, OF_LINEAR)


def frex_hpc(parts: Parts, settings: Settings, *, threads: int = 0) -> Answer:
    """Do the same with the features of HPC's rates only.

    Parameters
    ----------
    parts, settings, threads
        As for `frex`.
    """
    return _joined(parts, settings, threads, OF_HPC)


def _joined(parts: Parts, settings: Settings, threads: int, features: Sequence[str]) -> Answer:
    labelled, test = parts.both, parts.test
    posterior = fit(labelled, settings, threads=threads)
    if not posterior.complete:
        raise StoppedError("the fit was stopped")
    learned = learn_joined(
        labelled, priors=settings.priors, seed=settings.seed, threads=threads, near=posterior,
        features=features,
    )  # fmt: skip
    predictor = Predictor(posterior, threads=threads)
    calibration = Calibration(predictor.tree.topics, learned.thresholds, joined=learned.joined)
    found = predict(predictor, calibration, Documents(test.ids, test.counts, test.given_exposures))
    labels = predictor.over_taxonomy(found.labels.astype(np.float64).toarray())
    return Answer(
        predictor.over_taxonomy(found.probabilities), sparse.csr_array(labels.astype(np.bool_))
    )


def omikuji(parts: Parts, *, threads: int = 0) -> Answer:
    """Train Omikuji's Parabel on both first parts; folds of them give the threshold.

    Parameters
    ----------
    parts
        The parts.
    threads
        How many; 0 for one per core.
    """
    load_omikuji()
    labelled = parts.both
    folds = stratify(labelled.labels, [1.0 / N_FOLDS] * N_FOLDS)
    scores = np.zeros(labelled.labels.shape)
    for fold in range(N_FOLDS):
        held = np.flatnonzero(folds == fold)
        others = labelled.take(np.flatnonzero(folds != fold))
        scores[held] = _parabel(others, threads)(labelled.take(held))
    thresholds = find_thresholds(scores, labelled.labels.toarray())
    found = _parabel(labelled, threads)(parts.test)
    return Answer(found, choose_labels(found, thresholds, parts.tree))


def load_omikuji() -> Any:
    """Import Omikuji, or say which extra brings it."""
    return require("omikuji", "baselines", "Omikuji")


def _parabel(training: Corpus, threads: int) -> Callable[[Corpus], Array]:
    """Train on tf-idf, the scorer's; return what scores documents."""
    library = load_omikuji()
    none = sparse.csr_array((len(training), 0), dtype=np.bool_)
    weigh = learn_linear(training.counts, none).weigh
    hyper = library.Model.default_hyper_param()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "training.txt"
        path.write_text(_lines(weigh(training.counts), training), encoding="ascii")
        with _silence():
            model = library.Model.train_on_data(str(path), hyper, threads or None)

    def score(documents: Corpus) -> Array:
        weighed, scores = weigh(documents.counts), np.zeros(documents.labels.shape)
        for row, (start, end) in enumerate(
            zip(weighed.indptr[:-1], weighed.indptr[1:], strict=True)
        ):
            words = weighed.indices[start:end].tolist()
            pairs = list(zip(words, weighed.data[start:end].tolist(), strict=True))
            for label, value in model.predict(pairs, top_k=scores.shape[1]):
                scores[row, label] = value
        return scores

    return score


@contextmanager
def _silence() -> Iterator[None]:
    """Keep what a library writes to standard error itself, bars by the thousand, off the screen."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _lines(weighed: sparse.csr_array, training: Corpus) -> str:
    """Return documents in the form of the Extreme Classification Repository."""
    lines = [f"{weighed.shape[0]} {weighed.shape[1]} {training.n_topics}"]
    labels = training.labels
    for row in range(len(training)):
        own = labels.indices[labels.indptr[row] : labels.indptr[row + 1]].tolist()
        at = slice(*weighed.indptr[row : row + 2])
        pairs = zip(weighed.indices[at].tolist(), weighed.data[at].tolist(), strict=True)
        words = " ".join(f"{word}:{value:.6g}" for word, value in pairs)
        lines.append(f"{','.join(map(str, own))} {words}")
    return "\n".join(lines) + "\n"

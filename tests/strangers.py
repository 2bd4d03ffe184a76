"""What is done with a folder that a stranger sent: it is read, and used as the program would."""

import contextlib
import io
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from bits import fit, small_corpus, stop_at
from fits import TREE, make_fit
from scipy import sparse

from frex.cli.description import show_corpus
from frex.cli.screen import Format
from frex.corpus import membership_table, read_corpus
from frex.errors import FolderError, InputError
from frex.explorer import make_page
from frex.export import fit_tables
from frex.model import branching_tree, read_truth, simulate
from frex.posterior import diagnose, read_posterior
from frex.posterior.guards import refuse_not_finite
from frex.predict import Calibration, Predictor, predict, read_calibration
from frex.predict.correction import Correction
from frex.predict.documents import Documents
from frex.sampler.settings import Settings

CHECKPOINT = Settings(warmup=3, draws=4, chains=2)


class Kind(NamedTuple):
    """A kind of folder."""

    make: object  #: writes an honest one
    use: object  #: reads one, looks at it, and returns it; raises `InputError` or nothing
    further: object = id  #: takes what was read through the parts of the program that take longer


def _make_corpus(place):
    corpus, _ = simulate(branching_tree([2, 2]), 30, 25, rates="zipf", mean_length=20, seed=2)
    corpus.write(place)


def check_corpus(corpus):
    """Look at all that a corpus promises, by the plainest means there are."""
    for matrix, width in ((corpus.counts, corpus.n_words), (corpus.labels, corpus.n_topics)):
        assert matrix.shape == (len(corpus), width)
        starts = matrix.indptr.tolist()
        assert starts[0] == 0
        assert starts[-1] == len(matrix.indices) == len(matrix.data)
        for first, last in pairwise(starts):
            columns = matrix.indices[first:last].tolist()
            assert columns == sorted(set(columns))
            assert not columns or (columns[0] >= 0 and columns[-1] < width)
    assert corpus.counts.dtype == np.int32
    assert (corpus.counts.data > 0).all()
    assert np.isfinite(corpus.exposures).all()
    assert (corpus.exposures >= 0).all()
    assert len(set(corpus.words)) == corpus.n_words
    assert len([name.encode() for name in corpus.ids]) == len(corpus) > 0
    assert corpus.tree is None or all(corpus.tree.parents[1:] < np.arange(1, corpus.n_topics + 1))


def _use_corpus(place):
    corpus = read_corpus(place)
    check_corpus(corpus)
    with contextlib.redirect_stdout(io.StringIO()):
        show_corpus(corpus, "corpus", Format.table)
    if corpus.tree is not None:
        membership_table(corpus)
    return corpus


def _fit_corpus(corpus):
    fit(corpus, Settings(warmup=2, draws=2, chains=1))


def _make_fit(place):
    made = make_fit(2, 12)
    settings = Settings(draws=12, compare=("siblings", ("golf", "chess"))).to_json()
    sets = {"siblings": "siblings", "golf, chess / é": "golf,chess"}  # as the settings have them
    renamed = {sets[name]: moment for name, moment in made.exclusivity.items()}
    scored = {sets[name]: kept for name, kept in made.scored.items()}
    replace(made, exclusivity=renamed, scored=scored, settings=settings).write(place)


def _use_fit(place):
    posterior = read_posterior(place)
    str(diagnose(posterior))
    refuse_not_finite(posterior)
    for table in fit_tables(posterior):
        rows = sum(len(next(iter(chunk.values()))) for chunk in table.chunks)
        assert rows == table.n_rows
    return posterior


def _show_fit(posterior):
    make_page(posterior)
    posterior.to_arviz()
    Settings.from_json(posterior.settings)
    _predict(posterior, None)


def _predict(posterior, calibration):
    predictor = Predictor(posterior, threads=1)
    counts = sparse.csr_array(np.eye(len(posterior.words), dtype=np.int32))
    predict(predictor, calibration, Documents(list(posterior.words), counts, None))


def _make_calibration(place):
    rng = np.random.default_rng(0)
    correction = Correction(
        rng.normal(size=3), rng.random(4), rng.normal(size=4),
        rng.normal(size=(5, 4)).astype(np.float32), np.array([0.0, 1.0, 1.0]),
    )  # fmt: skip
    Calibration(TREE.topics, np.full(4, 0.3), correction).write(place)


def _use_calibration(place):
    calibration = read_calibration(place)
    assert calibration.thresholds.shape == (len(calibration.topics),)
    assert (calibration.thresholds >= 0).all()
    if calibration.correction is not None:
        assert calibration.correction.weights.shape[1] == len(calibration.topics)
        assert all(np.isfinite(array).all() for array in calibration.correction)
    return calibration


def _apply_calibration(calibration):
    _predict(make_fit(2, 12), calibration)


def _make_truth(place):
    simulate(branching_tree([2, 2]), 30, 8, rates="zipf", labels_per_document=2, seed=2)[1].write(
        place
    )


def _use_truth(place):
    truth = read_truth(place)
    assert truth.affinities.toarray().shape == truth.memberships.toarray().shape
    assert np.isfinite(truth.rates).all()
    assert truth.log_rates.shape[1] == truth.affinities.shape[1] + 1


def _make_checkpoint(place):
    corpus = small_corpus(branching_tree([2, 2]))
    fit(corpus, CHECKPOINT, checkpoint=place, progress=stop_at(5))


def _use_checkpoint(place):
    corpus = small_corpus(branching_tree([2, 2]))
    posterior = fit(corpus, CHECKPOINT, checkpoint=place, resume=True)
    assert posterior.n_draws == 4
    str(diagnose(posterior))


KINDS = {
    "corpus": Kind(_make_corpus, _use_corpus, _fit_corpus),
    "fit": Kind(_make_fit, _use_fit, _show_fit),
    "calibration": Kind(_make_calibration, _use_calibration, _apply_calibration),
    "truth": Kind(_make_truth, _use_truth),
    "checkpoint": Kind(_make_checkpoint, _use_checkpoint),
}


def use(kind, place, *, further=False):
    """Read and use a folder; return the complaint, or nothing.

    Parameters
    ----------
    kind, place
        The folder.
    further
        Go on to what takes longer than a moment: fitting, pages, predictions.
    """
    try:
        found = KINDS[kind].use(place)
        if further:
            KINDS[kind].further(found)
    except FolderError as error:
        assert str(place) in str(error), error
        return str(error)
    except InputError as error:
        return str(error)
    return ""

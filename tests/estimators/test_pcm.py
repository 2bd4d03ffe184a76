"""`PCM` is a scikit-learn estimator of topics that nobody named."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from bits import assert_same_bits, fit, small_corpus
from scipy.optimize import minimize
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.estimator_checks import check_estimator

import frex
from frex import HPC, PCM
from frex.errors import InputError
from frex.model import branching_tree
from frex.sampler import topics
from frex.sampler.settings import Settings

FEW = {"n_topics": 3, "warmup": 6, "draws": 4, "threads": 1}

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


class Counted(PCM):
    """PCM, saying that its input is categorical: then the checks' data are whole numbers."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags


TWO_ANSWERS = "it asks for fit_transform(X) == fit(X).transform(X): the first are posterior means"
EXPECTED_FAILURES = {
    "check_transformer_general": TWO_ANSWERS,
    "check_transformer_data_not_an_array": TWO_ANSWERS,
}


def test_scikit_learn_accepts_it(monkeypatch):
    monkeypatch.setattr(topics, "N_SWEEPS", topics.N_BATCHES)  # a hundred fits, of any quality
    model = Counted(n_topics=2, warmup=2, draws=2, chains=1, threads=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a check that is skipped warns
        results = check_estimator(model, expected_failed_checks=EXPECTED_FAILURES, on_fail=None)
    by_status = {}
    for result in results:
        by_status.setdefault(result["status"], set()).add(result["check_name"])
    assert by_status.get("failed", set()) == set()
    assert by_status["xfail"] == set(EXPECTED_FAILURES)
    assert len(by_status["passed"]) > 40


@pytest.fixture(scope="module")
def corpus():
    made = small_corpus(branching_tree([2, 2]), n_documents=60)
    return made.take(np.flatnonzero(made.lengths))


@pytest.fixture(scope="module")
def model(corpus):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return PCM(**FEW).fit(corpus)


def test_it_is_the_fit_of_the_sampler(corpus, model):
    assert frex.PCM is PCM
    assert_same_bits(model.posterior_, fit(corpus, Settings(warmup=6, draws=4, n_topics=3)))
    assert model.get_feature_names_out().tolist() == ["topic 1", "topic 2", "topic 3"]
    np.testing.assert_array_equal(model.components_, model.posterior_.rates[:, 1:].T)
    assert len(model.top_words("topic 2", 5)) == 5
    assert model.n_features_in_ == corpus.n_words


def test_matrices_are_as_good_as_a_corpus_but_for_exposures(corpus):
    frame = pd.DataFrame(corpus.counts.toarray(), columns=list(corpus.words))
    fits = [PCM(**FEW).fit(counts) for counts in (corpus.counts, frame)]
    assert_same_bits(*(one.posterior_ for one in fits))
    assert fits[1].feature_names_in_.tolist() == list(corpus.words)


def test_fit_transform_returns_posterior_means(corpus, model):
    means = PCM(**FEW).fit_transform(corpus)
    np.testing.assert_array_equal(means, model.posterior_.membership_matrix().toarray())
    np.testing.assert_allclose(means.sum(axis=1), 1)


def test_memberships_of_new_documents_are_modes(corpus, model):
    hyper, rates = model.posterior_.hyperparameters, model.components_.T
    found = model.transform(corpus.counts[:4])
    for row, theta in zip(corpus.counts[:4].toarray(), found, strict=True):
        length = row.sum() / model.posterior_.mean_length

        def energy(xi, row=row, length=length):
            words = row @ np.log(rates @ softmax(xi)) - length * rates.sum(axis=0) @ softmax(xi)
            return ((xi - hyper.affinity_mean) ** 2).sum() / (2 * hyper.affinity_variance) - words

        best = softmax(minimize(energy, hyper.affinity_mean, method="BFGS").x)
        np.testing.assert_allclose(theta, best, atol=2e-2)  # as near as predict goes
    assert np.abs(model.transform(corpus)[:4] - found).max() > 1e-3  # its exposures are given


def test_save_load_and_pickle(corpus, model, tmp_path):
    model.save(tmp_path / "fit")
    before = model.transform(corpus)
    for copy in (PCM.load(tmp_path / "fit"), pickle.loads(pickle.dumps(model))):
        assert_same_bits(copy.posterior_, model.posterior_)
        assert copy.n_topics == 3
        assert copy.tree_ == model.tree_
        np.testing.assert_array_equal(copy.transform(corpus), before)
    with pytest.raises(InputError, match=r"without labels.*PCM"):
        HPC.load(tmp_path / "fit")
    HPC(method="map", draws=2, threads=1).fit(corpus).save(tmp_path / "labelled")
    with pytest.raises(InputError, match=r"with labels.*HPC"):
        PCM.load(tmp_path / "labelled")


def test_what_is_wrong_is_told(corpus, model):
    with pytest.raises(InputError, match="n_topics is 1"):
        PCM(n_topics=1).fit(corpus)
    with pytest.raises(NotFittedError):
        PCM().transform(corpus)
    with pytest.raises(InputError, match="other words than the fit"):
        model.transform(small_corpus(branching_tree([2]), n_words=26))


def test_another_fit_is_the_prior(tmp_path):
    corpus = small_corpus(branching_tree([2, 2]))
    known = HPC(method="map").fit(corpus)
    known.save(tmp_path / "known")
    made = [
        PCM(prior=prior, extra_topics=1, method="map").fit(corpus)
        for prior in (known, known.posterior_, tmp_path / "known", str(tmp_path / "known"))
    ]
    assert made[0].classes_.tolist() == [*known.classes_, "extra 1"]
    for other in made[1:]:
        np.testing.assert_array_equal(other.components_, made[0].components_)
    assert made[0].transform(corpus).shape == (len(corpus), 7)
    made[0].save(tmp_path / "made")
    assert PCM.load(tmp_path / "made").classes_.tolist() == made[0].classes_.tolist()
    with pytest.raises(InputError, match="prior is 3, and no fit"):
        PCM(prior=3).fit(corpus)
    with pytest.raises(InputError, match="besides the topics of a prior"):
        PCM(extra_topics=3).fit(corpus)

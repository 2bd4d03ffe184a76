"""`HPC` is a scikit-learn estimator, and what it returns are the model's memberships."""

import pickle
import subprocess
import sys
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from bits import assert_same_bits, fit, small_corpus
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import log_expit, softmax
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import frex
from frex import HPC, Corpus
from frex.errors import InputError
from frex.model import branching_tree
from frex.model.priors import HalfNormal, PaperPriors, WeakPriors
from frex.posterior import top_words
from frex.predict import memberships
from frex.sampler.settings import Settings
from frex.tree import TopicTree

TREE = branching_tree([2, 2])
FEW = {"warmup": 6, "draws": 4, "threads": 1}

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


class Counted(HPC):
    """HPC, saying that its input is categorical.

    That is the one tag at which the checks round their data, which are then whole numbers, as
    counts are.
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags


TWO_ANSWERS = (
    "it asks for fit_transform(X, y) == fit(X, y).transform(X); the first is told the labels, and "
    "the second is not: transform(X, y) is"
)
MANY_LABELS = "it takes what predict returns for one class a document; here a row has all labels"
EXPECTED_FAILURES = {
    "check_estimator_sparse_array": MANY_LABELS,
    "check_estimator_sparse_matrix": MANY_LABELS,
    "check_transformer_general": TWO_ANSWERS,
    "check_transformer_data_not_an_array": TWO_ANSWERS,
}


def test_scikit_learn_accepts_it():
    model = Counted(warmup=2, draws=2, chains=1, threads=1)
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
    drawn = small_corpus(TREE, n_documents=60)
    checked = Corpus.from_matrices(drawn.counts, drawn.labels, tree=TREE, words=drawn.words)
    return checked.take(range(40))


@pytest.fixture(scope="module")
def model(corpus):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return HPC(**FEW).fit(corpus)


def test_it_is_the_fit_of_the_sampler(corpus, model):
    assert frex.HPC is HPC
    assert_same_bits(model.posterior_, fit(corpus, Settings(warmup=6, draws=4)))
    assert model.tree_ == TREE
    assert model.classes_.tolist() == list(TREE.topics) == model.get_feature_names_out().tolist()
    assert model.words_.tolist() == list(corpus.words)
    assert model.n_features_in_ == corpus.n_words
    assert not hasattr(model, "feature_names_in_")


def test_matrices_are_as_good_as_a_corpus(corpus, model):
    names = [corpus.labels_of(d) for d in range(len(corpus))]
    for counts, labels in [
        (corpus.counts, corpus.labels),
        (corpus.counts.toarray(), corpus.labels.toarray().astype(int)),
        (pd.DataFrame(corpus.counts.toarray(), columns=list(corpus.words)), names),
    ]:
        other = HPC(tree=TREE, **FEW).fit(counts, labels)
        assert_same_bits(other.posterior_, model.posterior_)
    assert other.feature_names_in_.tolist() == other.words_.tolist() == list(corpus.words)


def test_columns_stay_in_place_where_a_topic_has_several_parents():
    # by its words c belongs under b, which would come before c in the tree
    tree = TopicTree(["a", "c", "b", "c"], [None, "a", None, "b"])
    counts, labels = np.array([[5, 0], [0, 5], [0, 5]]), np.eye(3, dtype=int)
    kept = HPC(tree=tree)._training_corpus(counts, labels)
    assert Corpus.from_matrices(counts, labels, tree=tree).tree.topics == ("a", "b", "c")
    assert kept.tree.topics == ("a", "c", "b")
    assert np.array_equal(kept.labels.toarray(), labels)


def test_a_target_of_classes_makes_flat_topics(corpus):
    for classes in ([3, 1] * 20, np.array([3.0, 1.0] * 20), pd.Series(["3", "1"] * 20)):
        model = HPC(**FEW).fit(corpus.counts, classes)
        assert model.classes_.tolist() == ["1", "3"]
        assert model.tree_.levels.max() == 1
        np.testing.assert_array_equal(model.transform(corpus.counts[:2], [[0, 1], [1, 0]]),
                                      [[0, 1], [1, 0]])  # fmt: skip


def test_it_follows_a_vectorizer_in_a_pipeline():
    texts = ["a goal and a goal", "paint the goal", "paint and paint"] * 5
    labels = [["sport"], ["sport", "art"], ["art"]] * 5
    pipeline = make_pipeline(CountVectorizer(), HPC(**FEW))
    shares = pipeline.fit_transform(texts, labels)
    assert pipeline.get_feature_names_out().tolist() == ["art", "sport"]
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    np.testing.assert_array_equal(shares[0], [0, 1])
    pipeline[-1].set_output(transform="pandas")
    frame = pipeline.transform(["goal goal goal goal", "paint paint paint paint"])
    assert frame.columns.tolist() == ["art", "sport"]
    assert frame["sport"][0] > 0.5 > frame["sport"][1]


def test_fit_transform_returns_posterior_means(corpus, model):
    means = HPC(**FEW).fit_transform(corpus)
    np.testing.assert_array_equal(means, model.posterior_.membership_matrix().toarray())
    np.testing.assert_allclose(means.sum(axis=1), 1.0)


def mode_of(model, corpus, document, active, *, labelled, near=None):
    """Find a document's memberships with SciPy, from the density as the paper has it.

    It may have several modes: the one near some memberships is found, where they are given.
    """
    hyper, rates = model.posterior_.hyperparameters, model.posterior_.rates[:, 1:][:, active]
    counts = corpus.counts[[document]].toarray()[0]
    length = counts.sum() / model.posterior_.mean_length
    eta = hyper.affinity_mean[active]

    def energy(xi):
        theta = softmax(xi)
        words = counts @ np.log(rates @ theta) - length * rates.sum(axis=0) @ theta
        labels = log_expit(xi).sum() if labelled else 0.0
        return -(words + labels - ((xi - eta) ** 2).sum() / (2 * hyper.affinity_variance))

    start = eta if near is None else np.log(near) + (eta - np.log(near)).mean()
    return softmax(minimize(energy, start, method="BFGS", options={"gtol": 1e-6}).x)


def test_memberships_are_modes_given_labels_or_words_alone(corpus, model):
    given = model.transform(corpus)
    free = model.transform(corpus.counts)
    n_labels = np.diff(corpus.labels.indptr)
    np.testing.assert_array_equal(given > 0, corpus.labels.toarray())
    np.testing.assert_allclose(given.sum(axis=1), 1.0)
    np.testing.assert_allclose(free.sum(axis=1), 1.0)
    assert (given[n_labels == 1].max(axis=1) == 1).all()
    every = np.arange(TREE.n_topics)
    for document in np.flatnonzero(n_labels > 1)[:4]:
        active = corpus.labels[[document]].indices
        found = mode_of(model, corpus, document, active, labelled=True)
        np.testing.assert_allclose(given[document, active], found, atol=1e-5)
        found = mode_of(model, corpus, document, every, labelled=False, near=free[document])
        np.testing.assert_allclose(free[document], found, atol=2e-2)  # as near as predict goes


def test_memberships_do_not_depend_on_who_else_is_asked_for(corpus, model, monkeypatch):
    some_labels = corpus.labels.toarray().astype(int)
    some_labels[::3] = 0  # unknown
    together = model.transform(corpus.counts, some_labels)
    np.testing.assert_array_equal(together[::3], model.transform(corpus.counts[::3]))
    monkeypatch.setattr(memberships, "BATCH", 40)
    np.testing.assert_array_equal(model.transform(corpus.counts, some_labels), together)


def test_exposures_that_are_given_count(corpus, model):
    """A document that had room for more words says more by what it lacks."""
    longer = replace(corpus, given_exposures=3 * corpus.exposures)
    assert np.abs(model.transform(longer) - model.transform(corpus)).max() > 0.01


def test_a_document_without_words_has_the_topics_popularity(model):
    nothing = sparse.csr_array((1, model.n_features_in_), dtype=int)
    popularity = softmax(model.posterior_.hyperparameters.affinity_mean)
    np.testing.assert_allclose(model.transform(nothing)[0], popularity)


def test_top_words_are_those_of_the_posterior(model):
    table = model.top_words("t1.2", 3, by="frequency", level=0.5)
    assert table.equals(top_words(model.posterior_, "t1.2", 3, by="frequency", level=0.5))
    assert len(model.top_words("t1.2")) == 14
    with pytest.raises(NotFittedError):
        HPC().top_words("t1.2")


def test_labels_are_predicted_with_and_without_held_out_documents(corpus, model):
    chances = model.predict_proba(corpus)
    assert chances.shape == (len(corpus), len(model.classes_))
    before = model.predict(corpus.counts)
    assert (np.diff(before.indptr) > 0).all()
    assert (model.predict(corpus, form="closed").toarray() >= before.toarray()).all()
    held_out = small_corpus(TREE, n_documents=200, seed=9)
    learned = pickle.loads(pickle.dumps(model)).calibrate(
        held_out.counts, held_out.labels, thresholds="topic"
    )
    assert learned.calibration_.method == "corrected"
    corrected = learned.predict_proba(corpus)
    assert (np.abs(corrected - chances) > 0.01).any()
    copy = pickle.loads(pickle.dumps(learned))
    np.testing.assert_array_equal(copy.predict_proba(corpus), corrected)
    assert (copy.predict(corpus) != learned.predict(corpus)).nnz == 0
    with pytest.raises(InputError, match="the documents have no labels"):
        model.calibrate(corpus.counts)


def test_new_texts_are_read_as_those_of_the_fit():
    texts = ["Mining gold and mining silver", "Sowing wheat, sowing corn"] * 6
    labels = [["metal"], ["grain"]] * 6
    tree = TopicTree.from_nested(["metal", "grain"])
    corpus = Corpus.from_texts(texts, labels, tree)
    model = HPC(method="map").fit(corpus)
    np.testing.assert_array_equal(
        model.predict_proba(texts[:2]), model.predict_proba(corpus.take([0, 1]))
    )
    assert model.predict(["He mined gold"]).toarray().tolist() == [[True, False]]
    with pytest.raises(InputError, match="single text"):
        model.predict("He mined gold")
    without = HPC(method="map", tree=tree).fit(corpus.counts, corpus.labels)
    with pytest.raises(InputError, match="stem"):
        without.predict(["gold"])


def test_save_load_pickle_and_clone(corpus, model, tmp_path):
    before = model.transform(corpus)
    model.save(tmp_path / "fit")
    for copy in (HPC.load(tmp_path / "fit"), pickle.loads(pickle.dumps(model))):
        assert_same_bits(copy.posterior_, model.posterior_)
        np.testing.assert_array_equal(copy.transform(corpus), before)
        assert str(copy.diagnosis_) == str(model.diagnosis_)
        assert copy.n_features_in_ == model.n_features_in_
        assert copy.words_.tolist() == model.words_.tolist()
        # what was loaded can be saved and pickled again
        assert_same_bits(pickle.loads(pickle.dumps(copy)).posterior_, model.posterior_)
    assert not hasattr(clone(model), "posterior_")
    with pytest.raises(NotFittedError):
        pickle.loads(pickle.dumps(HPC())).transform(corpus)


def test_a_loaded_fit_knows_its_device(model, tmp_path):
    settings = {**model.posterior_.settings, "device": "cuda"}
    replace(model.posterior_, settings=settings).write(tmp_path / "fit")
    assert HPC.load(tmp_path / "fit").device == "cuda"


@pytest.mark.parametrize("priors", ["weak", WeakPriors(affinity_sd=HalfNormal(3.0)), PaperPriors()])
def test_a_loaded_fit_knows_how_it_was_made(corpus, tmp_path, priors):
    made = HPC(method="map", draws=3, random_state=7, priors=priors, threads=1, tree=TREE,
               compare=["all", 1, ("t1", "t2")], traced_words=(corpus.words[0],))  # fmt: skip
    made.fit(corpus).save(tmp_path / "fit")
    loaded = HPC.load(tmp_path / "fit")
    expected = made.get_params() | {"threads": 0, "compare": ("all", 1, ("t1", "t2"))}
    assert loaded.get_params() == expected
    assert list(loaded.posterior_.exclusivity) == ["all", "level-1", "t1,t2"]
    with pytest.raises(NotFittedError):
        HPC().save(tmp_path / "nothing")


def test_a_generator_may_give_the_seed(corpus, model):
    states = [np.random.RandomState(1) for _ in range(2)]
    fits = [HPC(random_state=state, **FEW).fit(corpus).posterior_ for state in states]
    assert_same_bits(*fits)
    assert (fits[0].draws["root_mean"] != model.posterior_.draws["root_mean"]).all()


def test_a_checkpoint_is_resumed(corpus, model, tmp_path):
    HPC(**FEW | {"draws": 1}, checkpoint=tmp_path / "run").fit(corpus)
    resumed = HPC(**FEW, checkpoint=str(tmp_path / "run"), resume=True).fit(corpus)
    assert_same_bits(resumed.posterior_, model.posterior_)


def test_problems_of_the_draws_are_warned_of(corpus):
    with pytest.warns(ConvergenceWarning, match=r"R-hat of .* the chains have not mixed"):
        model = HPC(**FEW, verbose=True).fit(corpus)
    remedies = [problem for problem in model.diagnosis_.problems if "HPC(" in problem]
    assert len(remedies) == 1
    assert "frex fit" not in "".join(model.diagnosis_.problems)


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"method": "guess"}, "method is 'guess'"),
        ({"draws": 0}, "draws is 0"),
        ({"curvature": "flat"}, "curvature is 'flat'"),
        ({"compare": ["cousins"]}, "no comparison set 'cousins'"),
        ({"threads": -1}, "-1 threads"),
        ({"resume": True}, "no checkpoint"),
    ],
)
def test_wrong_parameters_are_told_by_fit(corpus, parameters, complaint):
    with pytest.raises(InputError, match=complaint):
        HPC(**FEW | parameters).fit(corpus)


def test_documents_that_do_not_belong_are_refused(corpus, model):
    with pytest.raises(InputError, match=r"requires y to be passed.*Give the labels"):
        HPC().fit(corpus.counts)
    with pytest.raises(InputError, match="labels beside a corpus"):
        HPC().fit(corpus, corpus.labels)
    with pytest.raises(InputError, match="not a whole number"):
        model.transform(corpus.counts / 2)
    with pytest.raises(ValueError, match="24 features, but HPC is expecting 25"):
        model.transform(corpus.counts[:, 1:])
    with pytest.raises(InputError, match="other words than the fit"):
        model.transform(small_corpus(TREE, n_words=26))
    with pytest.raises(InputError, match="other topics than the fit"):
        model.transform(small_corpus(branching_tree([3])))
    with pytest.raises(InputError, match="'t9' is not a topic of the tree"):
        model.transform(corpus.counts[:1], [["t9"]])


def test_what_takes_long_to_load_is_loaded_for_a_fit():
    program = "import sys; from frex import HPC; HPC(); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_new_documents_may_have_the_topics_in_another_tree(corpus, model):
    names = corpus.tree.topics[::-1]  # the same topics, all at the top and in another order
    labels = [corpus.labels_of(d) for d in range(len(corpus))]
    other = frex.Corpus.from_matrices(
        corpus.counts, labels, tree=frex.TopicTree(names, [None] * len(names)), ancestors="keep",
        words=list(corpus.words), empty="keep", exposures=corpus.exposures, unlabelled="keep",
    )  # fmt: skip
    np.testing.assert_allclose(model.transform(other), model.transform(corpus), atol=1e-6)


def test_texts_that_nobody_counted_are_told_from_counts():
    with pytest.raises(InputError, match=r"Corpus\.from_texts\(texts, labels, tree\)"):
        HPC().fit(["a text", "another"], ["a", "b"])
    with pytest.raises(InputError, match="are texts"):
        frex.PCM(2).fit(["a text", "another"])

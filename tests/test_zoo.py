"""Hard taxonomies, from Python: every fit ends in figures that are numbers, and that are right.

Settings are the defaults, but for shorter runs (`SHORT`), and one thread. `cli/test_zoo.py` takes
the same specimens through the program.
"""

import warnings
from functools import cache

import numpy as np
import pytest
import zoo
from scipy.stats import norm
from sklearn.exceptions import ConvergenceWarning

from frex import HPC
from frex.posterior import read_posterior, score

SHORT = {"warmup": 100, "draws": 250}
BRIEF = {"warmup": 30, "draws": 30}  # where intervals are not looked at
COVERED_SEEDS = range(4)
"""A fit traces 50 memberships at most, so that two seeds say little: of the intervals for 0.5,
seeds 0 and 1 hold 0.56, the next four 0.50."""
MARGIN = 0.02
"""Beside two standard errors, for what draws that are few and dependent miss of an interval."""


@cache
def specimen(name, seed):
    return zoo.draw(zoo.SHAPES[name], seed)


@cache
def fitted(name, seed):
    model = fit_shortly(specimen(name, seed).corpus, "sample", seed, SHORT, calibrate=False)
    assert_all_finite(model.posterior_)
    return model


def fit_shortly(corpus, method, seed, short, *, calibrate=True):
    with warnings.catch_warnings():
        # of runs that are short it is meant; everything else that is warned of is an error
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = HPC(method=method, random_state=seed, threads=1, **short)
        return model.fit(corpus, calibrate=calibrate)


def assert_all_finite(posterior):
    for name, moment in (*posterior.moments.items(), *posterior.exclusivity.items()):
        assert np.isfinite(moment.mean).all(), name
    for name, draws in (*posterior.draws.items(), *posterior.stats.items()):
        assert np.isfinite(draws).all(), name
    for name, scored in posterior.scored.items():
        assert np.isfinite(scored.values).all(), name
    assert np.isfinite(posterior.rates).all()
    for name in posterior.exclusivity:
        assert ((score(posterior, compare=name) > 0) & (score(posterior, compare=name) <= 1)).all()


@pytest.mark.parametrize(("method", "seed"), [("sample", 0), ("map", 1)])
@pytest.mark.parametrize("name", zoo.SHAPES)
def test_a_specimen_is_fitted_saved_read_and_predicted(name, seed, method, tmp_path):
    """Each is another draw; the intervals below are of more draws, whose figures are finite too."""
    corpus = specimen(name, seed).corpus
    model = fit_shortly(corpus, method, seed, BRIEF if method == "sample" else {})
    posterior = model.posterior_
    assert_all_finite(posterior)
    model.save(tmp_path / "fit")
    assert_all_finite(read_posterior(tmp_path / "fit"))
    again = HPC.load(tmp_path / "fit")
    documents = np.bincount(corpus.labels.indices, minlength=corpus.n_topics)
    empty = corpus.tree.sum_up(documents) == 0
    assert posterior.without_documents == tuple(np.array(corpus.tree.topics)[empty])
    for form in ("open", "closed"):
        labels = again.predict(corpus, form=form)
        assert labels.shape == corpus.labels.shape
        assert not labels.toarray()[:, empty].any()
        assert labels.toarray().any(axis=1).all()  # every document has words
    shares = again.transform(corpus.counts)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert not shares[:, empty].any()
    odds = again.predict_proba(corpus)
    assert ((odds >= 0) & (odds <= 1)).all()
    for topic in posterior.tree.topics:
        shown = again.top_words(topic, 5)  # of its branch, where it has no documents of its own
        assert len(shown) == 5
        assert np.isfinite(shown[["frex", "frequency", "exclusivity"]].to_numpy()).all()
        words = again.top_words(topic, 5, of="topic")
        assert len(words) == 5
        for name_ in ("frequency", "exclusivity"):
            ends = words[[f"{name_}_low", name_, f"{name_}_high"]].to_numpy()
            assert np.isfinite(ends).all()
            assert (np.diff(ends, axis=1) >= 0).all()


@pytest.mark.parametrize("name", zoo.MANY_MODES)
def test_where_chains_find_other_modes_the_fit_says_so(name):
    """And is finite. Of the topics of such documents no more is known than that."""
    corpus = zoo.draw(zoo.MANY_MODES[name], 0).corpus
    model = fit_shortly(corpus, "sample", 0, SHORT, calibrate=False)
    assert_all_finite(model.posterior_)
    assert any("R-hat" in problem for problem in model.diagnosis_.problems)


@pytest.mark.parametrize("method", ["sample", "map"])
def test_a_star_of_three_thousand_topics_half_of_them_empty(method):
    """With 10 scans and draws only: each takes a while. One of both fits is calibrated."""
    corpus = zoo.draw(zoo.HALF_EMPTY_STAR, 0).corpus
    short = {"warmup": 10, "draws": 10}
    model = fit_shortly(corpus, method, 0, short, calibrate=method == "map")
    posterior = model.posterior_
    assert_all_finite(posterior)
    assert len(posterior.without_documents) >= 1500
    labels = model.predict(corpus)
    assert labels.shape == corpus.labels.shape
    used = np.bincount(corpus.labels.indices, minlength=corpus.n_topics) > 0
    assert used[labels.indices].all()
    assert len(model.top_words(posterior.tree.topics[-1])) == 14


def test_a_sampled_fit_predicts_as_well_as_the_mode():
    """With means of rates, which heavy tails make huge by chance, micro F1 is 0.18 here."""
    corpus = zoo.draw(zoo.HEAVY_TAILS, 0).corpus
    half = len(corpus) // 2
    training, test = corpus.take(np.arange(half)), corpus.take(np.arange(half, len(corpus)))
    reached = {}
    for method, short in (("map", {}), ("sample", SHORT)):
        found = fit_shortly(training, method, 0, short).predict(test)
        right = found.multiply(test.labels).sum()
        reached[method] = 2 * right / (found.sum() + test.labels.sum())
    assert reached["map"] > 0.5
    assert reached["sample"] > reached["map"] - 0.03


# Intervals of the truth: ends and truth of many cells, for one specimen after the other. ---------


def true_log_rates(name, seed):
    """Return the true log rates among the topics that were fitted, root first."""
    columns = fitted(name, seed).posterior_.columns
    return specimen(name, seed).truth.log_rates[:, [0, *(columns + 1)]]


def log_rates(name, seed, level):
    """Return the ends for every log rate, by the moments that a fit keeps of each."""
    mean, sd = fitted(name, seed).posterior_.log_rates
    reach = norm.ppf((1 + level) / 2) * sd
    return mean - reach, mean + reach, true_log_rates(name, seed)


def memberships(name, seed, level):
    """Return the ends for memberships that the fit kept draws of."""
    posterior = fitted(name, seed).posterior_
    documents, topics = posterior.traced_memberships.T  # none, where each document has one label
    draws = np.concatenate(posterior.draws["memberships"])
    low, high = np.quantile(draws, ((1 - level) / 2, (1 + level) / 2), axis=0)
    columns = posterior.columns[topics]
    return low, high, specimen(name, seed).truth.memberships.toarray()[documents, columns]


def rates_of_listed_words(name, seed, level):
    """Return the ends that are shown beside the words of each topic."""
    model, truth = fitted(name, seed), np.exp(true_log_rates(name, seed))
    cells = []
    for node, topic in enumerate(model.posterior_.tree.topics, start=1):
        listed = model.top_words(topic, level=level, of="topic")
        at = [model.posterior_.words.index(stem) for stem in listed["stem"]]
        cells.append((listed["frequency_low"], listed["frequency_high"], truth[at, node]))
    return map(np.concatenate, zip(*cells, strict=True))


def covered(intervals, level):
    """Return the share of cells whose interval holds the truth, and its error.

    Cells of one fit depend on each other: the error comes from how specimens differ.
    """
    inside, cells = [], []
    for name in zoo.SHAPES:
        for seed in COVERED_SEEDS:
            if (
                intervals is memberships
                and not fitted(name, seed).posterior_.draws["memberships"].size
            ):
                continue  # every document has one label
            low, high, truth = intervals(name, seed, level)
            inside.append(((low <= truth) & (truth <= high)).sum())
            cells.append(truth.size)
    inside, cells = np.array(inside), np.array(cells)
    share = inside.sum() / cells.sum()
    return share, np.sqrt(((inside - share * cells) ** 2).sum()) / cells.sum()


@pytest.mark.statistical
def test_intervals_cover_the_truth():
    """In one test, so that one process makes all fits; intervals half as wide hold 0.6 for 0.9."""
    for intervals in (log_rates, memberships, rates_of_listed_words):
        for level in (0.9, 0.5):
            share, error = covered(intervals, level)
            assert error < 0.025
            assert abs(share - level) < MARGIN + 2 * error, (intervals.__name__, level)

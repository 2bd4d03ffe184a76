"""Every conditional and every collapsed density against the joint one."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import PRIORS, log_integrated, make_problem, problems
from scipy import stats

from frex.corpus import Corpus
from frex.errors import InputError
from frex.model import affinities, dispersions, hyperparameters, rates
from frex.model.joint import joint_log_density, log_probability_of_a_labelled_document
from frex.model.priors import PaperPriors
from frex.model.process import parent_nodes
from frex.model.reductions import exposure
from frex.tree import TopicTree

SEEDS = st.integers(0, 2**32 - 1)
TREE = TopicTree(["a", "b", "c"], [None, "a", "a"])


def change(problem, state, priors=PRIORS):
    """How much the joint log density changes from the problem's state to another one."""
    given = {"conditioned": problem.reduced.conditioned}
    return joint_log_density(state, problem.corpus, priors, **given) - joint_log_density(
        problem.state, problem.corpus, priors, **given
    )


def close(value):
    return pytest.approx(value, rel=1e-9, abs=1e-8)


@given(problems())
def test_the_joint_density_is_the_generative_process_line_by_line(problem):
    state, hyper, tree = problem.state, problem.state.hyper, problem.tree
    mu, tau2, xi = state.log_rates, np.exp(state.log_dispersions), state.affinities
    total = stats.norm(hyper.root_mean, np.sqrt(hyper.root_variance)).logpdf(mu[:, 0]).sum()
    prior = stats.invgamma(
        hyper.dispersion_df / 2, scale=hyper.dispersion_df * hyper.dispersion_scale / 2
    )
    total += (prior.logpdf(tau2) + np.log(tau2)).sum()
    column = {int(p): i for i, p in enumerate(parent_nodes(tree))}
    for j in range(1, tree.n_nodes):
        p = int(tree.parents[j])
        total += stats.norm(mu[:, p], np.sqrt(tau2[:, column[p]])).logpdf(mu[:, j]).sum()
    total += stats.norm(hyper.affinity_mean, np.sqrt(hyper.affinity_variance)).logpdf(xi).sum()
    total += stats.bernoulli(1 / (1 + np.exp(-xi))).logpmf(problem.labels).sum()
    counts = problem.corpus.counts.toarray()
    for d, active in enumerate(problem.labels):
        if active.any():
            theta = np.exp(xi[d, active]) / np.exp(xi[d, active]).sum()
            rate = problem.corpus.exposures[d] * problem.rates[:, active] @ theta
            total += stats.poisson(rate).logpmf(counts[d]).sum()
    total += PRIORS.log_density(hyper)
    assert joint_log_density(state, problem.corpus, PRIORS) == close(total)


def test_conditioned_densities_of_one_documents_labels_sum_to_one():
    # over all sets of labels but the empty one, the affinities integrated out
    problem = make_problem(TREE, 1)
    state, tree = problem.state, problem.tree
    rows = [row for row in product([0, 1], repeat=tree.n_topics) if any(row)]
    eta, sd = state.hyper.affinity_mean, np.sqrt(state.hyper.affinity_variance)
    x = np.arange(-40, 40, 0.01)
    p1 = (stats.norm(eta[:, None], sd).pdf(x) / (1 + np.exp(-x))).sum(axis=1) * 0.01
    total = sum(np.prod(np.where(row, p1, 1 - p1)) for row in rows)
    assert np.log(total) == pytest.approx(log_probability_of_a_labelled_document(state.hyper))
    several = joint_log_density(state, problem.corpus, PRIORS, conditioned=True)
    without = joint_log_density(state, problem.corpus, PRIORS)
    assert without - several == close(len(problem.corpus) * np.log(total))


def test_the_joint_density_needs_labels():
    problem = make_problem(TREE, 1)
    unlabelled = Corpus.from_matrices(problem.corpus.counts)
    with pytest.raises(InputError, match="no labels"):
        joint_log_density(problem.state, unlabelled, PRIORS)


# A state that differs in one block


@given(problems(), SEEDS)
def test_rates(problem, seed):
    state, hyper = problem.state, problem.state.hyper
    total = exposure(problem.reduced, problem.memberships)
    words = list(rates.words_of(problem.reduced, problem.memberships))
    rng = np.random.default_rng(seed)
    f = int(rng.integers(len(words)))

    def conditional(log_rates):
        prior = rates.rate_prior_log_density(
            log_rates,
            problem.tree,
            hyper.root_mean,
            hyper.root_variance,
            np.exp(state.log_dispersions[f]),
        )
        return prior + rates.rate_log_likelihood(log_rates, *words[f], total)

    moved = state.log_rates.copy()
    moved[f] += rng.normal(0, 0.5, problem.tree.n_nodes)
    expected = conditional(moved[f]) - conditional(state.log_rates[f])
    assert change(problem, state._replace(log_rates=moved)) == close(expected)


@given(problems(), SEEDS)
def test_dispersions(problem, seed):
    state, hyper, tree = problem.state, problem.state.hyper, problem.tree
    law = dispersions.dispersion_conditional(
        dispersions.deviation_squares(tree, state.log_rates),
        dispersions.group_sizes(tree),
        hyper.dispersion_df,
        hyper.dispersion_scale,
    )
    moved = np.random.default_rng(seed).normal(-1, 1, state.log_dispersions.shape)
    before, after = map(law.log_density_of_log, (state.log_dispersions, moved))
    assert change(problem, state._replace(log_dispersions=moved)) == close((after - before).sum())


@given(problems(), SEEDS)
def test_affinities(problem, seed):
    state, hyper = problem.state, problem.state.hyper
    rng = np.random.default_rng(seed)
    data = affinities.documents_of(problem.reduced, problem.rates)
    for d, document in zip(problem.reduced.documents, data, strict=True):
        active = problem.labels[d]
        moved = state.affinities.copy()
        moved[d, active] += rng.normal(0, 1, active.sum())
        before, after = (
            affinities.affinity_log_density(
                xi[d, active], document, hyper.affinity_mean[active], hyper.affinity_variance
            )
            for xi in (state.affinities, moved)
        )
        assert change(problem, state._replace(affinities=moved)) == close(after - before)


@given(problems(), st.floats(-2, 2))
def test_root_mean(problem, value):
    state, hyper = problem.state, problem.state.hyper
    root = state.log_rates[:, 0]
    law = hyperparameters.root_mean_conditional(root, hyper.root_variance, PRIORS.root_mean)
    density = stats.norm(law.mean, np.sqrt(law.variance)).logpdf
    moved = state._replace(hyper=hyper._replace(root_mean=value))
    assert change(problem, moved) == close(density(value) - density(hyper.root_mean))


@given(problems(), st.floats(0.1, 5))
def test_root_variance(problem, value):
    state, hyper = problem.state, problem.state.hyper
    law = hyperparameters.root_variance_conditional(state.log_rates[:, 0], hyper.root_mean)
    before, after = (law.log_density_of_log(np.log(v)) for v in (hyper.root_variance, value))
    correction = hyperparameters.root_variance_log_acceptance(
        hyper.root_variance, value, PRIORS.root_sd
    )
    moved = state._replace(hyper=hyper._replace(root_variance=value))
    assert change(problem, moved) == close(after - before + correction)


@given(problems(conditioned=False), SEEDS, st.floats(0.2, 5))
def test_the_papers_affinity_mean_and_variance(problem, seed, value):
    state, hyper = problem.state, problem.state.hyper
    law = hyperparameters.paper_affinity_variance(state.affinities)

    def density(eta, variance):
        mean = hyperparameters.paper_affinity_mean(state.affinities, variance)
        normal = stats.norm(mean.mean, np.sqrt(mean.variance)).logpdf(eta).sum()
        return normal + law.log_density_of_log(np.log(variance))

    eta = np.random.default_rng(seed).normal(size=problem.tree.n_topics)
    moved = hyper._replace(affinity_mean=eta, affinity_variance=value)
    expected = density(eta, value) - density(hyper.affinity_mean, hyper.affinity_variance)
    assert change(problem, state._replace(hyper=moved), PaperPriors()) == close(expected)


@given(problems(), st.floats(0.5, 30), st.floats(0.05, 3))
def test_the_papers_dispersion_df_and_scale(problem, df, scale):
    state, hyper = problem.state, problem.state.hyper
    tau2 = np.exp(state.log_dispersions)

    def density(nu, sigma2):
        return hyperparameters.paper_dispersion_log_density(
            np.log(nu / 2), np.log(2 / (nu * sigma2)), tau2
        )

    moved = state._replace(hyper=hyper._replace(dispersion_df=df, dispersion_scale=scale))
    expected = density(df, scale) - density(hyper.dispersion_df, hyper.dispersion_scale)
    assert change(problem, moved, PaperPriors()) == close(expected)


# Variables integrated out


@pytest.mark.parametrize("conditioned", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_affinities_that_words_cannot_see_leave_the_label_probabilities(seed, conditioned):
    problem = make_problem(TREE, seed, n_documents=5, n_words=2, conditioned=conditioned)
    n_labels = problem.labels.sum(axis=1)
    every_kind = {1, 2} if conditioned else {0, 1, 2}
    assert {*np.minimum(n_labels, 2).tolist()} == every_kind
    seen = problem.labels & (n_labels > 1)[:, None]
    unseen = [tuple(entry) for entry in np.argwhere(~seen)]
    statistics = hyperparameters.affinity_statistics(problem.reduced, problem.affinities)

    def both(eta, log_sd):
        hyper = problem.state.hyper._replace(
            affinity_mean=eta, affinity_variance=float(np.exp(2 * log_sd))
        )
        state = problem.state._replace(hyper=hyper)
        grid = np.arange(-16, 16, 0.125)
        integral = log_integrated(problem, state, "affinities", unseen, grid)
        conditional = (
            hyperparameters.affinity_hyper_log_density(eta, log_sd, statistics)
            + PRIORS.affinity_mean.log_density(eta).sum()
            + PRIORS.affinity_sd.log_density_of_log(log_sd)
        )
        return integral, conditional

    first, second = both(np.array([-1.0, 0.4, 0.1]), -0.2), both(np.array([0.3, -0.6, 1.2]), 0.4)
    assert first[0] - second[0] == pytest.approx(first[1] - second[1], abs=1e-8)


@pytest.mark.parametrize("seed", [1, 2])
def test_dispersions_integrated_out_leave_a_multivariate_t(seed):
    problem = make_problem(TREE, seed, n_documents=2, n_words=3)
    squares = dispersions.deviation_squares(TREE, problem.state.log_rates)
    sizes = dispersions.group_sizes(TREE)

    def both(log_nu, log_sigma2):
        hyper = problem.state.hyper._replace(
            dispersion_df=float(np.exp(log_nu)), dispersion_scale=float(np.exp(log_sigma2))
        )
        state = problem.state._replace(hyper=hyper)
        groups = [*np.ndindex(squares.shape)]
        integral = log_integrated(
            problem, state, "log_dispersions", groups, np.arange(-12, 25, 0.125)
        )
        conditional = (
            dispersions.dispersion_log_density(log_nu, log_sigma2, squares, sizes)
            + PRIORS.log_dispersion_df.log_density(log_nu)
            + PRIORS.log_dispersion_scale.log_density(log_sigma2)
        )
        return integral, conditional

    first, second = both(0.9, -1.0), both(2.2, 0.3)
    assert first[0] - second[0] == pytest.approx(first[1] - second[1], abs=1e-8)

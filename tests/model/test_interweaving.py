import numpy as np
import pytest
from derivatives import assert_derivative
from hypothesis import given
from hypothesis import strategies as st
from problems import PRIORS, log_integrated, make_problem, problems

from frex.model import interweaving
from frex.model.dispersions import deviation_squares, group_sizes
from frex.model.interweaving import WeakStart
from frex.model.process import parent_nodes
from frex.tree import TopicTree

SEEDS = st.integers(0, 2**32 - 1)
LOG_FACTORS = st.floats(-0.7, 0.7)
TREE = TopicTree(["a", "b", "c"], [None, "a", "a"])


@given(problems(), st.floats(-1, 1))
def test_affinity_gradient_is_that_of_the_log_density(problem, log_sd):
    hyper = problem.state.hyper
    z = interweaving.standardise(problem.affinities, hyper.affinity_mean, log_sd, problem.reduced)
    fixed = z, problem.reduced, problem.rates
    at = np.append(hyper.affinity_mean, log_sd)
    assert_derivative(
        interweaving.affinity_interweaving_gradient(at[:-1], at[-1], *fixed),
        lambda x: interweaving.affinity_interweaving_log_density(x[:-1], x[-1], *fixed),
        at,
    )


@given(problems(), st.floats(-1, 1))
def test_standardising_is_undone(problem, log_sd):
    where = problem.state.hyper.affinity_mean, log_sd, problem.reduced
    z = interweaving.standardise(problem.affinities, *where)
    assert interweaving.unstandardise(z, *where) == pytest.approx(problem.affinities)


@pytest.mark.parametrize("seed", [1, 2])
def test_affinity_density_is_the_joint_density_in_standardised_affinities(seed):
    problem = make_problem(TREE, seed, n_documents=5, n_words=2)
    hyper = problem.state.hyper
    z = interweaving.standardise(
        problem.affinities, hyper.affinity_mean, 0.5 * np.log(hyper.affinity_variance),
        problem.reduced,
    )  # fmt: skip
    seen = problem.labels & (problem.labels.sum(axis=1) > 1)[:, None]
    unseen = [tuple(entry) for entry in np.argwhere(~seen)]
    assert seen.any()

    def both(eta, log_sd):
        xi = problem.state.affinities.copy()
        xi[seen] = interweaving.unstandardise(z, eta, log_sd, problem.reduced)
        moved = hyper._replace(affinity_mean=eta, affinity_variance=float(np.exp(2 * log_sd)))
        state = problem.state._replace(hyper=moved, affinities=xi)
        integral = log_integrated(problem, state, "affinities", unseen, np.arange(-16, 16, 0.125))
        jacobian = len(z) * log_sd  # of xi in z
        conditional = (
            interweaving.affinity_interweaving_log_density(
                eta, log_sd, z, problem.reduced, problem.rates
            )
            + PRIORS.affinity_mean.log_density(eta).sum()
            + PRIORS.affinity_sd.log_density_of_log(log_sd)
        )
        return integral + jacobian, conditional

    first, second = both(np.array([-1.0, 0.4, 0.1]), -0.2), both(np.array([0.3, -0.6, 1.2]), 0.4)
    assert first[0] - second[0] == pytest.approx(first[1] - second[1], abs=1e-8)


def weak_start(problem, seed):
    """Mark any groups, not those that are weak: the density must hold for all."""
    shape = problem.state.log_dispersions.shape
    return WeakStart(
        problem.state.log_rates, np.random.default_rng(seed).random(shape) < 0.5, 1.1, -0.9
    )


@given(problems(), SEEDS, LOG_FACTORS)
def test_weak_deviations_are_scaled_and_strong_ones_stay(problem, seed, log_factor):
    tree, start = problem.tree, weak_start(problem, seed)
    moved = interweaving.scale_weak_deviations(tree, start.log_rates, start.weak, log_factor)
    assert np.array_equal(moved[:, 0], start.log_rates[:, 0])
    before, after = deviation_squares(tree, start.log_rates), deviation_squares(tree, moved)
    factor = np.where(start.weak, np.exp(2 * log_factor), 1)
    assert after == pytest.approx(factor * before, rel=1e-9, abs=1e-12)
    back = interweaving.scale_weak_deviations(tree, moved, start.weak, -log_factor)
    assert back == pytest.approx(start.log_rates, rel=1e-12, abs=1e-12)


@given(problems(), SEEDS, LOG_FACTORS)
def test_weak_group_slope_is_that_of_the_log_density(problem, seed, log_factor):
    fixed = weak_start(problem, seed), problem.reduced, problem.memberships
    assert_derivative(
        np.array([interweaving.weak_group_gradient(log_factor, *fixed)]),
        lambda x: interweaving.weak_group_log_density(x[0], *fixed),
        [log_factor],
    )


@given(problems(), SEEDS, LOG_FACTORS)
def test_weak_group_density_depends_on_the_end_and_not_on_the_way(problem, seed, log_factor):
    data, start = (problem.reduced, problem.memberships), weak_start(problem, seed)
    moved = start._replace(
        log_rates=interweaving.scale_weak_deviations(
            problem.tree, start.log_rates, start.weak, log_factor
        ),
        log_sigma2=start.log_sigma2 + 2 * log_factor,
    )
    there = interweaving.weak_group_log_density(log_factor, start, *data)
    assert interweaving.weak_group_log_density(0.0, moved, *data) == pytest.approx(there, rel=1e-10)


@pytest.mark.parametrize("seed", [1, 2])
def test_weak_group_density_is_the_joint_density_in_standardised_deviations(seed):
    problem = make_problem(TREE, seed, n_documents=6, n_words=3)
    start = weak_start(problem, seed)
    assert start.weak.any()
    assert not start.weak.all()
    n_weak = (start.weak * group_sizes(TREE)).sum()

    def both(log_factor):
        log_sigma2 = start.log_sigma2 + 2 * log_factor
        hyper = problem.state.hyper._replace(
            dispersion_df=float(np.exp(start.log_nu)), dispersion_scale=float(np.exp(log_sigma2))
        )
        moved = interweaving.scale_weak_deviations(TREE, start.log_rates, start.weak, log_factor)
        state = problem.state._replace(hyper=hyper, log_rates=moved)
        groups = [*np.ndindex(start.weak.shape)]
        integral = log_integrated(
            problem, state, "log_dispersions", groups, np.arange(-12, 25, 0.125)
        )
        jacobian = n_weak * log_factor  # of weak deviations in standardised ones
        conditional = interweaving.weak_group_log_density(
            log_factor, start, problem.reduced, problem.memberships
        ) + PRIORS.log_dispersion_scale.log_density(log_sigma2)
        return integral + jacobian, conditional

    first, second = both(-0.3), both(0.4)
    assert first[0] - second[0] == pytest.approx(first[1] - second[1], abs=1e-8)


@given(problems(), SEEDS)
def test_a_group_is_weak_when_its_subtree_expects_few_counts(problem, seed):
    tree, log_rates = problem.tree, problem.state.log_rates
    exposure = np.random.default_rng(seed).uniform(0, 2, tree.n_topics)
    weak = interweaving.weak_groups(tree, log_rates, exposure, threshold=2.0)
    for column, parent in enumerate(parent_nodes(tree)):
        below = [n for n in range(1, tree.n_nodes) if parent in (0, *tree.ancestors(n))]
        expected = np.exp(log_rates[:, below]) @ exposure[np.array(below) - 1]
        assert weak[:, column].tolist() == (expected < 2.0).tolist()

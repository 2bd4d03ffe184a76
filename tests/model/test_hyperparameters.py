import numpy as np
import pytest
from derivatives import assert_derivative
from hypothesis import given
from hypothesis import strategies as st
from problems import problems
from scipy.special import gammaln

from frex.model import hyperparameters
from frex.model.hyperparameters import AffinityStatistics
from frex.model.labels import log_label_probability
from frex.model.priors import Flat, HalfNormal, Normal

SEEDS = st.integers(0, 2**32 - 1)
LOG_SDS = st.floats(-1, 2.5)


@given(SEEDS, st.integers(1, 9), st.sampled_from([Normal(-1.0, 0.4), Flat()]))
def test_root_mean_conditional_is_prior_times_likelihood(seed, n_words, prior):
    rng = np.random.default_rng(seed)
    root, variance = rng.normal(2, 1, n_words), float(rng.uniform(0.1, 3))
    law = hyperparameters.root_mean_conditional(root, variance, prior)
    at = np.array([-1.3, 0.0, 2.4])
    target = prior.log_density(at) - 0.5 * ((root - at[:, None]) ** 2).sum(axis=1) / variance
    density = -0.5 * (at - law.mean) ** 2 / law.variance
    assert np.diff(density) == pytest.approx(np.diff(target), rel=1e-9, abs=1e-9)


@given(SEEDS, st.integers(1, 9))
def test_root_variance_conditional_is_the_likelihood_in_log_variance(seed, n_words):
    rng = np.random.default_rng(seed)
    root, mean = rng.normal(2, 1, n_words), float(rng.normal())
    law = hyperparameters.root_variance_conditional(root, mean)
    at = np.array([-1.0, 0.2, 1.1])
    target = -0.5 * (n_words * at + ((root - mean) ** 2).sum() * np.exp(-at))
    assert np.diff(law.log_density_of_log(at)) == pytest.approx(np.diff(target), rel=1e-9)


def test_metropolis_correction_makes_the_flat_draw_that_of_the_prior():
    # detailed balance: target(a) q(b) min(1, r(a, b)) = target(b) q(a) min(1, r(b, a))
    root, prior = np.array([0.3, -2.0, 1.0]), HalfNormal(0.5)
    law = hyperparameters.root_variance_conditional(root, 0.0)

    def target(variance):
        likelihood = -0.5 * (3 * np.log(variance) + (root**2).sum() / variance)
        return likelihood + prior.log_density_of_log(0.5 * np.log(variance))

    def flow(a, b):
        accept = min(0.0, hyperparameters.root_variance_log_acceptance(a, b, prior))
        return target(a) + law.log_density_of_log(np.log(b)) + accept

    assert flow(0.4, 1.7) == pytest.approx(flow(1.7, 0.4), rel=1e-12)
    assert hyperparameters.root_variance_log_acceptance(0.4, 1.7, Flat()) == 0


@given(problems(), LOG_SDS)
def test_the_statistics_say_all_that_the_affinities_do(problem, log_sd):
    # section 2.3, term by term over documents
    eta, sd = problem.state.hyper.affinity_mean, np.exp(log_sd)
    log_p0, log_p1 = log_label_probability(eta, sd)
    expected = 0.0
    for xi, labels in zip(problem.state.affinities, problem.labels, strict=True):
        expected += log_p0[~labels].sum()
        if labels.sum() == 1:
            expected += log_p1[labels].sum()
        elif labels.sum() > 1:
            away = (xi - eta)[labels] / sd
            expected += (-0.5 * away**2 - np.log(sd) - 0.5 * np.log(2 * np.pi)).sum()
    if problem.reduced.conditioned:
        expected -= len(problem.labels) * np.log1p(-np.exp(log_p0.sum()))
    statistics = hyperparameters.affinity_statistics(problem.reduced, problem.affinities)
    density = hyperparameters.affinity_hyper_log_density(eta, log_sd, statistics)
    assert density == pytest.approx(expected, rel=1e-11, abs=1e-10)


@given(problems(), LOG_SDS)
def test_gradient_and_hessian_are_those_of_the_collapsed_density(problem, log_sd):
    statistics = hyperparameters.affinity_statistics(problem.reduced, problem.affinities)
    at = np.append(problem.state.hyper.affinity_mean, log_sd)
    assert_derivative(
        hyperparameters.affinity_hyper_gradient(at[:-1], at[-1], statistics),
        lambda x: hyperparameters.affinity_hyper_log_density(x[:-1], x[-1], statistics),
        at,
    )
    assert_derivative(
        hyperparameters.affinity_hyper_hessian(at[:-1], at[-1], statistics),
        lambda x: hyperparameters.affinity_hyper_gradient(x[:-1], x[-1], statistics),
        at,
    )


def conditioned_statistics(seed, n_topics, n_documents=50):
    """Return statistics of documents of one label each."""
    rng = np.random.default_rng(seed)
    n_single = rng.multinomial(n_documents, np.full(n_topics, 1 / n_topics))
    none = np.zeros(n_topics)
    return AffinityStatistics(n_documents - n_single, n_single, none, none, none, n_documents)


@given(SEEDS, st.lists(st.floats(-30, 30), min_size=1, max_size=5), st.floats(-2, 3))
def test_derivatives_of_conditioned_labels_hold_far_out(seed, eta, log_sd):
    statistics = conditioned_statistics(seed, len(eta))
    at = np.append(eta, log_sd)
    gradient = hyperparameters.affinity_hyper_gradient
    assert_derivative(
        gradient(at[:-1], at[-1], statistics),
        lambda x: hyperparameters.affinity_hyper_log_density(x[:-1], x[-1], statistics),
        at,
    )
    assert_derivative(
        hyperparameters.affinity_hyper_hessian(at[:-1], at[-1], statistics),
        lambda x: gradient(x[:-1], x[-1], statistics),
        at,
    )


@pytest.mark.parametrize("level", [-60.0, -600.0, -1e5])
def test_where_labels_are_rare_the_first_one_is_a_choice_between_topics(level):
    # P1 ~ exp(eta + lambda^2 / 2), and which of the topics it is is multinomial
    eta = np.array([0.0, 0.5, -1.0])
    statistics = conditioned_statistics(3, 3)
    density = hyperparameters.affinity_hyper_log_density(eta + level, 0.3, statistics)
    share = np.exp(eta) / np.exp(eta).sum()
    assert density == pytest.approx(statistics.n_single @ np.log(share), rel=1e-9)
    gradient = hyperparameters.affinity_hyper_gradient(eta + level, 0.3, statistics)
    if level > -700:  # below, P1 is 0 in double precision
        expected = statistics.n_single - statistics.n_conditioned * share
        np.testing.assert_allclose(gradient[:-1], expected, rtol=1e-7)
    assert np.isfinite(gradient).all()
    assert np.isfinite(hyperparameters.affinity_hyper_hessian(eta + level, 0.3, statistics)).all()


def test_the_labels_of_a_single_topic_say_nothing_where_each_document_has_one():
    statistics = conditioned_statistics(1, 1)
    for eta in (-40.0, -2.0, 0.0, 25.0):
        at = np.array([eta]), 0.4, statistics
        assert hyperparameters.affinity_hyper_log_density(*at) == pytest.approx(0, abs=1e-12)
        np.testing.assert_allclose(hyperparameters.affinity_hyper_gradient(*at), 0, atol=1e-10)
        np.testing.assert_allclose(hyperparameters.affinity_hyper_hessian(*at), 0, atol=1e-8)


def test_a_rare_topic_of_many_is_as_accurate_as_any():
    # 500 topics of 800,000 documents, affinities as widely spread as in the authors' runs
    rng = np.random.default_rng(1)
    n_labelled = rng.integers(0, 50_000, 500)
    n_active = n_labelled // 3
    statistics = AffinityStatistics(
        800_000 - n_labelled, n_labelled - n_active, n_active, rng.normal(3, 1, 500), n_active * 9.0
    )
    eta, log_sd = rng.normal(-30, 5, 500), 0.5 * np.log(130)
    gradient = hyperparameters.affinity_hyper_gradient(eta, log_sd, statistics)
    step = 1e-4
    for k in (0, 77):
        unit = np.where(np.arange(500) == k, step, 0)
        alone = [
            hyperparameters.affinity_hyper_log_density(
                (eta + s * unit)[[k]], log_sd, AffinityStatistics(*(x[[k]] for x in statistics[:5]))
            )
            for s in (-2, -1, 1, 2)
        ]
        numeric = (alone[0] - 8 * alone[1] + 8 * alone[2] - alone[3]) / (12 * step)
        assert gradient[k] == pytest.approx(numeric, rel=1e-6)


@given(SEEDS, st.integers(2, 6), st.integers(1, 4))
def test_the_papers_affinity_conditionals_are_the_joint_density(seed, n_documents, n_topics):
    # p(lambda2) p(eta | lambda2) in (eta, log lambda2) is the normal likelihood, flat priors
    rng = np.random.default_rng(seed)
    xi = rng.normal(1, 2, (n_documents, n_topics))
    law = hyperparameters.paper_affinity_variance(xi)

    def conditionals(eta, variance):
        mean = hyperparameters.paper_affinity_mean(xi, variance)
        normal = -0.5 * ((eta - mean.mean) ** 2 / mean.variance + np.log(mean.variance)).sum()
        return normal + law.log_density_of_log(np.log(variance))

    def normal(eta, variance):
        return -0.5 * ((xi - eta) ** 2 / variance + np.log(variance)).sum()

    points = [(rng.normal(size=n_topics), v) for v in (0.5, 1.0, 6.0)]
    differences = [conditionals(*point) - normal(*point) for point in points]
    assert np.ptp(differences) == pytest.approx(0, abs=1e-8 * (1 + np.abs(differences).max()))


@given(SEEDS, st.floats(-1, 3), st.floats(-3, 3))
def test_the_papers_dispersion_conditional_is_that_of_inverse_chi_square(seed, log_kappa, log_lam):
    tau2 = np.random.default_rng(seed).lognormal(size=(3, 2))

    def direct(x):
        half, sigma2 = np.exp(x[0]), np.exp(-x[0] - x[1])
        rate = half * sigma2
        log_density = half * np.log(rate) - gammaln(half) - (half - 1) * np.log(tau2) - rate / tau2
        return log_density.sum()

    at = np.array([log_kappa, log_lam])
    density = hyperparameters.paper_dispersion_log_density
    assert density(*at, tau2) == pytest.approx(direct(at), rel=1e-9, abs=1e-9)
    gradient = hyperparameters.paper_dispersion_gradient
    assert_derivative(gradient(*at, tau2), lambda x: density(*x, tau2), at)
    hessian = hyperparameters.paper_dispersion_hessian(*at, tau2)
    assert_derivative(hessian, lambda x: gradient(*x, tau2), at)

import numpy as np
import pytest
from derivatives import assert_derivative
from scipy import stats

from frex.errors import InputError
from frex.model.priors import (
    Flat,
    HalfNormal,
    Hyperparameters,
    Normal,
    PaperPriors,
    StudentAboutLevel,
    WeakPriors,
)

PRIORS = WeakPriors(
    root_mean=Normal(-4.0, 0.5),
    root_sd=HalfNormal(1.5),
    affinity_mean=Normal(-2.0, 0.7),
    affinity_sd=HalfNormal(3.0),
    log_dispersion_df=Normal(2.0, 0.3),
    log_dispersion_scale=Normal(-1.0, 0.4),
)


def test_a_sample_has_the_stated_distributions():
    rng = np.random.default_rng(1)
    draws = [PRIORS.sample(rng, 3) for _ in range(4000)]
    columns = {name: np.array([getattr(d, name) for d in draws]) for name in draws[0]._fields}
    stated = {
        "root_mean": (columns["root_mean"], stats.norm(-4, 0.5)),
        "root_sd": (np.sqrt(columns["root_variance"]), stats.halfnorm(0, 1.5)),
        "affinity_mean": (columns["affinity_mean"].ravel(), stats.norm(-2, 0.7)),
        "affinity_sd": (np.sqrt(columns["affinity_variance"]), stats.halfnorm(0, 3)),
        "dispersion_df": (columns["dispersion_df"], stats.lognorm(0.3, 0, np.exp(2))),
        "dispersion_scale": (columns["dispersion_scale"], stats.lognorm(0.4, 0, np.exp(-1))),
    }
    for name, (values, distribution) in stated.items():
        assert stats.kstest(values, distribution.cdf).pvalue > 1e-4, name


def test_log_density_is_that_of_the_unconstrained_coordinates():
    hyper = Hyperparameters(-4.3, 1.7, np.array([-1.0, -3.0]), 6.0, 9.0, 0.3)
    expected = (
        stats.norm(-4, 0.5).logpdf(-4.3)
        + stats.halfnorm(0, 1.5).logpdf(np.sqrt(1.7))
        + np.log(np.sqrt(1.7))
        + stats.norm(-2, 0.7).logpdf([-1, -3]).sum()
        + stats.halfnorm(0, 3).logpdf(np.sqrt(6.0))
        + np.log(np.sqrt(6.0))
        + stats.norm(2, 0.3).logpdf(np.log(9.0))
        + stats.norm(-1, 0.4).logpdf(np.log(0.3))
    )
    assert PRIORS.log_density(hyper) == pytest.approx(expected, rel=1e-13)


def test_half_normal_density_of_the_logarithm_integrates_to_one():
    log_value = np.linspace(-40, 5, 20_001)
    density = np.exp(HalfNormal(2.5).log_density_of_log(log_value))
    assert np.trapezoid(density, log_value) == pytest.approx(1, abs=1e-10)


def test_normals_about_a_level_are_one_student_t():
    prior, values = (
        StudentAboutLevel(-5.0, 0.7, reach=4.0, df=6.0),
        np.array([-4.0, -9.0, 2.0, -5.5]),
    )
    shape = 0.7**2 * (np.eye(4) + 4.0**2)
    expected = stats.multivariate_t(np.full(4, -5.0), shape, df=6.0)
    assert prior.joint_log_density(values) == pytest.approx(expected.logpdf(values), rel=1e-12)
    rng = np.random.default_rng(1)
    drawn = np.array([prior.sample(rng, 4) for _ in range(40_000)])
    np.testing.assert_allclose(np.cov(drawn.T), shape * 6 / 4, rtol=0.1)
    np.testing.assert_allclose(drawn.mean(axis=0), -5.0, atol=0.1)


def test_the_slopes_about_a_level_are_those_of_the_density():
    prior, values = (
        StudentAboutLevel(-5.0, 0.7, reach=4.0, df=6.0),
        np.array([-4.0, -9.0, 2.0, -5.5]),
    )
    steps = 1e-5 * np.eye(4)
    slopes = [
        (prior.joint_log_density(values + h) - prior.joint_log_density(values - h)) / 2e-5
        for h in steps
    ]
    np.testing.assert_allclose(prior.joint_gradient(values), slopes, rtol=1e-7)
    bends = [
        (prior.joint_gradient(values + h) - prior.joint_gradient(values - h)) / 2e-5 for h in steps
    ]
    np.testing.assert_allclose(prior.joint_hessian(values), bends, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("prior", [Normal(-1.0, 0.6), Flat()])
def test_independent_values_have_a_joint_density_too(prior):
    values = np.array([0.3, -2.0, 1.0])
    assert prior.joint_log_density(values) == pytest.approx(prior.log_density(values).sum())
    np.testing.assert_allclose(prior.joint_gradient(values), prior.gradient(values))
    np.testing.assert_allclose(
        prior.joint_hessian(values), np.diag(prior.second_derivative(values))
    )


def test_default_priors_do_not_fight_what_real_corpora_showed():
    # each value within two prior standard deviations of the prior's centre
    priors = WeakPriors()
    seen = [
        (priors.root_mean, [-9, -4]),
        (priors.affinity_mean, [-12, 1]),
        (priors.log_dispersion_df, np.log([2, 10])),
        (priors.log_dispersion_scale, np.log([0.1, 2])),
    ]
    for prior, values in seen:
        assert (np.abs(np.array(values) - prior.location) < 2 * prior.scale).all()
    assert priors.affinity_sd.scale * 2 > 11.4
    assert priors.root_sd.scale * 2 > 3


@pytest.mark.parametrize("scale", [0, -1, np.nan, np.inf])
def test_a_scale_that_is_none_is_refused(scale):
    with pytest.raises(InputError, match="scale"):
        HalfNormal(scale)
    with pytest.raises(InputError, match="scale"):
        Normal(0, scale)


GOOD = Hyperparameters(0, 1, [0.5, 1], 1, 5, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"affinity_mean": [1.0]}, "affinity_mean has shape"),
        ({"affinity_mean": [1.0, np.nan]}, "affinity_mean holds"),
        ({"root_mean": np.inf}, "root_mean is inf"),
        ({"root_variance": 0}, "root_variance is 0"),
        ({"dispersion_df": -2}, "dispersion_df is -2"),
        ({"affinity_variance": np.nan}, "affinity_variance is nan"),
        ({"affinity_variance": 2e5}, "affinity_variance is 200000.*fit into memory"),
    ],
)
def test_bad_hyperparameters_are_named(change, message):
    with pytest.raises(InputError, match=message):
        GOOD._replace(**change).checked(2)


def test_checked_hyperparameters_are_an_own_copy():
    means = np.array([0.5, 1.0])
    checked = GOOD._replace(affinity_mean=means).checked(2)
    means[0] = 9
    assert checked.affinity_mean.tolist() == [0.5, 1.0]


def test_derivatives_are_those_of_the_log_densities():
    at = np.linspace(-2.0, 2.0, 5)
    normal, half = Normal(0.3, 0.7), HalfNormal(1.6)
    pairs = [
        (normal.log_density, normal.gradient),
        (normal.gradient, normal.second_derivative),
        (half.log_density_of_log, half.gradient_of_log),
        (half.gradient_of_log, half.second_derivative_of_log),
    ]
    for function, slope in pairs:
        assert_derivative(np.diag(slope(at)), function, at)
        assert isinstance(slope(1.0), float)


def test_the_papers_priors_answer_all_that_the_weak_ones_do_with_zero():
    weak, paper = WeakPriors(), PaperPriors()
    assert (weak.proper, paper.proper) == (True, False)
    assert paper.log_density(GOOD) == 0
    for name in weak.__dataclass_fields__:
        if name.startswith("drift"):
            continue  # the paper has no topics of another fit: `Settings` refuses the two together
        flat = getattr(paper, name)
        for method in dir(getattr(weak, name)):
            if method.startswith("joint"):
                continue  # of a vector: a test of its own
            if "density" in method or "derivative" in method or "gradient" in method:
                assert getattr(flat, method)(np.ones(3)).tolist() == [0, 0, 0]
                assert getattr(flat, method)(1.0) == 0
    with pytest.raises(InputError, match=r"flat.*WeakPriors"):
        paper.sample(np.random.default_rng(0), 2)

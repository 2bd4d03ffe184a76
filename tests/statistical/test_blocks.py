"""Every block passes its check, and the check finds faults that are put in."""

from functools import wraps

import numpy as np
import pytest
from statistical.blocks import CHECKS, SHARES

from frex.sampler.blocks import (
    affinity_hyper,
    affinity_interweaving,
    dispersion_interweaving,
    root,
)
from frex.sampler.blocks.affinity_hyper import AffinityHyper
from frex.sampler.blocks.affinity_interweaving import AffinityInterweaving
from frex.sampler.blocks.dispersion_hyper import DispersionHyper
from frex.sampler.blocks.dispersion_interweaving import DispersionInterweaving
from frex.sampler.engines.cpu.documents import CpuDocuments
from frex.sampler.engines.cpu.words import CpuWords
from frex.sampler.formulas.affinities import CURVATURE_SHARE
from frex.sampler.kernels import affinities as affinity_kernels
from frex.sampler.kernels import groups, rates_dense

pytestmark = pytest.mark.statistical


@pytest.mark.parametrize("name", CHECKS)
def test_the_block_keeps_its_conditional(name, one_thread):
    CHECKS[name]()


# Faults. Each replaces one function by one that gets one thing wrong, in value and gradient alike:
# a trajectory whose gradient does not fit its density is inefficient, not wrong.


def wrapped(owner, name):
    """Return a decorator that puts a function of (the original, its arguments) in its place."""

    def decorate(fault):
        def install(monkeypatch):
            original = getattr(owner, name)
            monkeypatch.setattr(owner, name, lambda *a, **k: fault(original, *a, **k))

        return wraps(fault)(install)

    return decorate


def tilted(density, slope, coordinate):
    """Return value and gradient of a log density with a linear term added in a coordinate."""
    value, gradient, *rest = density
    amount, at = slope
    gradient = gradient.copy()
    gradient[coordinate] += amount
    return value + amount * at, gradient, *rest


@wrapped(groups, "draw_dispersions")
def wrong_degrees_of_freedom(original, squares, n_children, *rest):
    original(squares, n_children - 1, *rest)


@wrapped(DispersionHyper, "log_density")
def wrong_group_size(original, block, position, squares, words, **options):
    return tilted(
        original(block, position, squares, words, **options), (-0.5 * squares.size, position[1]), 1
    )


@wrapped(DispersionHyper, "log_density")
def no_prior_on_log_nu(original, block, position, *rest, **options):
    value, gradient = original(block, position, *rest, **options)
    prior = block.priors.log_dispersion_df
    gradient = gradient - [prior.gradient(position[0]), 0.0]
    return value - prior.log_density(position[0]), gradient


@wrapped(affinity_hyper, "affinity_prior")
def no_prior_on_eta(original, priors, position, **options):
    value, gradient = original(priors, position, **options)
    eta, prior = position[:-1], priors.affinity_mean
    slopes = np.append(prior.gradient(eta), 0.0)
    return value - prior.log_density(eta).sum(), gradient - slopes


@wrapped(affinity_interweaving, "affinity_prior")
def no_jacobian_of_log_lambda(original, priors, position, **options):
    return tilted(original(priors, position, **options), (-1.0, position[-1]), -1)


@wrapped(AffinityInterweaving, "log_density")
def affinities_for_standardised_ones(original, block, position, context, **options):
    # without the Jacobian, as the share of the prior in the precision has it
    density = original(block, position, context, **options)
    own = context.documents().gaussians
    share = 1 / (1 + own.precisions * np.exp(2 * position[-1]))
    return tilted(density, (-float(share.sum()), position[-1]), -1)


@wrapped(CpuDocuments, "scale")
def scaled_without_their_jacobian(original, documents, state, factor):
    xi, labels = state.affinities, documents._data.label_starts
    change = original(documents, state, factor)
    n_far = (documents._workspace.read("scaled_affinities") == factor * xi).sum()
    return change - (len(labels) - 1 + n_far) * np.log(factor)


@wrapped(DispersionInterweaving, "log_density")
def deviations_for_standardised_ones(original, block, position, context, **options):
    density = original(block, position, context, **options)
    n_deviations = context.state.log_rates[:, 1:].size
    return tilted(density, (-0.5 * n_deviations, position[1]), 1)


@wrapped(dispersion_interweaving, "dispersion_prior")
def no_prior_on_sigma2(original, priors, position):
    value, gradient = original(priors, position)
    prior = priors.log_dispersion_scale
    gradient = gradient - [0.0, prior.gradient(position[1])]
    return value - prior.log_density(position[1]), gradient


@wrapped(CpuWords, "draw")
def rate_mass_at_the_position(original, words, state, *rest):
    given = words.given(state)
    if words.kind == "tree":
        words.curvature[:] = given.exposure * np.exp(state.log_rates)
    else:
        rates_dense.curvature_at(words._data, given, state.log_rates, words.curvature)
    return original(words, state, *rest)


@wrapped(CpuDocuments, "draw")
def affinity_mass_at_the_position(original, documents, state, *rest):
    here, given = state.affinities.copy(), documents.given(state)
    affinity_kernels.find_affinity_modes(documents._data, given, 0, 0.0, here, documents.curvature)
    documents.curvature *= 5 / CURVATURE_SHARE  # so that the mass has much of it
    return original(documents, state, *rest)


@wrapped(CpuWords, "draw")
def no_single_label_documents(original, words, *rest):
    counts = words._data.single_counts
    kept = counts.copy()
    counts[:] = 0
    try:
        return original(words, *rest)
    finally:
        counts[:] = kept


@wrapped(CpuDocuments, "set_rates")
def no_expected_counts(original, documents, rates, sums):
    return original(documents, rates, 0 * sums)


@wrapped(CpuDocuments, "given")
def labels_as_probable_one_as_another(original, documents, state):
    found = original(documents, state)
    return found._replace(affinity_mean=0 * found.affinity_mean)


@wrapped(AffinityHyper, "log_density")
def no_absent_labels(original, block, position, statistics, **options):
    none = statistics._replace(n_absent=0 * statistics.n_absent)
    return original(block, position, none, **options)


@wrapped(affinity_hyper, "label_density")
def documents_not_conditioned(original, terms, statistics, **options):
    return original(terms, statistics._replace(n_conditioned=0), **options)


@wrapped(affinity_hyper, "label_density")
def conditioned_with_the_wrong_sign(original, terms, statistics, **options):
    wrong = statistics._replace(n_conditioned=-statistics.n_conditioned)
    return original(terms, wrong, **options)


@wrapped(affinity_interweaving, "label_density")
def documents_not_conditioned_in_the_second_move(original, terms, statistics, **options):
    return original(terms, statistics._replace(n_conditioned=0), **options)


@wrapped(affinity_interweaving, "label_density")
def conditioned_with_the_wrong_sign_in_the_second_move(original, terms, statistics, **options):
    wrong = statistics._replace(n_conditioned=-statistics.n_conditioned)
    return original(terms, wrong, **options)


@wrapped(root, "root_variance_log_acceptance")
def flat_prior_on_log_gamma(original, *rest):
    return 0.0


@wrapped(root, "root_mean_conditional")
def flat_prior_on_psi(original, root_log_rates, root_variance, prior):
    law = original(root_log_rates, root_variance, prior)
    return law._replace(mean=root_log_rates.mean(), variance=root_variance / len(root_log_rates))


FAULTS = [
    ("dispersions", wrong_degrees_of_freedom),
    ("dispersion hyper", wrong_group_size),
    ("dispersion hyper", no_prior_on_log_nu),
    ("affinity hyper", no_prior_on_eta),
    ("affinity hyper", no_absent_labels),
    ("affinity hyper, conditioned", documents_not_conditioned),
    ("affinity hyper, conditioned", conditioned_with_the_wrong_sign),
    ("affinity interweaving, conditioned", documents_not_conditioned_in_the_second_move),
    ("affinity interweaving, conditioned", conditioned_with_the_wrong_sign_in_the_second_move),
    ("affinity interweaving", no_jacobian_of_log_lambda),
    ("affinity scaling", scaled_without_their_jacobian),
    ("affinity scaling, conditioned", labels_as_probable_one_as_another),
    ("affinity interweaving", affinities_for_standardised_ones),
    ("dispersion interweaving", deviations_for_standardised_ones),
    ("dispersion interweaving", no_prior_on_sigma2),
    ("rates, tree", rate_mass_at_the_position),
    ("rates, dense", rate_mass_at_the_position),
    ("rates, tree", no_single_label_documents),
    ("affinities", affinity_mass_at_the_position),
    ("affinities", no_expected_counts),
    ("swaps", no_expected_counts),
    ("swaps", labels_as_probable_one_as_another),
    ("root", flat_prior_on_log_gamma),
    ("root", flat_prior_on_psi),
]


@pytest.mark.parametrize(
    ("name", "fault"), FAULTS, ids=[f"{fault.__name__}, {block}" for block, fault in FAULTS]
)
def test_the_check_finds_the_fault(name, fault, monkeypatch, one_thread):
    fault(monkeypatch)
    with pytest.raises(AssertionError, match="ranks are not uniform"):
        for share in SHARES:
            CHECKS[name](share)

"""The moves' densities are the joint density's with the Jacobians of `model/interweaving.py`."""

import numpy as np
import pytest
from derivatives import assert_derivative
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import PRIORS, make_problem, problems
from states import chain_state, sampler_of

from frex.model import interweaving as model
from frex.model.affinities import affinity_curvature, affinity_log_likelihood, documents_of
from frex.model.hyperparameters import affinity_hyper_log_density, affinity_statistics
from frex.model.interweaving import DocumentGaussian, WordGaussian
from frex.model.joint import State, joint_log_density
from frex.model.process import active_affinities, memberships
from frex.model.rates import rate_gradient, words_of
from frex.model.reductions import exposure
from frex.sampler.blocks.coordinates import affinity_position
from frex.sampler.blocks.dispersion_hyper import dispersion_position, with_dispersion
from frex.sampler.formulas.affinities import CURVATURE_SHARE
from frex.sampler.state import Clock
from frex.tree import TopicTree

TREE = TopicTree(["a", "b", "aa", "ab", "ba"], [None, None, "a", "a", "b"])
SEEDS = st.integers(0, 2**32 - 1)
compiling = settings(deadline=None, max_examples=30)


def any_gaussians(sampler, seed):
    """Fill the moves' Gaussians with anything: the densities must hold for all."""
    rng = np.random.default_rng(seed)
    documents, words = sampler.documents.gaussians, sampler.words.gaussians
    for d, m in enumerate(np.diff(sampler.engine.labels.label_starts)):
        square = sampler.engine.labels.square_starts[d]
        basis = np.linalg.qr(rng.normal(size=(m, m)))[0]
        documents.basis[square : square + m * m] = basis.ravel()
    documents.precisions[:] = rng.gamma(1, 2, documents.precisions.shape)
    documents.pulls[:] = rng.normal(0, 2, documents.pulls.shape)
    words.curvature[:] = rng.gamma(0.5, 3, words.curvature.shape)
    words.curvature[:, 0] = 0  # the root has no documents
    words.pulls[:] = rng.normal(0, 2, words.pulls.shape)
    words.group_precisions[:] = rng.gamma(1, 1, words.group_precisions.shape)
    words.group_pulls[:] = rng.normal(size=words.group_pulls.shape)


def document_gaussians(sampler):
    """Yield every document's labels, as a slice, and its Gaussian."""
    data, own = sampler.engine.labels, sampler.documents.gaussians
    for d, m in enumerate(np.diff(data.label_starts)):
        labels = slice(data.label_starts[d], data.label_starts[d + 1])
        square = own.basis[data.square_starts[d] :][: m * m].reshape(m, m)
        yield labels, DocumentGaussian(square, own.precisions[labels], own.pulls[labels])


def moved_affinities(sampler, state, mean, variance):
    """Return the affinities that the model's map gives, and the sum of its log Jacobians."""
    topics, hyper = sampler.engine.labels.nodes - 1, state.hyper
    moved, jacobian = np.empty_like(state.affinities), 0.0
    for labels, own in document_gaussians(sampler):
        u = model.standardised_affinities(
            state.affinities[labels], hyper.affinity_mean[topics[labels]], hyper.affinity_variance,
            own,
        )  # fmt: skip
        moved[labels] = model.affinities_at(u, mean[topics[labels]], variance, own)
        jacobian += model.affinity_log_jacobian(variance, own)
    return moved, jacobian


@compiling
@given(problems(), SEEDS)
def test_affinity_density_is_the_models_with_its_prior(problem, seed):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    any_gaussians(sampler, seed)
    context = sampler.context(state)
    context.documents().standardise(state, None)
    position = affinity_position(state.hyper)
    position += np.random.default_rng(seed).normal(0, 0.3, len(position))

    def value(at):
        mean, log_sd = at[:-1], at[-1]
        moved, jacobian = moved_affinities(sampler, state, mean, np.exp(2 * log_sd))
        reduced = problem.reduced
        words = sum(
            affinity_log_likelihood(moved[labels], document)
            for (labels, _), document in zip(
                document_gaussians(sampler), documents_of(reduced, problem.rates), strict=True
            )
        )
        above = affinity_hyper_log_density(mean, log_sd, affinity_statistics(reduced, moved))
        prior = PRIORS.affinity_mean.log_density(mean).sum()
        return words + above + jacobian + prior + PRIORS.affinity_sd.log_density_of_log(log_sd)

    block, start = sampler.blocks["affinity_interweaving"], affinity_position(state.hyper)
    found, gradient = block.log_density(position, context)
    at_start, _ = block.log_density(start, context)
    # what does not depend on (eta, lambda) is left out of the kernel
    assert found - at_start == pytest.approx(value(position) - value(start), rel=1e-8, abs=1e-8)
    assert_derivative(gradient, value, position)


def moved_words(sampler, problem, state, hyper):
    """Return the log rates and dispersions that the model's map gives, and its log Jacobian."""
    log_rates, dispersions = np.empty_like(state.log_rates), np.empty_like(state.dispersions)
    jacobian = 0.0
    for f, own in enumerate(zip(*sampler.words.gaussians, strict=True)):
        gaussian = WordGaussian(*own)
        held = model.standardised_word(
            problem.tree, state.log_rates[f], state.dispersions[f], state.hyper, gaussian
        )
        log_rates[f], dispersions[f] = model.word_at(problem.tree, held, hyper, gaussian)
        jacobian += model.word_log_jacobian(problem.tree, dispersions[f], hyper, gaussian)
    return log_rates, dispersions, jacobian


@compiling
@given(problems(), SEEDS)
def test_dispersion_density_is_the_joint_density_along_the_move(problem, seed):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    any_gaussians(sampler, seed)
    block, start = sampler.blocks["dispersion_interweaving"], dispersion_position(state.hyper)
    context = sampler.context(state)
    position = start + np.random.default_rng(seed).normal(0, 0.3, 2)

    def value(at):
        hyper = with_dispersion(state.hyper, at)
        log_rates, dispersions, jacobian = moved_words(sampler, problem, state, hyper)
        moved = State(log_rates, np.log(dispersions), problem.state.affinities, hyper)
        return joint_log_density(moved, problem.corpus, PRIORS) + jacobian

    block.standardise(context)
    found, gradient = block.log_density(position, context)
    at_start, _ = block.log_density(start, context)
    # what does not depend on (nu, sigma2) is left out of the kernel
    assert found - at_start == pytest.approx(value(position) - value(start), rel=1e-8, abs=1e-8)
    assert_derivative(gradient, value, position)


@compiling
@given(problems(), SEEDS)
def test_a_known_likelihood_of_documents_gives_the_same_density(problem, seed):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    any_gaussians(sampler, seed)
    context = sampler.context(state)
    sampler.blocks["affinities"].step.value[:] = 0.5  # long enough that some are rejected
    sampler.blocks["affinities"].update(context, Clock(seed, 0, 0))
    block, position = sampler.blocks["affinity_interweaving"], affinity_position(state.hyper)
    context.documents().standardise(state, None)
    value, gradient = block.log_density(position, context)
    known, known_gradient = block.log_density(position, context, likelihood_known=True)
    assert known == pytest.approx(value, rel=1e-9, abs=1e-9)
    np.testing.assert_allclose(known_gradient, gradient, rtol=1e-7, atol=1e-7)


@compiling
@given(problems(), SEEDS)
def test_a_known_likelihood_of_words_gives_the_same_density(problem, seed):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    any_gaussians(sampler, seed)
    context = sampler.context(state)
    sampler.blocks["rates"].step.value[:] = 0.5
    sampler.blocks["rates"].update(context, Clock(seed, 0, 0))
    block = sampler.blocks["dispersion_interweaving"]
    position = block.standardise(context)
    value, gradient = block.log_density(position, context)
    known, known_gradient = block.log_density(position, context, likelihood_known=True)
    assert known == pytest.approx(value, rel=1e-9, abs=1e-9)
    np.testing.assert_allclose(known_gradient, gradient, rtol=1e-7, atol=1e-7)


def test_gaussians_are_matched_to_the_documents_modes():
    problem = make_problem(TREE, 2, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    context, block = sampler.context(state), sampler.blocks["affinity_interweaving"]
    sampler.blocks["affinities"].refresh(context)
    modes = sampler.documents._modes.copy()
    block.refresh(context)
    topics, hyper = sampler.engine.labels.nodes - 1, state.hyper
    for (labels, own), document in zip(
        document_gaussians(sampler), documents_of(problem.reduced, problem.rates), strict=True
    ):
        expected = model.document_gaussian(
            CURVATURE_SHARE * affinity_curvature(modes[labels], document), modes[labels],
            hyper.affinity_mean[topics[labels]], hyper.affinity_variance,
        )  # fmt: skip
        np.testing.assert_allclose(own.precisions, expected.precisions, atol=1e-9)
        curvature = (own.basis * own.precisions) @ own.basis.T
        np.testing.assert_allclose(
            curvature, (expected.basis * expected.precisions) @ expected.basis.T, atol=1e-9
        )
        pulls = own.basis @ own.pulls
        np.testing.assert_allclose(pulls, expected.basis @ expected.pulls, atol=1e-9)
    # the mass has the curvature of the density itself where all is Gaussian; here it comes near
    position = affinity_position(hyper)
    steps = 1e-4 * np.eye(len(position))
    slopes = [
        block.log_density(position - s, context)[1] - block.log_density(position + s, context)[1]
        for s in steps
    ]
    curvature = np.array(slopes) / 2e-4
    ratio = np.linalg.eigvals(np.linalg.solve(block.lower @ block.lower.T, curvature)).real
    assert ratio.min() > 0.3
    assert ratio.max() < 3


def test_gaussians_are_matched_to_the_words_modes():
    problem = make_problem(TREE, 2, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    total, context = sampler.documents.exposure(state), sampler.context(state)
    sampler.blocks["rates"].refresh(context)
    modes = sampler.engine.workspace.read("modes").copy()
    sampler.blocks["dispersion_interweaving"].refresh(context)
    own = sampler.words.gaussians
    exposures = exposure(problem.reduced, problem.memberships)
    for f, word in enumerate(words_of(problem.reduced, problem.memberships)):
        gradient = rate_gradient(modes[f], *word, exposures)
        expected = model.word_gaussian(
            TREE, modes[f], gradient, total * np.exp(modes[f]), state.dispersions[f]
        )
        for name, array in expected._asdict().items():
            np.testing.assert_allclose(getattr(own, name)[f], array, rtol=1e-8, atol=1e-8)


def test_affinities_and_memberships_move_along():
    problem = make_problem(TREE, 2, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    any_gaussians(sampler, 3)
    block = sampler.blocks["affinity_interweaving"]
    block.step.value[:] = 0.02
    before = chain_state(problem)
    block.update(sampler.context(state), Clock(1, 0, 0))
    assert state.hyper.affinity_variance != before.hyper.affinity_variance
    expected, _ = moved_affinities(
        sampler, before, state.hyper.affinity_mean, state.hyper.affinity_variance
    )
    np.testing.assert_allclose(state.affinities, expected, rtol=1e-9, atol=1e-9)
    several = problem.reduced.documents
    xi = problem.state.affinities[several].copy()
    xi[problem.labels[several]] = state.affinities
    expected = memberships(active_affinities(xi, problem.labels[several])).data
    np.testing.assert_allclose(state.memberships, expected, rtol=1e-12)


def test_log_rates_and_dispersions_move_along():
    problem = make_problem(TREE, 2, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    any_gaussians(sampler, 3)
    block = sampler.blocks["dispersion_interweaving"]
    block.step.value[:] = 0.02
    before = chain_state(problem)
    block.update(sampler.context(state), Clock(1, 0, 0))
    assert state.hyper.dispersion_df != before.hyper.dispersion_df
    log_rates, dispersions, _ = moved_words(sampler, problem, before, state.hyper)
    np.testing.assert_allclose(state.log_rates, log_rates, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(state.dispersions, dispersions, rtol=1e-9)


@pytest.mark.parametrize("move", ["affinity_interweaving", "dispersion_interweaving"])
def test_after_the_warm_up_the_gaussians_do_not_follow_the_chain(move):
    problem = make_problem(TREE, 2, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    sampler.scan(state, Clock(1, 0, 0), refresh=True)
    own = [learned.array.copy() for learned in sampler.blocks[move].learned()]
    for scan in range(1, 4):
        sampler.scan(state, Clock(1, 0, scan))
    after = [learned.array for learned in sampler.blocks[move].learned()]
    assert all(map(np.array_equal, own, after))

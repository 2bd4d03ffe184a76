"""The rate block on the GPU: all words a step at a time, and their modes.

A stage is two launches: the likelihood's gradient over all stretches of tokens, and then every
word's tree algebra and move. Within a stretch tokens come with those of most labels first, so
that the k-th labels of its tokens lie side by side (`rows`); each pair of token and label has its
place in the order of nodes, in which the products are laid out and summed.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from numba import cuda, float64

from frex.sampler.formulas.documents import weighed
from frex.sampler.formulas.elementary import exp
from frex.sampler.formulas.moves import (
    acceptance,
    bounded_size,
    gains_enough,
    is_accepted,
    jittered,
)
from frex.sampler.formulas.random import uniforms
from frex.sampler.formulas.rows import load
from frex.sampler.formulas.words import curvature_of, single_value, slope_of
from frex.sampler.kernels.cuda.blocks import (
    block_sum,
    factor,
    prior_energy,
    prior_slope,
    solve,
    to_momenta,
)
from frex.sampler.kernels.cuda.options import (
    SEGMENT_LANES,
    STRETCH_PAIRS,
    STRETCH_THREADS,
    WORD_THREADS,
    device,
    kernel,
)
from frex.sampler.kernels.cuda.random import normal


class Words(NamedTuple):
    """The words' tokens in documents with several labels, cut into stretches."""

    ids: Any  #: V, which words they are: those of a rank are some of all
    word_stretches: Any  #: V + 1, where a word's stretches start
    stretch_words: Any  #: S
    token_starts: Any  #: S + 1, where a stretch's tokens start
    counts: Any  #: of the tokens
    row_starts: Any  #: S + 1, where a stretch's rows start
    rows: Any  #: where a row's pairs start
    labels: Any  #: of the pairs: where their memberships are
    nodes: Any  #: of the pairs
    places: Any  #: of the pairs, in the order of nodes, within their stretch
    segments: Any  #: S x (N + 1), where a node's pairs start in that order
    single_counts: Any  #: V x N


class Given(NamedTuple):
    """What the log rates are conditional on."""

    dispersions: Any  #: V x P
    exposure: Any  #: N
    theta: Any  #: of the pairs
    root_mean: float
    root_variance: float


class Path(NamedTuple):
    """Where all words are on their trajectories, or searches; V x N unless said."""

    position: Any
    rates: Any  #: their exponentials
    momentum: Any
    velocity: Any
    inverses: Any  #: of the pivots
    multipliers: Any
    gradients: Any  #: S x N, of the stretches
    values: Any  #: S
    scalars: Any  #: V x 3; epsilon, u and energy of a trajectory, or value, slope, size
    moving: Any  #: V, whether a word's likelihood is wanted
    end_slopes: Any  #: of the likelihood, where a trajectory ends


@kernel
def gather(labels, memberships, theta):
    """Copy the memberships of all pairs."""
    for pair in range(cuda.grid(1), len(labels), cuda.gridsize(1)):
        theta[pair] = memberships[labels[pair]]


@kernel
def likelihood(words, theta, path, with_value):
    """Fill each stretch's sum of w theta / s by node and, if asked for, its sum of w log s."""
    products = cuda.shared.array(STRETCH_PAIRS, float64)
    lanes = cuda.shared.array(STRETCH_THREADS, float64)
    stretch, thread = cuda.blockIdx.x, cuda.threadIdx.x
    f = words.stretch_words[stretch]
    if not path.moving[f]:
        return
    first_row, last_row = words.row_starts[stretch], words.row_starts[stretch + 1]
    first_token = words.token_starts[stretch]
    value = 0.0
    for token in range(thread, words.token_starts[stretch + 1] - first_token, cuda.blockDim.x):
        mixed = 0.0
        for row in range(first_row, last_row):
            pair = words.rows[row] + token
            if pair >= words.rows[row + 1]:
                break
            mixed += theta[pair] * path.rates[f, words.nodes[pair]]
        count = load(words.counts, first_token + token)
        weight, value = weighed(count, mixed, value, with_value)
        for row in range(first_row, last_row):
            pair = words.rows[row] + token
            if pair >= words.rows[row + 1]:
                break
            products[words.places[pair]] = weight * theta[pair]
    cuda.syncthreads()
    n_nodes, lane = path.rates.shape[1], thread % SEGMENT_LANES
    for first_node in range(0, n_nodes, cuda.blockDim.x // SEGMENT_LANES):
        i = first_node + thread // SEGMENT_LANES
        total = 0.0
        if i < n_nodes:
            last = words.segments[stretch, i + 1]
            for spot in range(words.segments[stretch, i] + lane, last, SEGMENT_LANES):
                total += products[spot]
        lanes[thread] = total
        cuda.syncthreads()
        if lane == 0 and i < n_nodes:
            for other in range(1, SEGMENT_LANES):
                total += lanes[thread + other]
            path.gradients[stretch, i] = total
        cuda.syncthreads()
    if with_value:
        value = block_sum(value, lanes)
        if thread == 0:
            path.values[stretch] = value


@device
def likelihood_slope(f, i, words, given, path):
    """Return an entry of the gradient of a word's log likelihood, of stretches that are summed."""
    total = 0.0
    for stretch in range(words.word_stretches[f], words.word_stretches[f + 1]):
        total += path.gradients[stretch, i]
    return slope_of(words.single_counts[f, i], path.rates[f, i], total, given.exposure[i])


@device
def energy_of_prior(f, tree, given, path, buffer):
    """Return (mu - psi)' Lambda (mu - psi) / 2 of a word."""
    value = 0.0
    for i in range(cuda.threadIdx.x, len(tree.parents), cuda.blockDim.x):
        value += prior_energy(
            f, i, tree, given.dispersions, given.root_mean, given.root_variance, path.position
        )
    return block_sum(value, buffer)


@device
def log_likelihood(f, words, given, path, buffer):
    """Return a word's log likelihood where its path is, of stretches that are summed."""
    value = 0.0
    for i in range(cuda.threadIdx.x, path.rates.shape[1], cuda.blockDim.x):
        value += single_value(
            words.single_counts[f, i], path.position[f, i], path.rates[f, i], given.exposure[i]
        )
    first = words.word_stretches[f] + cuda.threadIdx.x
    for stretch in range(first, words.word_stretches[f + 1], cuda.blockDim.x):
        value += path.values[stretch]
    return block_sum(value, buffer)


@kernel
def begin(tree, words, given, log_rates, curvature, step, address, path):
    """Set every word out: its mass, momentum and step, at its log rates."""
    buffer = cuda.shared.array(WORD_THREADS, float64)
    f, n_nodes = cuda.blockIdx.x, log_rates.shape[1]
    factor(
        f, tree, given.dispersions, given.root_variance, curvature,
        path.inverses, path.multipliers, path.momentum,
    )  # fmt: skip
    kinetic = 0.0
    for i in range(cuda.threadIdx.x, n_nodes, cuda.blockDim.x):
        noise = normal(address, words.ids[f], i)
        kinetic += noise * noise  # p' M^-1 p is the square of the normals
        path.velocity[f, i] = noise
        path.position[f, i] = log_rates[f, i]
        path.rates[f, i] = exp(log_rates[f, i])
    kinetic = block_sum(kinetic, buffer)
    to_momenta(f, tree, path.inverses, path.multipliers, path.velocity, path.momentum)
    if cuda.threadIdx.x == 0:
        jitter, u = uniforms(
            address.key, words.ids[f], address.scan, address.stream, (n_nodes + 1) // 2
        )
        path.scalars[f, 0] = jittered(step[f], jitter)
        path.scalars[f, 1] = u
        path.scalars[f, 2] = -0.5 * kinetic
        path.moving[f] = 1


@kernel
def leap(tree, words, given, path, stage, n_stages, kick, drift, log_rates, known, done):
    """Take every word one stage on; at the last accept or reject where it ends.

    `known` is the likelihood where a word is left, `done` 2 x V: acceptance, and how much the
    energy changed.
    """
    buffer = cuda.shared.array(WORD_THREADS, float64)
    f, n_nodes = cuda.blockIdx.x, len(tree.parents)
    epsilon = path.scalars[f, 0]
    reached = 0.0
    value = 0.0
    if stage in (0, n_stages):
        reached = log_likelihood(f, words, given, path, buffer)
        value = reached - energy_of_prior(f, tree, given, path, buffer)
    for i in range(cuda.threadIdx.x, n_nodes, cuda.blockDim.x):
        slope = likelihood_slope(f, i, words, given, path)
        if stage == 0:
            known.slopes[f, i] = slope
        elif stage == n_stages:
            path.end_slopes[f, i] = slope
        slope += prior_slope(
            f, i, tree, given.dispersions, given.root_mean, given.root_variance, path.position
        )
        path.momentum[f, i] += kick * epsilon * slope
        path.velocity[f, i] = path.momentum[f, i]
    cuda.syncthreads()
    solve(f, tree, path.inverses, path.multipliers, path.velocity)
    if stage < n_stages:
        for i in range(cuda.threadIdx.x, n_nodes, cuda.blockDim.x):
            path.position[f, i] += drift * epsilon * path.velocity[f, i]
            path.rates[f, i] = exp(path.position[f, i])
        if stage == 0 and cuda.threadIdx.x == 0:
            path.scalars[f, 2] += value
            known.value[f] = reached
        return
    kinetic = 0.0
    for i in range(cuda.threadIdx.x, n_nodes, cuda.blockDim.x):
        kinetic += path.momentum[f, i] * path.velocity[f, i]
    change = value - 0.5 * block_sum(kinetic, buffer) - path.scalars[f, 2]
    if cuda.threadIdx.x == 0:
        done[0, f] = acceptance(change)
        done[1, f] = bounded_size(change)
    if is_accepted(change, path.scalars[f, 1]):
        for i in range(cuda.threadIdx.x, n_nodes, cuda.blockDim.x):
            log_rates[f, i] = path.position[f, i]
            known.slopes[f, i] = path.end_slopes[f, i]
        if cuda.threadIdx.x == 0:
            known.value[f] = reached


@device
def put(f, log_rates, path):
    """Set a word where log rates are."""
    for i in range(cuda.threadIdx.x, log_rates.shape[1], cuda.blockDim.x):
        path.position[f, i] = log_rates[f, i]
        path.rates[f, i] = exp(log_rates[f, i])
    if cuda.threadIdx.x == 0:
        path.moving[f] = 1


@kernel
def begin_search(modes, path, stages):
    """Set every word out to look for its mode from where `modes` is."""
    f = cuda.blockIdx.x
    put(f, modes, path)
    if cuda.threadIdx.x == 0:
        path.scalars[f, 0] = -math.inf  # any place is better than none
        path.scalars[f, 1] = 0.0
        path.scalars[f, 2] = 1.0
        stages[f, 0] = 0
        stages[f, 1] = 0


@kernel
def search(tree, words, given, path, n_iterations, tolerance, modes, curvature, stages):
    """Take in what the likelihood is at every word's trial, and choose the next.

    A trial that is good enough becomes the mode, and the next is a Newton step from there; one that
    is not is halved. `stages` is V x 2: steps taken, and halvings of the one on trial.
    """
    buffer = cuda.shared.array(WORD_THREADS, float64)
    f, n_nodes, first = cuda.blockIdx.x, len(tree.parents), cuda.threadIdx.x
    if not path.moving[f]:
        return
    value, slope, size = path.scalars[f, 0], path.scalars[f, 1], path.scalars[f, 2]
    steps, halvings = stages[f, 0], stages[f, 1]
    reached = log_likelihood(f, words, given, path, buffer)
    reached -= energy_of_prior(f, tree, given, path, buffer)
    if gains_enough(reached, value, size, slope):
        for i in range(first, n_nodes, cuda.blockDim.x):
            modes[f, i] = path.position[f, i]
            curvature[f, i] = curvature_of(path.rates[f, i], given.exposure[i])
            path.momentum[f, i] = likelihood_slope(f, i, words, given, path) + prior_slope(
                f, i, tree, given.dispersions, given.root_mean, given.root_variance, path.position
            )
            path.velocity[f, i] = path.momentum[f, i]
        cuda.syncthreads()
        # nobody reads the rates before they are those of the next trial
        factor(
            f, tree, given.dispersions, given.root_variance, curvature,
            path.inverses, path.multipliers, path.rates,
        )  # fmt: skip
        solve(f, tree, path.inverses, path.multipliers, path.velocity)
        slope = 0.0
        for i in range(first, n_nodes, cuda.blockDim.x):
            slope += path.momentum[f, i] * path.velocity[f, i]
        slope = block_sum(slope, buffer)
        value, size, steps, halvings = reached, 1.0, steps + 1, 0
        going = slope >= tolerance and steps <= n_iterations
    else:
        size, halvings = 0.5 * size, halvings + 1
        going = halvings < 30  # no step of any size is better: rounding decides, this is the mode
    for i in range(first, n_nodes, cuda.blockDim.x):
        path.position[f, i] = modes[f, i] + size * path.velocity[f, i]
        path.rates[f, i] = exp(path.position[f, i])
    if first == 0:
        path.scalars[f, 0], path.scalars[f, 1], path.scalars[f, 2] = value, slope, size
        stages[f, 0], stages[f, 1] = steps, halvings
        path.moving[f] = going


@kernel
def place(log_rates, path):
    """Set every word where it is, for its likelihood to be asked for."""
    put(cuda.blockIdx.x, log_rates, path)


@kernel
def curvature_at(rates, exposure, curvature):
    """Fill the curvature E beta of the likelihood."""
    f = cuda.blockIdx.x
    for i in range(cuda.threadIdx.x, rates.shape[1], cuda.blockDim.x):
        curvature[f, i] = curvature_of(rates[f, i], exposure[i])

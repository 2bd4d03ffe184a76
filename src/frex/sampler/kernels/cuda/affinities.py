"""The affinity block on the GPU: a thread has a document's whole trajectory, or search.

Documents are sorted by their labels, then by their words, and `LANES` of them lie side by side: the
threads of a warp read one stretch of memory. What a document has of numbers (k-th label, entry of
its matrix, word) is `LANES` apart. Formulas as in `kernels/affinities.py`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from numba import cuda, float64

from frex.sampler.kernels.cuda.blocks import bounded_size
from frex.sampler.kernels.cuda.dense import cholesky, mass_factor, multiply_lower, solve
from frex.sampler.kernels.cuda.options import LANES, device, kernel
from frex.sampler.kernels.cuda.random import normal, uniforms
from frex.sampler.kernels.random import LEAST_STEP, STEP_RANGE


class Documents(NamedTuple):
    """The documents with two or more labels, side by side in groups with as many labels."""

    documents: Any  #: of the slots, their rows in the reduced corpus; -1 where a slot is empty
    n_words: Any  #: of the slots
    exposures: Any  #: of the slots
    n_labels: Any  #: of the groups
    longest: Any  #: of the groups, words of the document that has most
    label_starts: Any  #: of the groups, where their labels start
    square_starts: Any  #: of the groups, where their matrices start
    word_starts: Any  #: of the groups, where their words start
    rate_starts: Any  #: of the groups, where their gathered rates start
    words: Any
    counts: Any
    nodes: Any  #: of the labels


class Around(NamedTuple):
    """What the affinities are conditional on."""

    gathered: Any  #: rates of each document's words, a row for each label
    rate_sums: Any  #: N
    affinity_mean: Any  #: N
    affinity_variance: float


class Course(NamedTuple):
    """Where all documents are on their trajectories, or searches."""

    position: Any
    theta: Any
    gradient: Any
    momentum: Any
    velocity: Any
    lower: Any  #: m x m each


@kernel
def gather(docs, rates, gathered):
    """Copy the rates of all documents' words at their labels."""
    slot = cuda.grid(1)
    if slot >= len(docs.documents) or docs.documents[slot] < 0:
        return
    group, lane = slot // LANES, slot % LANES
    spot, row = docs.rate_starts[group] + lane, docs.longest[group] * LANES
    label, place = docs.label_starts[group] + lane, docs.word_starts[group] + lane
    for _ in range(docs.n_words[slot]):
        f = docs.words[place]
        for k in range(docs.n_labels[group]):
            gathered[spot + k * row] = rates[f, docs.nodes[label + k * LANES]]
        spot += LANES
        place += LANES


@device
def softmax(first, m, affinities, theta):
    """Fill memberships with the softmax of affinities."""
    highest = affinities[first]
    for k in range(1, m):
        highest = max(highest, affinities[first + k * LANES])
    total = 0.0
    for k in range(m):
        theta[first + k * LANES] = math.exp(affinities[first + k * LANES] - highest)
        total += theta[first + k * LANES]
    for k in range(m):
        theta[first + k * LANES] /= total


@device
def log_logistic(x):
    """Return log(1 / (1 + exp(-x))) without overflow."""
    return -math.log1p(math.exp(-x)) if x > 0.0 else x - math.log1p(math.exp(x))


@device
def logistic(x):
    """Return 1 / (1 + exp(-x)) without overflow."""
    if x > 0.0:
        return 1.0 / (1.0 + math.exp(-x))
    return math.exp(x) / (1.0 + math.exp(x))


@device
def few_slopes(slot, m, docs, around, theta, with_value, gradient):
    """Fill sum w beta / s of each of four labels at most; return sum w log s, if asked for.

    Memberships, rates and sums stay in registers.
    """
    group, lane = slot // LANES, slot % LANES
    row, first = docs.longest[group] * LANES, docs.label_starts[group] + lane
    share0, share1 = theta[first], theta[first + LANES]
    share2 = theta[first + 2 * LANES] if m > 2 else 0.0
    share3 = theta[first + 3 * LANES] if m > 3 else 0.0
    rate2 = 0.0
    rate3 = 0.0
    slope0 = 0.0
    slope1 = 0.0
    slope2 = 0.0
    slope3 = 0.0
    value = 0.0
    spot, place = docs.rate_starts[group] + lane, docs.word_starts[group] + lane
    for _ in range(docs.n_words[slot]):
        rate0, rate1 = around.gathered[spot], around.gathered[spot + row]
        if m > 2:
            rate2 = around.gathered[spot + 2 * row]
        if m > 3:
            rate3 = around.gathered[spot + 3 * row]
        count = float64(docs.counts[place])
        mixed = share0 * rate0 + share1 * rate1 + share2 * rate2 + share3 * rate3
        weight = count / mixed
        if with_value:
            value += count * math.log(mixed)
        slope0 += weight * rate0
        slope1 += weight * rate1
        slope2 += weight * rate2
        slope3 += weight * rate3
        spot += LANES
        place += LANES
    gradient[first] = slope0
    gradient[first + LANES] = slope1
    if m > 2:
        gradient[first + 2 * LANES] = slope2
    if m > 3:
        gradient[first + 3 * LANES] = slope3
    return value


@device
def many_slopes(slot, m, docs, around, theta, with_value, gradient):
    """Do the same for any number of labels, with the sums in memory."""
    group, lane = slot // LANES, slot % LANES
    row, first = docs.longest[group] * LANES, docs.label_starts[group] + lane
    value = 0.0
    for k in range(m):
        gradient[first + k * LANES] = 0.0
    for w in range(docs.n_words[slot]):
        spot = docs.rate_starts[group] + lane + w * LANES
        mixed = 0.0
        for k in range(m):
            mixed += theta[first + k * LANES] * around.gathered[spot + k * row]
        count = float64(docs.counts[docs.word_starts[group] + lane + w * LANES])
        weight = count / mixed
        if with_value:
            value += count * math.log(mixed)
        for k in range(m):
            gradient[first + k * LANES] += weight * around.gathered[spot + k * row]
    return value


@device
def word_terms(slot, docs, around, theta, with_value, gradient):
    """Fill the gradient of the words' log likelihood; return that, if it is asked for."""
    group, lane = slot // LANES, slot % LANES
    m, first = docs.n_labels[group], docs.label_starts[group] + lane
    if m <= 4:
        value = few_slopes(slot, m, docs, around, theta, with_value, gradient)
    else:
        value = many_slopes(slot, m, docs, around, theta, with_value, gradient)
    mean = 0.0
    for k in range(m):
        spot = first + k * LANES
        expected = docs.exposures[slot] * around.rate_sums[docs.nodes[spot]]
        value -= expected * theta[spot]
        gradient[spot] -= expected
        mean += theta[spot] * gradient[spot]
    for k in range(m):
        spot = first + k * LANES
        gradient[spot] = theta[spot] * (gradient[spot] - mean)
    return value


@device
def density_terms(slot, docs, around, position, theta, with_value, gradient):
    """Fill the gradient of a document's log density; return that, if it is asked for."""
    group = slot // LANES
    first = docs.label_starts[group] + slot % LANES
    value = word_terms(slot, docs, around, theta, with_value, gradient)
    for k in range(docs.n_labels[group]):
        spot = first + k * LANES
        away = position[spot] - around.affinity_mean[docs.nodes[spot]]
        gradient[spot] += logistic(-position[spot]) - away / around.affinity_variance
        if with_value:
            value += log_logistic(position[spot]) - 0.5 * away * away / around.affinity_variance
    return value


@device
def curvature_at(slot, docs, around, position, theta, out):
    """Fill the words' and labels' curvature, m x m."""
    group, lane = slot // LANES, slot % LANES
    m, row = docs.n_labels[group], docs.longest[group] * LANES
    first, square = docs.label_starts[group] + lane, docs.square_starts[group] + lane
    for k in range(m * m):
        out[square + k * LANES] = 0.0
    for w in range(docs.n_words[slot]):
        spot = docs.rate_starts[group] + lane + w * LANES
        mixed = 0.0
        for k in range(m):
            mixed += theta[first + k * LANES] * around.gathered[spot + k * row]
        count = float64(docs.counts[docs.word_starts[group] + lane + w * LANES])
        for k in range(m):
            excess = theta[first + k * LANES] * (around.gathered[spot + k * row] / mixed - 1.0)
            for j in range(k + 1):
                other = theta[first + j * LANES] * (around.gathered[spot + j * row] / mixed - 1.0)
                out[square + (k * m + j) * LANES] += count * excess * other
    for k in range(m):
        for j in range(k):
            out[square + (j * m + k) * LANES] = out[square + (k * m + j) * LANES]
        p = logistic(position[first + k * LANES])
        out[square + (k * m + k) * LANES] += p * (1.0 - p)


@device
def hessian_factor(slot, docs, around, position, course, gradient, curvature, pull):
    """Fill the Cholesky factor of minus the Hessian; return whether it is positive definite.

    `gradient` is that of the log density; `pull` is a buffer for that of the words alone.
    """
    group = slot // LANES
    m, first = docs.n_labels[group], docs.label_starts[group] + slot % LANES
    square = docs.square_starts[group] + slot % LANES
    theta, lower = course.theta, course.lower
    for k in range(m):
        spot = first + k * LANES
        away = position[spot] - around.affinity_mean[docs.nodes[spot]]
        prior = logistic(-position[spot]) - away / around.affinity_variance
        pull[spot] = gradient[spot] - prior
    for k in range(m):
        for j in range(k + 1):
            entry = square + (k * m + j) * LANES
            spot, other = first + k * LANES, first + j * LANES
            lower[entry] = curvature[entry] + theta[spot] * pull[other] + theta[other] * pull[spot]
        lower[square + (k * m + k) * LANES] += (
            1.0 / around.affinity_variance - pull[first + k * LANES]
        )
    return cholesky(square, m, lower)


@kernel
def update_affinities(
    docs, around, curvature, step, splitting, address, course, affinities, memberships, done
):
    """Draw every document's active affinities by one trajectory.

    `done` is 2 x slots: acceptance, and how much the energy changed.
    """
    slot = cuda.grid(1)
    if slot >= len(docs.documents) or docs.documents[slot] < 0:
        return
    group, lane = slot // LANES, slot % LANES
    m, d = docs.n_labels[group], docs.documents[slot]
    first, square = docs.label_starts[group] + lane, docs.square_starts[group] + lane
    position, theta, gradient = course.position, course.theta, course.gradient
    momentum, velocity, lower = course.momentum, course.velocity, course.lower
    mass_factor(square, m, curvature, around.affinity_variance, lower)
    kinetic = 0.0
    for k in range(m):
        noise = normal(address, d, k)
        momentum[first + k * LANES] = noise
        kinetic += noise * noise
        position[first + k * LANES] = affinities[first + k * LANES]
    multiply_lower(first, square, m, lower, momentum)
    jitter, u = uniforms(address, d, (m + 1) // 2)
    epsilon = step[slot] * (LEAST_STEP + STEP_RANGE * jitter)
    softmax(first, m, position, theta)
    before = -0.5 * kinetic
    value = 0.0
    n_stages = len(splitting.drifts)
    for stage in range(n_stages + 1):
        at_end = stage in (0, n_stages)
        value = density_terms(slot, docs, around, position, theta, at_end, gradient)
        if stage == 0:
            before += value
        for k in range(m):
            spot = first + k * LANES
            momentum[spot] += splitting.kicks[stage] * epsilon * gradient[spot]
            velocity[spot] = momentum[spot]
        solve(first, square, m, lower, velocity)
        if stage < n_stages:
            drift = splitting.drifts[stage] * epsilon
            for k in range(m):
                position[first + k * LANES] += drift * velocity[first + k * LANES]
            softmax(first, m, position, theta)
    kinetic = 0.0
    for k in range(m):
        kinetic += momentum[first + k * LANES] * velocity[first + k * LANES]
    change = value - 0.5 * kinetic - before
    finite = math.isfinite(change)
    done[0, slot] = math.exp(min(0.0, change)) if finite else 0.0
    done[1, slot] = bounded_size(change)
    if finite and math.log(u) < change:
        for k in range(m):
            affinities[first + k * LANES] = position[first + k * LANES]
            memberships[first + k * LANES] = theta[first + k * LANES]


@kernel
def find_affinity_modes(docs, around, n_iterations, tolerance, course, modes, curvature):
    """Find every document's mode by halved Newton steps, and the curvature there.

    Where the Hessian is not negative definite a step goes by the curvature instead.
    `modes` holds where to start, and then the modes.
    """
    slot = cuda.grid(1)
    if slot >= len(docs.documents) or docs.documents[slot] < 0:
        return
    group, lane = slot // LANES, slot % LANES
    m = docs.n_labels[group]
    first, square = docs.label_starts[group] + lane, docs.square_starts[group] + lane
    trial, theta, gradient = course.position, course.theta, course.gradient
    move, spare, lower = course.velocity, course.momentum, course.lower
    softmax(first, m, modes, theta)
    value = density_terms(slot, docs, around, modes, theta, True, gradient)
    for _ in range(n_iterations):
        curvature_at(slot, docs, around, modes, theta, curvature)
        if not hessian_factor(slot, docs, around, modes, course, gradient, curvature, spare):
            mass_factor(square, m, curvature, around.affinity_variance, lower)
        for k in range(m):
            move[first + k * LANES] = gradient[first + k * LANES]
        solve(first, square, m, lower, move)
        slope = 0.0
        for k in range(m):
            slope += gradient[first + k * LANES] * move[first + k * LANES]
        if slope < tolerance:
            break
        size = 1.0
        found = False
        for _ in range(30):
            for k in range(m):
                spot = first + k * LANES
                trial[spot] = modes[spot] + size * move[spot]
            softmax(first, m, trial, theta)
            reached = density_terms(slot, docs, around, trial, theta, True, spare)
            if reached >= value + 1e-4 * size * slope:
                found = True
                value = reached
                break
            size *= 0.5
        if not found:
            break
        for k in range(m):
            modes[first + k * LANES] = trial[first + k * LANES]
            gradient[first + k * LANES] = spare[first + k * LANES]
    softmax(first, m, modes, theta)
    curvature_at(slot, docs, around, modes, theta, curvature)


@kernel
def memberships_of(docs, affinities, memberships):
    """Fill all memberships from the affinities."""
    slot = cuda.grid(1)
    if slot < len(docs.documents) and docs.documents[slot] >= 0:
        group = slot // LANES
        first = docs.label_starts[group] + slot % LANES
        softmax(first, docs.n_labels[group], affinities, memberships)


@kernel
def weigh(docs, memberships, out):
    """Fill l theta of every label."""
    slot = cuda.grid(1)
    if slot < len(docs.documents) and docs.documents[slot] >= 0:
        group = slot // LANES
        first = docs.label_starts[group] + slot % LANES
        for k in range(docs.n_labels[group]):
            out[0, first + k * LANES] = docs.exposures[slot] * memberships[first + k * LANES]


@kernel
def deviate(docs, affinities, affinity_mean, out):
    """Fill every label's affinity less its mean, and the square of that."""
    slot = cuda.grid(1)
    if slot < len(docs.documents) and docs.documents[slot] >= 0:
        group = slot // LANES
        first = docs.label_starts[group] + slot % LANES
        for k in range(docs.n_labels[group]):
            spot = first + k * LANES
            away = affinities[spot] - affinity_mean[docs.nodes[spot]]
            out[0, spot] = away
            out[1, spot] = away * away


@kernel
def label_variances(docs, curvature, variance, course, out):
    """Fill the diagonal of the inverse of every document's mass."""
    slot = cuda.grid(1)
    if slot >= len(docs.documents) or docs.documents[slot] < 0:
        return
    group, lane = slot // LANES, slot % LANES
    m = docs.n_labels[group]
    first, square = docs.label_starts[group] + lane, docs.square_starts[group] + lane
    mass_factor(square, m, curvature, variance, course.lower)
    for i in range(m):
        for k in range(m):
            course.velocity[first + k * LANES] = 1.0 if k == i else 0.0
        solve(first, square, m, course.lower, course.velocity)
        out[0, first + i * LANES] = course.velocity[first + i * LANES]

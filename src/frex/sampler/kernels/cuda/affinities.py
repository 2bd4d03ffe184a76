"""The affinity block on the GPU: a thread has a document's whole trajectory, or search."""

from __future__ import annotations

from numba import cuda

from frex.sampler.formulas.affinities import (
    CURVATURE_SHARE,
    find_mode,
    mass_factor,
    trajectory,
)
from frex.sampler.formulas.dense import solve
from frex.sampler.formulas.moves import acceptance, bounded_size, is_accepted, jittered
from frex.sampler.formulas.random import uniforms
from frex.sampler.formulas.scaling import scaled_log_ratio
from frex.sampler.formulas.swaps import swap_pairs
from frex.sampler.kernels.cuda import documents as seats
from frex.sampler.kernels.cuda.options import LANES, kernel
from frex.sampler.kernels.cuda.random import normal


@kernel
def update_affinities(
    docs, around, curvature, step, splitting, address, course, affinities, memberships, done
):
    """Draw every document's active affinities by one trajectory.

    `done` is 2 x slots: acceptance, and how much the energy changed.
    """
    slot = cuda.grid(1)
    if not seats.has_document(slot, docs):
        return
    d, (spot, place, words, own) = docs.documents[slot], seats.at_work(slot, docs, around, course)
    m, variance = spot.n_labels, around.affinity_variance
    mass_factor(m, curvature, spot.square, LANES, CURVATURE_SHARE, variance, own.lower)
    for k in range(m):
        own.momentum[k] = normal(address, d, k)
        own.position[k] = affinities[spot.label + k * LANES]
    jitter, u = uniforms(address.key, d, address.scan, address.stream, (m + 1) // 2)
    change, _, _ = trajectory(
        words, place, own, variance, jittered(step[slot], jitter), splitting,
        course.first_slopes[spot.label :: LANES], course.last_slopes[spot.label :: LANES],
    )  # fmt: skip
    done[0, slot] = acceptance(change)
    done[1, slot] = bounded_size(change)
    if is_accepted(change, u):
        for k in range(m):
            affinities[spot.label + k * LANES] = own.position[k]
            memberships[spot.label + k * LANES] = own.theta[k]


@kernel
def swap_affinities(docs, around, address, course, affinities, memberships, done):
    """Propose swaps in every document; fill `done` with acceptance and size of change of energy."""
    slot = cuda.grid(1)
    if not seats.has_document(slot, docs):
        return
    d, (spot, place, words, own) = docs.documents[slot], seats.at_work(slot, docs, around, course)
    for k in range(spot.n_labels):
        own.position[k] = affinities[spot.label + k * LANES]
        own.theta[k] = memberships[spot.label + k * LANES]
    done[0, slot], done[1, slot] = swap_pairs(
        words, place, own, around.affinity_variance, address, d
    )
    for k in range(spot.n_labels):
        affinities[spot.label + k * LANES] = own.position[k]
        memberships[spot.label + k * LANES] = own.theta[k]


@kernel
def scale_affinities(docs, around, factor, course, affinities, memberships, proposed, done):
    """Fill the affinities that grow by a factor, and `done` with the log ratio of the densities."""
    slot = cuda.grid(1)
    if not seats.has_document(slot, docs):
        return
    spot, place, words, own = seats.at_work(slot, docs, around, course)
    for k in range(spot.n_labels):
        own.position[k] = affinities[spot.label + k * LANES]
        own.theta[k] = memberships[spot.label + k * LANES]
    done[0, slot] = scaled_log_ratio(words, place, own, around.affinity_variance, factor)
    done[1, slot] = 0.0
    for k in range(spot.n_labels):
        proposed[spot.label + k * LANES] = own.momentum[k]


@kernel
def find_affinity_modes(docs, around, n_iterations, tolerance, course, modes, curvature):
    """Find every document's mode, and the curvature there.

    `modes` holds where to start, and then the modes.
    """
    slot = cuda.grid(1)
    if not seats.has_document(slot, docs):
        return
    spot, place, words, own = seats.at_work(slot, docs, around, course)
    find_mode(
        words, place, words, place, own, around.affinity_variance, n_iterations, tolerance,
        modes[spot.label :: LANES], curvature[spot.square :: LANES],
    )  # fmt: skip


@kernel
def label_variances(docs, curvature, variance, course, out):
    """Fill the diagonal of the inverse of every document's mass."""
    slot = cuda.grid(1)
    if not seats.has_document(slot, docs):
        return
    spot = seats.spot_of(slot, docs)
    m, own = spot.n_labels, seats.buffers_of(spot, course)
    mass_factor(m, curvature, spot.square, LANES, 1.0, variance, own.lower)
    for i in range(m):
        for k in range(m):
            own.velocity[k] = 1.0 if k == i else 0.0
        solve(m, own.lower, own.velocity)
        out[0, spot.label + i * LANES] = own.velocity[i]

"""The affinity block: for every multi-label document one trajectory of its active affinities.

`formulas/affinities.py` has the density, the trajectory and the search for the mode.
"""

from __future__ import annotations

from frex.sampler.formulas import affinities as formulas
from frex.sampler.formulas.affinities import CURVATURE_SHARE, mass_factor
from frex.sampler.formulas.documents import Words
from frex.sampler.formulas.moves import acceptance, is_accepted, jittered
from frex.sampler.formulas.random import uniforms
from frex.sampler.formulas.scaling import scaled_log_ratio
from frex.sampler.formulas.swaps import swap_pairs
from frex.sampler.kernels.documents import (
    make_buffers,
    place_of,
    take_given,
    word_place_of,
    words_of,
)
from frex.sampler.kernels.options import inlined, parallel
from frex.sampler.kernels.random import fill_normals
from frex.sampler.kernels.space import space

trajectory, find_mode = inlined(formulas.trajectory), inlined(formulas.find_mode)


@parallel("data.bin_order")
def update_affinities(
    stretch, data, state, address, step, splitting, accepted, energy, value, slopes
):
    """Draw every document's active affinities by one trajectory; fill what each one did.

    `value` and `slopes`, by document and by label, are filled with the words' likelihood at the
    affinities that it leaves.
    """
    most, variance = data.most_labels, state.affinity_variance
    affinities, memberships = state.affinities, state.memberships
    words = words_of(data, state)
    own, ends = make_buffers(most), space(2, most)
    for turn in range(*stretch):
        b = data.bin_order[turn]
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[spot]
            first, place = data.label_starts[d], place_of(d, data)
            m = place.n_labels
            take_given(d, data, state.affinity_mean, state.rate_sums, own)
            square = data.square_starts[d]
            mass_factor(m, state.curvature, square, 1, CURVATURE_SHARE, variance, own.lower)
            draw = fill_normals(address.key, d, address.scan, address.stream, 0, own.momentum[:m])
            jitter, u = uniforms(address.key, d, address.scan, address.stream, draw)
            for k in range(m):
                own.position[k] = affinities[first + k]
            change, value[d], reached = trajectory(
                words, place, own, variance, jittered(step[d], jitter), splitting, ends[0], ends[1]
            )
            energy[d] = change
            accepted[d] = acceptance(change)
            for k in range(m):
                slopes[first + k] = ends[0, k]
            if is_accepted(change, u):
                value[d] = reached
                for k in range(m):
                    slopes[first + k] = ends[1, k]
                    affinities[first + k] = own.position[k]
                    memberships[first + k] = own.theta[k]


@parallel("data.bin_order")
def swap_affinities(stretch, data, state, address, accepted, energy):
    """Propose swaps in every document; fill their mean acceptance and size of change of energy."""
    words = words_of(data, state)
    for turn in range(*stretch):
        b = data.bin_order[turn]
        own = make_buffers(data.most_labels)
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[spot]
            first, place = data.label_starts[d], place_of(d, data)
            take_given(d, data, state.affinity_mean, state.rate_sums, own)
            for k in range(place.n_labels):
                own.position[k] = state.affinities[first + k]
                own.theta[k] = state.memberships[first + k]
            accepted[d], energy[d] = swap_pairs(
                words, place, own, state.affinity_variance, address, d
            )
            for k in range(place.n_labels):
                state.affinities[first + k] = own.position[k]
                state.memberships[first + k] = own.theta[k]


@parallel("data.bin_order")
def scale_affinities(stretch, data, state, factor, proposed, partial):
    """Fill the affinities that grow by a factor, and each bin's log ratio of the densities."""
    words = words_of(data, state)
    for turn in range(*stretch):
        b = data.bin_order[turn]
        own, change = make_buffers(data.most_labels), 0.0
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[spot]
            first, place = data.label_starts[d], place_of(d, data)
            take_given(d, data, state.affinity_mean, state.rate_sums, own)
            for k in range(place.n_labels):
                own.position[k] = state.affinities[first + k]
                own.theta[k] = state.memberships[first + k]
            change += scaled_log_ratio(words, place, own, state.affinity_variance, factor)
            for k in range(place.n_labels):
                proposed[first + k] = own.momentum[k]
        partial[b, 0] = change


@parallel("data.bin_order")
def find_affinity_modes(stretch, data, state, n_iterations, tolerance, modes, curvature):
    """Find every document's mode, and the curvature there.

    `modes` holds where to start, and then the modes.
    """
    words = words_of(data, state)
    single = Words(words.rates.reshape(-1), words.counts.reshape(-1))
    own = make_buffers(data.most_labels)
    for turn in range(*stretch):
        b = data.bin_order[turn]
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[spot]
            first, square, place = data.label_starts[d], data.square_starts[d], place_of(d, data)
            m = place.n_labels
            take_given(d, data, state.affinity_mean, state.rate_sums, own)
            find_mode(
                words, place, single, word_place_of(d, data), own, state.affinity_variance,
                n_iterations, tolerance,
                modes[first : first + m], curvature[square : square + m * m],
            )  # fmt: skip

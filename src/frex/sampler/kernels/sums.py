"""Sums over words or documents, bin by bin: the same numbers whoever has which bin."""

from __future__ import annotations

from frex.sampler.formulas.dispersions import excess
from frex.sampler.formulas.drifts import drift_terms
from frex.sampler.formulas.moves import bounded_size
from frex.sampler.kernels.options import parallel


@parallel("partial")
def item_sums(stretch, bin_starts, items, acceptance, energy, partial):
    """Sum acceptances and sizes of the changes of energy; `partial` is bins x 2."""
    for b in range(*stretch):
        partial[b, 0] = 0.0
        partial[b, 1] = 0.0
        for spot in range(bin_starts[b], bin_starts[b + 1]):
            item = items[spot]
            partial[b, 0] += acceptance[item]
            partial[b, 1] += bounded_size(energy[item])


@parallel("data.bin_order")
def exposure_sums(stretch, data, memberships, partial):
    """Sum l theta of the documents' labels by node; `partial` is bins x N."""
    for turn in range(*stretch):
        b = data.bin_order[turn]
        for i in range(partial.shape[1]):
            partial[b, i] = 0.0
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[spot]
            for label in range(data.label_starts[d], data.label_starts[d + 1]):
                partial[b, data.nodes[label]] += data.exposures[d] * memberships[label]


@parallel("data.bin_order")
def affinity_sums(stretch, data, affinities, affinity_mean, partial):
    """Sum xi - eta and its square of the documents' labels by node; `partial` is bins x N x 2."""
    for turn in range(*stretch):
        b = data.bin_order[turn]
        for i in range(partial.shape[1]):
            partial[b, i, 0] = 0.0
            partial[b, i, 1] = 0.0
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[spot]
            for label in range(data.label_starts[d], data.label_starts[d + 1]):
                node = data.nodes[label]
                deviation = affinities[label] - affinity_mean[node]
                partial[b, node, 0] += deviation
                partial[b, node, 1] += deviation * deviation


@parallel("data.bin_order")
def dispersion_sums(stretch, data, squares, scale, partial):
    """Sum log(1 + S/q), r = S/(q + S) and r^2 over words for each parent; q is nu sigma2.

    `partial` is bins x parents x 3.
    """
    for turn in range(*stretch):
        b = data.bin_order[turn]
        for p in range(partial.shape[1]):
            for i in range(3):
                partial[b, p, i] = 0.0
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[spot]
            for p in range(partial.shape[1]):
                log_excess, r = excess(squares[f, p], scale)
                partial[b, p, 0] += log_excess
                partial[b, p, 1] += r
                partial[b, p, 2] += r * r


@parallel("data.bin_order")
def drift_sums(stretch, data, log_rates, spreads, drifts, partial):
    """Sum what words say of the known topics' drifts; `partial` is bins x known topics x 3."""
    for turn in range(*stretch):
        b = data.bin_order[turn]
        for i in range(partial.shape[1]):
            for term in range(3):
                partial[b, i, term] = 0.0
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[spot]
            for i in range(partial.shape[1]):
                deviation = log_rates[f, 1 + i] - log_rates[f, 0]
                value, slope, bend = drift_terms(
                    deviation * deviation, spreads[f, 1 + i], drifts[i]
                )
                partial[b, i, 0] += value
                partial[b, i, 1] += slope
                partial[b, i, 2] += bend


@parallel("data.bin_order")
def rate_sums(stretch, data, rates, rows, partial):
    """Sum rates over words, B; a word of the bins has its row. `partial` is bins x N."""
    for turn in range(*stretch):
        b = data.bin_order[turn]
        for i in range(partial.shape[1]):
            partial[b, i] = 0.0
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            row = rows[spot]
            for i in range(partial.shape[1]):
                partial[b, i] += rates[row, i]

"""The Gaussian about every word's mode: variances of log rates and of deviations, and draws.

They go down the tree in one pass.
"""

from __future__ import annotations

from frex.sampler.formulas.elementary import root
from frex.sampler.formulas.tree import deviation_variance, drawn_below, variance_below
from frex.sampler.kernels import tree as algebra
from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.random import fill_normals
from frex.sampler.kernels.space import space
from frex.sampler.kernels.words import precisions


@inner
def factored(f, data, state):
    """Return a word's inverse pivots and multipliers, and work space."""
    work = space(5, len(data.parents))
    precisions(f, data, state, work[0])
    algebra.factor(data.parents, work[0], state.curvature[f], work[1], work[2], work[3])
    return work[1], work[2], work[4]


@inner
def fill_variances(parents, inverses, multipliers, out):
    """Fill a word's variances, down the tree."""
    out[0] = inverses[0]
    for i in range(1, len(out)):
        out[i] = variance_below(inverses[i], multipliers[i], out[parents[i]])


@parallel("data.bin_words")
def deviation_variances(stretch, data, state, squares):
    """Add to each group's S what its children's deviations vary about the mode."""
    for spot in range(*stretch):
        f = data.bin_words[spot]
        inverses, multipliers, variances = factored(f, data, state)
        fill_variances(data.parents, inverses, multipliers, variances)
        for i in range(1, len(variances)):
            above = variances[data.parents[i]]
            if data.groups[i] < data.n_groups:
                squares[f, data.groups[i]] += deviation_variance(inverses[i], multipliers[i], above)


@parallel("data.bin_words")
def log_rate_variances(stretch, data, state, variances):
    """Fill every log rate's variance about the mode."""
    for spot in range(*stretch):
        f = data.bin_words[spot]
        inverses, multipliers, own = factored(f, data, state)
        fill_variances(data.parents, inverses, multipliers, own)
        for i in range(len(own)):
            variances[f, i] = own[i]


@parallel("data.bin_words")
def draw_log_rates(stretch, data, state, modes, address, out):
    """Draw log rates from the Gaussian about the modes."""
    for spot in range(*stretch):
        f = data.bin_words[spot]
        inverses, multipliers, noise = factored(f, data, state)
        fill_normals(address.key, f, address.scan, address.stream, 0, noise)
        noise[0] *= root(inverses[0])
        for i in range(1, len(noise)):
            above = noise[data.parents[i]]
            noise[i] = drawn_below(noise[i], inverses[i], multipliers[i], above)
        for i in range(len(noise)):
            out[f, i] = modes[f, i] + noise[i]

"""Groups of siblings on the GPU: squared deviations, dispersions, sums; and the Gaussian of modes.

As `kernels/groups.py` and `kernels/laplace.py`.
"""

from __future__ import annotations

from numba import cuda, float64

from frex.sampler.formulas.dispersions import dispersion, excess, shape_of
from frex.sampler.formulas.elementary import exp
from frex.sampler.formulas.random import gamma
from frex.sampler.formulas.tree import deviation_variance, drawn_below, variance_below
from frex.sampler.kernels.cuda.blocks import block_sum, factor
from frex.sampler.kernels.cuda.options import SUM_THREADS, kernel
from frex.sampler.kernels.cuda.random import normal


@kernel
def group_squares(log_rates, tree, group_parents, squares):
    """Fill S, words x groups."""
    f = cuda.blockIdx.x
    for g in range(cuda.threadIdx.x, squares.shape[1], cuda.blockDim.x):
        p = group_parents[g]
        total = 0.0
        for child in range(tree.child_starts[p + 1] - 1, tree.child_starts[p] - 1, -1):
            deviation = log_rates[f, tree.children[child]] - log_rates[f, p]
            total += deviation * deviation
        squares[f, g] = total


@kernel
def dispersion_sums(squares, scale, chunk_starts, out):
    """Sum log(1 + S/q), r = S/(q + S) and r^2 over chunks of words; q is nu sigma2.

    `out` is chunks x 3 groups; a block has a chunk and a group.
    """
    buffer = cuda.shared.array(SUM_THREADS, float64)
    chunk, g = cuda.blockIdx.x, cuda.blockIdx.y
    first, last = chunk_starts[chunk], chunk_starts[chunk + 1]
    log_excess = 0.0
    share = 0.0
    share_square = 0.0
    for f in range(first + cuda.threadIdx.x, last, cuda.blockDim.x):
        log_of_one, r = excess(squares[f, g], scale)
        log_excess += log_of_one
        share += r
        share_square += r * r
    log_excess = block_sum(log_excess, buffer)
    share = block_sum(share, buffer)
    share_square = block_sum(share_square, buffer)
    if cuda.threadIdx.x == 0:
        out[chunk, 3 * g] = log_excess
        out[chunk, 3 * g + 1] = share
        out[chunk, 3 * g + 2] = share_square


@kernel
def draw_dispersions(words, squares, n_children, df, scale, address, dispersions):
    """Draw tau2 ~ Inv-chi2(J + nu, (nu sigma2 + S) / (J + nu)) of every group."""
    f = cuda.grid(1)
    if f < len(squares):
        draw = 0
        for g in range(len(n_children)):
            value, draw = gamma(
                address.key, words.ids[f], address.scan, address.stream, draw,
                shape_of(n_children[g], df),
            )  # fmt: skip
            dispersions[f, g] = dispersion(squares[f, g], df, scale, value)


@kernel
def expect_dispersions(squares, n_children, df, scale, dispersions):
    """Fill the dispersions with the scale of what they would be drawn from."""
    f = cuda.grid(1)
    if f < len(squares):
        for g in range(len(n_children)):
            half = shape_of(n_children[g], df)
            dispersions[f, g] = dispersion(squares[f, g], df, scale, half)


@kernel
def exponentiate(log_rates, chunk_starts, rates, out):
    """Fill rates, and sums of them over chunks of words."""
    chunk = cuda.blockIdx.x
    for i in range(cuda.threadIdx.x, log_rates.shape[1], cuda.blockDim.x):
        total = 0.0
        for f in range(chunk_starts[chunk], chunk_starts[chunk + 1]):
            rate = exp(log_rates[f, i])
            rates[f, i] = rate
            total += rate
        out[chunk, i] = total


@kernel
def deviation_variances(tree, given, curvature, path, squares):
    """Add to each group's S what its children's deviations vary about the mode."""
    f = cuda.blockIdx.x
    factor(
        f, tree, given.dispersions, given.root_variance, curvature,
        path.inverses, path.multipliers, path.momentum,
    )  # fmt: skip
    if cuda.threadIdx.x == 0:  # once in a run
        path.velocity[f, 0] = path.inverses[f, 0]
        for i in range(1, len(tree.parents)):
            above, m = path.velocity[f, tree.parents[i]], path.multipliers[f, i]
            path.velocity[f, i] = variance_below(path.inverses[f, i], m, above)
            squares[f, tree.groups[i]] += deviation_variance(path.inverses[f, i], m, above)


@kernel
def draw_log_rates(tree, words, given, curvature, modes, address, path, out):
    """Draw log rates from the Gaussian about the modes."""
    f = cuda.blockIdx.x
    factor(
        f, tree, given.dispersions, given.root_variance, curvature,
        path.inverses, path.multipliers, path.momentum,
    )  # fmt: skip
    for level in range(len(tree.level_starts) - 1):
        first = tree.level_starts[level] + cuda.threadIdx.x
        for spot in range(first, tree.level_starts[level + 1], cuda.blockDim.x):
            i = tree.level_nodes[spot]
            above = 0.0 if i == 0 else path.momentum[f, tree.parents[i]]
            deviation = drawn_below(
                normal(address, words.ids[f], i), path.inverses[f, i], path.multipliers[f, i], above
            )
            path.momentum[f, i] = deviation
            out[f, i] = modes[f, i] + deviation
        cuda.syncthreads()

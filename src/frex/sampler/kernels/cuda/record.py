"""What is kept of a draw, on the GPU: running moments, exclusivity and scores."""

from __future__ import annotations

import math

from numba import cuda, float64

from frex.sampler.formulas.exclusivity import scaled_sum, share
from frex.sampler.kernels.cuda.options import STRETCH_THREADS, kernel

AS_IS, LOGARITHM = 0, 1


@kernel
def update_moments(draw, scale, count, mean, squares):
    """Take a draw into a mean and a sum of squared deviations (Welford, 1962)."""
    for i in range(cuda.grid(1), mean.size, cuda.gridsize(1)):
        value = math.log(draw[i]) if scale == LOGARITHM else draw[i]
        deviation = value - mean[i]
        mean[i] += deviation / count
        squares[i] += deviation * (value - mean[i])


@kernel
def exclusivity(rates, set_starts, set_nodes, set_of_topic, outside, sums, out):
    """Fill phi[f,k] = beta[f,k] / sum of beta[f,j] over the topic's comparison set."""
    f = cuda.blockIdx.x
    for s in range(cuda.threadIdx.x, len(set_starts) - 1, cuda.blockDim.x):
        sums[f, s] = scaled_sum(f, rates, set_nodes, set_starts[s], set_starts[s + 1])
    cuda.syncthreads()
    for k in range(cuda.threadIdx.x, len(set_of_topic), cuda.blockDim.x):
        out[f, k] = share(rates[f, k + 1], sums[f, set_of_topic[k]], outside[k])


@kernel
def score_words(rates, exclusivity, first_topic, words, out):
    """Fill out[:, k, c] for word c of the k-th topic from the first on, as `kernels/scored.py`.

    A block has a topic and one of the two scores; its threads have candidates, and hold the scores
    of all words up to them in turn, a tile at a time.
    """
    tile = cuda.shared.array(STRETCH_THREADS, float64)
    k, kind, thread = cuda.blockIdx.x, cuda.blockIdx.y, cuda.threadIdx.x
    scores = rates if kind == 0 else exclusivity
    column = first_topic + k + 1 if kind == 0 else first_topic + k
    n_words, n_candidates = scores.shape[0], words.shape[1]
    for begun in range(0, n_candidates, cuda.blockDim.x):
        c = begun + thread
        own = scores[words[k, c], column] if c < n_candidates else 0.0
        no_greater = 0
        for start in range(0, n_words, cuda.blockDim.x):
            if start + thread < n_words:
                tile[thread] = scores[start + thread, column]
            cuda.syncthreads()
            for other in range(min(cuda.blockDim.x, n_words - start)):
                if tile[other] <= own:
                    no_greater += 1
            cuda.syncthreads()
        if c < n_candidates:
            out[kind, k, c] = math.log(own) if kind == 0 else own
            out[kind + 2, k, c] = no_greater / n_words


@kernel
def learn(acceptance, rate, target, longest, late, value, log_sum):
    """Move the logarithm of every step by how far its acceptance is from the target."""
    for i in range(cuda.grid(1), len(value), cuda.gridsize(1)):
        step = min(value[i] * math.exp(rate * (acceptance[i] - target)), longest)
        value[i] = step
        if late and step > 0.0:  # 0 where there is no item
            log_sum[i] += math.log(step)

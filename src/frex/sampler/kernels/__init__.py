"""The hot loops in Numba: one item's whole update at a time, items in parallel.

Items (words, documents) are divided into bins of equal work; a thread takes a bin and its scratch
space. No item sees another's result and sums are taken bin by bin in order, so the bits do not
depend on the number of threads. `fastmath` is limited to what cannot hide a NaN: a diverged
trajectory has an energy that is not finite and is rejected.

A kernel is a loop over a stretch of its items; `frex.sampler.threads` gives every thread one.
`options.py` says how each kind of function is compiled: what a first run waits for is the sum of
all intermediate code, so what is called seldom is not put inside its callers.
"""

from frex.sampler.kernels import elementary, vectors  # noqa: F401 - what stands for formulas here

"""The hot loops in Numba: one item's whole update at a time, items in parallel.

Items (words, documents) are dealt into bins of equal work; a thread takes a bin and its scratch
space. No item sees another's result and sums are taken bin by bin in order, so the bits do not
depend on the number of threads. `fastmath` is limited to what cannot hide a NaN: a diverged
trajectory has an energy that is not finite and is rejected.

A parallel loop that writes to an array of a named tuple writes nowhere (a fault of Numba, known
since 2021): every kernel takes such an array out of its tuple first.
"""

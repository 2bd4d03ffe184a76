"""The mathematics of the kernels, once: plain Python functions of numbers and small local arrays.

A kernel has loops and memory; what it computes stands here. The CPU's kernels and the GPU's call
the same functions, each compiled for its machine (`options.py`), and in the GPU's simulator they
are the plain Python that they look like. The table in CONTRIBUTING.md says where which formula is.

What takes several numbers at once on the CPU, and one on the GPU, is written with `load`, `store`,
`spread` and `across` (`rows.py`).
"""

from frex.sampler.formulas import (  # noqa: F401 - all of them, for the GPU
    affinities,
    dense,
    dispersions,
    documents,
    elementary,
    exclusivity,
    interweaving_documents,
    interweaving_words,
    labels,
    moves,
    random,
    rows,
    tree,
    words,
)

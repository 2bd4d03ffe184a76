"""Standard normals one by one, as the GPU's threads ask for them."""

from __future__ import annotations

from frex.sampler.formulas.random import normals
from frex.sampler.kernels.cuda.options import device


@device
def normal(address, item, i):
    """Return the i-th of an item's standard normals."""
    first, second = normals(address.key, item, address.scan, address.stream, i // 2)
    return second if i % 2 else first

"""Arrays as the sampler's signatures name them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

Array: TypeAlias = Any
"""Of an engine: NumPy's on the CPU, the device's on a GPU."""

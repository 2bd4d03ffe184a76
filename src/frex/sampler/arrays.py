"""Arrays as the sampler's signatures name them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

Array: TypeAlias = Any
"""An engine's array: of NumPy on the CPU, of the device on a GPU."""

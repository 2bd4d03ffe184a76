"""Encoding of numbers in the page: typed arrays after a JSON header, deflated, in base64.

`assets/data.js` decodes them.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from numpy.typing import NDArray

_TYPES = {"u1": "Uint8Array", "u2": "Uint16Array", "u4": "Uint32Array"}
_LEVELS = 65535


def bundle(meta: Any, arrays: Mapping[str, NDArray[Any]]) -> str:
    """Pack values of JSON, and arrays of unsigned integers, into a piece of base64.

    Inside: the header's length in 4 bytes, little-endian; the header, JSON; the arrays, flat. Of
    each array the lowest bytes of all numbers come first, then the next, which deflates a quarter
    smaller than number behind number.
    """
    layout = [[name, _TYPES[a.dtype.str[1:]], int(a.size)] for name, a in arrays.items()]
    described = {"meta": meta, "arrays": layout}
    header = json.dumps(described, ensure_ascii=False, allow_nan=False).encode()
    parts = [len(header).to_bytes(4, "little"), header, *map(_planes, arrays.values())]
    return base64.b64encode(zlib.compress(b"".join(parts), 9)).decode("ascii")


def _planes(array: NDArray[Any]) -> bytes:
    flat = array.ravel().astype(array.dtype.newbyteorder("<"))
    return flat.view(np.uint8).reshape(-1, array.itemsize).T.tobytes()


def whole_type(largest: int) -> type[np.uint16 | np.uint32]:
    """Return the smaller of the two types of whole numbers that holds this one."""
    return np.uint16 if largest <= _LEVELS else np.uint32


class Scale(NamedTuple):
    """Numbers as 16 bits: ``low + step * code``, with an error of at most half a step."""

    low: float
    step: float

    @classmethod
    def over(cls, low: float, high: float) -> Self:
        """Return the scale that reaches from one number to another."""
        return cls(float(low), float(high - low) / _LEVELS or 1.0)

    def codes(self, values: NDArray[Any]) -> NDArray[np.uint16]:
        """Return the nearest codes; a number outside the scale gets its nearest end."""
        codes = np.rint((values - self.low) / self.step)
        return np.asarray(np.clip(codes, 0, _LEVELS).astype(np.uint16))


def in_bytes(
    values: NDArray[Any],
) -> tuple[NDArray[np.uint8], NDArray[Any], NDArray[Any]]:
    """Pack each row's numbers into bytes that divide the range from its least to its greatest.

    Returns the bytes, and the rows' least and greatest numbers, as they came.
    """
    low, high = values.min(axis=-1), values.max(axis=-1)
    span = np.where(high > low, high.astype(np.float64) - low, 1.0)
    codes = np.rint((values.astype(np.float64) - low[..., None]) / span[..., None] * 255)
    return codes.astype(np.uint8), low, high

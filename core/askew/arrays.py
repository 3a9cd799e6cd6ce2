"""Array types and the one way to freeze them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]
Float64 = npt.NDArray[np.float64]
FloatArray = npt.NDArray[np.floating]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.intp]


def frozen32(values: npt.ArrayLike) -> Float32:
    """Return `values` as a read-only, C-contiguous float32 array.

    An array that already is one is shared, any other is copied.
    """
    array = np.ascontiguousarray(values, dtype=np.float32)
    if array.flags.writeable:
        if array is values or np.shares_memory(array, np.asarray(values)):
            array = array.copy()
        array.setflags(write=False)
    return array


def rounded32(values: Float64) -> Float32:
    """Return `values` as a read-only float32 array; what is beyond float32 becomes inf, without a warning."""
    with np.errstate(over="ignore"):
        return frozen32(values)

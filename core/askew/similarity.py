"""How similar token vectors are with no projection at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from askew.arrays import Float64, FloatArray

RAWS = ("scaled", "dot", "cosine")
"""What the raw side may show as its scores: X0·X0ᵀ / √d_model, X0·X0ᵀ, or cosines."""


def dot(x: FloatArray) -> Float64:
    """Return X·Xᵀ, (n, n), in float64."""
    rows = x.astype(np.float64, copy=False)
    return rows @ rows.T


def cosines(a: FloatArray, b: FloatArray) -> Float64:
    """Return the cosine of each row of `a` with each row of `b`, clipped to [−1, 1].

    Parameters
    ----------
    a, b
        (..., n, d) and (..., m, d).

    Returns
    -------
    Float64
        (..., n, m); NaN where one of the two rows is all zeros, since such a cosine is undefined.
    """
    left = _directions(a)
    right = left if b is a else _directions(b)
    products = left @ np.swapaxes(right, -1, -2)
    return np.clip(products, -1.0, 1.0, out=products)


def cosine(x: FloatArray) -> Float64:
    """Return the cosine of every row with every row, (n, n); NaN for rows of zeros."""
    return cosines(x, x)


def _directions(rows: FloatArray) -> Float64:
    """Return the rows with length 1, and NaN for rows of zeros."""
    wide = rows.astype(np.float64, copy=False)
    lengths = np.linalg.norm(wide, axis=-1, keepdims=True)
    return wide / np.where(lengths > 0, lengths, np.nan)

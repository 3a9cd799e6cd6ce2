"""What is done to the token vectors before the heads see them, row by row, in float64."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from askew.arrays import Float64

LAYER_EPSILON = 1e-5


def unchanged(rows: Float64) -> Float64:
    """Return the rows as they are."""
    return rows


def unit(rows: Float64) -> Float64:
    """Return every row divided by its length; a row of zeros stays zero."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1.0)


def layer(rows: Float64) -> Float64:
    """Return (x − mean) / √(population variance + 1e-5) of each row (Ba et al. 2016), no scale, no shift."""
    return layer_normalized(rows, LAYER_EPSILON)


def layer_normalized(rows: Float64, epsilon: float) -> Float64:
    """Return (x − mean) / √(population variance + ε) of each row; a row without variance becomes zeros."""
    centred = rows - rows.mean(axis=-1, keepdims=True)
    variance = (centred * centred).mean(axis=-1, keepdims=True)
    normalized: Float64 = centred / np.sqrt(variance + epsilon)
    return normalized


NORMALIZATIONS: Mapping[str, Callable[[Float64], Float64]] = {"none": unchanged, "unit": unit, "layer": layer}

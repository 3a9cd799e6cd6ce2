"""Raw similarity and a head made comparable, and their difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from askew.attention import softmax

if TYPE_CHECKING:
    from askew.arrays import BoolArray, Float64

LARGEST_BETA = 1e4


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """A raw pattern with the entropy of a head's, row by row.

    `beta` (n,) is what the raw dot products were multiplied by; `tied` (n,) is True for rows that cannot be
    as sharp as the head's.
    """

    pattern: Float64
    beta: Float64
    tied: BoolArray


def matched_pattern(pattern: Float64, raw_dot: Float64, hidden: BoolArray | None = None) -> Matched:
    """Return softmax(β·r_i) with the β in [0, 10⁴] that gives row i the entropy of the head's row."""
    target = _entropy(pattern)
    low, high = np.zeros(len(raw_dot)), np.full(len(raw_dot), LARGEST_BETA)
    sharpest = _entropy(softmax(raw_dot * LARGEST_BETA, hidden))
    for _ in range(100):
        middle = (low + high) / 2
        above = _entropy(softmax(raw_dot * middle[:, None], hidden)) > target
        low = np.where(above, middle, low)
        high = np.where(above, high, middle)
    return Matched(softmax(raw_dot * high[:, None], hidden), high, sharpest > target + 1e-9)


def _entropy(pattern: Float64) -> Float64:
    """Return −Σ a·ln a of each row, in nats."""
    return np.negative((pattern * np.log(np.where(pattern > 0, pattern, 1.0))).sum(axis=-1))

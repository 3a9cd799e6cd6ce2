"""How the weight of one cell depends on its score where the other scores of its row move along."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from askew.arrays import BoolArray, Float64

FARTHEST = 1e3
"""How many times the temperature a score is moved at most."""

_HALVINGS = 80


class Reached(NamedTuple):
    """By how much the score moves, and the weight that gives."""

    step: float
    weight: float


class RowCurve:
    """The weight A(t) of a cell whose score moves by t: softmax of (s + t·c) / temperature at that cell.

    Its logarithm is linear in t minus a convex function, so it rises to one peak, perhaps at infinity, and
    falls on both sides of it.

    Parameters
    ----------
    scores
        s, of the row, (m,), float64.
    along
        c, by how much each score moves when that of the cell moves by 1, (m,).
    seen
        Which keys the row sees, (m,), the cell among them.
    column
        Which of them is the cell.
    temperature
        Divides the scores.
    """

    def __init__(
        self, scores: Float64, along: Float64, seen: BoolArray, column: int, temperature: float
    ) -> None:
        self._scores, self._along = scores[seen], along[seen]
        self._cell = int(np.count_nonzero(seen[:column]))
        self._temperature = temperature
        self._far = FARTHEST * temperature

    def weight_at(self, step: float) -> float:
        """Return A(step)."""
        return float(self._row_at(step)[self._cell])

    @cached_property
    def peak(self) -> Reached:
        """The largest weight that is within reach."""
        step = self._uphill * self._temperature
        while abs(step) < self._far and self._still_rises(step):
            step *= 2
        far = abs(step) >= self._far
        step = self._uphill * self._far if far else _bisected(0.0, step, self._still_rises)
        return Reached(step, max(self.weight_at(0.0), self.weight_at(step)))

    @cached_property
    def least(self) -> Reached:
        """The smallest weight that is within reach."""
        step = -self._uphill * self._far
        return Reached(step, self.weight_at(step))

    def step_for(self, weight: float) -> float | None:
        """Return the smallest t that gives a weight; None where none does."""
        if not self.least.weight <= weight <= self.peak.weight:
            return None
        rising = weight >= self.weight_at(0.0)
        high = (self.peak if rising else self.least).step
        if not rising:  # the far end is far away, and the weight is met long before
            step = -self._uphill * self._temperature
            while abs(step) < self._far and self.weight_at(step) > weight:
                step *= 2
            high = step if abs(step) < self._far else high
        return _bisected(0.0, high, partial(self._falls_short, weight, rising))

    def _still_rises(self, step: float) -> bool:
        return self._slope_at(step) * self._uphill > 0

    def _falls_short(self, weight: float, rising: bool, step: float) -> bool:
        return (self.weight_at(step) < weight) == rising

    @cached_property
    def _uphill(self) -> float:
        """The direction, +1 or −1, in which the weight grows."""
        return 1.0 if self._slope_at(0.0) >= 0 else -1.0

    def _row_at(self, step: float) -> Float64:
        """Return the weights of the keys that are seen."""
        logits = (self._scores + step * self._along) / self._temperature
        weights = np.exp(logits - logits.max())
        return np.asarray(weights / weights.sum())

    def _slope_at(self, step: float) -> float:
        """Return d log A / dt times the temperature: 1 − Σ A·c."""
        return float(self._row_at(step) @ (self._along[self._cell] - self._along))


def _bisected(low: float, high: float, goes_on: Callable[[float], bool]) -> float:
    """Return where `goes_on`, true at `low`, becomes false on the way to `high`."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if goes_on(middle):
            low = middle
        else:
            high = middle
    return (low + high) / 2

"""A heat map as plain data, the same for the screen and for every export."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from askew.arrays import BoolArray, FloatArray
    from askew.experiment import Stretch
    from askew_assets import ColourTable


BETWEEN_NOTES = " · "


@dataclass(frozen=True, slots=True, eq=False)
class Heatmap:
    """A matrix and all that is needed to paint it.

    Parameters
    ----------
    values
        (rows, columns); NaN is "no value" and is hatched.
    row_labels, column_labels
        Plain text, one a row and one a column; positions, not names: repeats are kept apart.
    limits
        Values of the lowest and the highest colour.
    colours
        `sequential` for patterns, `diverging` for what has a zero in the middle.
    title, subtitle
        What is shown, and its formula.
    masked
        (rows, columns); True is masked and is painted grey.
    row_stretch
        True if each row is stretched to its own largest value.
    low, high
        What the two ends of the colour bar mean, in words; empty for the numbers alone.
    note
        Said under the picture: a stretch, a matching, a warning; several with `BETWEEN_NOTES` between them.
    row_axis, column_axis
        What rows and columns are.
    table
        Name of the colour table, where it is not the one of `colours`.
    short_ends
        `low` and `high` in fewer words, for where there is little room.
    """

    values: FloatArray
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    limits: tuple[float, float]
    colours: Literal["sequential", "diverging"] = "sequential"
    title: str = ""
    subtitle: str = ""
    masked: BoolArray | None = None
    row_stretch: bool = False
    low: str = ""
    high: str = ""
    note: str = ""
    row_axis: str = "query"
    column_axis: str = "key"
    table: ColourTable | None = None
    short_ends: tuple[str, str] = ("", "")

    @property
    def palette(self) -> ColourTable:
        """Name of the colour table: `colours` unless another is chosen."""
        return self.table or self.colours


def symmetric_limits(*maps: FloatArray) -> tuple[float, float]:
    """Return limits that leave out no value and have zero, the neutral colour, in their middle.

    Values that are not finite are left out; maps that hold nothing but zeros get −1 to 1.
    """
    largest = max((max(high, -low) for low, high in map(_extremes, maps)), default=0.0)
    return (-largest, largest) if largest > 0 else (-1.0, 1.0)


def pattern_limits(values: FloatArray, stretch: Stretch) -> tuple[float, float]:
    """Return the limits of a pattern: 0 to 1, or with `map` 0 to its own largest weight.

    With `row` the limits are those of each row divided by its largest weight, so 0 to 1 as well. Zero is
    always the palest colour: a nearly even pattern is not made to look like anything else.
    """
    largest = _extremes(values)[1] if stretch == "map" else 1.0
    return (0.0, largest) if largest > 0 else (0.0, 1.0)


def _extremes(values: FloatArray) -> tuple[float, float]:
    """Return the smallest and the largest of the finite values and 0."""
    low, high = np.fmin.reduce(values, axis=None, initial=0.0), np.fmax.reduce(values, axis=None, initial=0.0)
    if np.isinf(low) or np.isinf(high):
        return _extremes(values[np.isfinite(values)])
    return float(low), float(high)

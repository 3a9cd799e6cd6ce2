"""A heat map as plain data, the same for the screen and for every export."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from askew.arrays import BoolArray, FloatArray


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
        Said under the picture: a stretch, a matching, a warning.
    row_axis, column_axis
        What rows and columns are.
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

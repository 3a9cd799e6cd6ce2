"""From values to pixels: one look-up in a colour table for a whole stack of maps."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from PySide6.QtGui import QImage

import askew_assets

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from askew.arrays import FloatArray, IntArray
    from askew.heatmap import Heatmap


Pixels: TypeAlias = "npt.NDArray[np.uint32]"

# So many cells are coloured at once: fresh memory for larger arrays costs more than the work on them.
TOGETHER = 1 << 15


class Picture(NamedTuple):
    """Pixels of one map (rows, columns) or of several (k, rows, columns), and if cells lack a value."""

    pixels: Pixels
    gaps: bool = False

    @property
    def image(self) -> QImage:
        """The pixels as an image, several maps below each other: a view, that must not outlive the pixels."""
        columns = self.pixels.shape[-1]
        rows = self.pixels.size // max(columns, 1)
        return QImage(self.pixels.data, columns, rows, columns * 4, QImage.Format.Format_RGB32)


class Blanks(NamedTuple):
    """Pixels of masked cells, and of cells without a value, which are hatched later."""

    masked: int
    missing: int


@cache
def colour_table(name: askew_assets.ColourTable) -> Pixels:
    """Return a bundled table as 256 pixels of the form 0xffRRGGBB."""
    table = askew_assets.colour_table(name).astype(np.uint32)
    pixels = (255 << 24) | (table[:, 0] << 16) | (table[:, 1] << 8) | table[:, 2]
    return pixels.astype(np.uint32)


@cache
def ink_table(name: askew_assets.ColourTable) -> npt.NDArray[np.bool_]:
    """Return for each colour whether black letters read better on it than white ones (WCAG luminance)."""
    channels = askew_assets.colour_table(name).astype(np.float64) / 255
    linear = np.where(channels <= 0.03928, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    luminance = linear @ np.array([0.2126, 0.7152, 0.0722])
    dark: npt.NDArray[np.bool_] = (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05)
    return dark


def table_indices(heatmap: Heatmap, values: FloatArray) -> IntArray:
    """Return the place in the colour table of each value; what "no value" gets means nothing.

    Rows that are to be stretched must be already. May leave the table at both ends.
    """
    with np.errstate(invalid="ignore"):
        return _indices(heatmap, values)


def _indices(heatmap: Heatmap, values: FloatArray) -> IntArray:
    """Return the same for values that are all numbers."""
    low, high = (0.0, 1.0) if heatmap.row_stretch else heatmap.limits
    if not high > low:
        low, high = (low - 1.0, low + 1.0) if heatmap.colours == "diverging" else (low, low + 1.0)
    steps = 255.0 / (high - low)
    scaled = values * np.float32(steps)
    scaled += np.float32(0.5 - low * steps)
    return scaled.astype(np.intp)


def stretched(values: FloatArray) -> FloatArray:
    """Return every row divided by its largest value; rows without a positive one stay as they are."""
    largest = np.fmax.reduce(values, axis=-1, keepdims=True, initial=0.0)
    return values / np.where(largest > 0, largest, 1)


def pictures(heatmaps: Sequence[Heatmap], blanks: Blanks, room: tuple[int, int]) -> list[Picture]:
    """Return the pixels of each heat map; `room` as for `stacks`."""
    return [Picture(one, stack.gaps) for stack in stacks(heatmaps, blanks, room) for one in stack.pixels]


def stacks(heatmaps: Sequence[Heatmap], blanks: Blanks, room: tuple[int, int]) -> list[Picture]:
    """Return the pixels of heat maps in order, coloured together where they are small and share their rules.

    `room` is the number of device pixels there are for rows and columns: what has more cells than that is
    reduced, so that a lone peak stays visible.
    """
    if not heatmaps:
        return []
    first = heatmaps[0]
    if not _fits(first, room) or not all(_same_rules(first, other) for other in heatmaps[1:]):
        reduced = [one if _fits(one, room) else reduced_map(one, room) for one in heatmaps]
        return [_coloured(one, one.values[np.newaxis], blanks) for one in reduced]
    step, made = max(1, TOGETHER // max(first.values.size, 1)), []
    for start in range(0, len(heatmaps), step):
        values = [one.values for one in heatmaps[start : start + step]]
        stack = values[0][np.newaxis] if len(values) == 1 else np.array(values)
        made.append(_coloured(first, stack, blanks))
    return made


def _fits(heatmap: Heatmap, room: tuple[int, int]) -> bool:
    rows, columns = heatmap.values.shape
    return bool(rows <= max(room[0], 1) and columns <= max(room[1], 1))


def _same_rules(first: Heatmap, other: Heatmap) -> bool:
    return (
        other.limits == first.limits
        and other.masked is first.masked
        and other.values.shape == first.values.shape
        and other.palette == first.palette
        and other.row_stretch == first.row_stretch
    )


def _coloured(heatmap: Heatmap, stack: FloatArray, blanks: Blanks) -> Picture:
    """Colour maps (k, rows, columns) by the rules of `heatmap`."""
    table, (low, high) = colour_table(heatmap.palette), heatmap.limits
    least, most = float(stack.min(initial=np.inf)), float(stack.max(initial=-np.inf))
    gaps = math.isnan(least)
    if low <= least and most <= high and low < high and not heatmap.row_stretch:
        # Nothing leaves the table, so that nothing has to be clipped; "wrap" is the quickest.
        pixels = np.take(table, _indices(heatmap, stack), mode="wrap")
    else:
        values = stretched(stack) if heatmap.row_stretch else stack
        pixels = np.take(table, table_indices(heatmap, values), mode="clip")
    if gaps:
        pixels[np.isnan(stack)] = blanks.missing
    if heatmap.masked is not None:
        pixels[..., heatmap.masked] = blanks.masked
    return Picture(pixels, gaps)


def ruled(picture: Picture, width: int, height: int, blanks: Blanks) -> Picture:
    """Return a picture with so many pixels for every cell and pale lines between cells that have a colour.

    Painting the lines would cost ten times more.
    """
    rows, columns = picture.pixels.shape
    pixels = np.empty((rows * height, columns * width), np.uint32)
    enlarge(picture.pixels, pixels, blanks)
    return Picture(pixels, picture.gaps)


def enlarge(pixels: Pixels, target: Pixels, blanks: Blanks | None = None) -> None:
    """Fill `target`, so many times higher and wider than `pixels`, with a block of pixels for every cell.

    With `blanks` there are pale lines between cells that are not blank.
    """
    rows, columns = pixels.shape
    height, width = target.shape[0] // rows, target.shape[1] // columns
    wide = np.repeat(pixels, width, axis=1)
    blocks = target.reshape(rows, height, columns * width)
    if blanks is None:
        blocks[...] = wide[:, np.newaxis]
        return
    coloured = (pixels != blanks.masked) & (pixels != blanks.missing)
    _lighten(wide[:, width::width], coloured[:, 1:])
    blocks[...] = wide[:, np.newaxis]
    _lighten(wide[1:], coloured[1:])
    blocks[1:, 0] = wide[1:]


def _lighten(pixels: Pixels, coloured: npt.NDArray[np.bool_]) -> None:
    """Mix colours with as much white; crossings of two lines are lightened twice."""
    if coloured.all():
        pixels >>= 1
        pixels &= 0x7F7F7F  # half of all channels at once
        pixels += 0xFF7F7F7F
        return
    wide = np.repeat(coloured, pixels.shape[1] // coloured.shape[1], axis=1)
    np.copyto(pixels, ((pixels >> 1) & 0x7F7F7F) + 0xFF7F7F7F, where=wide)


def reduced_map(heatmap: Heatmap, room: tuple[int, int]) -> Heatmap:
    """Return a map with no more cells than pixels: of the cells on a pixel the one farthest from 0."""
    values = stretched(heatmap.values) if heatmap.row_stretch else heatmap.values
    masked = heatmap.masked
    if masked is not None:
        masked = _grouped(np.logical_and, masked, room)
    return replace(heatmap, values=extremes(values[None], room)[0], masked=masked)


def extremes(values: FloatArray, room: tuple[int, int]) -> FloatArray:
    """Return maps (k, rows, columns) reduced to at most `room` rows and columns, farthest from 0 first."""
    reduced = []
    for one in values:
        highest = _grouped(np.fmax, one, room)
        if (one < 0).any():
            lowest = _grouped(np.fmin, one, room)
            highest = np.where(-lowest > highest, lowest, highest)
        reduced.append(highest)
    return np.stack(reduced)


def _grouped(function: np.ufunc, values: npt.NDArray[Any], room: tuple[int, int]) -> npt.NDArray[Any]:
    """Reduce (rows, columns) to at most `room`, neighbours together; much faster than `reduceat`."""
    for most in room:
        size = len(values)
        if size > most >= 1:
            edges = (np.arange(most + 1) * size // most).tolist()
            reduced = np.empty((most, values.shape[1]), values.dtype)
            for place, (start, stop) in enumerate(pairwise(edges)):
                function.reduce(values[start:stop], axis=0, out=reduced[place])
            values = reduced
        values = np.ascontiguousarray(values.T)
    return values

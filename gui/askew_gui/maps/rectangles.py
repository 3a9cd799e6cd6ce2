"""Cells as rectangles, for files that are drawn and not made of pixels."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QLinearGradient

from askew_gui.maps.colours import Picture, colour_table, enlarge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QPainter

    import askew_assets
    from askew.arrays import FloatArray, IntArray
    from askew_gui.maps.colours import Pixels
    from askew_gui.maps.layout import Box
    from askew_gui.maps.style import MapStyle

    Cells = tuple[Pixels, Box]

MOST_RECTANGLES = 20_000  # in a picture; beyond, cells are an image: the file would be larger than that
OVERLAP = 4.0  # units, at most a third of a cell: more than a pixel also where a picture is shown small
IMAGE = 600  # pixels an image of cells has at least: some viewers blur what they enlarge
# Entries of a table that are stops of a gradient, closer where diverging ones turn: off by 2 of 255 at most.
STOPS = sorted({*range(0, 256, 15), 112, 116, 123, 127, 128, 132, 139, 143})


def draw_cells(painter: QPainter, maps: Sequence[Cells], style: MapStyle) -> None:
    """Fill boxes with cells, as rectangles or as images."""
    fill_cells = getattr(painter, "fill_cells", None)
    if style.cells == "image":
        for pixels, box in maps:
            paint_enlarged(painter, pixels, box)
    elif fill_cells is not None:  # a painter of ours takes a map in one go
        for pixels, box in maps:
            fill_cells(_runs(pixels), *_edges(pixels, box))
    else:
        paint_rectangles(painter, maps)


def framed_box(box: Box, line: float, style: MapStyle) -> tuple[float, float, float, float]:
    """Return the rectangle whose outline, `line` wide, lies outside a box of cells.

    Qt puts a line without smooth edges on the pixels below and to the right of where it is.
    """
    shift = line if style.cells == "pixels" else line / 2
    return box.x - shift, box.y - shift, box.w + line, box.h + line


def _edges(pixels: Pixels, box: Box) -> tuple[list[float], list[float], list[float], list[float]]:
    """Return left and right edges of columns, upper edges and heights of rows, to be painted in order.

    Viewers blend the edges of neighbours with what lies behind them, which shows as a pale line. So each
    rectangle reaches under the next to the right and under the row below, which are painted later.
    """
    rows, columns = pixels.shape
    wide, high = box.w / max(columns, 1), box.h / max(rows, 1)
    right, below = min(OVERLAP, wide / 3), min(OVERLAP, high / 3)
    lefts = [box.x + column * wide for column in range(columns)]
    rights = [box.x + column * wide + (right if column < columns else 0.0) for column in range(columns + 1)]
    tops = [box.y + row * high for row in range(rows)]
    return lefts, rights, tops, [high + below] * (rows - 1) + [high]


def paint_rectangles(painter: QPainter, maps: Sequence[Cells]) -> None:
    """Fill boxes with a rectangle for every cell, all of a colour at once, which is soon written and small.

    Cells are of four kinds, by row and column even or odd, and none touches another of its kind. Each kind is
    painted over those before it and reaches under those after it, so that no line shows between them.
    """
    keys, sides = zip(*[_kinds(pixels, box) for pixels, box in maps], strict=True)
    key = np.concatenate(keys)
    order = np.argsort(key, kind="stable")
    key, rects = key[order], [QRectF(*rect) for rect in np.concatenate(sides)[order].tolist()]
    bounds = [0, *(np.flatnonzero(np.diff(key)) + 1).tolist(), len(rects)]
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    for start, stop in pairwise(bounds):
        if start < stop:
            painter.setBrush(_colour(int(key[start]) & 0xFFFFFF))
            painter.drawRects(rects[start:stop])
    painter.restore()


def _kinds(pixels: Pixels, box: Box) -> tuple[IntArray, FloatArray]:
    """Return kind and colour of each cell as a number, and its x, y, width and height."""
    rows, columns = pixels.shape
    wide, high = box.w / max(columns, 1), box.h / max(rows, 1)
    row, column = (index.ravel() for index in np.indices(pixels.shape))
    reach_x, reach_y = min(OVERLAP, wide / 3) * (column % 2 == 0), min(OVERLAP, high / 3) * (row % 2 == 0)
    left, right = (
        column * wide - reach_x * (column > 0),
        (column + 1) * wide + reach_x * (column < columns - 1),
    )
    top, bottom = row * high - reach_y * (row > 0), (row + 1) * high + reach_y * (row < rows - 1)
    kind = (row % 2) * 2 + column % 2
    key = (kind << 24) | (pixels.ravel() & 0xFFFFFF).astype(np.intp)
    return key, np.stack([box.x + left, box.y + top, right - left, bottom - top], axis=1)


@lru_cache(maxsize=1024)
def _colour(pixel: int) -> QColor:
    return QColor.fromRgb(pixel)


def _runs(pixels: Pixels) -> Iterator[tuple[int, int, int, int]]:
    """Return (row, first column, column after the last, pixel) of equal neighbours, row by row."""
    rows, columns = pixels.shape
    begins = np.ones((rows, columns), bool)
    begins[:, 1:] = pixels[:, 1:] != pixels[:, :-1]
    starts = np.flatnonzero(begins)
    stops = np.append(starts[1:], pixels.size)
    row = starts // max(columns, 1)
    first = starts - row * columns
    chosen = pixels.ravel()[starts]
    return zip(row.tolist(), first.tolist(), (first + stops - starts).tolist(), chosen.tolist(), strict=True)


def paint_enlarged(painter: QPainter, pixels: Pixels, box: Box) -> None:
    """Fill a box with an image of the cells, each of several pixels so that no viewer blurs them."""
    rows, columns = pixels.shape
    times = max(1, -(-IMAGE // max(rows, columns, 1)))
    large = np.empty((rows * times, columns * times), np.uint32)
    enlarge(pixels, large)
    painter.setRenderHint(painter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(QRectF(*box), Picture(large).image)


def paint_scale(painter: QPainter, name: askew_assets.ColourTable, box: Box, radius: float) -> None:
    """Fill the box of a colour bar with the colours of a table, both ends among them."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_scale(name, box.x, box.right))
    painter.drawRoundedRect(QRectF(*box), radius, radius)


def _scale(name: askew_assets.ColourTable, left: float, right: float) -> QBrush:
    gradient, table = QLinearGradient(left, 0, right, 0), colour_table(name).tolist()
    gradient.setStops([(place / 255, QColor.fromRgb(table[place])) for place in STOPS])
    return QBrush(gradient)

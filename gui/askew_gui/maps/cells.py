"""What is painted into single cells: hatching where there is no value, numbers where they fit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainterPath, QPen

from askew_gui.i18n import tr
from askew_gui.maps.colours import ink_table, stretched, table_indices
from askew_gui.maps.labels import text_width, wrapped
from askew_gui.maps.numbers import cell_text
from askew_gui.maps.style import SMALL_PX, bundled_font, colour

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QPainter

    from askew.arrays import BoolArray
    from askew.heatmap import Heatmap
    from askew_gui.maps.layout import MapLayout
    from askew_gui.maps.style import MapStyle

CENTRE = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextSingleLine)
INK_ON_LIGHT, INK_ON_DARK = "#000000", "#ffffff"
HATCH_STEP = 5.0
NUMBER_SIZES = (12, 11, 10, 9)
SMALL_NUMBERS = (8, 7, 6, 5, 4)  # where they are asked for
SHORTEST = "0.00"  # no map has only shorter numbers


def paint_hatching(painter: QPainter, heatmap: Heatmap, layout: MapLayout, style: MapStyle) -> None:
    """Hatch the cells without a value; a map without any says so."""
    missing = np.isnan(heatmap.values)
    if heatmap.masked is not None:
        missing &= ~heatmap.masked
    path = QPainterPath()
    for row, start, stop in _runs(missing):
        first, last = layout.cell_box(row, start), layout.cell_box(row, stop - 1)
        path.addRect(QRectF(first.x, first.y, last.right - first.x, first.h))
    painter.save()
    painter.setClipPath(path)
    painter.setRenderHint(painter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour(style.tokens.hatch), style.unit))
    painter.drawLines(_diagonals(layout, HATCH_STEP * style.unit))
    painter.restore()
    if missing.all():
        _paint_nothing(painter, heatmap, layout, style)


def _runs(cells: BoolArray) -> list[tuple[int, int, int]]:
    """Return (row, start, stop) of all runs of True along the rows."""
    found = []
    for row in np.flatnonzero(cells.any(axis=1)):
        edges = np.flatnonzero(np.diff(cells[row].astype(np.int8), prepend=0, append=0))
        found += [(int(row), int(a), int(b)) for a, b in edges.reshape(-1, 2)]
    return found


def _diagonals(layout: MapLayout, step: float) -> list[QLineF]:
    frame = layout.frame
    count = int((frame.w + frame.h) / step) + 1
    return [
        QLineF(frame.x + k * step, frame.y, frame.x + k * step - frame.h, frame.bottom) for k in range(count)
    ]


def _paint_nothing(painter: QPainter, heatmap: Heatmap, layout: MapLayout, style: MapStyle) -> None:
    """Say in the middle of the map that it has no value, and why if its note knows."""
    font = style.font(SMALL_PX)
    text = tr("No value in any cell") + (f"\n{heatmap.note}" if heatmap.note else "")
    room = QRectF(*layout.frame).adjusted(8, 8, -8, -8)
    painter.setFont(font)
    lines = [line for part in text.split("\n") for line in wrapped(part, font.pixelSize(), room.width())]
    high = QFontMetricsF(font).height()
    wide = max(text_width(line, font.pixelSize()) for line in lines)
    top = room.center().y() - high * len(lines) / 2
    plate = QRectF(room.center().x() - wide / 2, top, wide, high * len(lines)).adjusted(-6, -4, 6, 4)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(style.background))
    painter.drawRoundedRect(plate, 4, 4)
    painter.setPen(colour(style.tokens.text))
    for number, line in enumerate(lines):
        painter.drawText(QRectF(room.x(), top + number * high, room.width(), high), CENTRE, line)


def number_size(
    heatmaps: Sequence[Heatmap],
    layout: MapLayout,
    style: MapStyle,
    longest: Callable[[Heatmap], str] | None = None,
) -> int | None:
    """Return the size in pixels at which the numbers of all maps fit into their cells, or None.

    `longest` may answer from memory what `longest_number` says.
    """
    width, height = layout.cell
    small = SMALL_NUMBERS if style.numbers == "on" else ()
    if small:
        least, margin = (8 * style.unit, 5 * style.unit), 1 * style.unit
    else:
        least, margin = (24 * style.unit, 14 * style.unit), 5 * style.unit
    if style.numbers == "off" or width < least[0] or height < least[1]:
        return None
    sizes = [style.px(size) for size in (*NUMBER_SIZES, *small) if style.px(size) <= height]
    room = width - margin
    if not sizes or text_width(SHORTEST, sizes[-1]) > room:
        return None
    widest = max(map(longest or longest_number, heatmaps), key=len)
    return next((px for px in sizes if text_width(widest, px) <= room), None)


def longest_number(heatmap: Heatmap) -> str:
    """Return the longest number of a map, digits as wide as any."""
    values = heatmap.values
    if not values.size:
        return ""
    low, high = float(values.min()), float(values.max())
    if not (math.isfinite(low) and math.isfinite(high)):
        values = values[np.isfinite(values)]
        if not values.size:
            return ""
        low, high = float(values.min()), float(values.max())
    signed = heatmap.colours == "diverging"
    return max(
        cell_text(low, signed),
        cell_text(high, signed),
        cell_text(-0.01 if low < 0 else 0.0, signed),
        key=len,
    )


def paint_numbers(painter: QPainter, heatmap: Heatmap, layout: MapLayout, px: int) -> None:
    """Write the numbers into the cells, black or white by the cell's colour."""
    signed = heatmap.colours == "diverging"
    values = stretched(heatmap.values) if heatmap.row_stretch else heatmap.values
    on_light = np.take(ink_table(heatmap.palette), table_indices(heatmap, values), mode="clip")
    hidden = np.isnan(heatmap.values)
    if heatmap.masked is not None:
        hidden |= heatmap.masked
    painter.setFont(bundled_font(px))
    numbers = heatmap.values.tolist()
    for ink, chosen in ((INK_ON_LIGHT, on_light), (INK_ON_DARK, ~on_light)):
        painter.setPen(colour(ink))
        for row, column in np.argwhere(chosen & ~hidden).tolist():
            text = cell_text(numbers[row][column], signed)
            painter.drawText(QRectF(*layout.cell_box(row, column)), CENTRE, text)

"""What follows the pointer: outlines of the cell, its row and its column, the same in every map."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPen

from askew_gui.maps.style import colour

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from askew_gui.focus import Cell
    from askew_gui.maps.layout import Box, MapLayout, StripLayout
    from askew_gui.maps.style import MapStyle


def paint_overlay(
    painter: QPainter, layout: StripLayout, hovered: Cell | None, locked: Cell | None, style: MapStyle
) -> None:
    """Outline the hovered and the locked cell in all maps; cells outside the maps are passed over."""
    painter.setRenderHint(painter.RenderHint.Antialiasing)
    for one in layout.maps:
        shown = hovered if _inside(hovered, one) else None
        kept = locked if _inside(locked, one) else None
        if shown or kept:
            _paint_cross(painter, one, shown or kept, style)
        if kept and shown and kept != shown:
            _paint_mark(painter, one, kept, style, 130)
        if shown or kept:
            _paint_mark(painter, one, shown or kept, style, 255)


def _inside(cell: Cell | None, layout: MapLayout) -> bool:
    if cell is None:
        return False
    return 0 <= cell[0] < layout.shape[0] and -1 <= cell[1] < layout.shape[1]


def _paint_cross(painter: QPainter, layout: MapLayout, cell: Cell | None, style: MapStyle) -> None:
    """Outline the row and the column and tint their labels."""
    if cell is None:
        return
    row, column = cell
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(style.tokens.crosshair, 255, style.unit))
    painter.drawRect(_outline(layout.row_box(row)))
    if column >= 0:
        painter.drawRect(_outline(layout.column_box(column)))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(style.tokens.mark, 46))
    _tint_row_label(painter, layout, row, style)
    if column >= 0:
        _tint_column_label(painter, layout, column, style)


def _paint_mark(painter: QPainter, layout: MapLayout, cell: Cell | None, style: MapStyle, alpha: int) -> None:
    """Outline the cell itself, or the whole row where no column is meant."""
    if cell is None:
        return
    box = layout.cell_box(*cell) if cell[1] >= 0 else layout.row_box(cell[0])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(style.tokens.mark, alpha, 2 * style.unit))
    painter.drawRect(QRectF(*box))


def _tint_row_label(painter: QPainter, layout: MapLayout, row: int, style: MapStyle) -> None:
    if not layout.rows.w:
        return
    u, px = style.unit, layout.row_px
    middle = layout.frame.y + (row + 0.5) * layout.cell[1]
    half = max(layout.cell[1] / 2, px * 0.7)
    box = QRectF(layout.rows.x, middle - half, layout.rows.w + 5 * u, 2 * half)
    painter.drawRoundedRect(box, 3 * u, 3 * u)


def _tint_column_label(painter: QPainter, layout: MapLayout, column: int, style: MapStyle) -> None:
    u, px = style.unit, layout.column_px
    middle = layout.frame.x + (column + 0.5) * layout.cell[0]
    if not layout.slanted:
        box = layout.column_box(column)
        painter.drawRoundedRect(QRectF(box.x, layout.frame.y - 1.8 * px, box.w, 1.6 * px), 3 * u, 3 * u)
        return
    painter.save()
    painter.translate(middle + px * 0.1, layout.frame.y - 5 * u)
    painter.rotate(-60)
    length = (layout.columns.h - 8 * u) / math.sin(math.radians(60))
    painter.drawRoundedRect(QRectF(-3 * u, -0.7 * px, length + 6 * u, 1.4 * px), 3 * u, 3 * u)
    painter.restore()


def _outline(box: Box) -> QRectF:
    """Return a rectangle whose one-pixel line lies on the box's outermost pixels."""
    return QRectF(box.x - 0.5, box.y - 0.5, box.w, box.h)


@lru_cache(maxsize=32)
def _pen(name: str, alpha: int, width: float) -> QPen:
    pen = QPen(colour(name, alpha), width)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen

"""What follows the pointer: outlines of the cell, its row and its column, the same in every map."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPen

from askew_gui.maps.labels import elided, text_width
from askew_gui.maps.painter import LEFT, slanted_room
from askew_gui.maps.style import SMALL_PX, bundled_font, colour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPainter

    from askew.heatmap import Heatmap
    from askew_gui.focus import Cell
    from askew_gui.maps.layout import Box, MapLayout, StripLayout
    from askew_gui.maps.style import MapStyle


def paint_overlay(
    painter: QPainter,
    heatmaps: Sequence[Heatmap],
    layout: StripLayout,
    hovered: Cell | None,
    locked: Cell | None,
    style: MapStyle,
) -> None:
    """Outline the hovered and the locked cell in all maps; cells outside the maps are passed over."""
    painter.setRenderHint(painter.RenderHint.Antialiasing)
    for heatmap, one in zip(heatmaps, layout.maps, strict=True):
        shown = hovered if _inside(hovered, one) else None
        kept = locked if _inside(locked, one) else None
        if shown or kept:
            _paint_cross(painter, heatmap, one, shown or kept, style)
        if kept and shown and kept != shown:
            _paint_mark(painter, one, kept, style, 130)
        if shown or kept:
            _paint_mark(painter, one, shown or kept, style, 255)


def paint_readout(
    painter: QPainter, layout: MapLayout, cell: Cell, lines: Sequence[str], style: MapStyle
) -> None:
    """Write lines in a box at the bottom of a map; above the cell if it would cover that."""
    if not lines or not _inside(cell, layout):
        return
    u, px = style.unit, style.px(SMALL_PX)
    wide = max(text_width(line, px) for line in lines) + 18 * u
    high, step = (len(lines) * 1.45 + 0.9) * px, 1.45 * px
    around = layout.cell_box(*cell)
    room = painter.window()
    middle = layout.frame.x + layout.frame.w / 2
    x = min(max(middle - wide / 2, 4 * u), max(4 * u, room.width() - wide - 4 * u))
    y = min(layout.frame.bottom + 5 * u, room.height() - 2 * u - high)
    if y < around.bottom + 4 * u:
        y = around.y - 8 * u - high
    box = QRectF(x, max(y, 4 * u), wide, high)
    painter.setPen(_pen(style.tokens.crosshair, 255, style.unit))
    painter.setBrush(colour(style.background, 240))
    painter.drawRoundedRect(box, 4 * u, 4 * u)
    painter.setFont(bundled_font(px))
    painter.setPen(colour(style.tokens.text))
    for number, line in enumerate(lines):
        place = QRectF(box.x() + 9 * u, box.y() + 0.45 * px + number * step, box.width(), step)
        painter.drawText(place, LEFT, line)


def _inside(cell: Cell | None, layout: MapLayout) -> bool:
    if cell is None:
        return False
    return 0 <= cell[0] < layout.shape[0] and -1 <= cell[1] < layout.shape[1]


def _paint_cross(
    painter: QPainter, heatmap: Heatmap, layout: MapLayout, cell: Cell | None, style: MapStyle
) -> None:
    """Outline the row and the column and tint their labels."""
    if cell is None:
        return
    row, column = cell
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(style.tokens.crosshair, 255, style.unit))
    painter.drawRect(_outline(layout.row_box(row)))
    if column >= 0:
        painter.drawRect(_outline(layout.column_box(column)))
    _tint_row_label(painter, layout, heatmap.row_labels[row], row, style)
    if column >= 0:
        _tint_column_label(painter, layout, heatmap.column_labels[column], column, style)


def _paint_mark(painter: QPainter, layout: MapLayout, cell: Cell | None, style: MapStyle, alpha: int) -> None:
    """Outline the cell itself, or the whole row where no column is meant."""
    if cell is None:
        return
    box = layout.cell_box(*cell) if cell[1] >= 0 else layout.row_box(cell[0])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(style.tokens.mark, alpha, 2 * style.unit))
    painter.drawRect(QRectF(*box))


def _tint_row_label(painter: QPainter, layout: MapLayout, label: str, row: int, style: MapStyle) -> None:
    if not layout.rows.w:
        return
    px = max(1, round(layout.row_px))
    text = elided(label, px, int(layout.rows.w))
    middle = layout.frame.y + (row + 0.5) * layout.cell[1]
    width = text_width(text, px)
    left = layout.rows.right - width
    _tint(
        painter,
        QRectF(left, middle - 0.72 * px, width, 1.44 * px),
        text if row % layout.row_step else "",
        px,
        style,
    )


def _tint_column_label(
    painter: QPainter, layout: MapLayout, label: str, column: int, style: MapStyle
) -> None:
    u, px = style.unit, max(1, round(layout.column_px))
    middle = layout.frame.x + (column + 0.5) * layout.cell[0]
    room = slanted_room(layout, u) if layout.slanted else int(layout.cell[0])
    text = elided(label, px, room)
    width = text_width(text, px)
    hidden = text if column % layout.column_step else ""
    if not layout.slanted:
        box = QRectF(middle - width / 2, layout.frame.y - 1.72 * px - 1, width, 1.44 * px)
        _tint(painter, box, hidden, px, style)
        return
    painter.save()
    painter.translate(middle + px * 0.1, layout.frame.y - 5 * u)
    painter.rotate(-layout.slant)
    _tint(painter, QRectF(0, -0.72 * px, width, 1.44 * px), hidden, px, style)
    painter.restore()


def _tint(painter: QPainter, text_box: QRectF, hidden: str, px: int, style: MapStyle) -> None:
    """Tint a label; write it where it had been left out for want of room."""
    u = style.unit
    box = text_box.adjusted(-4 * u, 0, 4 * u, 0)
    painter.setPen(Qt.PenStyle.NoPen)
    if hidden:
        painter.setBrush(colour(style.background))
        painter.drawRect(box)
    painter.setBrush(colour(style.tokens.mark, 46))
    painter.drawRoundedRect(box, 3 * u, 3 * u)
    if hidden:
        painter.setFont(bundled_font(px))
        painter.setPen(colour(style.tokens.text))
        painter.drawText(text_box.adjusted(0, -px, px, px), LEFT, hidden)


def _outline(box: Box) -> QRectF:
    """Return a rectangle whose one-pixel line lies on the box's outermost pixels."""
    return QRectF(box.x - 0.5, box.y - 0.5, box.w, box.h)


@lru_cache(maxsize=32)
def _pen(name: str, alpha: int, width: float) -> QPen:
    pen = QPen(colour(name, alpha), width)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen

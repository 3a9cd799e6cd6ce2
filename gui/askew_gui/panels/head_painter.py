"""Paints a row of the list of heads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from askew_gui.panels.head_rows import ROW_ROLE
from askew_gui.theme import icon, tokens
from askew_gui.widgets.numbers import plain
from askew_gui.widgets.text_size import text_scale

if TYPE_CHECKING:
    from askew_gui.panels.head_rows import HeadRow, Index
    from askew_gui.theme import Tokens

ROW_HEIGHT = 20
NUMBER, ORIGIN, ICON = 33, 58, 13
SHARES = (25, 40, 35)  # of what the bars share, in per cent: their names need as much
SMALL = 0.88


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the parts of a row are, for a width."""

    number: QRect
    bars: tuple[QRect, ...]
    origin: QRect
    lock: QRect
    more: QRect

    @classmethod
    def of(cls, rect: QRect) -> Columns:
        """Share a row's rectangle among its parts."""
        scale = text_scale()
        left, top, height = rect.left() + 4, rect.top(), rect.height()
        number, origin_width = round(NUMBER * scale), round(ORIGIN * scale)
        more = QRect(rect.right() - ICON + 1, top, ICON, height)
        lock = QRect(more.left() - ICON, top, ICON, height)
        origin = QRect(lock.left() - origin_width, top, origin_width, height)
        x, room, bars = left + number, max(48, origin.left() - left - number), []
        for share in SHARES:
            bars.append(QRect(x, top, room * share // 100 - 5, height))
            x += room * share // 100
        return cls(QRect(left, top, number, height), tuple(bars), origin, lock, more)


class HeadDelegate(QStyledItemDelegate):
    """Paints a row; the bars of asymmetry are warm, as in the difference."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a row."""
        row: HeadRow = index.data(ROW_ROLE)
        rect = option.rect
        state = option.state
        view = option.widget
        colours = tokens(view.palette())
        columns = Columns.of(rect)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        current = bool(state & QStyle.StateFlag.State_HasFocus)
        painter.save()
        painter.setPen(Qt.PenStyle.NoPen)
        if row.selected or hovered:
            painter.fillRect(rect, QColor(colours.selection if row.selected else colours.hover))
        self._bars(painter, row, columns, colours)
        self._texts(painter, row, columns, colours)
        self._icons(painter, row, columns, colours, hovered or current)
        if current:
            painter.setPen(QColor(colours.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.restore()

    @staticmethod
    def _bars(painter: QPainter, row: HeadRow, columns: Columns, colours: Tokens) -> None:
        for number, (value, place) in enumerate(zip(row.bars, columns.bars, strict=True)):
            if value is None:
                continue
            length = max(2, round(min(max(value, 0.0), 1.0) * place.width()))
            top = place.center().y() - 2
            painter.setBrush(QColor(colours.bar_warm if number == 2 else colours.bar))
            painter.drawRoundedRect(place.left(), top, length, 6, 2, 2)

    @staticmethod
    def _texts(painter: QPainter, row: HeadRow, columns: Columns, colours: Tokens) -> None:
        vertical = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(colours.muted))
        for value, place in zip(row.bars, columns.bars, strict=True):
            if value is None:
                painter.drawText(place, vertical, plain(None))
        font, small = painter.font(), painter.font()
        small.setPointSizeF(font.pointSizeF() * SMALL)
        painter.setFont(small)
        room = columns.origin.width() - 2
        # The last digits of a long seed tell heads apart.
        side = Qt.TextElideMode.ElideLeft if row.origin[-1:].isdigit() else Qt.TextElideMode.ElideRight
        origin = painter.fontMetrics().elidedText(row.origin, side, room)
        painter.drawText(columns.origin, vertical, origin)
        font.setBold(row.selected)
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        painter.drawText(columns.number, vertical, str(row.number))

    @staticmethod
    def _icons(painter: QPainter, row: HeadRow, columns: Columns, colours: Tokens, active: bool) -> None:
        if row.locked or active:
            name = "unlock" if not row.locked else "lock" if row.is_locked else "lock-part"
            colour = colours.text if row.locked else colours.muted
            icon(name, colour).paint(painter, columns.lock.adjusted(1, 0, -1, 0))
        if active:
            icon("more", colours.muted).paint(painter, columns.more.adjusted(0, 0, -1, 0))

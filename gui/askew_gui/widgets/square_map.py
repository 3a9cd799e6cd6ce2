"""A small square map of values from 0 to 1, every item against every item, both counted from 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QHelpEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from askew_gui.theme import tokens
from askew_gui.widgets.labels import plain_tooltip
from askew_gui.widgets.shades import fills, inks

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from askew.arrays import Float64

BROADEST, NUMBERED, SMALLEST_LABELLED = 30.0, 26.0, 10.0
MARGIN = 20.0


class SquareMap(QWidget):
    """Paints (k, k) values; `explain(row, column)` gives the text of a cell on hover."""

    def __init__(self, explain: Callable[[int, int], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._explain = explain
        self.values: Float64 = np.zeros((0, 0))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, 100)

    def sizeHint(self) -> QSize:
        """Return a size for the side of a table."""
        return QSize(200, 200)

    def show_values(self, values: Float64, name: str) -> None:
        """Paint other values."""
        self.values = values
        self.setAccessibleName(name)
        self.update()

    def _cell(self) -> float:
        room = min(self.width(), self.height()) - MARGIN - 2
        return max(1.0, min(BROADEST, room / max(1, len(self.values))))

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return the cell under a point, or None."""
        cell, count = self._cell(), len(self.values)
        row, column = int((y - MARGIN) // cell), int((x - MARGIN) // cell)
        return (row, column) if 0 <= row < count and 0 <= column < count else None

    def event(self, event: QEvent) -> bool:
        """Explain the cell under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            found = self.cell_at(event.pos().x(), event.pos().y())
            if found is not None:
                QToolTip.showText(event.globalPos(), plain_tooltip(self._explain(*found)), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint labels and cells."""
        painter = QPainter(self)
        cell, colours = self._cell(), tokens(self.palette())
        font = QFont(self.font())
        font.setPixelSize(11)
        painter.setFont(font)
        painter.setPen(QColor(colours.muted))
        step = 1 if cell >= SMALLEST_LABELLED + 4 else int(-(-(SMALLEST_LABELLED + 6) // cell))
        for number in range(0, len(self.values), step):
            start = MARGIN + number * cell
            painter.drawText(
                QRectF(start - 8, 0, cell + 16, MARGIN), Qt.AlignmentFlag.AlignCenter, str(number)
            )
            left = QRectF(0, start - 8, MARGIN - 4, cell + 16)
            painter.drawText(left, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))
        self._paint_cells(painter, cell)

    def _paint_cells(self, painter: QPainter, cell: float) -> None:
        table, letters = fills("sequential"), inks("sequential")
        gap = 1.0 if cell >= SMALLEST_LABELLED else 0.0
        for row, line in enumerate(self.values):
            for column, value in enumerate(line):
                shade = round(min(max(float(value), 0.0), 1.0) * 255)
                place = QRectF(MARGIN + column * cell, MARGIN + row * cell, cell - gap, cell - gap)
                painter.fillRect(place, table[shade])
                if cell >= NUMBERED and row != column:
                    painter.setPen(letters[shade])
                    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{value:.2f}".lstrip("0") or "0")

"""A whole matrix as a picture, however large; a click says which cell is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from askew_gui.i18n import tr
from askew_gui.theme import tokens
from askew_gui.widgets.numbers import full_digits, plain
from askew_gui.widgets.shades import image, strongest
from askew_gui.widgets.text_size import changes_text_size

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QImage, QMouseEvent, QPaintEvent

    from askew.arrays import Float32

Block = tuple[int, int, int, int]

LEGEND = 18
BROADEST_CELL, NARROWEST_CELL = 24.0, 8.0
BROADEST, NARROWEST = 240, 112


class MatrixPicture(QWidget):
    """Paints a matrix, and a frame around the cells that the table beside it shows.

    Signals
    -------
    cell_clicked(row, column)
        Counted from 0.
    """

    cell_clicked = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._matrix: Float32 = np.zeros((0, 0), dtype=np.float32)
        self._picture: QImage | None = None
        self._room = (0, 0)
        self._framed: Block = (0, 0, 0, 0)
        self.setMinimumHeight(80)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_matrix(self, matrix: Float32, name: str) -> None:
        """Paint another matrix."""
        self._matrix, self._picture = matrix, None
        self._fit_width()
        self.setAccessibleName(tr("{} as a picture").format(name))
        self.update()

    def _legend(self) -> str:
        rows, columns = self._matrix.shape
        return f"{rows} × {columns} · ±{plain(strongest(self._matrix))}"

    def _fit_width(self) -> None:
        room = max(self._matrix.shape[1] * NARROWEST_CELL, NARROWEST)
        legend = self.fontMetrics().horizontalAdvance(self._legend()) + 4
        self.setFixedWidth(max(legend, round(min(room, BROADEST))))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._fit_width()

    def frame_cells(self, block: Block) -> None:
        """Frame the cells (row, column, rows, columns) that are on view elsewhere."""
        if block != self._framed:
            self._framed = block
            self.update()

    def area(self) -> QRectF:
        """Return where the matrix is painted: as large as fits, cells no broader than they need."""
        rows, columns = self._matrix.shape
        room = QRectF(self.rect()).adjusted(1, 1, -1, -1 - LEGEND)
        if not self._matrix.size or room.width() <= 0 or room.height() <= 0:
            return QRectF()
        height = min(room.height() / rows, BROADEST_CELL)
        width = min(room.width() / columns, max(height, NARROWEST_CELL), BROADEST_CELL)
        return QRectF(room.left(), room.top(), width * columns, height * rows)

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return the cell under a point, or None."""
        area = self.area()
        if not area.contains(x, y):
            return None
        rows, columns = self._matrix.shape
        row = int((y - area.top()) * rows / area.height())
        column = int((x - area.left()) * columns / area.width())
        return min(row, rows - 1), min(column, columns - 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Say which cell was clicked."""
        cell = self.cell_at(event.position().x(), event.position().y())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self.cell_clicked.emit(*cell)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what is under the pointer, and follow it while the button is down."""
        cell = self.cell_at(event.position().x(), event.position().y())
        if cell is None:
            self.setToolTip("")
            return
        place = tr("row {}, column {}").format(cell[0] + 1, cell[1] + 1)
        self.setToolTip(f"{place}: {full_digits(self._matrix[cell])}")
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.cell_clicked.emit(*cell)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cells, the frame and the legend."""
        painter = QPainter(self)
        area = self.area()
        if area.isEmpty():
            return
        ratio = self.devicePixelRatioF()
        room = (max(1, int(area.height() * ratio)), max(1, int(area.width() * ratio)))
        painter.drawImage(area, self._image(room))
        colours = tokens(self.palette())
        painter.setPen(QColor(colours.border))
        painter.drawRect(area)
        self._paint_frame(painter, area, QColor(colours.mark))
        painter.setPen(QColor(colours.muted))
        legend = QRectF(area.left(), area.bottom() + 2, self.width() - area.left(), LEGEND - 2)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
        painter.drawText(legend, left, self._legend())

    def _paint_frame(self, painter: QPainter, area: QRectF, colour: QColor) -> None:
        row, column, rows, columns = self._framed
        if not rows or (rows, columns) == self._matrix.shape:
            return
        height, width = area.height() / self._matrix.shape[0], area.width() / self._matrix.shape[1]
        frame = QRectF(
            area.left() + column * width, area.top() + row * height, columns * width, rows * height
        )
        painter.setPen(QPen(colour, 1.5))
        painter.drawRect(frame.intersected(area))

    def _image(self, room: tuple[int, int]) -> QImage:
        if self._picture is None or room != self._room:
            self._room = room
            self._picture = image(self._matrix, strongest(self._matrix), room)
        return self._picture

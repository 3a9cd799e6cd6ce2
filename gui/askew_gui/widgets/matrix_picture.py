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
    from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPaintEvent

    from askew.arrays import BoolArray, Float32
    from askew_gui.widgets.matrix_brush import Brush

Block = tuple[int, int, int, int]

LEGEND = 18
BROADEST_CELL, NARROWEST_CELL = 24.0, 8.0
BROADEST, NARROWEST = 240, 112


class MatrixPicture(QWidget):
    """Paints a matrix, and a frame around the cells that the table beside it shows.

    Signals
    -------
    cell_clicked(row, column)
        Counted from 0; with a brush no cell is told.
    stroked(cells)
        The brush has been over these cells, (rows, columns) bool, since the button went down.
    stroke_ended(kept)
        The button went up, or the stroke is to be taken back.
    """

    cell_clicked = Signal(int, int)
    stroked = Signal(object)
    stroke_ended = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._matrix: Float32 = np.zeros((0, 0), dtype=np.float32)
        self._picture: QImage | None = None
        self._room = (0, 0)
        self._framed: Block = (0, 0, 0, 0)
        self.brush: Brush | None = None
        self._stroke: BoolArray | None = None
        self._under: tuple[int, int] | None = None  # the cell the brush is on
        self._name = ""
        self.setMinimumHeight(80)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_matrix(self, matrix: Float32, name: str) -> None:
        """Paint another matrix; a stroke goes on over numbers of the same name and shape."""
        if self._stroke is not None and (matrix.shape, name) != (self._stroke.shape, self._name):
            self._end_stroke(kept=True)
        self._matrix, self._picture, self._name = matrix, None, name
        if self._stroke is None:
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

    def take_up(self, brush: Brush | None) -> None:
        """Paint with a brush from now on, or point at cells again."""
        self.brush = brush
        self.setCursor(Qt.CursorShape.PointingHandCursor if brush is None else Qt.CursorShape.CrossCursor)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if brush is None else Qt.FocusPolicy.ClickFocus)
        self.update()

    def _end_stroke(self, *, kept: bool) -> None:
        if self._stroke is not None:
            self._stroke = None
            self.stroke_ended.emit(kept)
            self._fit_width()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Say which cell was clicked, begin a stroke, or take one back."""
        cell = self.cell_at(event.position().x(), event.position().y())
        if event.button() == Qt.MouseButton.RightButton:
            self._end_stroke(kept=False)
        elif self.brush is not None:
            if cell is not None and event.button() == Qt.MouseButton.LeftButton:
                self._stroke = np.zeros(self._matrix.shape, dtype=np.bool_)
                self._brush_to(cell, cell)
        elif cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self.cell_clicked.emit(*cell)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what is under the pointer, and follow it while the button is down."""
        cell = self.cell_at(event.position().x(), event.position().y())
        if self._stroke is not None and not event.buttons() & Qt.MouseButton.LeftButton:
            self._end_stroke(kept=True)  # the button went up where no event came from
        if self.brush is not None:
            self._move_brush(cell)
            return
        if cell is None:
            self.setToolTip("")
            return
        place = tr("row {}, column {}").format(cell[0] + 1, cell[1] + 1)
        self.setToolTip(f"{place}: {full_digits(self._matrix[cell])}")
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.cell_clicked.emit(*cell)

    def _move_brush(self, cell: tuple[int, int] | None) -> None:
        before, self._under = self._under, cell
        if self._stroke is not None and cell is not None:
            self._brush_to(before or cell, cell)
        self.setToolTip("" if cell is None else self._brush_text(cell))
        self.update()

    def _brush_to(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        if self.brush is not None and self._stroke is not None:
            self._under = end
            self.brush.stroke(self._stroke, start, end)
            self.stroked.emit(self._stroke)

    def _brush_text(self, cell: tuple[int, int]) -> str:
        place = tr("row {}, column {}").format(cell[0] + 1, cell[1] + 1)
        return f"{place}: {full_digits(self._matrix[cell])}"

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a stroke."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._end_stroke(kept=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take a stroke back with Escape."""
        if event.key() == Qt.Key.Key_Escape and self._stroke is not None:
            self._end_stroke(kept=False)
        else:
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Show no brush outside."""
        self._under = None
        self.update()

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
        self._paint_brush(painter, area, QColor(colours.mark))
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

    def _paint_brush(self, painter: QPainter, area: QRectF, colour: QColor) -> None:
        """Show the cells under the brush as they will be."""
        if self.brush is None or self._under is None or not self._inside(self._under):
            return
        rows, columns = self.brush.block(self._under, (self._matrix.shape[0], self._matrix.shape[1]))
        height, width = area.height() / self._matrix.shape[0], area.width() / self._matrix.shape[1]
        box = QRectF(
            area.left() + columns.start * width,
            area.top() + rows.start * height,
            (columns.stop - columns.start) * width,
            (rows.stop - rows.start) * height,
        )
        cells = self._matrix[rows, columns]
        if self._stroke is None:  # else they are painted already
            cells = self.brush.painted(cells, np.ones(cells.shape, dtype=np.bool_))
        room = (max(1, int(box.height())), max(1, int(box.width())))
        painter.drawImage(box, image(cells, strongest(self._matrix), room))
        painter.setPen(QPen(colour, 1.5))
        least = max(0.0, 4 - box.height()) / 2
        painter.drawRect(box.adjusted(0, -least, 0, least))

    def _inside(self, cell: tuple[int, int]) -> bool:
        rows, columns = self._matrix.shape
        return bool(cell[0] < rows and cell[1] < columns)

    def _image(self, room: tuple[int, int]) -> QImage:
        if self._picture is None or room != self._room:
            self._room = room
            self._picture = image(self._matrix, strongest(self._matrix), room)
        return self._picture

"""The heads as a list: number, three small bars, origin and lock, one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from askew_gui.i18n import tr
from askew_gui.panels.head_painter import ROW_HEIGHT, SMALL, Columns, HeadDelegate
from askew_gui.panels.head_rows import HeadModel
from askew_gui.widgets.text_size import changes_text_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from askew_gui.panels.head_rows import HeadRow


class HeadList(QTableView):
    """All heads in one painted widget.

    A table of one column and not a `QListView`, which lays out and paints every row when one has changed.

    Signals
    -------
    chosen(head, extend)
        A head was clicked or walked to; with shift it joins those shown.
    lock_clicked(head)
        The lock of a head was clicked.
    menu_wanted(head, point)
        The menu of a head is wanted at a global point.
    """

    chosen = Signal(int, bool)
    lock_clicked = Signal(int)
    menu_wanted = Signal(int, QPoint)

    _STEPS: ClassVar = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heads = HeadModel(self)
        self.setModel(self.heads)
        self.setItemDelegate(HeadDelegate(self))
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Heads"))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # the panel scrolls as a whole
        self.setStyleSheet("QTableView { border: none; background: palette(window); }")

    def show_rows(self, rows: Sequence[HeadRow]) -> None:
        """Replace the rows; the list is as high as all of them."""
        count = len(self.heads.rows)
        self.heads.show_rows(rows)
        if len(rows) != count:
            self._fit_height()

    def _fit_height(self) -> None:
        height = max(ROW_HEIGHT, self.fontMetrics().height() + 3)
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        self.setFixedHeight(len(self.heads.rows) * height + 2)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._fit_height()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a head, or use its lock or its menu."""
        point = event.position().toPoint()
        index = self.indexAt(point)
        if not index.isValid() or event.button() != Qt.MouseButton.LeftButton:
            event.accept()
            return
        columns = Columns.of(self.visualRect(index))
        self.setCurrentIndex(index)
        if columns.lock.contains(point):
            self.lock_clicked.emit(index.row())
        elif columns.more.contains(point):
            self.menu_wanted.emit(index.row(), self.viewport().mapToGlobal(columns.more.bottomLeft()))
        else:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.chosen.emit(index.row(), extend)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take the second click of two as a click."""
        self.mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk with the arrows, extend with shift, lock with L."""
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        row = self.currentIndex().row()
        if key in self._STEPS:
            step = self._STEPS[Qt.Key(key)]
            target = min(max(row + step, 0), len(self.heads.rows) - 1)
            if target != row and target >= 0:
                self.setCurrentIndex(self.heads.index(target, 0))
                self.chosen.emit(target, shift)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and row >= 0:
            self.chosen.emit(row, shift)
        elif key == Qt.Key.Key_L and row >= 0 and not event.modifiers():
            self.lock_clicked.emit(row)
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of a head."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if not index.isValid():
            return
        self.setCurrentIndex(index)
        place = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
        self.menu_wanted.emit(index.row(), place)


class HeadListTitle(QWidget):
    """The names over the columns of the list."""

    def __init__(self, view: HeadList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._fit_height()
        self.setAccessibleName(tr("Columns: head, self weight, sharpness, asymmetry, origin"))
        self.setToolTip(
            tr("self: mean weight of a token on itself")
            + "\n"
            + tr("sharp: 1 is one key a row, 0 is all keys alike")
            + "\n"
            + tr("asym: 0 is symmetric scores, 1 purely skew ones")
        )

    def _fit_height(self) -> None:
        self.setFixedHeight(self.fontMetrics().height() + 4)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._fit_height()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the names."""
        painter = QPainter(self)
        width = self._view.viewport().width()
        columns = Columns.of(QRect(0, 0, width, self.height()))
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * SMALL)
        painter.setFont(font)
        painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
        names = (tr("self"), tr("sharp"), tr("asym."))
        vertical = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(columns.number, vertical, tr("head"))
        spare = (5, 5, columns.origin.width())  # nothing stands over the origin
        for name, place, more in zip(names, columns.bars, spare, strict=True):
            shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, place.width() + more)
            painter.drawText(place.adjusted(0, 0, more, 0), vertical, shown)

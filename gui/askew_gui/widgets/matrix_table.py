"""A matrix as a table of coloured cells that can be edited, copied and pasted into."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from askew_gui.i18n import tr
from askew_gui.theme import tokens
from askew_gui.widgets.matrix_menu import block_menu
from askew_gui.widgets.numbers import NotANumber, full_digits, parse_number, signed, table_text
from askew_gui.widgets.shades import fills, inks, shades, strongest
from askew_gui.widgets.text_size import changes_text_size, scaled_mono

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QContextMenuEvent

    from askew.arrays import Float32, IntArray
    from askew_gui.widgets.matrix_menu import Block

Index = QModelIndex | QPersistentModelIndex


class MatrixModel(QAbstractTableModel):
    """The numbers of a matrix; it asks for edits and never changes by itself.

    Signals
    -------
    edited(row, column, value)
        A person typed a number.
    refused(text)
        A person typed something else; nothing changes.
    """

    edited = Signal(int, int, float)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.matrix: Float32 = np.zeros((0, 0), dtype=np.float32)
        self.name = ""
        self.limit = 1.0
        self.indices: IntArray = np.zeros((0, 0), dtype=np.intp)

    def show_matrix(self, matrix: Float32, name: str) -> None:
        """Show another matrix; only the cells that differ are told as changed."""
        old, limit = self.matrix, strongest(matrix)
        if old.shape != matrix.shape or name != self.name:
            self.beginResetModel()
            self.matrix, self.name, self.limit = matrix, name, limit
            self.indices = shades(matrix, limit)
            self.endResetModel()
            return
        differ = np.argwhere(old != matrix)
        self.matrix = matrix
        if limit != self.limit:
            self.limit, self.indices = limit, shades(matrix, limit)
            self._tell((0, 0), (matrix.shape[0] - 1, matrix.shape[1] - 1))
        elif len(differ):
            rows, columns = differ[:, 0], differ[:, 1]
            self.indices[rows, columns] = shades(matrix[rows, columns], limit)
            self._tell(
                (int(rows.min()), int(columns.min())),
                (int(rows.max()), int(columns.max())),
            )

    def _tell(self, first: tuple[int, int], last: tuple[int, int]) -> None:
        if self.matrix.size:
            self.dataChanged.emit(self.index(*first), self.index(*last))

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of rows."""
        return 0 if parent is not None and parent.isValid() else int(self.matrix.shape[0])

    def columnCount(self, parent: Index | None = None) -> int:
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else int(self.matrix.shape[1])

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Every cell can be edited."""
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a cell as text; all digits of the float32 for editing and on hover."""
        value = self.matrix[index.row(), index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return signed(value)
        if role == Qt.ItemDataRole.EditRole:
            return full_digits(value)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            place = tr("{name}, row {row}, column {column}").format(
                name=self.name, row=index.row() + 1, column=index.column() + 1
            )
            return f"{place}: {full_digits(value)}"
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for an edit, or refuse what is no number."""
        if role != Qt.ItemDataRole.EditRole:
            return False
        try:
            number = parse_number(str(value))
        except NotANumber as error:
            place = tr("row {}, column {}").format(index.row() + 1, index.column() + 1)
            self.refused.emit(f"{place}: {error.what}")
            return False
        if np.float32(number) != self.matrix[index.row(), index.column()]:
            self.edited.emit(index.row(), index.column(), number)
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Rows and columns count from 1."""
        return section + 1 if role == Qt.ItemDataRole.DisplayRole else None


class MatrixDelegate(QStyledItemDelegate):
    """Paints a cell in its colour, with letters that can be read on it."""

    def __init__(self, model: MatrixModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._fills, self._inks = fills(), inks()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a cell."""
        model, row, column = self._model, index.row(), index.column()
        shade = model.indices[row, column]
        rect = option.rect
        painter.fillRect(rect, self._fills[shade])
        painter.setPen(self._inks[shade])
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, signed(model.matrix[row, column]))
        state = option.state
        if state & (QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_Selected):
            colours = tokens(option.widget.palette())
            focus = bool(state & QStyle.StateFlag.State_HasFocus)
            painter.setPen(QPen(QColor(colours.mark if focus else colours.accent), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return a line to type in."""
        editor = QLineEdit(parent)
        editor.setFont(scaled_mono())
        editor.setAlignment(Qt.AlignmentFlag.AlignCenter)
        editor.setAccessibleName(str(index.data(Qt.ItemDataRole.AccessibleTextRole)))
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Offer all digits."""
        if isinstance(editor, QLineEdit):
            editor.setText(str(index.data(Qt.ItemDataRole.EditRole)))
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: object, index: Index) -> None:
        """Hand over what was typed."""
        if isinstance(editor, QLineEdit):
            self._model.setData(index, editor.text())

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Give the line room for all digits."""
        rect = option.rect
        editor.setGeometry(rect.adjusted(0, 0, max(0, 96 - rect.width()), 0))


class MatrixTable(QTableView):
    """The view of a `MatrixModel`.

    Signals
    -------
    pasted(text, row, column)
        Text to be put in from that cell on.
    block_edited(kind, value, block)
        The numbers of a block (row, column, rows, columns) are to be set to a value ("set"), or multiplied
        by it ("scale").
    """

    pasted = Signal(str, int, int)
    block_edited = Signal(str, float, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.numbers = MatrixModel(self)
        self.setModel(self.numbers)
        self.setItemDelegate(MatrixDelegate(self.numbers, self))
        self.setFont(scaled_mono())
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(trigger.DoubleClicked | trigger.EditKeyPressed | trigger.AnyKeyPressed)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            header.setToolTip(tr("Click selects; right-click sets, multiplies, copies"))
        self.horizontalHeader().customContextMenuRequested.connect(self._column_menu)
        self.verticalHeader().customContextMenuRequested.connect(self._row_menu)
        self._size_cells()

    def _size_cells(self) -> None:
        metrics = QFontMetrics(scaled_mono())  # the widget's own may still be those of the old size
        size = QSize(metrics.horizontalAdvance("+00.000") + 8, metrics.height() + 8)
        for header, length in (
            (self.horizontalHeader(), size.width()),
            (self.verticalHeader(), size.height()),
        ):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setDefaultSectionSize(length)
            header.setHighlightSections(True)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if changes_text_size(event):
            if self.font() != scaled_mono():
                self.setFont(scaled_mono())
            self._size_cells()

    def block(self) -> tuple[int, int, int, int]:
        """Return the cells chosen as (row, column, rows, columns); the current cell if no more are."""
        ranges = self.selectionModel().selection()
        if not ranges.isEmpty():
            chosen = ranges.first()
            return chosen.top(), chosen.left(), chosen.height(), chosen.width()
        current = self.currentIndex()
        return max(current.row(), 0), max(current.column(), 0), 1, 1

    def show_cell(self, row: int, column: int) -> None:
        """Scroll to a cell and make it the current one."""
        index = self.numbers.index(row, column)
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def copy(self, block: Block | None = None) -> None:
        """Put the chosen cells, or those of a block, on the clipboard as a table."""
        row, column, rows, columns = block or self.block()
        cells = self.numbers.matrix[row : row + rows, column : column + columns]
        if cells.size:
            QGuiApplication.clipboard().setText(table_text(cells))

    def paste(self, block: Block | None = None) -> None:
        """Ask for the clipboard's table to be put in from the first chosen cell on, or that of a block."""
        row, column, _, _ = block or self.block()
        self.pasted.emit(QGuiApplication.clipboard().text(), row, column)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done to the chosen cells; a cell that is not of them is chosen first."""
        index = self.indexAt(event.pos())
        if index.isValid() and not self.selectionModel().isSelected(index):
            self.setCurrentIndex(index)
        if self.numbers.matrix.size:
            block_menu(self, self.block()).popup(event.globalPos())

    def _column_menu(self, where: QPoint) -> None:
        column = self.columnAt(where.x())
        if column >= 0:
            if not self.selectionModel().isColumnSelected(column, QModelIndex()):
                self.selectColumn(column)
            block_menu(self, self.block()).popup(self.horizontalHeader().mapToGlobal(where))

    def _row_menu(self, where: QPoint) -> None:
        row = self.rowAt(where.y())
        if row >= 0:
            if not self.selectionModel().isRowSelected(row, QModelIndex()):
                self.selectRow(row)
            block_menu(self, self.block()).popup(self.verticalHeader().mapToGlobal(where))

    def event(self, event: QEvent) -> bool:
        """Keep copy and paste from the window's own while the table has the focus."""
        if event.type() == QEvent.Type.ShortcutOverride and _copies_or_pastes(event):
            event.accept()
            return True
        return super().event(event)

    def _can_begin(self) -> bool:
        editing = self.state() == QAbstractItemView.State.EditingState  # its Return passes by here as well
        return self.currentIndex().isValid() and not editing

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, paste, clear and edit as in a spreadsheet."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.Paste):
            self.paste()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.block_edited.emit("set", 0.0, self.block())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._can_begin():
            self.edit(self.currentIndex())
        else:
            super().keyPressEvent(event)


def _copies_or_pastes(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and (
        event.matches(QKeySequence.StandardKey.Copy) or event.matches(QKeySequence.StandardKey.Paste)
    )

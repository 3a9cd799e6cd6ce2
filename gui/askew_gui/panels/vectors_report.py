"""The report of a vector file: every problem found in it, to be filtered and copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from askew_gui.i18n import tr
from askew_gui.opening_questions import ENCODINGS
from askew_gui.panels.vectors_report_texts import as_text, cells, columns, count_text, kind_text
from askew_gui.widgets.labels import PlainLabel, plain_tooltip
from askew_gui.widgets.text_size import changes_text_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent

    from askew.vectors.problems import Problem
    from askew.vectors.table import WordVectors

    Index = QModelIndex | QPersistentModelIndex

KIND, LINE, WORD, MESSAGE = range(4)
WIDTHS = {KIND: 110, LINE: 70, WORD: 130}
SIZE = (760, 420)


class ProblemModel(QAbstractTableModel):
    """A problem a row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._titles = columns()
        self.problems: Sequence[Problem] = ()

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show these."""
        self.beginResetModel()
        self.problems = problems
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """Return how many problems there are."""
        return 0 if parent is not None and parent.isValid() else len(self.problems)

    def columnCount(self, parent: Index | None = None) -> int:
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else len(self._titles)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a cell; lines sort as numbers."""
        problem = self.problems[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cells(problem)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(cells(problem)[index.column()])
        if role == Qt.ItemDataRole.UserRole:
            return (problem.line or 0) if index.column() == LINE else cells(problem)[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == LINE:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the titles."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None


class ProblemFilter(QSortFilterProxyModel):
    """Keeps the rows of one kind, or all, that hold a text anywhere."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = ""
        self.text = ""
        self.setSortRole(Qt.ItemDataRole.UserRole)

    def look_for(self, kind: str, text: str) -> None:
        """Keep other rows."""
        self.kind, self.text = kind, text.casefold()
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        """Tell whether a row is kept."""
        model = self.sourceModel()
        if not isinstance(model, ProblemModel):
            return False
        problem = model.problems[row]
        if self.kind and problem.kind != self.kind:
            return False
        return not self.text or any(self.text in cell.casefold() for cell in cells(problem))


class ProblemTable(QTableView):
    """Copies the selected rows, or all that are in sight."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        """Put rows onto the clipboard, with their titles if all of them."""
        chosen = sorted(index.row() for index in self.selectionModel().selectedRows())
        rows = [self._row(row) for row in chosen or range(self.model().rowCount())]
        QGuiApplication.clipboard().setText(as_text(rows if chosen else [columns(), *rows]))

    def _row(self, row: int) -> tuple[str, ...]:
        return tuple(str(self.model().index(row, column).data()) for column in range(len(columns())))


class ReportDialog(QDialog):
    """Stands beside the window while the work goes on.

    Signals
    -------
    encoding_chosen(name)
        The file is to be read again in that encoding.
    """

    encoding_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Report on the vectors"))
        self.setModal(False)
        self.resize(*SIZE)
        self.title = PlainLabel("", self, bold=True).shorten()
        self.origin = PlainLabel("", self, tone="muted").shorten()
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(tr("Kind of problem"))
        self.kind.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.text = QLineEdit(self)
        self.text.setPlaceholderText(tr("Filter by word, line or text"))
        self.text.setAccessibleName(tr("Filter"))
        self.text.setClearButtonEnabled(True)
        self.model = ProblemModel(self)
        self.filtered = ProblemFilter(self)
        self.filtered.setSourceModel(self.model)
        self.table = ProblemTable(self)
        self.nothing = PlainLabel(tr("No problems were found."), self, tone="muted")
        self.count = PlainLabel("", self, tone="muted")
        self.encoding = QComboBox(self)
        self.encoding.setAccessibleName(tr("Encoding of the text"))
        self.encoding.addItem(tr("Read as…"))
        self.encoding.addItems(list(ENCODINGS))
        self.encoding.activated.connect(self._on_encoding_activated)
        self.copy_button = QPushButton(tr("Copy"), self)
        self.close_button = QPushButton(tr("Close"), self)
        self._set_up_table()
        self._lay_out()
        self.kind.currentIndexChanged.connect(self._filter)
        self.text.textChanged.connect(self._filter)
        self.copy_button.clicked.connect(self.table.copy)
        self.close_button.clicked.connect(self.close)

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self.filtered)
        table.setAccessibleName(tr("Problems"))
        table.setSortingEnabled(True)
        table.sortByColumn(LINE, Qt.SortOrder.AscendingOrder)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.horizontalHeader().setStretchLastSection(True)
        table.horizontalHeader().setHighlightSections(False)
        for column, width in WIDTHS.items():
            table.setColumnWidth(column, width)
        self._fit_rows()

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self.kind)
        line.addWidget(self.text, 1)
        last = QHBoxLayout()
        last.addWidget(self.count, 1)
        last.addWidget(self.encoding)
        last.addWidget(self.copy_button)
        last.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(9)
        layout.addWidget(self.title)
        layout.addWidget(self.origin)
        layout.addLayout(line)
        layout.addWidget(self.nothing)
        layout.addWidget(self.table, 1)
        layout.addLayout(last)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._fit_rows()

    def _fit_rows(self) -> None:
        header = self.table.verticalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setDefaultSectionSize(self.fontMetrics().height() + 6)

    def show_vectors(self, vectors: WordVectors) -> None:
        """Show the report of a table."""
        self.title.setText(vectors.name)
        self.origin.setText(origin_text(vectors))
        self.model.show_problems(vectors.report)
        kinds = dict.fromkeys(problem.kind for problem in vectors.report)
        self.kind.blockSignals(True)
        self.kind.clear()
        self.kind.addItem(tr("all kinds"), "")
        for kind in kinds:
            self.kind.addItem(kind_text(kind), kind)
        self.kind.blockSignals(False)
        self.encoding.setCurrentIndex(0)
        self.encoding.setVisible(any(problem.kind == "encoding" for problem in vectors.report))
        found = bool(vectors.report)
        self.nothing.setVisible(not found)
        for widget in (self.kind, self.text, self.copy_button):
            widget.setEnabled(found)
        self._filter()

    def _on_encoding_activated(self, index: int) -> None:
        if index > 0:
            self.encoding_chosen.emit(self.encoding.currentText())

    def _filter(self, _what: object = None) -> None:
        self.filtered.look_for(str(self.kind.currentData() or ""), self.text.text())
        seen, there = self.filtered.rowCount(), len(self.model.problems)
        whole = count_text(self.model.problems) if there else ""
        self.count.setText(whole if seen == there else tr("{} of {}").format(f"{seen:,}", whole))


def origin_text(vectors: WordVectors) -> str:
    """Return what the file turned out to be, in a line."""
    origin = vectors.origin
    parts = [origin.format, *(tr("in {}").format(name) for name in origin.container)]
    text = " ".join(parts)
    if origin.header is not None:
        text += tr(", header “{}”").format(origin.header)
    return tr("{}, {} words of {} numbers").format(text, f"{len(vectors):,}", vectors.dim)

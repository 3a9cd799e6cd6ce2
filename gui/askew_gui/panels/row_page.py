"""The inspector's second page: a whole row, step by step, from scores to weights that sum to 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QHeaderView, QTableView, QVBoxLayout, QWidget

from askew_gui.i18n import tr
from askew_gui.panels.explanation import has_value, row_steps, token_text, why_nothing
from askew_gui.widgets.labels import PlainLabel, plain_tooltip
from askew_gui.widgets.numbers import NO_VALUE, full_digits, plain, signed
from askew_gui.widgets.text_size import changes_text_size, scaled_font, scaled_mono

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent

    from askew.evaluation import Evaluation

Index = QModelIndex | QPersistentModelIndex
Cells = list[tuple[str, list[float | None]]]


KEY_WIDTH = 48


class RowModel(QAbstractTableModel):
    """Keys down, steps across; the last line holds the sums."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.titles: list[str] = []
        self.rows: Cells = []
        self.signed_columns = 0
        self.marked = -1

    def show_rows(self, titles: list[str], rows: Cells, signed_columns: int, marked: int) -> None:
        """Replace everything; `signed_columns` columns after the key are written with their sign."""
        self.beginResetModel()
        self.titles, self.rows, self.signed_columns, self.marked = titles, rows, signed_columns, marked
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of keys and the line of sums."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Return the number of steps and the key."""
        return 0 if parent is not None and parent.isValid() else len(self.titles)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a cell."""
        name, numbers = self.rows[index.row()]
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return name if column == 0 else self._text(numbers[column - 1], column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(name) if column == 0 else self._full(numbers[column - 1])
        if role == Qt.ItemDataRole.TextAlignmentRole and column > 0:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.FontRole:
            font = QFont() if column == 0 else scaled_mono(0.85)
            font.setBold(index.row() == self.marked and column == 0)
            return font
        return None

    def _text(self, value: float | None, column: int) -> str:
        if value is None:
            return ""
        if np.isneginf(value):
            return "−∞"
        if np.isnan(value):
            return NO_VALUE
        return signed(value, 2) if column <= self.signed_columns else plain(value)

    @staticmethod
    def _full(value: float | None) -> str:
        return "" if value is None or not np.isfinite(value) else full_digits(value)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the names of the steps."""
        if role == Qt.ItemDataRole.TextAlignmentRole and section == 0:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.titles[section]
        return None


def _logit_title(masked: bool, divided: bool) -> str:
    if masked and divided:
        return tr("masked\n÷ T")
    return tr("masked") if masked else "÷ T"


class RowPage(QWidget):
    """The table of one row, with the formula above it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = PlainLabel("", self, bold=True).shorten()
        self.note = PlainLabel("", self, tone="muted")
        self.note.setWordWrap(True)
        self.steps = RowModel(self)
        self.table = QTableView(self)
        self.table.setModel(self.steps)
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setStyleSheet("QTableView { border: none; background: palette(window); }")
        self.table.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        )
        self.table.setSelectionMode(QTableView.SelectionMode.NoSelection)
        self.table.setWordWrap(False)
        self.table.setAccessibleName(tr("Steps of the row"))
        self.table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 4)
        self.table.horizontalHeader().setFont(scaled_font(0.88))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 6, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.title)
        layout.addWidget(self.note)
        layout.addWidget(self.table, 1)
        layout.addStretch(0)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if changes_text_size(event):
            self.table.verticalHeader().setDefaultSectionSize(QFontMetrics(scaled_font()).height() + 4)
            self.table.horizontalHeader().setFont(scaled_font(0.88))
            self._size_columns()

    def show_row(self, evaluation: Evaluation, i: int, j: int) -> None:
        """Show row `i`; the key `j` is set in bold."""
        selected = evaluation.experiment.selected
        title = tr("row {row}, “{word}”").format(row=i + 1, word=token_text(evaluation, i))
        known = has_value(evaluation, i)
        self.table.setVisible(known)
        if not known:
            self.title.setText(title)
            self.note.setText(why_nothing(evaluation, i))
        elif len(selected) == 1:
            self.title.setText(title + tr(", head {}").format(selected[0]))
            self.note.setText(tr("weight = exp(score − largest) / Σ exp"))
            self._show_steps(evaluation, selected[0], i, j)
        else:
            self.title.setText(title)
            self.note.setText(tr("mean of the heads, then the weights of each"))
            self._show_heads(evaluation, i, j)
        self._size_columns()

    def _show_steps(self, evaluation: Evaluation, number: int, i: int, j: int) -> None:
        steps = row_steps(evaluation, number, i)
        experiment = evaluation.experiment
        changed = evaluation.mask is not None or experiment.temperature != 1
        rows: Cells = []
        for step in steps:
            middle = [step.logit] if changed else []
            rows.append((step.key, [step.score, *middle, step.exponential, step.weight]))
        nothing: list[float | None] = [None] * (2 if changed else 1)
        sums = [sum(step.exponential for step in steps), float(np.nansum([step.weight for step in steps]))]
        rows.append(("Σ", [*nothing, *sums]))
        logit = _logit_title(evaluation.mask is not None, experiment.temperature != 1)
        titles = [tr("key"), tr("score"), *([logit] if changed else []), tr("exp"), tr("weight")]
        self.steps.show_rows(titles, rows, 2 if changed else 1, j)

    def _show_heads(self, evaluation: Evaluation, i: int, j: int) -> None:
        selected = sorted(evaluation.experiment.selected)
        patterns = np.array([evaluation.heads[h].pattern[i] for h in selected])
        columns = [patterns.mean(axis=0), *patterns]  # the mean first: of many heads not all are in view
        rows: Cells = [
            (token_text(evaluation, key), [float(column[key]) for column in columns])
            for key in range(len(evaluation.tokens))
        ]
        rows.append(("Σ", [float(np.nansum(column)) for column in columns]))
        titles = [tr("key"), tr("mean"), *(tr("head {}").format(h) for h in selected)]
        self.steps.show_rows(titles, rows, 0, j)

    def _size_columns(self) -> None:
        header = self.table.horizontalHeader()
        header.setMinimumSectionSize(KEY_WIDTH)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)  # the key takes what the numbers leave

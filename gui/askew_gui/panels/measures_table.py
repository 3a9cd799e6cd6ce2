"""The measures of all heads as a table: a head a row, a measure a column."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from askew.measure_texts import MEASURES
from askew.measures import Energy, Measures, Sink
from askew_gui.i18n import tr
from askew_gui.widgets.labels import plain_tooltip
from askew_gui.widgets.numbers import NO_VALUE, plain
from askew_gui.widgets.text_size import scaled_mono

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from askew.measure_texts import MeasureText

Index = QModelIndex | QPersistentModelIndex
TITLE_WIDTH = 13


class MeasuresModel(QAbstractTableModel):
    """One row a head, in the order of `MEASURES`; what is undefined is a dash."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.measures: tuple[Measures, ...] = ()
        self.selected: tuple[int, ...] = ()

    def show_measures(self, measures: Sequence[Measures], selected: Sequence[int]) -> None:
        """Replace the numbers; the heads that are shown in the maps are set in bold."""
        old = len(self.measures)
        if old != len(measures):
            self.beginResetModel()
        self.measures, self.selected = tuple(measures), tuple(selected)
        if old != len(measures):
            self.endResetModel()
        elif measures:
            self.dataChanged.emit(self.index(0, 0), self.index(old - 1, len(MEASURES) - 1))
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, old - 1)

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of heads."""
        return 0 if parent is not None and parent.isValid() else len(self.measures)

    def columnCount(self, parent: Index | None = None) -> int:
        """Return the number of measures."""
        return 0 if parent is not None and parent.isValid() else len(MEASURES)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a cell: three decimals, all digits on hover."""
        measure = MEASURES[index.column()]
        value = getattr(self.measures[index.row()], measure.key)
        if role == Qt.ItemDataRole.DisplayRole:
            return short_text(value)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            head = tr("head {}").format(index.row())
            return plain_tooltip(f"{head} · {measure.title}: {long_text(value)}\n{_about(measure)}")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignCenter
        if role == Qt.ItemDataRole.FontRole:
            font = scaled_mono(0.9)
            font.setBold(index.row() in self.selected)
            return font
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the name of a measure, its formula and meaning on hover; heads count from 0."""
        if orientation == Qt.Orientation.Vertical:
            if role == Qt.ItemDataRole.FontRole:
                font = QFont()
                font.setBold(section in self.selected)
                return font
            return tr("head {}").format(section) if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return "\n".join(textwrap.wrap(MEASURES[section].title, TITLE_WIDTH))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(f"{MEASURES[section].title}\n{_about(MEASURES[section])}")
        return None

    def table_text(self) -> str:
        """Return the whole table for a spreadsheet, a column for each number."""
        titles = [title for measure in MEASURES for title in _titles(measure)]
        lines = ["\t".join(["head", *titles])]
        for number, measures in enumerate(self.measures):
            cells = [cell for measure in MEASURES for cell in _cells(getattr(measures, measure.key))]
            lines.append("\t".join([str(number), *cells]))
        return "\n".join(lines)


def short_text(value: float | Sink | Energy | None) -> str:
    """Return a value as a cell shows it."""
    if isinstance(value, Sink):
        return NO_VALUE if value.value is None else f"{value.token} {plain(value.value)}"
    if isinstance(value, Energy):
        parts = (value.row, value.column, value.pairing)
        return NO_VALUE if value.row is None else " · ".join(plain(part, 2) for part in parts)
    return plain(value)


def long_text(value: float | Sink | Energy | None) -> str:
    """Return a value with all its digits."""
    if isinstance(value, Sink):
        if value.value is None or value.index is None:
            return tr("undefined")
        return tr("{token}, column {column}: {value}").format(
            token=value.token, column=value.index + 1, value=f"{value.value:.6f}"
        )
    if isinstance(value, Energy):
        if value.row is None or value.column is None or value.pairing is None:
            return tr("undefined")
        return tr("row {row}, column {column}, pairing {pairing}").format(
            row=f"{value.row:.6f}", column=f"{value.column:.6f}", pairing=f"{value.pairing:.6f}"
        )
    return tr("undefined") if value is None else f"{value:.6f}"


def _about(measure: MeasureText) -> str:
    return f"{measure.formula}\n{measure.explanation}"


def _titles(measure: MeasureText) -> tuple[str, ...]:
    if measure.key == "sink":
        return measure.title, tr("Sink token")
    if measure.key == "energy":
        return tr("Row energy"), tr("Column energy"), tr("Pairing energy")
    return (measure.title,)


def _cells(value: float | Sink | Energy | None) -> tuple[str, ...]:
    if isinstance(value, Sink):
        return _number(value.value), (value.token or "").replace("\t", " ")
    if isinstance(value, Energy):
        return _number(value.row), _number(value.column), _number(value.pairing)
    return (_number(value),)


def _number(value: float | None) -> str:
    return "" if value is None else repr(value)

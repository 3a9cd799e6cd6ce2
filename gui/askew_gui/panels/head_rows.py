"""What each row of the list of heads says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from askew.heads import PARTS
from askew_gui.i18n import tr
from askew_gui.widgets.labels import plain_tooltip
from askew_gui.widgets.numbers import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from askew.heads import Part

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class HeadRow:
    """What a row shows; a bar that is None has no value. `shares` are other heads with the same W_k.

    `files` says from which files an imported head comes, where there is more room than in the row.
    """

    number: int
    self_weight: float | None
    sharpness: float | None
    asymmetry: float | None
    origin: str
    locked: frozenset[Part]
    selected: bool
    shares: tuple[int, ...] = ()
    files: str = ""

    @property
    def is_locked(self) -> bool:
        """Whether the whole head is locked."""
        return len(self.locked) == len(PARTS)

    @property
    def bars(self) -> tuple[float | None, float | None, float | None]:
        """Lengths of the bars, 0 to 1."""
        return self.self_weight, self.sharpness, self.asymmetry

    def spoken(self) -> str:
        """Return the row as a screen reader says it."""
        states = [tr("shown")] * self.selected + [text for text in (self.lock_text(),) if text]
        text = tr("head {number}, self weight {self}, sharpness {sharp}, asymmetry {asym}, {origin}").format(
            number=self.number,
            self=plain(self.self_weight, 2),
            sharp=plain(self.sharpness, 2),
            asym=plain(self.asymmetry, 2),
            origin=self.files or self.origin,
        )
        return ", ".join([text, *states])

    def lock_text(self) -> str:
        """Return what of the head is locked, or nothing."""
        if self.is_locked or not self.locked:
            return tr("locked") if self.locked else ""
        return tr("{} locked").format(", ".join(f"W_{part}" for part in PARTS if part in self.locked))


class HeadModel(QAbstractTableModel):
    """The rows; only those that differ are told as changed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[HeadRow, ...] = ()

    def show_rows(self, rows: Sequence[HeadRow]) -> None:
        """Replace the rows."""
        old, self.rows = self.rows, tuple(rows)
        if len(old) != len(self.rows):
            self.beginResetModel()
            self.endResetModel()
            return
        for number, (before, after) in enumerate(zip(old, self.rows, strict=True)):
            if before != after:
                self.dataChanged.emit(self.index(number, 0), self.index(number, 0))

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of heads."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Return 1: the delegate paints the whole row."""
        return 0 if parent is not None and parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a row, its number, its spoken text or its tooltip."""
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return str(row.number)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.spoken()
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self._tooltip(row))
        return None

    @staticmethod
    def _tooltip(row: HeadRow) -> str:
        first = (tr("head {}").format(row.number), row.files or row.origin, row.lock_text())
        lines = [
            " · ".join(filter(None, first)),
            tr("self weight {}").format(plain(row.self_weight)),
            tr("sharpness {}").format(plain(row.sharpness)),
            tr("asymmetry {}").format(plain(row.asymmetry)),
        ]
        if row.shares:
            others = ", ".join(map(str, row.shares))
            one = len(row.shares) == 1
            lines.append(
                (tr("W_k shared with head {}") if one else tr("W_k shared with heads {}")).format(others)
            )
        return "\n".join(lines)

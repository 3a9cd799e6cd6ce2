"""Which cell the pointer is on and which is locked: shared by all maps, chips and the inspector."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

Cell = tuple[int, int]


class Focus(QObject):
    """The hovered and the locked cell, as (query, key); a locked row alone has key -1."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hovered: Cell | None = None
        self._locked: Cell | None = None

    @property
    def hovered(self) -> Cell | None:
        """Cell under the pointer."""
        return self._hovered

    @property
    def locked(self) -> Cell | None:
        """Cell that stays when the pointer goes."""
        return self._locked

    @property
    def cell(self) -> Cell | None:
        """Cell to explain: the hovered one, else the locked one."""
        return self._hovered or self._locked

    def hover(self, cell: Cell | None) -> None:
        """Set the hovered cell."""
        if cell != self._hovered:
            self._hovered = cell
            self.changed.emit()

    def lock(self, cell: Cell | None) -> None:
        """Lock a cell, or unlock with None."""
        if cell != self._locked:
            self._locked = cell
            self.changed.emit()

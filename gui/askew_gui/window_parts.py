"""Small parts of the window, and what a drop or a turn of the wheel over any of it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QDropEvent, QWheelEvent


class Slot(QWidget):
    """The place of a panel that comes later."""

    def __init__(self, least: int) -> None:
        super().__init__()
        self._least = least
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)

    def scale(self, scale: float) -> None:
        """Keep so many times the least width."""
        self.setMinimumWidth(round(self._least * scale))

    def put(self, panel: QWidget) -> None:
        """Show a panel here."""
        self._layout.addWidget(panel)
        panel.show()


def rule() -> QFrame:
    """Return a thin line between parts."""
    line = QFrame()
    line.setProperty("rule", True)
    line.setFixedHeight(1)
    return line


def stacked(*parts: QWidget, growing: QWidget) -> QWidget:
    """Return a page of parts one below the other without gaps; `growing` takes the room that is left."""
    page = QWidget()
    layout = QVBoxLayout(page)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for part in parts:
        layout.addWidget(part, 1 if part is growing else 0)
    return page


def dropped_file(event: QDropEvent) -> str:
    """Return the path of the last file that is being dropped, or ""; the last one wins."""
    paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
    return paths[-1] if paths else ""


def text_step(event: QWheelEvent) -> int:
    """Return 1 if a turn of the wheel asks for larger text, -1 for smaller, 0 for something else."""
    if event.modifiers() != Qt.KeyboardModifier.ControlModifier:
        return 0
    turn = event.angleDelta().y()
    return (turn > 0) - (turn < 0)

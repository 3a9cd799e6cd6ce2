"""A small field over a chip, to replace a token or to say where to split it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from askew_gui.i18n import tr

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QFocusEvent, QKeyEvent

Purpose = Literal["replace", "split"]


class ChipEditor(QLineEdit):
    """Opens over a chip; Enter finishes, Esc and a click elsewhere give up.

    Signals
    -------
    finished(purpose, text)
        Enter was pressed.
    """

    finished = Signal(str, str)

    def __init__(self, chips: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._chips = chips
        self._purpose: Purpose = "replace"
        self.hide()

    def open_over(self, place: QRect, purpose: Purpose, text: str) -> None:
        """Show the field over a chip, in the coordinates of the parent."""
        self._purpose = purpose
        if purpose == "split":
            self.setAccessibleName(tr("Put a blank where the token is to be split"))
        else:
            self.setAccessibleName(tr("Word to use instead"))
        self.setToolTip(self.accessibleName())
        self.setText(text)
        width = max(place.width() + 24, 150)
        height = max(place.height(), self.sizeHint().height())
        x = min(place.x(), max(0, self._chips.geometry().right() - width))
        self.setGeometry(x, place.center().y() - height // 2, width, height)
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        if purpose == "replace":
            self.selectAll()
        else:
            self.setCursorPosition(len(text) // 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._give_up()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            text = self.text()
            self._give_up()
            self.finished.emit(self._purpose, text)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.hide()

    def _give_up(self) -> None:
        self.hide()
        self._chips.setFocus()

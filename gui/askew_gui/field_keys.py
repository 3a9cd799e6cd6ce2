"""Keys that belong to the window although a field has the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QAbstractSpinBox, QLineEdit, QWidget

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

# Fields on X11 would take it for the key End.
_EXPORT = QKeyCombination(Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_E)


class FieldKeys(QObject):
    """Lets Ctrl+Z, Ctrl+Y and Ctrl+E reach the window also from the fields of its panels.

    Fields in dialogs and cells of tables keep an undo of their own: what is typed there is not yet part of
    the experiment. Only the field with the focus is watched.
    """

    def __init__(self, app: QApplication, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._watched: QWidget | None = None
        app.focusChanged.connect(self._on_focus_changed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and _is_for_window(event)
        ):
            event.ignore()  # so that it is taken for a shortcut
            return True
        return super().eventFilter(watched, event)

    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self._watched is not None:
            self._watched.removeEventFilter(self)
            self._watched = None
        if isinstance(new, QAbstractSpinBox | QLineEdit) and self._belongs_here(new):
            new.installEventFilter(self)
            self._watched = new

    def _belongs_here(self, field: QWidget) -> bool:
        above: QWidget | None = field
        while above is not None and above is not self._window:
            if isinstance(above, QAbstractItemView) or above.isWindow():
                return False
            above = above.parentWidget()
        return above is self._window


def _is_for_window(event: QKeyEvent) -> bool:
    if event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo):
        return True
    return event.keyCombination() == _EXPORT

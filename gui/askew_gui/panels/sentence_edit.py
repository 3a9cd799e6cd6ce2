"""The sentence as it is typed: one line, with no memory of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from askew_gui.i18n import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent
    from PySide6.QtWidgets import QMenu

_BREAKS = re.compile(r"\r\n|[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]")


class SentenceEdit(QLineEdit):
    """A line of text that tells every change with a merge key for undo.

    Signals
    -------
    typed(text, merge_key)
        The person changed the text. Changes inside one word share a key; a paste has the key "".
    shortened(length)
        More was typed or pasted than the field holds; only so many letters are left.
    finished()
        Enter or Esc: the person is done with the sentence.
    """

    typed = Signal(str, str)
    shortened = Signal(int)
    finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self.setPlaceholderText(tr("Type a sentence"))
        self.setAccessibleName(tr("Sentence"))
        self.setMinimumWidth(80)
        self.setTextMargins(6, 4, 6, 4)
        self.setProperty("sentence", True)
        self.textEdited.connect(self._on_edited)
        self.inputRejected.connect(self._on_rejected)

    def show_text(self, text: str) -> None:
        """Show a text that came from elsewhere; the cursor goes to the end of what is new."""
        if text == self.text():
            self._shown = text
            return
        end = _end_of_change(self.text(), text)
        self._shown = text
        with QSignalBlocker(self):
            self.setText(text)
        self.setCursorPosition(_utf16(text[:end]))

    def event(self, event: QEvent) -> bool:
        # Undo, redo and a copy without a selection belong to the window.
        if event.type() == QEvent.Type.ShortcutOverride and self._is_for_window(cast("QKeyEvent", event)):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_for_window(event):
            event.ignore()
        elif _is_backspace(event) and not self.hasSelectedText():
            self.cursorBackward(True)  # by whole grapheme clusters; the built-in Backspace takes code points
            self.insert("")
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.finished.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.context_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def context_menu(self) -> QMenu:
        """Return the usual menu of a field without its undo."""
        menu = self.createStandardContextMenu()
        for action in menu.actions()[:3]:  # undo, redo and the line after them
            menu.removeAction(action)
        return menu

    def _is_for_window(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.Copy):
            return not self.hasSelectedText()
        return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)

    def _on_rejected(self) -> None:
        self.shortened.emit(self.maxLength())

    def _on_edited(self, text: str) -> None:
        clean = _BREAKS.sub(" ", text)
        if clean != text:
            cursor = len(_BREAKS.sub(" ", _head(text, self.cursorPosition())))
            with QSignalBlocker(self):
                self.setText(clean)
            self.setCursorPosition(_utf16(clean[:cursor]))
        before, self._shown = self._shown, clean
        if clean != before:
            self.typed.emit(clean, merge_key(before, clean))


def _is_backspace(event: QKeyEvent) -> bool:
    plain = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
    return event.key() == Qt.Key.Key_Backspace and event.modifiers() in plain


def merge_key(before: str, after: str) -> str:
    """Return the key under which a change of the text merges with its neighbours; "" for none.

    One typed letter belongs to the word it is in, a blank to the word before it; letters taken away one by
    one belong together word by word. Anything larger is a step of its own.
    """
    end = _end_of_change(before, after)
    grown = len(after) - len(before)
    if grown > 0 and len(after[end - grown : end].split()) <= 1 and grown <= 2:
        return f"type:{len(after[:end].split())}"
    if -2 <= grown < 0:
        return f"delete:{len(before[: end - grown].split())}"
    return ""


def _end_of_change(before: str, after: str) -> int:
    """Return where in `after` the part that both texts end with begins."""
    shorter = min(len(before), len(after))
    start = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    same = 0
    while same < shorter - start and before[-1 - same] == after[-1 - same]:
        same += 1
    return len(after) - same


def _utf16(text: str) -> int:
    """Return the length of a text as Qt counts it."""
    return len(text) + sum(character > "\uffff" for character in text)


def _head(text: str, length: int) -> str:
    """Return the first `length` UTF-16 units of a text."""
    return text.encode("utf-16-le", "surrogatepass")[: 2 * length].decode("utf-16-le", "surrogatepass")

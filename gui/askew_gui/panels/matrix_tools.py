"""Buttons for the matrix on view: its lock, and the biases of its head."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from askew.heads import PARTS
from askew_gui import intents
from askew_gui.i18n import tr
from askew_gui.theme import icon, tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askew.heads import Head, Part
    from askew_gui.store import Store


class MatrixTools(QWidget):
    """Locks the matrix on view with its bias; adds biases of zeros, and takes the bias on view away."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._head, self._letter = 0, PARTS[0]
        self.lock, self.add_biases, self.remove_bias = (QPushButton(self) for _ in range(3))
        self.add_biases.setText(tr("Add biases"))
        self.add_biases.setToolTip(tr("Give the head the biases it has not: zeros, to be edited"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        for button in (self.lock, self.add_biases, self.remove_bias):
            layout.addWidget(button, 1)
        self._buttons: Mapping[str, QPushButton] = {}
        self._locked: frozenset[Part] | None = None
        self._drawn: object = None
        self.lock.clicked.connect(self._toggle_lock)
        self.add_biases.clicked.connect(self._add)
        self.remove_bias.clicked.connect(self._remove)

    def show_part(self, number: int, head: Head, part: str, buttons: Mapping[str, QPushButton]) -> None:
        """Follow the head and the matrix or bias on view; `buttons` of the parts carry locks."""
        self._head = number
        self._letter = next(letter for letter in PARTS if part.endswith(letter))
        self._buttons, self._locked = buttons, head.locked
        matrix = f"W_{self._letter}"
        locked = self._letter in head.locked
        self.lock.setText(tr("Unlock {}").format(matrix) if locked else tr("Lock {}").format(matrix))
        self.lock.setToolTip(tr("A locked matrix, and its bias, stays when heads are drawn anew"))
        self._draw_locks()
        missing = any(bias is None for bias in (head.b_q, head.b_k, head.b_v))
        self.add_biases.setVisible(missing and not part.startswith("b"))
        self.remove_bias.setVisible(part.startswith("b"))
        self.remove_bias.setText(tr("Remove {}").format(part))
        self.remove_bias.setToolTip(tr("Take this bias away; undo brings it back"))

    def _draw_locks(self) -> None:
        """Draw the locks in the colour of the text beside them."""
        colours, locked = tokens(self.palette()), self._locked or frozenset()
        checked = [name for name, button in self._buttons.items() if button.isChecked()]
        drawn = (colours, locked, self._letter, checked)
        if drawn == self._drawn:  # an edit of numbers draws no icon
            return
        self._drawn = drawn
        self.lock.setIcon(icon("lock" if self._letter in locked else "unlock", colours.text))
        for name, button in self._buttons.items():
            closed = name.startswith("w") and name[-1] in locked
            ink = colours.on_accent if button.isChecked() else colours.text
            button.setIcon(icon("lock", ink) if closed else QIcon())
            button.setToolTip(tr("W_{} is locked").format(name[-1]) if closed else "")

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._locked is not None:
            self._draw_locks()

    @Slot()
    def _toggle_lock(self) -> None:
        intents.toggle_lock(self._store, self._head, (self._letter,))

    @Slot()
    def _add(self) -> None:
        intents.add_biases(self._store, self._head)

    @Slot()
    def _remove(self) -> None:
        part: Part = self._letter
        label = tr("removing of b_{}").format(part)
        intents.set_bias(self._store, self._head, part, None, label)

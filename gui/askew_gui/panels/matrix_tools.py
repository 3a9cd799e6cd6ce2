"""Buttons for the matrix on view: its lock, and the biases of its head."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

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
        self.lock.setCheckable(True)
        self.add_biases.setText(tr("Add biases"))
        self.add_biases.setToolTip(tr("Give the head the biases it has not: zeros, to be edited"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        for button in (self.lock, self.add_biases, self.remove_bias):
            layout.addWidget(button)
        self.lock.clicked.connect(self._toggle_lock)
        self.add_biases.clicked.connect(self._add)
        self.remove_bias.clicked.connect(self._remove)

    def show_part(self, number: int, head: Head, part: str, buttons: Mapping[str, QPushButton]) -> None:
        """Follow the head and the matrix or bias on view; `buttons` of the parts carry locks."""
        self._head = number
        self._letter = next(letter for letter in PARTS if part.endswith(letter))
        matrix, locked = f"W_{self._letter}", self._letter in head.locked
        self.lock.setChecked(locked)
        self.lock.setText(tr("Unlock {}").format(matrix) if locked else tr("Lock {}").format(matrix))
        self.lock.setToolTip(tr("A locked matrix, and its bias, stays when heads are drawn anew"))
        self.lock.setIcon(icon("unlock" if locked else "lock", self._ink))
        for name, button in buttons.items():
            closed = name.startswith("w") and name[-1] in head.locked
            button.setIcon(icon("lock", self._ink) if closed else QIcon())
            button.setToolTip(tr("W_{} is locked").format(name[-1]) if closed else "")
        self.add_biases.setVisible(any(bias is None for bias in (head.b_q, head.b_k, head.b_v)))
        self.remove_bias.setVisible(part.startswith("b"))
        self.remove_bias.setText(tr("Remove {}").format(part))
        self.remove_bias.setToolTip(tr("Take this bias away; undo brings it back"))

    @property
    def _ink(self) -> str:
        return tokens(self.palette()).text

    def changeEvent(self, event: QEvent) -> None:
        """Draw the locks in the colour of the text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.lock.text():
            self.lock.setIcon(icon("unlock" if self.lock.isChecked() else "lock", self._ink))

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

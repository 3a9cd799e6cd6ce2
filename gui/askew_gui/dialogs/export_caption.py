"""The caption of a picture: written from the state until a person writes it, under the picture or copied."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from askew.captions import caption_as
from askew_gui.i18n import tr
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from askew.captions import CaptionForm

LINES = 4


class CaptionBox(QWidget):
    """The caption with its buttons.

    Signals
    -------
    changed()
        What stands under the picture is another.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._written = ""
        self.shown = QCheckBox(tr("Caption &under the picture"), self)
        self.edit = QPlainTextEdit(self)
        self.edit.setAccessibleName(tr("Caption"))
        self.edit.setTabChangesFocus(True)
        self.edit.setFixedHeight(self.edit.fontMetrics().lineSpacing() * LINES + 22)
        self.anew = QPushButton(tr("Write anew"), self)
        self.anew.clicked.connect(self._write_anew)
        self.copies: dict[CaptionForm, QPushButton] = {}
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(PlainLabel(tr("Copy as"), self, tone="muted"))
        forms: dict[CaptionForm, str] = {
            "plain": tr("Text"),
            "latex": tr("LaTeX"),
            "markdown": tr("Markdown"),
        }
        for form, text in forms.items():
            self.copies[form] = QPushButton(text, self)
            self.copies[form].clicked.connect(partial(self._copy, form))
            self.copies[form].setAutoDefault(False)
            row.addWidget(self.copies[form])
        row.addStretch(1)
        self.anew.setAutoDefault(False)
        row.addWidget(self.anew)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.shown)
        layout.addWidget(self.edit)
        layout.addLayout(row)
        self.shown.toggled.connect(self._tell)
        self.edit.textChanged.connect(self._tell)
        self._follow()

    @property
    def text(self) -> str:
        """What is to stand under the picture, or nothing."""
        return self.edit.toPlainText() if self.shown.isChecked() else ""

    def write(self, caption: str) -> None:
        """Show the caption of the present state, unless a person has written another."""
        own = self.edit.toPlainText() not in ("", self._written)
        self._written = caption
        if not own and self.edit.toPlainText() != caption:
            self.edit.setPlainText(caption)
        self._follow()

    def _write_anew(self) -> None:
        self.edit.setPlainText(self._written)

    def _copy(self, form: CaptionForm) -> None:
        QGuiApplication.clipboard().setText(caption_as(self.edit.toPlainText(), form))

    def _tell(self, _what: object = None) -> None:
        self._follow()
        self.changed.emit()

    def _follow(self) -> None:
        self.anew.setEnabled(self.edit.toPlainText() != self._written)

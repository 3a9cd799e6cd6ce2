"""Asking what a vector file leaves open: one small dialog, and Cancel leaves everything as it was."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from askew_gui.i18n import tr
from askew_gui.widgets.labels import PlainLabel, plain_button_text

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from askew_gui.opening_questions import Question

WIDTH = 420
MOST_IN_SIGHT = 8  # answers; more of them are scrolled


class QuestionDialog(QDialog):
    """The question, its answers with the likeliest marked, Open and Cancel.

    Signals
    -------
    answered(options)
        How the file is to be read.
    """

    answered = Signal(object)

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self.setWindowTitle(tr("Open {}").format(Path(question.path).name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(WIDTH)
        self.what = PlainLabel(question.what, self)
        self.what.setWordWrap(True)
        self.group = QButtonGroup(self)
        self.browse = QPushButton(tr("File with the words…"), self)
        self.browse.setVisible(question.names_file)
        self.browse.clicked.connect(self._browse)
        self._lay_out()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(12)
        layout.addWidget(self.what)
        answers = self.question.answers
        if len(answers) > 1:
            layout.addWidget(self._choices())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        if answers:
            self.open_button = QPushButton(self._verb(), self)
            self.open_button.setProperty("primary", True)
            self.open_button.setDefault(True)
            buttons.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        else:
            self.browse.setDefault(True)
            self.browse.setProperty("primary", True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        row = QHBoxLayout()
        row.addWidget(self.browse)
        row.addWidget(buttons, 1)
        layout.addLayout(row)

    def _verb(self) -> str:
        """Return what the button says: what it does, if there is one way only."""
        answers = self.question.answers
        return plain_button_text(answers[0].text) if len(answers) == 1 else tr("Open")

    def _choices(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(2, 0, 2, 0)
        column.setSpacing(7)
        for number, answer in enumerate(self.question.answers):
            button = QRadioButton(plain_button_text(answer.text), page)
            button.setChecked(number == self.question.default)
            self.group.addButton(button, number)
            column.addWidget(button)
        if len(self.question.answers) <= MOST_IN_SIGHT:
            return page
        column.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(page)
        scroll.setMinimumHeight(page.sizeHint().height() * MOST_IN_SIGHT // len(self.question.answers))
        scroll.ensureWidgetVisible(self.group.button(self.question.default))
        return scroll

    def showEvent(self, event: QShowEvent) -> None:
        """Let the arrow keys walk the answers at once."""
        super().showEvent(event)
        marked = self.group.checkedButton()
        if marked is not None:
            marked.setFocus()

    def accept(self) -> None:
        """Open with the answer that is marked."""
        answers = self.question.answers
        if answers:
            self.answered.emit(answers[max(0, self.group.checkedId())].options)
        super().accept()

    def _browse(self) -> None:
        dialog = QFileDialog(
            self, tr("File with the words, one a line"), str(Path(self.question.path).parent)
        )
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.take_words)
        dialog.open()

    def take_words(self, file: str) -> None:
        """Open with the words of that file."""
        self.answered.emit(self.question.with_words(file))
        super().accept()

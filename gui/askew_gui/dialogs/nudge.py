"""Asking for the weight or the score that a cell of the head's map is to have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QRadioButton,
    QVBoxLayout,
)

from askew.errors import AskewError
from askew.nudge import nudge
from askew_gui.i18n import tr
from askew_gui.maps.nudging import aim_at, apply_nudge, others_text
from askew_gui.maps.numbers import number_text
from askew_gui.widgets.fields import DecimalSpin
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from askew.heads import Head
    from askew.nudge import Half
    from askew_gui.focus import Cell
    from askew_gui.store import Store


def ask_and_nudge(parent: QWidget, store: Store, cell: Cell) -> NudgeDialog | None:
    """Ask what a cell is to have; None, and a message, where it cannot be nudged at all."""
    try:
        aim_at(store, cell, "q")
    except AskewError as error:
        store.fail(error)
        return None
    dialog = NudgeDialog(store, cell, parent)
    dialog.open()
    return dialog


class NudgeDialog(QDialog):
    """A number to type, the matrix that gives way, and what that would do; nothing changes before OK."""

    def __init__(self, store: Store, cell: Cell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._cell = store, cell
        self._head: Head | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Nudge a cell"))
        pattern = store.experiment.quantity == "pattern"
        limits = (0.0, 1.0, 0.05) if pattern else (-1e6, 1e6, 0.5)
        self.wanted = DecimalSpin(*limits, 3, self)
        self.wanted.setKeyboardTracking(True)
        self.wanted.setAccessibleName(tr("Wanted weight") if pattern else tr("Wanted score"))
        self.parts = {part: QRadioButton(f"W_{part}", self) for part in ("q", "k")}
        self.parts["q"].setChecked(True)
        self._group = QButtonGroup(self)
        self.outcome = PlainLabel("", self)
        self.outcome.setWordWrap(True)
        self.outcome.setMinimumWidth(320)
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel, self)
        self._lay_out(self.wanted.accessibleName())
        result = store.evaluation.heads[store.experiment.selected[0]]
        self.wanted.show_value(float((result.pattern if pattern else result.scores)[cell]))
        self.wanted.valueChanged.connect(self._look)
        self._group.buttonClicked.connect(self._look)
        self.buttons.accepted.connect(self._nudge)
        self.buttons.rejected.connect(self.reject)
        store.evaluated.connect(self.reject)  # what it says may no longer be so
        self._look()
        self.wanted.selectAll()

    def _lay_out(self, name: str) -> None:
        row, column = self._cell
        tokens = self._store.evaluation.tokens
        where = tr("Row {row} looks at column {column}: {query} → {key}")
        words = {"query": tokens[row].text, "key": tokens[column].text}
        layout = QVBoxLayout(self)
        layout.addWidget(PlainLabel(where.format(row=row + 1, column=column + 1, **words), self, bold=True))
        choice = QHBoxLayout()
        for button in self.parts.values():
            self._group.addButton(button)
            choice.addWidget(button)
        choice.addStretch(1)
        form = QFormLayout()
        form.addRow(name, self.wanted)
        form.addRow(tr("Through"), choice)
        layout.addLayout(form)
        layout.addWidget(self.outcome)
        layout.addStretch(1)
        layout.addWidget(self.buttons)

    def _look(self, _what: object = None) -> None:
        """Say what the number would do, without doing it."""
        experiment, evaluation = self._store.experiment, self._store.evaluation
        part: Half = "k" if self.parts["k"].isChecked() else "q"
        number = experiment.selected[0]
        try:
            score = self.wanted.value()
            if experiment.quantity == "pattern":
                score = aim_at(self._store, self._cell, part).score_for(score)
            done = nudge(evaluation, number, *self._cell, score, part)
        except AskewError as error:
            self._head = None
            self.outcome.setText(" · ".join(filter(None, (error.what, error.remedy))))
        else:
            self._head = done.head
            before, after = (number_text(value, signed=True) for value in (done.before, done.after))
            told = tr("score {before} → {after}").format(before=before, after=after)
            self.outcome.setText(f"{told}\n{others_text(done.collateral, experiment.quantity)}")
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(self._head is not None)

    def _nudge(self) -> None:
        head = self._head
        self._store.evaluated.disconnect(self.reject)
        self.accept()
        if head is not None:
            apply_nudge(self._store, head, self._cell)

"""The weight table: W_q, W_k and W_v of the head that is shown, number by number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from askew.heads import PARTS as MATRICES
from askew_gui import intents
from askew_gui.i18n import tr
from askew_gui.panels.matrix_edits import MatrixEdits
from askew_gui.panels.matrix_tools import MatrixTools
from askew_gui.widgets.labels import PlainLabel
from askew_gui.widgets.matrix_brush import BrushBar
from askew_gui.widgets.matrix_picture import MatrixPicture
from askew_gui.widgets.matrix_table import MatrixTable
from askew_gui.widgets.text_size import changes_text_size

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from askew.arrays import Float32
    from askew.experiment import Experiment
    from askew.heads import Head, Part
    from askew_gui.panels.shaping import ShapingPanel
    from askew_gui.panels.shaping_actions import ShapingActions
    from askew_gui.store import Store

PARTS = ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v")
SIDE_WIDTH, SCROLL_BAR = 148, 12
HEIGHT = 250
SHAPE = 1
LOW_LINES = 12
"""A panel of fewer lines of text than this is low."""


def part_title(part: str) -> str:
    """Return `w_q` as it is written on screen."""
    return part[0].upper() + part[1:] if part.startswith("w") else part


def matrix_of(head: Head, part: str) -> Float32 | None:
    """Return a matrix of a head, a bias as a single row, or None for a bias it has not."""
    array: Float32 | None = getattr(head, part)
    return None if array is None else np.atleast_2d(array)


class WeightsPanel(QWidget):
    """Part and action buttons, the table, and the same matrix as a picture."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self.part = "w_q"
        self.shaping: ShapingPanel | None = None
        self._shaping_actions: ShapingActions | None = None
        self.table = MatrixTable(self)
        self.picture = MatrixPicture(self)
        self.title = PlainLabel("", self, bold=True)
        self.note = PlainLabel("", self, tone="muted")
        self.note.setWordWrap(True)
        self.modes = [self._mode_button(text) for text in (tr("Table"), tr("Shape"))]
        self.part_buttons = {part: self._part_button(part) for part in PARTS}
        self.randomize = self._action(tr("Randomize"), tr("Draw this matrix anew from a new seed"))
        self.identity = self._action(tr("Identity"), tr("Ones on the diagonal: the words as they are"))
        self.zero = self._action(tr("Zero"), tr("All zeros"))
        self.exchange = self._action(tr("Exchange q, k"), tr("Exchange W_q with W_k: scores are transposed"))
        self.tools = MatrixTools(store, self)
        self.brush_bar = BrushBar(self)
        self.edits = MatrixEdits(store, self)
        self._lay_out()
        self._connect()
        self.refresh()

    def _mode_button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setCheckable(True)
        return button

    def _part_button(self, part: str) -> QPushButton:
        button = QPushButton(part_title(part), self)
        button.setCheckable(True)
        button.setAccessibleName(tr("Show {}").format(part_title(part)))
        return button

    def _action(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setToolTip(tip)
        return button

    def _mode_switch(self) -> QHBoxLayout:
        """Return the buttons that choose between table and sliders, side by side."""
        line = QHBoxLayout()
        line.setSpacing(5)
        self._mode_group = QButtonGroup(self)
        for number, button in enumerate(self.modes):
            line.addWidget(button, 1)
            self._mode_group.addButton(button, number)
        self.modes[0].setChecked(True)
        self.modes[0].setToolTip(tr("The matrix number by number"))
        self.modes[SHAPE].setToolTip(tr("Sliders and buttons that change whole matrices"))
        return line

    def _lay_out_side(self) -> QScrollArea:
        """Return the column of buttons, which scrolls in a low panel: they must not be squeezed."""
        side = QVBoxLayout()
        side.setSpacing(6)
        side.addLayout(self._mode_switch())
        side.addWidget(self.title)
        parts = QGridLayout()
        parts.setSpacing(5)
        self._group = QButtonGroup(self)
        for number, button in enumerate(self.part_buttons.values()):
            parts.addWidget(button, number // 3, number % 3)
            self._group.addButton(button, number)
        side.addLayout(parts)
        self._table_actions = QWidget()
        actions = QGridLayout(self._table_actions)
        actions.setContentsMargins(0, 0, 0, 0)
        actions.setSpacing(5)
        actions.addWidget(self.tools, 0, 0, 1, 2)
        for number, button in enumerate((self.randomize, self.identity, self.zero, self.exchange), start=2):
            actions.addWidget(button, number // 2, number % 2)
        side.addWidget(self._table_actions)
        side.addWidget(self.note)
        side.addStretch(1)
        side.setContentsMargins(0, 0, 0, 0)
        frame = QWidget()
        frame.setLayout(side)
        self._side_column = side
        scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(frame)
        return scroll

    def _lay_out(self) -> None:
        self._side = self._lay_out_side()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(8)
        layout.addWidget(self._side)
        self._centre = QStackedWidget(self)
        self._centre.addWidget(self.table)
        layout.addWidget(self._centre, 1)
        beside = QVBoxLayout()
        beside.setSpacing(6)
        beside.addWidget(self.picture, 1)
        beside.addWidget(self.brush_bar)
        layout.addLayout(beside)

    def sizeHint(self) -> QSize:
        """Return the size that shows a useful part of the table."""
        return QSize(900, HEIGHT)

    def _fit_side(self) -> None:
        inner = self._side.widget()
        if inner is not None:
            self._side.setFixedWidth(max(SIDE_WIDTH, inner.minimumSizeHint().width()) + SCROLL_BAR)

    def _connect(self) -> None:
        self._group.idClicked.connect(self._choose_part)
        self._mode_group.idClicked.connect(self.show_mode)
        self.randomize.clicked.connect(self._randomize)
        self.identity.clicked.connect(self._set_identity)
        self.zero.clicked.connect(self._set_zero)
        self.exchange.clicked.connect(self._exchange)
        self.brush_bar.brush_changed.connect(self.picture.take_up)
        self.picture.cell_clicked.connect(self.table.show_cell)
        self.table.horizontalScrollBar().valueChanged.connect(self._frame_cells)
        self.table.verticalScrollBar().valueChanged.connect(self._frame_cells)
        self.table.horizontalScrollBar().rangeChanged.connect(self._frame_cells)
        self.table.verticalScrollBar().rangeChanged.connect(self._frame_cells)
        self._store.changed.connect(self._follow)

    @property
    def head(self) -> int:
        """The head on view: of several selected, the one selected last."""
        return self._store.experiment.selected[-1]

    @property
    def matrix(self) -> Float32:
        """The numbers on view."""
        return self.table.numbers.matrix

    def _letter(self) -> Part | None:
        """Return "q", "k" or "v" for a matrix, None for a bias."""
        return next((letter for letter in MATRICES if self.part == f"w_{letter}"), None)

    @Slot(object, object)
    def _follow(self, old: Experiment, new: Experiment) -> None:
        if old.heads is not new.heads or old.selected != new.selected:
            self.refresh()

    def refresh(self) -> None:
        """Show the present numbers."""
        number = self.head
        head = self._store.experiment.heads[number]
        if matrix_of(head, self.part) is None:
            self.part = "w_q"
        for part, button in self.part_buttons.items():
            button.setVisible(matrix_of(head, part) is not None and (part[0] == "w" or not self.is_shaping))
            button.setChecked(part == self.part)
        matrix = matrix_of(head, self.part)
        if matrix is None:
            return
        name = tr("{part} of head {number}").format(part=part_title(self.part), number=number)
        self.title.setText(name)
        self._fit_side()
        self.table.setAccessibleName(name)
        self.table.numbers.show_matrix(matrix, name)
        self.picture.show_matrix(matrix, name)
        self._show_actions(head)
        self._frame_cells()

    def _show_actions(self, head: Head) -> None:
        is_matrix = self.part.startswith("w")
        self.tools.show_part(self.head, head, self.part, self.part_buttons)
        locked = is_matrix and self.part[-1] in head.locked
        self.randomize.setEnabled(is_matrix and not locked)
        self.identity.setEnabled(is_matrix and self.matrix.shape[1] <= self.matrix.shape[0])
        notes = {
            "w_q": tr("Row: a number of x. Column: a number of q."),
            "w_k": tr("Row: a number of x. Column: a number of k."),
            "w_v": tr("W_v decides what is passed on, not who looks at whom: the pattern does not use it."),
            "b_q": tr("Added to every q."),
            "b_k": tr("Added to every k. It shifts each row of scores by a constant, so no pattern changes."),
            "b_v": tr("Added to every v; the pattern does not use it."),
        }
        text = notes[self.part]
        if head.scoring == "raw" and self.part[-1] in "qk":
            text = tr("Scoring raw compares the words themselves, so {} is not used.").format(
                part_title(self.part)
            )
        self.note.setText(text)
        letter = self._letter()
        if letter is not None and self.shaping is not None and self._shaping_actions is not None:
            self.shaping.show_part(letter)
            self._shaping_actions.show_part(letter)

    def _frame_cells(self) -> None:
        if self.is_shaping:
            self.picture.frame_cells((0, 0, 0, 0))
            return
        table = self.table
        rows, columns = self.matrix.shape
        view = table.viewport().rect()
        top, left = table.rowAt(1), table.columnAt(1)
        bottom, right = table.rowAt(view.bottom()), table.columnAt(view.right())
        last_row, last_column = (bottom if bottom >= 0 else rows - 1), (right if right >= 0 else columns - 1)
        self.picture.frame_cells((max(top, 0), max(left, 0), last_row - top + 1, last_column - left + 1))

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the buttons' column: their sizes are known only now."""
        super().showEvent(event)
        self._fit_side()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if changes_text_size(event) and self.isVisible():
            self._fit_side()

    def _make_room(self) -> None:
        """Leave the whole width of a low panel to the sliders."""
        low = self.height() < self.fontMetrics().height() * LOW_LINES
        self.picture.setVisible(not (low and self.is_shaping))
        self.brush_bar.setVisible(not (low and self.is_shaping))
        self.title.setVisible(not low)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Frame what the table shows now."""
        super().resizeEvent(event)
        self._make_room()
        self._fit_side()
        self._frame_cells()

    @property
    def is_shaping(self) -> bool:
        """Whether the sliders stand in the place of the table."""
        return self._mode_group.checkedId() == SHAPE

    @Slot(int)
    def show_mode(self, mode: int) -> None:
        """Show the table, 0, or the sliders, 1."""
        self.modes[mode].setChecked(True)
        if self.is_shaping and self.shaping is None:
            self._add_shaping()
        if self.shaping is not None and self._shaping_actions is not None:
            self._centre.setCurrentWidget(self.shaping if self.is_shaping else self.table)
            self._shaping_actions.setVisible(self.is_shaping)
        self._table_actions.setVisible(not self.is_shaping)
        self.note.setVisible(not self.is_shaping)
        self._make_room()
        if self.is_shaping and self._letter() is None:
            self.part = f"w_{self.part[-1]}"
        self.refresh()

    def _add_shaping(self) -> None:
        from askew_gui.panels.shaping import ShapingPanel  # here, that the table is there at once
        from askew_gui.panels.shaping_actions import ShapingActions

        self.shaping, self._shaping_actions = ShapingPanel(self._store, self), ShapingActions(self._store)
        self._centre.addWidget(self.shaping)
        self._side_column.insertWidget(self._side_column.indexOf(self._table_actions), self._shaping_actions)

    @Slot(int)
    def _choose_part(self, number: int) -> None:
        self.part = PARTS[number]
        self.refresh()

    @Slot()
    def _randomize(self) -> None:
        letter = self._letter()
        if letter is not None:
            intents.randomize(self._store, heads=(self.head,), parts=(letter,))

    @Slot()
    def _set_identity(self) -> None:
        label = tr("identity in {}").format(part_title(self.part))
        self.edits.replace(np.eye(*self.matrix.shape, dtype=np.float32), label)

    @Slot()
    def _set_zero(self) -> None:
        label = tr("zero in {}").format(part_title(self.part))
        self.edits.replace(np.zeros_like(self.matrix), label)

    @Slot()
    def _exchange(self) -> None:
        intents.exchange(self._store, self.head)

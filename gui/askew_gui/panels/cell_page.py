"""The inspector's first page: one cell, from the words to what is passed on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from askew_gui.i18n import tr
from askew_gui.panels.cell_parts import ArithmeticView, LooksAt, NearestWords, ValueLines
from askew_gui.panels.explanation import ShownPatterns, arithmetic, has_value, token_text, why_nothing
from askew_gui.widgets.bars import Bar, BarList
from askew_gui.widgets.labels import PlainLabel, SectionTitle

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from askew.arrays import Float32
    from askew.compare import Comparison
    from askew.evaluation import Evaluation

TOP = 4
WIDE_FROM = 520


class CellPage(QWidget):
    """Values of the cell, its arithmetic, what the row looks at, and nearest words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._patterns = ShownPatterns()
        self.looks = LooksAt(self)
        self.values = ValueLines(self)
        self.steps = ArithmeticView(self)
        self.head_title = SectionTitle("", self).shorten()
        self.head_bars = BarList("bar", TOP, self)
        self.raw_title = SectionTitle("", self)
        self.raw_bars = BarList("bar_raw", TOP, self)
        self.nothing = PlainLabel("", self, tone="muted")
        self.nothing.setWordWrap(True)
        self.nearest = NearestWords(self)
        self._cell_title = SectionTitle(tr("Cell"), self)
        self._layout = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._columns = [QVBoxLayout(), QVBoxLayout(), QVBoxLayout()]
        self._lay_out()

    def _lay_out(self) -> None:
        self._layout.setContentsMargins(0, 0, 0, 0)
        for column, widgets in zip(
            self._columns,
            (
                (self._cell_title, self.looks, self.values),
                (self.steps,),
                (self.head_title, self.head_bars, self.nothing, self.raw_title, self.raw_bars),
            ),
            strict=True,
        ):
            column.setSpacing(4)
            for widget in widgets:
                column.addWidget(widget)
            self._layout.addLayout(column)
        self._layout.addStretch(1)
        self._arrange(wide=False)

    def _arrange(self, *, wide: bool) -> None:
        """Put the three parts side by side, or one below the other."""
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._layout.setDirection(across if wide else down)
        self._layout.setSpacing(28 if wide else 4)
        for number, column in enumerate(self._columns):
            self._layout.setStretch(number, 4 if wide else 0)
            self._layout.setAlignment(column, Qt.AlignmentFlag.AlignTop if wide else Qt.AlignmentFlag(0))
        self._layout.setStretch(len(self._columns), 0 if wide else 1)
        self._columns[0 if wide else 2].addWidget(self.nearest)  # which takes it out of the other one

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use three columns where there is room, as in the bottom tab."""
        super().resizeEvent(event)
        wide = self.width() >= WIDE_FROM
        if wide != (self._layout.direction() == QBoxLayout.Direction.LeftToRight):
            self._arrange(wide=wide)

    def show_cell(self, evaluation: Evaluation, shown: Comparison, i: int, j: int) -> None:
        """Explain the cell of query `i` and key `j`; with `j` below 0 the row alone."""
        selected = evaluation.experiment.selected
        quantity = {
            "pattern": tr("Cell · pattern"),
            "scores": tr("Cell · scores"),
            "cosine": tr("Cell · cosine"),
        }
        self._cell_title.setText(quantity[evaluation.experiment.quantity].upper())
        self.looks.show_words(token_text(evaluation, i), token_text(evaluation, j) if j >= 0 else "")
        self.values.setVisible(j >= 0)
        explained = j >= 0 and has_value(evaluation, i) and has_value(evaluation, j)
        self.steps.setVisible(explained and len(selected) == 1)
        if j >= 0:
            self.values.show_values(evaluation, shown, i, j)
        if explained and len(selected) == 1:
            self.steps.show_steps(arithmetic(evaluation, selected[0], i, j))
        self._show_bars(evaluation, i, j)

    def _show_bars(self, evaluation: Evaluation, i: int, j: int) -> None:
        shown = self._patterns.of(evaluation)
        head_bars, raw_bars = (_top(evaluation, i, row, j) for row in (shown.head[i], shown.raw[i]))
        for widget in (self.head_bars, self.raw_title, self.raw_bars):
            widget.setVisible(bool(head_bars))
        self.nothing.setVisible(not head_bars)
        self.nothing.setText(why_nothing(evaluation, i))
        full = max((bar.value for bar in (*head_bars, *raw_bars)), default=1.0)
        word = token_text(evaluation, i)
        title = tr("“{}” LOOKS AT").format(word)
        self.head_title.setText(title)
        self.head_bars.show_bars(head_bars, title, full)
        self.raw_title.setText(tr("RAW, SAME WORD"))
        self.raw_bars.show_bars(raw_bars, tr("Raw, same word"), full)


def _top(evaluation: Evaluation, i: int, weights: Float32, marked: int) -> list[Bar]:
    """Return bars of the keys that get most, without those that a mask hides."""
    hidden = np.isnan(weights)
    if evaluation.mask is not None:
        hidden = hidden | evaluation.mask[i]
    keys = np.flatnonzero(~hidden)
    best = keys[np.argsort(-weights[keys], kind="stable")[:TOP]].tolist()
    return [Bar(token_text(evaluation, key), float(weights[key]), key == marked) for key in best]

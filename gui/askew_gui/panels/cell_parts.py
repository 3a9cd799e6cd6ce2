"""The parts of the cell's page: the sentence, the values, the arithmetic, nearest words."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from askew_gui.i18n import tr
from askew_gui.maps.numbers import number_text
from askew_gui.panels.explanation import has_value, rank_text
from askew_gui.widgets.labels import MonoText, PlainLabel, SectionTitle, plain_tooltip
from askew_gui.widgets.numbers import plain
from askew_gui.widgets.strip import ColourStrip
from askew_gui.widgets.text_size import changes_text_size, scaled_font

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QPaintEvent

    from askew.compare import Comparison
    from askew.evaluation import Evaluation
    from askew_gui.panels.explanation import Arithmetic

STRIPS = 5
LABEL_WIDTH = 74


class LooksAt(QWidget):
    """The sentence "it looks at animal", painted so that long words give way to each other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.query = self.key = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._fit_height()

    def _fit_height(self) -> None:
        self.setFixedHeight(QFontMetrics(scaled_font(1.15)).height() + 4)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._fit_height()

    def show_words(self, query: str, key: str) -> None:
        """Say which word looks at which; without a key, that one is still to be chosen."""
        self.query, self.key = query, key
        text = f"{query} {self._verb()} {key}".strip()
        self.setAccessibleName(text)
        self.setToolTip(plain_tooltip(text))
        self.update()

    def _verb(self) -> str:
        return tr("looks at") if self.key else tr("looks at …")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the words in bold, what they do in plain letters."""
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        usual, bold = scaled_font(1.15), scaled_font(1.15)
        bold.setBold(True)
        wide = QFontMetrics(bold)
        verb = f" {self._verb()} "
        room = self.width() - QFontMetrics(usual).horizontalAdvance(verb)
        most = max(room // 2, room - wide.horizontalAdvance(self.key))
        query = wide.elidedText(self.query, Qt.TextElideMode.ElideRight, most)
        left = room - wide.horizontalAdvance(query)
        key = wide.elidedText(self.key, Qt.TextElideMode.ElideRight, left)
        x = 0
        for text, font in ((query, bold), (verb, usual), (key, bold)):
            painter.setFont(font)
            width = QFontMetrics(font).horizontalAdvance(text)
            painter.drawText(x, 0, width + 2, self.height(), Qt.AlignmentFlag.AlignVCenter, text)
            x += width


class ValueLines(QWidget):
    """Raw, head and difference of the cell; for several heads their mean and each of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(2, 1)
        self._lines: list[tuple[PlainLabel, PlainLabel, PlainLabel]] = []

    def show_values(self, evaluation: Evaluation, shown: Comparison, i: int, j: int) -> None:
        """Show the quantity of the maps, as the maps show it."""
        selected = evaluation.experiment.selected
        write = partial(number_text, signed=evaluation.experiment.quantity != "pattern")
        cosine = evaluation.raw.cosine[i, j]
        lines = [(tr("raw"), write(shown.raw[i, j]), self._cosine_text(evaluation, i, j, cosine))]
        if len(selected) == 1:
            name, rank = tr("head {}").format(selected[0]), rank_text(shown.head[i], j)
            if evaluation.mask is not None and evaluation.mask[i, j]:
                rank = tr("hidden by the mask")
            lines.append((name, write(shown.head[i, j]), rank))
        else:
            names = ", ".join(str(h) for h in sorted(selected))
            lines.append((tr("mean"), write(shown.head[i, j]), tr("of heads {}").format(names)))
            for h in sorted(selected):
                result = evaluation.heads[h]
                value = getattr(result, evaluation.experiment.quantity)[i, j]
                lines.append((tr("head {}").format(h), write(value), ""))
        lines.append((tr("difference"), number_text(shown.difference[i, j], signed=True), ""))
        self._write(lines)

    @staticmethod
    def _cosine_text(evaluation: Evaluation, i: int, j: int, cosine: float) -> str:
        if not (has_value(evaluation, i) and has_value(evaluation, j)):
            return tr("a word without vector")
        if np.isnan(cosine):
            return tr("cos undefined (zero vector)")
        return tr("cos {}").format(plain(cosine, 2))

    def _write(self, lines: Sequence[tuple[str, str, str]]) -> None:
        while len(self._lines) < len(lines):
            line = (
                PlainLabel("", self, tone="muted"),
                PlainLabel("", self, bold=True),
                PlainLabel("", self, tone="muted").shorten(),
            )
            line[0].setMinimumWidth(LABEL_WIDTH)
            for column, label in enumerate(line):
                self._grid.addWidget(label, len(self._lines), column)
            self._lines.append(line)
        for number, line in enumerate(self._lines):
            used = number < len(lines)
            for label, text in zip(line, lines[number] if used else ("", "", ""), strict=True):
                label.setText(text)
                label.setVisible(used)

    def text(self) -> str:
        """Return all lines as text."""
        shown = [line for line in self._lines if not line[0].isHidden()]
        return "\n".join(" ".join(label.whole_text for label in line).strip() for line in shown)


class ArithmeticView(QWidget):
    """The strips of the two words, of q, k and their product, then the sums in order."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(SectionTitle(tr("Arithmetic"), self))
        self.titles = [PlainLabel("", self, tone="muted").shorten() for _ in range(STRIPS)]
        self.strips = [ColourStrip(self) for _ in range(STRIPS)]
        for title, strip in zip(self.titles, self.strips, strict=True):
            layout.addWidget(title)
            layout.addWidget(strip)
        self.lines = MonoText(0.9, self)
        self.lines.setProperty("surface", "canvas")
        self.lines.setContentsMargins(8, 6, 8, 6)
        self.passed_on = PlainLabel("", self, tone="muted")
        self.passed_on.setWordWrap(True)
        layout.addSpacing(4)
        layout.addWidget(self.lines)
        layout.addWidget(self.passed_on)

    def show_steps(self, steps: Arithmetic) -> None:
        """Show the arithmetic of another cell."""
        for number, (title, strip) in enumerate(zip(self.titles, self.strips, strict=True)):
            used = number < len(steps.strips)
            title.setVisible(used)
            strip.setVisible(used)
            if used:
                title.setText(steps.strips[number].title)
                strip.show_values(steps.strips[number].values, steps.strips[number].title)
        self.lines.setText("\n".join(steps.lines))
        self.lines.setAccessibleName(", ".join(steps.lines))
        self.passed_on.setText(steps.passed_on)


class NearestWords(QWidget):
    """Which words are nearest to the query's and to the key's word."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        grid.addWidget(SectionTitle(tr("Nearest words"), self), 0, 0, 1, 2)
        self._lines = [(PlainLabel("", self, tone="muted"), PlainLabel("", self)) for _ in range(2)]
        for number, (name, words) in enumerate(self._lines, start=1):
            words.setWordWrap(True)
            grid.addWidget(name, number, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(words, number, 1)
        self.note = PlainLabel("", self, tone="muted")
        self.note.setWordWrap(True)
        grid.addWidget(self.note, len(self._lines) + 1, 0, 1, 2)
        self.show_words({})

    def show_words(self, nearest: dict[str, tuple[str, ...]], note: str = "") -> None:
        """Show the nearest words of one or two words, and a note; of none and without one, nothing."""
        self.setVisible(bool(nearest or note))
        self.note.setText(note)
        self.note.setVisible(bool(note))
        items = list(nearest.items())
        for number, (name, words) in enumerate(self._lines):
            used = number < len(items)
            name.setVisible(used)
            words.setVisible(used)
            if used:
                name.show_short(tr("to {}").format(items[number][0]), LABEL_WIDTH + 20)
                words.setText(", ".join(items[number][1]) or tr("none"))

    def text(self) -> str:
        """Return all lines as text."""
        return "\n".join(
            f"{name.whole_text}: {words.whole_text}" for name, words in self._lines if not name.isHidden()
        )

"""A few words with a bar and a number each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from askew_gui.i18n import tr
from askew_gui.theme import tokens
from askew_gui.widgets.labels import plain_tooltip
from askew_gui.widgets.numbers import plain
from askew_gui.widgets.text_size import changes_text_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

Tone = Literal["bar", "bar_raw", "bar_warm"]


@dataclass(frozen=True, slots=True)
class Bar:
    """A word, a value of 0 or more, and whether it is the one in question."""

    label: str
    value: float
    marked: bool = False


class BarList(QWidget):
    """Words from top to bottom, a bar and a number each; long words are shortened, whole on hover."""

    def __init__(self, tone: Tone, rows: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone = tone
        self._rows = rows
        self._full = 1.0
        self.bars: tuple[Bar, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(rows * self._row_height())

    def _row_height(self) -> int:
        return self.fontMetrics().height() + 1

    def show_bars(self, bars: Sequence[Bar], name: str, full: float = 1.0) -> None:
        """Paint other bars; one of value `full` takes all the room."""
        self.bars, self._full = tuple(bars), full if full > 0 else 1.0
        said = ", ".join(f"{bar.label} {plain(bar.value)}" for bar in self.bars)
        self.setAccessibleName(tr("{name}: {bars}").format(name=name, bars=said))
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Keep room for all rows in another text size."""
        if changes_text_size(event):
            self.setFixedHeight(self._rows * self._row_height())
        super().changeEvent(event)

    def event(self, event: QEvent) -> bool:
        """Show the whole word on hover."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = event.pos().y() // self._row_height()
            if 0 <= row < len(self.bars):
                bar = self.bars[row]
                QToolTip.showText(
                    event.globalPos(), plain_tooltip(f"{bar.label}: {plain(bar.value, 6)}"), self
                )
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint words, bars and numbers."""
        painter = QPainter(self)
        colours = tokens(self.palette())
        metrics, height = self.fontMetrics(), self._row_height()
        number_width = metrics.horizontalAdvance("0.0000")
        label_width = max(40, min(110, (self.width() - number_width) * 2 // 5))
        room = max(1, self.width() - label_width - number_width - 4)
        fill = QColor(getattr(colours, self._tone))
        for row, bar in enumerate(self.bars[: self._rows]):
            line = QRect(0, row * height, self.width(), height)
            painter.setPen(QColor(colours.mark if bar.marked else colours.text))
            label = metrics.elidedText(bar.label, Qt.TextElideMode.ElideRight, label_width - 6)
            left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(line.adjusted(0, 0, label_width - line.width(), 0), left, label)
            length = round(max(0.0, min(1.0, bar.value / self._full)) * room)
            painter.fillRect(label_width, line.center().y() - 4, max(1, length), 9, fill)
            painter.setPen(QColor(colours.text))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(line, right, plain(bar.value))

"""Two bars for each word, one above the other: a row of the raw pattern against a head's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from askew_gui.i18n import tr
from askew_gui.theme import tokens
from askew_gui.widgets.labels import plain_tooltip
from askew_gui.widgets.numbers import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

Pair = tuple[str, float, float]


class PairBars(QWidget):
    """Words in their order; of each the raw value (grey) and the head's (blue), both on one scale."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pairs: tuple[Pair, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _row_height(self) -> int:
        return self.fontMetrics().height() + 3

    def sizeHint(self) -> QSize:
        """Return room for all words."""
        return QSize(200, max(1, len(self.pairs)) * self._row_height())

    def show_pairs(self, pairs: Sequence[Pair], name: str) -> None:
        """Paint other words; NaN is no value."""
        self.pairs = tuple(pairs)
        said = ", ".join(self._said(pair) for pair in self.pairs)
        self.setAccessibleName(f"{name}: {said}")
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    @staticmethod
    def _said(pair: Pair) -> str:
        return tr("{word} raw {raw} head {head}").format(
            word=pair[0], raw=plain(pair[1]), head=plain(pair[2])
        )

    def event(self, event: QEvent) -> bool:
        """Show a word with both its numbers."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = event.pos().y() // self._row_height()
            if 0 <= row < len(self.pairs):
                QToolTip.showText(event.globalPos(), plain_tooltip(self._said(self.pairs[row])), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the words that are on view."""
        painter = QPainter(self)
        colours = tokens(self.palette())
        metrics, height = self.fontMetrics(), self._row_height()
        digits = metrics.horizontalAdvance("0.000 ")
        label_width = max(44, min(100, self.width() // 3))
        room = max(1, self.width() - label_width - digits)
        full = max((value for _, *two in self.pairs for value in two if value > 0), default=1.0)
        first = event.rect().top() // height
        last = min(event.rect().bottom() // height + 1, len(self.pairs))
        for row in range(first, last):
            word, raw, head = self.pairs[row]
            line = QRect(0, row * height, self.width(), height)
            painter.setPen(QColor(colours.text))
            vertical = Qt.AlignmentFlag.AlignVCenter
            label = metrics.elidedText(word, Qt.TextElideMode.ElideRight, label_width - 6)
            painter.drawText(QRect(0, line.top(), label_width, height), vertical, label)
            painter.drawText(line, vertical | Qt.AlignmentFlag.AlignRight, plain(head))
            middle = line.center().y()
            for value, top, fill in ((raw, middle - 6, colours.bar_raw), (head, middle + 1, colours.bar)):
                if value >= 0:
                    painter.fillRect(label_width, top, max(1, round(value / full * room)), 6, QColor(fill))

"""A row of numbers as a strip of colours; each number on hover."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QRectF, QSize
from PySide6.QtGui import QColor, QHelpEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from askew_gui.theme import tokens
from askew_gui.widgets.labels import plain_tooltip
from askew_gui.widgets.numbers import full_digits
from askew_gui.widgets.shades import image, strongest

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from askew.arrays import FloatArray

HEIGHT = 14


class ColourStrip(QWidget):
    """Paints numbers side by side, zero neutral, the largest absolute value strongest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.values: FloatArray = np.zeros(0, dtype=np.float32)
        self.name = ""
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return the size of a strip in a side panel."""
        return QSize(120, HEIGHT)

    def show_values(self, values: FloatArray, name: str) -> None:
        """Paint other numbers; `name` is their formula."""
        self.values, self.name = values, name
        self.setAccessibleName(name)
        self.update()

    def place_at(self, x: float) -> int | None:
        """Return which number is at `x` pixels from the left."""
        if not len(self.values) or not 0 <= x < self.width():
            return None
        return min(int(x * len(self.values) / self.width()), len(self.values) - 1)

    def text_at(self, place: int) -> str:
        """Return a number as it is shown on hover; places count from 1."""
        return f"{self.name}\n{place + 1}: {full_digits(self.values[place])}"

    def event(self, event: QEvent) -> bool:
        """Show the number under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.place_at(event.pos().x())
            if place is not None:
                QToolTip.showText(event.globalPos(), plain_tooltip(self.text_at(place)), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the colours."""
        painter = QPainter(self)
        area = QRectF(self.rect())
        if len(self.values) and np.isfinite(self.values).all():
            room = (1, max(1, int(self.width() * self.devicePixelRatioF())))
            painter.drawImage(area, image(self.values[None], strongest(self.values), room))
        painter.setPen(QColor(tokens(self.palette()).border))
        painter.drawRect(area.adjusted(0, 0, -1, -1))

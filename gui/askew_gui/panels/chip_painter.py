"""How a token looks as a chip, and where chips go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPen

from askew_gui.maps.labels import drawable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.tokens import Token
    from askew_gui.theme import Tokens

PAD = 9
GAP = 6
ROW_GAP = 5
LONGEST = 220  # px: a longer token is shortened with …, its tooltip has the whole


@dataclass(frozen=True, slots=True)
class ChipState:
    """How one chip is shown beyond its token: row locked, under the pointer, key of the cell, edited."""

    locked: bool = False
    query: bool = False
    key: bool = False
    current: bool = False
    edited: bool = False


def flow(widths: Sequence[int], height: int, available: int) -> list[QRect]:
    """Place chips in lines like words; each at least in view, a chip wider than a line is cut to it."""
    rects: list[QRect] = []
    x = y = 0
    for width in widths:
        width = min(width, max(available, height))
        if x and x + width > available:
            x, y = 0, y + height + ROW_GAP
        rects.append(QRect(x, y, width, height))
        x += width + GAP
    return rects


class ChipPainter:
    """Measures and paints chips in one font and one set of colours; texts are measured once."""

    def __init__(self, font: QFont, colours: Tokens) -> None:
        self._font = font
        self._struck = QFont(font)
        self._struck.setStrikeOut(True)
        self._metrics = QFontMetrics(font)
        self._colours = colours
        self._widths: dict[str, int] = {}
        self.height = self._metrics.height() + 4

    def width(self, token: Token) -> int:
        """Return the width of a token's chip."""
        width = self._text_width(drawable(token.text))
        if token.status == "changed":
            width += self._text_width(_used_form(token))
        return min(width, LONGEST) + 2 * PAD

    def _text_width(self, text: str) -> int:
        if text not in self._widths:
            self._widths[text] = self._metrics.horizontalAdvance(text[:200]) + 1
        return self._widths[text]

    def paint(self, painter: QPainter, rect: QRect, token: Token, state: ChipState) -> None:
        """Paint one chip."""
        self._paint_shape(painter, rect, token, state)
        inside = rect.adjusted(PAD, 0, -PAD, 0)
        ink = self._colours.text if token.status in ("known", "changed", "built") else self._colours.muted
        painter.setPen(QColor(ink))
        painter.setFont(self._struck if token.status == "left-out" else self._font)
        typed = self._metrics.elidedText(drawable(token.text), Qt.TextElideMode.ElideRight, inside.width())
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
        painter.drawText(inside, flags, typed)
        if token.status == "changed":
            painter.setPen(QColor(self._colours.accent_text))
            inside.setLeft(inside.left() + self._text_width(typed))
            used = self._metrics.elidedText(_used_form(token), Qt.TextElideMode.ElideRight, inside.width())
            painter.drawText(inside, flags, used)
        elif token.status == "built":
            self._underline(painter, inside)

    def _paint_shape(self, painter: QPainter, rect: QRect, token: Token, state: ChipState) -> None:
        colours = self._colours
        border, fill = QColor(colours.field_border), QColor(colours.panel)
        width = 1.0
        if token.status in ("left-out", "special"):
            border = QColor(colours.border if token.left_out else colours.field_border)
            fill = QColor(colours.window)
        if state.key:
            border = QColor(colours.crosshair)
        if state.query or state.locked:
            border = QColor(colours.mark)
            fill = QColor(colours.mark)
            fill.setAlpha(36)
        if state.current:
            width = 2.0
            border = border if state.locked else QColor(colours.accent)
        pen = QPen(border, width)
        if token.status in ("unknown", "left-out", "special"):
            pen.setStyle(Qt.PenStyle.DashLine)
            pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.setBrush(fill)
        shape = QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(shape, rect.height() / 2, rect.height() / 2)
        if token.status == "unknown":
            hatch = QColor(colours.hatch)
            hatch.setAlpha(110)
            painter.setBrush(QBrush(hatch, Qt.BrushStyle.BDiagPattern))
            painter.drawRoundedRect(shape, rect.height() / 2, rect.height() / 2)
        if state.edited:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent))
            painter.drawEllipse(QRectF(rect.right() - 8, rect.top() + 1, 5, 5))

    def _underline(self, painter: QPainter, inside: QRect) -> None:
        painter.setPen(QPen(QColor(self._colours.accent_text), 1, Qt.PenStyle.DotLine))
        y = inside.bottom() - 3
        painter.drawLine(inside.left(), y, inside.right(), y)


def _used_form(token: Token) -> str:
    """Return what is shown behind a token found in another form only."""
    return f" → {drawable(str(token.key))}"

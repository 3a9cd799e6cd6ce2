"""The tokens of the sentence as chips, all painted in one widget."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QPainter
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollBar, QSizePolicy, QWidget

from askew_gui import theme
from askew_gui.i18n import tr
from askew_gui.panels.chip_painter import ROW_GAP, ChipPainter, ChipState, flow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent

    from askew.tokens import Token

MAX_LINES = 3
KEEPS_VISIBLE = 2  # px
_STEPS: dict[int, int] = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Home: -(10**6),
    Qt.Key.Key_End: 10**6,
}


class ChipStrip(QAbstractScrollArea):
    """Chips in lines; more lines than fit are scrolled. Works with mouse and keyboard.

    Signals
    -------
    chosen(index)
        A chip was clicked, or Enter or Space pressed on it.
    hovered(index)
        The pointer is on a chip; -1 when it left.
    menu_asked(index, position)
        The menu of a chip is wanted at a global position.
    removed(index)
        Delete was pressed on a chip.
    explained(index, position)
        The pointer rests on a chip.
    """

    chosen = Signal(int)
    hovered = Signal(int)
    menu_asked = Signal(int, QPoint)
    removed = Signal(int)
    explained = Signal(int, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: tuple[Token, ...] = ()
        self._edited: frozenset[int] = frozenset()
        self._rects: list[QRect] = []
        self._lines: list[int] = []
        self._hovered = -1
        self._current = 0
        self._query = self._key = self._locked = -1
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        # Made here because Qt for Python looks through all its widgets, for 20 ms, to wrap one made by Qt.
        self._view, self._bar = QWidget(self), QScrollBar(self)
        self.setViewport(self._view)
        self.setVerticalScrollBar(self._bar)
        self._view.setMouseTracking(True)
        self._view.setAutoFillBackground(False)
        self.setAccessibleName(tr("Tokens"))
        self._painter = self._make_painter()

    def show_tokens(self, tokens: Sequence[Token], edited: frozenset[int] = frozenset()) -> None:
        """Show these tokens; `edited` are the indexes of those a person changed."""
        self._tokens, self._edited = tuple(tokens), edited
        self._hovered = -1
        self._current = max(0, min(self._current, len(self._tokens) - 1))
        self._place()

    def mark(self, query: int, key: int, locked: int) -> None:
        """Mark the tokens of the cell to explain and of the locked row; -1 is none."""
        if (query, key, locked) != (self._query, self._key, self._locked):
            self._query, self._key, self._locked = query, key, locked
            self._view.update()

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens on show."""
        return self._tokens

    @property
    def current(self) -> int:
        """Index of the chip that keys act on."""
        return self._current

    def chip_rect(self, index: int) -> QRect:
        """Return where a chip is, in the viewport."""
        return self._rects[index].translated(0, -self._bar.value())

    def chip_at(self, position: QPoint) -> int:
        """Return the index of the chip at a place in the viewport, or -1."""
        y = position.y() + self._bar.value()
        for index in self._indexes(y, y):
            if self._rects[index].contains(position.x(), y):
                return index
        return -1

    def sizeHint(self) -> QSize:
        lines = max(1, min(MAX_LINES, len(self._lines)))
        return QSize(200, lines * (self._painter.height + ROW_GAP) - ROW_GAP + 2 * KEEPS_VISIBLE)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self._view)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = self._bar.value()
        painter.translate(0, -top)
        for index in self._indexes(top + event.rect().top(), top + event.rect().bottom()):
            self._painter.paint(painter, self._rects[index], self._tokens[index], self._state(index))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._painter = self._make_painter()
            self._place()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.chip_at(event.pos())
            if index >= 0:
                self.explained.emit(index, event.globalPos())
            return True
        if event.type() == QEvent.Type.Leave:
            self._hover(-1)
        return super().viewportEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.chip_at(event.position().toPoint()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.chip_at(event.position().toPoint())
        if index < 0:
            return
        self._set_current(index)
        if event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(index)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.chip_at(self._view.mapFromGlobal(event.globalPos())) if by_mouse else self._current
        if 0 <= index < len(self._tokens):
            place = event.globalPos()
            if not by_mouse:
                place = self._view.mapToGlobal(self.chip_rect(index).bottomLeft())
            self.menu_asked.emit(index, place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if not self._tokens:
            super().keyPressEvent(event)
        elif key in _STEPS:
            self._set_current(self._current + _STEPS[key])
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._set_current(self._neighbour(-1 if key == Qt.Key.Key_Up else 1))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self._current)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit(self._current)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._set_current(self._current)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._view.update()

    def _make_painter(self) -> ChipPainter:
        return ChipPainter(self.font(), theme.tokens(self.palette()))

    def _place(self) -> None:
        widths = [self._painter.width(token) for token in self._tokens]
        before = self.sizeHint().height()
        self._rects = flow(widths, self._painter.height, self._view.width() - 1)
        for rect in self._rects:
            rect.translate(0, KEEPS_VISIBLE)
        self._lines = sorted({rect.top() for rect in self._rects})
        step = self._painter.height + ROW_GAP
        content = len(self._lines) * step - ROW_GAP + 2 * KEEPS_VISIBLE
        bar = self._bar
        bar.setSingleStep(step)
        bar.setPageStep(self._view.height())
        bar.setRange(0, max(0, content - self._view.height()))
        if self.sizeHint().height() != before:
            self.updateGeometry()
        self._view.update()

    def _indexes(self, top: int, bottom: int) -> range:
        """Return the chips that may be between two heights of the content."""
        tops = [rect.top() for rect in self._rects]
        first = bisect_right(tops, top - self._painter.height - 1)
        return range(first, bisect_right(tops, bottom))

    def _state(self, index: int) -> ChipState:
        return ChipState(
            locked=index == self._locked,
            query=index in (self._query, self._hovered),
            key=index == self._key,
            current=index == self._current and self.hasFocus(),
            edited=index in self._edited,
        )

    def _hover(self, index: int) -> None:
        if index != self._hovered:
            self._hovered = index
            self._view.update()
            self.hovered.emit(index)

    def _set_current(self, index: int) -> None:
        if not self._tokens:
            return
        self._current = max(0, min(index, len(self._tokens) - 1))
        token = self._tokens[self._current]
        self.setAccessibleDescription(f"{token.text}, {status_text(token)}")
        rect = self._rects[self._current]
        bar = self._bar
        if rect.top() < bar.value():
            bar.setValue(rect.top() - KEEPS_VISIBLE)
        elif rect.bottom() > bar.value() + self._view.height():
            bar.setValue(rect.bottom() + KEEPS_VISIBLE - self._view.height())
        self._view.update()

    def _neighbour(self, lines: int) -> int:
        """Return the chip a line above or below the current one that is nearest to it."""
        here = self._rects[self._current]
        line = self._lines.index(here.top()) + lines
        if not 0 <= line < len(self._lines):
            return self._current
        there = [i for i, rect in enumerate(self._rects) if rect.top() == self._lines[line]]
        return min(there, key=lambda i: abs(self._rects[i].center().x() - here.center().x()))


def status_text(token: Token) -> str:
    """Return what a token's status means, in words."""
    return {
        "known": tr("known"),
        "changed": tr("found as {}").format(token.key),
        "built": tr("vector built from its letters"),
        "unknown": tr("not found"),
        "left-out": tr("left out"),
        "special": tr("special token of the model"),
    }[token.status]

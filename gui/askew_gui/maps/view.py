"""The three linked maps of the window: raw, head and difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from askew_gui.i18n import tr
from askew_gui.maps import readout
from askew_gui.maps.canvas import widget_style
from askew_gui.maps.labels import tip
from askew_gui.maps.nudging import Nudging
from askew_gui.maps.overlay import paint_overlay, paint_readout
from askew_gui.maps.painter import lay_out, note_text
from askew_gui.maps.picture import MapsPicture
from askew_gui.maps.style import TITLE_PX, colour
from askew_gui.maps.views import same_map, three_maps

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QContextMenuEvent,
        QFocusEvent,
        QKeyEvent,
        QMouseEvent,
        QPaintEvent,
    )

    from askew.heatmap import Heatmap
    from askew_gui.focus import Cell, Focus
    from askew_gui.maps.canvas import Layer
    from askew_gui.maps.layout import StripLayout
    from askew_gui.maps.style import MapStyle
    from askew_gui.store import Store

_STEPS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
_NUDGES = {Qt.Key.Key_Plus: 1, Qt.Key.Key_Equal: 1, Qt.Key.Key_Minus: -1}
_REPAINT = {
    QEvent.Type.PaletteChange,
    QEvent.Type.FontChange,
    QEvent.Type.StyleChange,
    QEvent.Type.LanguageChange,
}


HEAD_MAP = 1


class MapsView(QWidget):
    """Paints the maps of the store's evaluation; pointer, keys and `Focus` move over all three together.

    A drag with Ctrl on a cell of the head's map nudges it (window managers keep Alt for themselves).

    Signals
    -------
    menu_requested(position, index)
        A menu was asked for at a global position, over map `index` (0 raw, 1 head, 2 difference, -1 none).
    """

    menu_requested = Signal(QPoint, int)

    def __init__(self, store: Store, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._focus = store, focus
        self._heatmaps: tuple[Heatmap, ...] | None = None
        self._latest: tuple[Heatmap, ...] = ()  # what was shown before, of which the same maps are kept
        self._words: object = None  # all that the labels depend on, of the maps `_worded`
        self._worded: tuple[Heatmap, ...] = ()
        self._layout: StripLayout | None = None
        self._layout_key: object = None
        self._kept_style: MapStyle | None = None
        self._ringed = False
        self._painted = MapsPicture()
        self._menu_refused = False  # the right button has just taken a drag back
        self.nudging = Nudging(store, self)
        self.nudging.moved.connect(self._on_nudged)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Maps: raw similarity, head, difference"))
        store.evaluated.connect(self._on_evaluated)
        store.stale_changed.connect(self._on_stale_changed)
        store.refused.connect(self._on_stale_changed)
        focus.changed.connect(self._on_focus_moved)

    @property
    def heatmaps(self) -> tuple[Heatmap, ...]:
        """Raw, head and difference, as painted; none without tokens."""
        if self._heatmaps is None:
            evaluation = self._store.evaluation
            made: tuple[Heatmap, ...] = three_maps(evaluation) if evaluation.tokens else ()
            if made and self.nudging.cell is not None:
                made = (*made[:2], self.nudging.change_map(made[2]))
            before = self._latest or made
            self._latest = tuple([a if same_map(a, b) else b for a, b in zip(before, made, strict=False)])
            self._heatmaps = self._latest
        return self._heatmaps

    @property
    def labels(self) -> Layer:
        """What stays while values change."""
        return self._painted.labels

    @property
    def picture(self) -> Layer:
        """Labels, cells and colour bars."""
        return self._painted.picture

    @property
    def _style(self) -> MapStyle:
        if self._kept_style is None:
            self._kept_style = widget_style(self)
        return self._kept_style

    @property
    def strip(self) -> StripLayout | None:
        """Where everything stands at the present size; None without tokens."""
        maps = self.heatmaps
        if not maps:
            return None
        style, ratio = self._style, self.devicePixelRatio()
        if maps is not self._worded:
            words, self._worded = _words_of(maps, style), maps
            if words != self._words:
                self._words = words
        key = (self._words, self.width(), self.height(), ratio)
        if key != self._layout_key:
            self._layout = lay_out(maps, self.width(), self.height(), style, scale=ratio)
            self._layout_key = key
        return self._layout

    def sizeHint(self) -> QSize:
        """Return a size at which the demo sentence is comfortable."""
        return QSize(930, 370)

    def minimumSizeHint(self) -> QSize:
        """Return the least size that shows something."""
        return QSize(420, 200)

    def _on_evaluated(self, _evaluation: object) -> None:
        self._heatmaps = None
        count = len(self._store.evaluation.tokens)
        for cell, forget in (
            (self._focus.locked, self._focus.lock),
            (self._focus.hovered, self._focus.hover),
        ):
            if cell is not None and max(cell) >= count:
                forget(None)
        self.update()

    def _on_nudged(self) -> None:
        self._heatmaps = None
        cell = self.nudging.cell
        if cell is not None:
            self._focus.hover(cell)
            self._focus.lock(cell)
            self.setAccessibleDescription("\n".join(self.nudging.lines()))
        self.update()

    def _on_stale_changed(self, _what: object = None, _remedy: str = "") -> None:
        self.update()

    def _on_focus_moved(self) -> None:
        cell, maps = self._focus.cell, self.heatmaps
        said = ""
        if cell and maps and max(cell) < len(maps[0].row_labels):
            said = readout.cell_text(maps, cell, 1) if cell[1] >= 0 else readout.row_text(maps, cell[0])
        self.setAccessibleDescription(said)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Paint anew in another theme, text size or language."""
        if event.type() in _REPAINT:
            self._heatmaps, self._layout_key, self._kept_style, self._worded = None, None, None, ()
            self._painted.forget()
            self.update()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show the kept picture and the overlay on it."""
        painter = QPainter(self)
        strip, style = self.strip, self._style
        if strip is None:
            self._paint_empty(painter, style)
        else:
            painter.drawImage(0, 0, self._painted.image(self, self.heatmaps, self._words, strip, style))
            hovered, locked = self._focus.hovered, self._focus.locked
            if hovered or locked:
                paint_overlay(painter, self.heatmaps, strip, hovered, locked, style)
            if self.nudging.cell is not None:
                one = strip.maps[HEAD_MAP]
                paint_readout(painter, one, self.nudging.cell, self.nudging.lines(), style)
            if self._store.stale:
                self._paint_stale(painter, style)
        if self._ringed:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(colour(style.tokens.accent))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4)
        painter.end()

    def _paint_empty(self, painter: QPainter, style: MapStyle) -> None:
        painter.fillRect(self.rect(), colour(style.background))
        painter.setFont(style.font(TITLE_PX))
        painter.setPen(colour(style.tokens.muted))
        typed = bool(self._store.experiment.text.strip())
        text = tr("None of these words has a vector") if typed else tr("Type a sentence")
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, text)

    def _paint_stale(self, painter: QPainter, style: MapStyle) -> None:
        painter.fillRect(self.rect(), colour(style.background, 150))
        painter.setFont(style.font(TITLE_PX))
        painter.setPen(colour(style.tokens.text))
        text = tr("Computing…") if self._store.computing else tr("Not computed; these maps are older")
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, text)

    def cell_at(self, x: float, y: float) -> Cell | None:
        """Return the cell at a point of any of the maps, or (row, -1) on the label of a row."""
        strip = self.strip
        if strip is None:
            return None
        index = strip.map_at(x, y)
        if index is not None:
            return strip.maps[index].cell_at(x, y)
        row = strip.maps[0].row_label_at(x, y)
        return None if row is None else (row, -1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Hover the cell under the pointer."""
        if self.nudging.pressed:
            if event.buttons() & Qt.MouseButton.LeftButton:
                self.nudging.move(event.position().y())
                return
            self.nudging.finish()  # the button went up where no event came from
        cell = self.cell_at(event.position().x(), event.position().y())
        shape = Qt.CursorShape.ArrowCursor
        if cell is not None and cell[1] < 0:
            shape = Qt.CursorShape.PointingHandCursor
        elif self._nudged_cell(event) is not None:
            shape = Qt.CursorShape.SizeVerCursor
        self.setCursor(shape)
        self._focus.hover(cell)

    def _nudged_cell(self, event: QMouseEvent) -> Cell | None:
        """Return the cell of the head's map that a drag from here would nudge."""
        strip, x, y = self.strip, event.position().x(), event.position().y()
        if strip is None or not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return None
        return strip.maps[HEAD_MAP].cell_at(x, y)

    def leaveEvent(self, event: QEvent) -> None:
        """Hover nothing."""
        self._focus.hover(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Lock the cell or the row under the pointer; once more, or beside the maps, unlocks."""
        self._menu_refused = event.button() == Qt.MouseButton.RightButton and self.nudging.pressed
        if self._menu_refused:
            self.nudging.cancel()
        elif event.button() == Qt.MouseButton.LeftButton:
            nudged = self._nudged_cell(event)
            if nudged is None:
                self._lock_at(event)
                return
            through_keys = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.nudging.begin(nudged, event.position().y(), "k" if through_keys else "q")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag; where it has not moved it was a click."""
        if event.button() == Qt.MouseButton.LeftButton and self.nudging.pressed and not self.nudging.finish():
            self._lock_at(event)

    def _lock_at(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position().x(), event.position().y())
        self._focus.lock(None if cell == self._focus.locked else cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk with the arrow keys, nudge the locked cell with + and −, take back or unlock with Escape."""
        key, cell = Qt.Key(event.key()), self._focus.locked
        if self.nudging.pressed:
            if key == Qt.Key.Key_Escape:
                self.nudging.cancel()
        elif key in _NUDGES and cell is not None and cell[1] >= 0:
            self.nudging.step(cell, _NUDGES[key])
        elif key in _STEPS and self.heatmaps:
            self._walk(*_STEPS[key])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and self.heatmaps:
            self._walk(0, -(10**6) if key == Qt.Key.Key_Home else 10**6)
        elif key == Qt.Key.Key_Escape and self._focus.locked is not None:
            self._focus.lock(None)
        else:
            super().keyPressEvent(event)

    def _walk(self, down: int, right: int) -> None:
        count = len(self.heatmaps[0].row_labels)
        cell = self._focus.cell
        if cell is None:
            row, column = 0, 0
        else:
            row = min(max(cell[0] + down, 0), count - 1)
            column = min(max(cell[1] + right, 0), count - 1)
        self._focus.hover(None)
        self._focus.lock((row, column))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a ring when reached by keyboard."""
        reasons = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._ringed = event.reason() in (*reasons, Qt.FocusReason.ShortcutFocusReason)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the ring away."""
        self._ringed = False
        self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the map under the pointer."""
        if self._menu_refused or self.nudging.pressed:
            self._menu_refused = False
            return
        strip = self.strip
        index = None if strip is None else strip.map_at(event.x(), event.y())
        self.menu_requested.emit(event.globalPos(), -1 if index is None else index)

    def event(self, event: QEvent) -> bool:
        """Answer the request for a tooltip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tip(event)
            return True
        return super().event(event)

    def _show_tip(self, event: QHelpEvent) -> None:
        said = self.text_at(event.x(), event.y())
        if said:
            QToolTip.showText(event.globalPos(), tip(said), self)
        else:
            QToolTip.hideText()

    def text_at(self, x: float, y: float) -> str:
        """Return what the tooltip at a point says: the cell, or the whole of a shortened label."""
        strip, maps = self.strip, self.heatmaps
        if strip is None:
            return ""
        for index, (heatmap, one) in enumerate(zip(maps, strip.maps, strict=True)):
            cell = one.cell_at(x, y)
            row, column = one.row_label_at(x, y), one.column_label_at(x, y)
            if cell is not None:
                hint = index == HEAD_MAP and self.nudging.possible
                return readout.cell_text(maps, cell, index) + (f"\n{readout.nudge_hint()}" if hint else "")
            if row is not None:
                return readout.row_text(maps, row)
            if column is not None:
                return readout.column_text(heatmap, column)
            if one.title.holds(x, y):
                return readout.title_text(heatmap)
            if one.bar.holds(x, y):
                return readout.bar_text(heatmap)
        return note_text(maps, strip) if strip.note.holds(x, y) else ""


def _words_of(heatmaps: tuple[Heatmap, ...], style: MapStyle) -> object:
    """Return all that the labels depend on."""
    words = tuple([(one.title, one.subtitle, one.low, one.high, one.note) for one in heatmaps])
    return style, words, heatmaps[0].row_labels

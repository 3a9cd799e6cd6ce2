"""The head grid: raw similarity and every head as small maps on one scale."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollBar, QSizePolicy, QToolTip, QWidget

from askew_gui import intents
from askew_gui.i18n import tr
from askew_gui.maps.canvas import Layer, widget_style
from askew_gui.maps.labels import tip
from askew_gui.maps.style import colour
from askew_gui.maps.tile_painter import paint_tile_frames, paint_tile_maps, paint_tiles
from askew_gui.maps.tiles import TileLayout, tile_layout
from askew_gui.maps.views import grid_maps, same_cells, tile_title

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QContextMenuEvent,
        QFocusEvent,
        QImage,
        QKeyEvent,
        QMouseEvent,
        QPaintEvent,
        QResizeEvent,
    )

    from askew.evaluation import Evaluation
    from askew.heatmap import Heatmap
    from askew_gui.maps.style import MapStyle
    from askew_gui.store import Store

_REPAINT = {QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange}


class HeadGrid(QAbstractScrollArea):
    """Paints only the tiles that can be seen; a click brings a head up, Shift+click adds it to the mean.

    Signals
    -------
    menu_requested(position, head)
        A menu was asked for at a global position, over a head (-1: raw, or none).
    """

    menu_requested = Signal(QPoint, int)

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._hovered: int | None = None
        self._ringed = False
        self._kept_style: MapStyle | None = None
        self._shown: dict[int, Heatmap] = {}  # by tile, as they are painted on the labels
        self._gaps = False  # whether cells without a value are among them
        self._drawn: Evaluation | None = None
        self._counted: object = None
        self.labels = Layer()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Head grid"))
        # Made here because Qt for Python looks through all its widgets, for 20 ms, to wrap one made by Qt.
        self._view, self._bar = QWidget(self), QScrollBar(self)
        self.setViewport(self._view)
        self.setVerticalScrollBar(self._bar)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        store.evaluated.connect(self._on_evaluated)
        store.changed.connect(self._on_changed)
        self._describe()

    @property
    def tiles(self) -> TileLayout:
        """Where the tiles stand at the present size; tile 0 is raw, tile h + 1 is head h."""
        view, evaluation = self.viewport(), self._store.evaluation
        n = max(len(evaluation.tokens), 1)
        unit, ratio = self._style.unit, self.devicePixelRatio()
        return tile_layout(len(evaluation.heads) + 1, (n, n), view.width(), view.height(), unit, ratio)

    @property
    def _style(self) -> MapStyle:
        if self._kept_style is None:
            style = widget_style(self)
            self._kept_style = replace(style, background=style.tokens.panel)
        return self._kept_style

    def sizeHint(self) -> QSize:
        """Return the height of one row of small maps, or of two where the heads need more."""
        return QSize(930, round((22 + 76 * self._rows_at(self.width())) * self._style.unit))

    def _rows_at(self, width: int) -> int:
        """Return how many rows of tiles are in view without scrolling."""
        return 1 if len(self._store.experiment.heads) * 64 * self._style.unit < max(width, 640) else 2

    def minimumSizeHint(self) -> QSize:
        """Return room for one row of the smallest maps."""
        return QSize(200, round(84 * self._style.unit))

    def viewportSizeHint(self) -> QSize:
        """Return the same as `sizeHint`."""
        return self.sizeHint()

    def _on_evaluated(self, evaluation: Evaluation) -> None:
        counted = len(evaluation.heads), len(evaluation.tokens), evaluation.experiment.selected
        if counted != self._counted:
            self._counted = counted
            self._describe()
            self._update_scroll_bar()
            self.updateGeometry()
        self.viewport().update()

    def _on_changed(self, old: object, new: object) -> None:
        before, after = getattr(old, "selected", ()), getattr(new, "selected", ())
        if before != after and after:
            self._describe()
            self._show_tile(after[-1] + 1)

    def _on_scrolled(self, _value: int) -> None:
        self.viewport().update()

    def _describe(self) -> None:
        chosen = ", ".join(str(head) for head in self._store.experiment.selected)
        self.setAccessibleDescription(
            tr("{} heads; shown: {}").format(len(self._store.experiment.heads), chosen)
        )

    def _update_scroll_bar(self) -> None:
        tiles, bar = self.tiles, self.verticalScrollBar()
        bar.setRange(0, max(0, round(tiles.height - self.viewport().height())))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(max(1, round(tiles.pitch[1] / 2)))

    def _show_tile(self, tile: int) -> None:
        """Scroll until a tile can be seen whole."""
        box, bar = self.tiles.tile_box(tile), self.verticalScrollBar()
        if box.y < bar.value():
            bar.setValue(int(box.y - 4))
        elif box.bottom > bar.value() + self.viewport().height():
            bar.setValue(int(box.bottom - self.viewport().height() + 4))
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the tiles anew."""
        super().resizeEvent(event)
        if self._rows_at(event.oldSize().width()) != self._rows_at(self.width()):
            self.updateGeometry()
        self._update_scroll_bar()

    def changeEvent(self, event: QEvent) -> None:
        """Paint anew in another theme or text size."""
        if event.type() in _REPAINT:
            self._kept_style = None
            self.labels.forget()
            self._update_scroll_bar()
            self.viewport().update()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what has changed of the tiles that can be seen on the kept picture, and show it."""
        painter = QPainter(self.viewport())
        painter.drawImage(0, 0, self._painted())
        if self._hovered or self._ringed:
            painter.translate(0, -self.verticalScrollBar().value())
            self._paint_hover(painter, self.tiles, self._style)
        painter.end()

    def _painted(self) -> QImage:
        """Return the picture of the tiles that can be seen, brought up to date."""
        evaluation, tiles, style = self._store.evaluation, self.tiles, self._style
        top, view = self.verticalScrollBar().value(), self.viewport()
        shown = tiles.visible(top, top + view.height())
        selected = frozenset([head + 1 for head in evaluation.experiment.selected])
        filled = bool(evaluation.tokens)
        if (
            self._gaps and evaluation is not self._drawn
        ):  # hatching and what is said over it may reach beyond the cells
            self.labels.forget()

        def paint(painter: QPainter) -> None:
            painter.fillRect(view.rect(), colour(style.background))
            painter.translate(0, -top)
            paint_tiles(painter, tiles, [tile_title(tile) for tile in shown], shown, style, selected)
            if filled:
                paint_tile_frames(painter, tiles, shown, style)
            self._shown, self._gaps, self._drawn = {}, False, None

        self.labels.get((tiles, shown, top, style, selected, filled), view, paint)
        if filled and self._drawn is not evaluation:
            self._paint_changed(shown, top)
        self._drawn = evaluation
        return self.labels.image

    def _paint_changed(self, shown: range, top: int) -> None:
        """Paint the maps that are not as they were painted last."""
        heatmaps = grid_maps(self._store.evaluation, [tile - 1 for tile in shown])
        painted = self._shown
        changed = {
            tile: heatmap
            for tile, heatmap in zip(shown, heatmaps, strict=True)
            if tile not in painted or not same_cells(painted[tile], heatmap)
        }
        if changed:
            painter = QPainter(self.labels.image)
            painter.translate(0, -top)
            canvas, maps = self.labels.canvas(top), list(changed.values())
            self._gaps |= paint_tile_maps(painter, self.tiles, maps, list(changed), self._style, canvas)
            painter.end()
            self._shown.update(changed)

    def _paint_hover(self, painter: QPainter, tiles: TileLayout, style: MapStyle) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._hovered:
            painter.setPen(colour(style.tokens.crosshair))
            painter.drawRoundedRect(
                QRectF(*tiles.tile_box(self._hovered)).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4
            )
        if self._ringed:
            box = QRectF(self.viewport().rect()).translated(0, self.verticalScrollBar().value())
            painter.setPen(colour(style.tokens.accent))
            painter.drawRoundedRect(box.adjusted(1.5, 1.5, -1.5, -1.5), 4, 4)

    def tile_at(self, point: QPointF) -> int | None:
        """Return the tile at a point of the viewport: 0 is raw, h + 1 is head h."""
        return self.tiles.tile_at(point.x(), point.y() + self.verticalScrollBar().value())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Outline the head under the pointer."""
        self._hover(self.tile_at(event.position()))

    def _hover(self, tile: int | None) -> None:
        if tile != self._hovered:
            self._hovered = tile
            hand = Qt.CursorShape.PointingHandCursor if tile else Qt.CursorShape.ArrowCursor
            self.viewport().setCursor(hand)
            self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Bring the head up, or with Shift add it to the mean."""
        tile = self.tile_at(event.position())
        if tile and event.button() == Qt.MouseButton.LeftButton:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            intents.select_head(self._store, tile - 1, extend)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take the end of a click, which a scroll area would pass on."""
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to another head with the arrow keys; Shift adds it to the mean."""
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -self.tiles.per_row,
            Qt.Key.Key_Down: self.tiles.per_row,
            Qt.Key.Key_Home: -(10**6),
            Qt.Key.Key_End: 10**6,
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        experiment = self._store.experiment
        now = experiment.selected[-1]
        head = min(max(now + step, 0), len(experiment.heads) - 1)
        if abs(step) > 1 and abs(step) < 10**6 and head - now != step:
            return
        if head != now:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            intents.select_head(self._store, head, extend)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a ring when reached by keyboard."""
        self._ringed = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the ring away."""
        self._ringed = False
        self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the head under the pointer."""
        tile = self.tile_at(QPointF(event.pos()))
        self.menu_requested.emit(event.globalPos(), -1 if tile is None else tile - 1)

    def viewportEvent(self, event: QEvent) -> bool:
        """Answer the request for a tooltip, and notice when the pointer leaves."""
        if event.type() == QEvent.Type.Leave:
            self._hover(None)
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tip(event)
            return True
        return super().viewportEvent(event)

    def _show_tip(self, event: QHelpEvent) -> None:
        tile = self.tile_at(QPointF(event.pos()))
        if tile is None:
            QToolTip.hideText()
            return
        said = tr("Raw similarity, no projection")
        if tile:
            said = tr("Head {}\nClick to bring it up, Shift+click to average").format(tile - 1)
        QToolTip.showText(event.globalPos(), tip(said), self)

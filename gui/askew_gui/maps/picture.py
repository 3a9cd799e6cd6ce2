"""The three maps as the window keeps them painted: an edit paints only what it changed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter

from askew_gui.maps.canvas import Canvas, Layer
from askew_gui.maps.cells import longest_number, number_size
from askew_gui.maps.painter import bar_body, paint_bar, paint_cells, paint_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QWidget

    from askew.heatmap import Heatmap
    from askew_gui.maps.layout import MapLayout, StripLayout
    from askew_gui.maps.style import MapStyle


class MapsPicture:
    """Labels, which stay while values change, and the picture: labels with cells and colour bars on them."""

    def __init__(self) -> None:
        self.labels, self.picture = Layer(), Layer()
        self._shown: Sequence[Heatmap] = ()
        self._longest: dict[int, tuple[Heatmap, str]] = {}
        self._gaps = False  # whether cells without a value are among them

    def forget(self) -> None:
        """Paint all of it again next time."""
        self.labels.forget()
        self.picture.forget()

    def image(
        self,
        widget: QWidget,
        heatmaps: Sequence[Heatmap],
        words: object,
        layout: StripLayout,
        style: MapStyle,
    ) -> QImage:
        """Return the picture, brought up to date; `words` are all that the labels depend on."""

        def paint(painter: QPainter) -> None:
            paint_labels(painter, heatmaps, layout, style)

        self.labels.get(words, widget, paint)
        size = number_size(heatmaps, layout.maps[0], style, self._longest_number)
        todo = [i for i, one in enumerate(heatmaps) if i >= len(self._shown) or one is not self._shown[i]]
        if todo and self._gaps:  # hatching and what is said over it may reach beyond the cells
            self.picture.forget()
        fresh = self.picture.renew((words, size), widget)
        if fresh:
            todo = list(range(len(heatmaps)))
        if todo:
            self._paint(heatmaps, todo, layout, style, size, fresh)
        return self.picture.image

    def _longest_number(self, heatmap: Heatmap) -> str:
        """Return the longest number of a map, known already for one that has not changed."""
        known = self._longest.get(id(heatmap))
        if known is None or known[0] is not heatmap:
            if len(self._longest) > 12:
                self._longest.clear()
            known = self._longest[id(heatmap)] = heatmap, longest_number(heatmap)
        return known[1]

    def _paint(
        self,
        heatmaps: Sequence[Heatmap],
        todo: Sequence[int],
        layout: StripLayout,
        style: MapStyle,
        size: int | None,
        fresh: bool,
    ) -> None:
        """Paint maps, on the labels anew or on the picture as it is."""
        canvas = self.picture.canvas()
        if fresh:
            canvas.pixels[...] = self.labels.canvas().pixels
            self._gaps = False
        painter = QPainter(self.picture.image)
        for index in todo:
            heatmap, one = heatmaps[index], layout.maps[index]
            self._gaps |= paint_cells(painter, heatmap, one, style, size, canvas, fresh)
            if fresh:
                paint_bar(painter, heatmap, one, style)
            elif not _same_bar(heatmap, self._shown[index]):
                stays = self._wipe_bar(canvas, self._shown[index], heatmap, one, style)
                paint_bar(painter, heatmap, one, style, body=not stays)
        painter.end()
        self._shown = tuple(heatmaps)
        self.picture.painted += 1

    def _wipe_bar(
        self, canvas: Canvas, before: Heatmap, after: Heatmap, layout: MapLayout, style: MapStyle
    ) -> bool:
        """Bring back what the labels have around the colour bar; return whether its colours could stay."""
        box, scale, unit = layout.bar, layout.scale, style.unit
        body = bar_body(after, layout, style)
        bottom = body.bottom * scale
        stays = (
            before.colours == after.colours
            and body == bar_body(before, layout, style)
            and abs(bottom - round(bottom)) < 1e-6  # else the ticks would share pixels with the colours
        )
        left, right = math.floor((box.x - 2) * scale), math.ceil((box.right + 8 * unit + 2) * scale)
        top, end = math.floor((box.y - 4 * unit - 1) * scale), math.ceil((box.bottom + 4 * unit + 1) * scale)
        parts = [(top, end, left, right)]
        if stays:
            begin, stop = math.floor((body.x - 1) * scale), math.ceil((body.right + 1) * scale)
            parts = [(top, end, left, begin), (top, end, stop, right), (round(bottom), end, begin, stop)]
        for y, y_end, x, x_end in parts:
            part = slice(max(y, 0), y_end), slice(max(x, 0), x_end)
            canvas.pixels[part] = self.labels.canvas().pixels[part]
        return stays


def _same_bar(one: Heatmap, other: Heatmap) -> bool:
    """Return whether two colour bars look the same: a diverging one marks the values that occur."""
    return (
        one.colours == other.colours == "sequential"
        and one.limits == other.limits
        and one.row_stretch == other.row_stretch
    )

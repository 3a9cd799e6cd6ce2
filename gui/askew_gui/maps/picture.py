"""The three maps as the window keeps them painted: an edit paints only what it changed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter

from askew_gui.maps.canvas import Canvas, Layer
from askew_gui.maps.cells import number_size
from askew_gui.maps.painter import paint_bar, paint_cells, paint_labels

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
        size = number_size(heatmaps, layout.maps[0], style)
        todo = [i for i, one in enumerate(heatmaps) if i >= len(self._shown) or one is not self._shown[i]]
        if todo and self._gaps:  # hatching and what is said over it may reach beyond the cells
            self.picture.forget()
        fresh = self.picture.renew((words, size), widget)
        if fresh:
            todo = list(range(len(heatmaps)))
        if todo:
            self._paint(heatmaps, todo, layout, style, size, fresh)
        return self.picture.image

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
        canvas = Canvas(self.picture.pixels)
        if fresh:
            canvas.pixels[...] = self.labels.pixels
            self._gaps = False
        painter = QPainter(self.picture.image)
        for index in todo:
            heatmap, one = heatmaps[index], layout.maps[index]
            self._gaps |= paint_cells(painter, heatmap, one, style, size, canvas)
            if fresh or not _same_bar(heatmap, self._shown[index]):
                if not fresh:
                    self._wipe_bar(canvas, one, style.unit)
                paint_bar(painter, heatmap, one, style)
        painter.end()
        self._shown = tuple(heatmaps)
        self.picture.painted += 1

    def _wipe_bar(self, canvas: Canvas, layout: MapLayout, unit: float) -> None:
        """Bring back what the labels have where the colour bar stands."""
        box, scale = layout.bar, layout.scale
        top, bottom = box.y - 4 * unit - 1, box.bottom + 4 * unit + 1
        left, right = box.x - 2, box.right + 8 * unit + 2
        part = (
            slice(max(math.floor(top * scale), 0), math.ceil(bottom * scale)),
            slice(max(math.floor(left * scale), 0), math.ceil(right * scale)),
        )
        canvas.pixels[part] = self.labels.pixels[part]


def _same_bar(one: Heatmap, other: Heatmap) -> bool:
    """Return whether two colour bars look the same: a diverging one marks the values that occur."""
    return (
        one.colours == other.colours == "sequential"
        and one.limits == other.limits
        and one.row_stretch == other.row_stretch
    )

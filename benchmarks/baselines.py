"""What Askew is measured against: einsum as written in tutorials, and pyqtgraph as its documentation uses it.

`PlotMaps` is how pyqtgraph shows a labelled matrix: an `ImageItem` in a `PlotItem`, y inverted, a title, the
tokens as ticks of the bottom and the left axis (its "matrix display" example has them on all four sides and a
colour bar, which are left out here). `ViewBoxMaps` is the cheapest way to show many: bare view boxes without
axes or titles. Both are made once and kept on screen; a new frame is `setImage` on every item, with fixed
levels, which spares it the search for the range, and a grab of what shows them. Colours come by
`setColorMap`, as in every example: a colour map of 256 entries. Neither uses OpenGL, which machines without a
graphics card don't have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg

if TYPE_CHECKING:
    from PySide6.QtGui import QPixmap

    from askew.arrays import Float32
    from askew.experiment import Experiment

WINDOW = (1280, 860)


def stacked(experiment: Experiment, name: str) -> Float32:
    """Return one matrix of all heads, (H, d_model, d)."""
    matrices: list[Float32] = [getattr(head, name) for head in experiment.heads]
    return np.stack(matrices)


def einsum_patterns(x: Float32, w_q: Float32, w_k: Float32) -> Float32:
    """Return the patterns of all heads, (H, n, n)."""
    q = np.einsum("nd,hdk->hnk", x, w_q)
    k = np.einsum("nd,hdk->hnk", x, w_k)
    scores = np.einsum("hik,hjk->hij", q, k) / np.sqrt(w_q.shape[2])
    weights: Float32 = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights


class PlotMaps:
    """Heat maps as pyqtgraph plots, with the tokens on both axes."""

    def __init__(self, heads: int, labels: list[str], columns: int) -> None:
        self.widget = pg.GraphicsLayoutWidget()
        self.widget.resize(*WINDOW)
        self.widget.show()
        self._images: list[pg.ImageItem] = []
        ticks = [[(i + 0.5, label) for i, label in enumerate(labels)]]
        for head in range(heads):
            plot = self.widget.addPlot(row=head // columns, col=head % columns, title=f"head {head}")
            plot.invertY(True)
            for side in ("bottom", "left"):
                plot.getAxis(side).setTicks(ticks)
            self._images.append(_image_in(plot, len(labels)))

    def show_frame(self, patterns: Float32) -> QPixmap:
        """Paint new patterns."""
        for image, pattern in zip(self._images, patterns, strict=True):
            image.setImage(pattern, levels=(0, 1), autoLevels=False)
        picture: QPixmap = self.widget.viewport().grab()
        return picture


class ViewBoxMaps:
    """Heat maps as bare pyqtgraph view boxes, without axes."""

    def __init__(self, heads: int, n: int, columns: int) -> None:
        self.widget = pg.GraphicsLayoutWidget()
        self.widget.resize(*WINDOW)
        self.widget.show()
        self._images = []
        for head in range(heads):
            box = self.widget.addViewBox(row=head // columns, col=head % columns, invertY=True)
            self._images.append(_image_in(box, n))

    def show_frame(self, patterns: Float32) -> QPixmap:
        """Paint new patterns."""
        for image, pattern in zip(self._images, patterns, strict=True):
            image.setImage(pattern, levels=(0, 1), autoLevels=False)
        picture: QPixmap = self.widget.viewport().grab()
        return picture


def _image_in(plot: pg.PlotItem | pg.ViewBox, n: int) -> pg.ImageItem:
    image = pg.ImageItem(np.zeros((n, n), np.float32), axisOrder="row-major", levels=(0, 1))
    image.setColorMap(pg.colormap.get("viridis"))
    plot.addItem(image)
    return image

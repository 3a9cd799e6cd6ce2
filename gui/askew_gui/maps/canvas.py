"""Pixmaps that keep what was painted, and the widget's share in the style of maps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter, QPixmap

from askew_gui.fonts import POINT_SIZE
from askew_gui.maps.style import MapStyle, screen_style
from askew_gui.theme import tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget


class Layer:
    """A pixmap that is painted again only when its key changes."""

    def __init__(self) -> None:
        self._key: object = None
        self._pixmap = QPixmap()
        self.painted = 0  # how many times it was painted

    def forget(self) -> None:
        """Paint it again next time."""
        self._key = None

    def get(self, key: object, widget: QWidget, paint: Callable[[QPainter], None]) -> QPixmap:
        """Return the pixmap, as large as the widget, painted by `paint` if the key is a new one."""
        ratio = widget.devicePixelRatio()
        width, height = (math.ceil(length * ratio) for length in (widget.width(), widget.height()))
        full = (key, width, height, ratio)
        if full != self._key:
            if (self._pixmap.width(), self._pixmap.height()) != (width, height):
                self._pixmap = QPixmap(width, height)
            self._pixmap.setDevicePixelRatio(ratio)
            painter = QPainter(self._pixmap)
            paint(painter)
            painter.end()
            self._key = full
            self.painted += 1
        return self._pixmap


def widget_style(widget: QWidget) -> MapStyle:
    """Return the style of maps in a widget: its palette's theme, its font's size."""
    size = widget.font().pointSizeF()
    return screen_style(tokens(widget.palette()), size / POINT_SIZE if size > 0 else 1.0)

"""Images that keep what was painted, and the widget's share in the style of maps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtGui import QImage, QPainter

from askew_gui.fonts import POINT_SIZE
from askew_gui.maps.style import MapStyle, screen_style
from askew_gui.theme import tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from askew_gui.maps.colours import Pixels
    from askew_gui.maps.layout import Box


class Canvas(NamedTuple):
    """Pixels that are painted on, (height, width) in device pixels; `top` is the y of their first row.

    `kept` holds views of them for as long as they are the same.
    """

    pixels: Pixels
    top: float
    kept: dict[object, list[Pixels | None]]

    def block(self, box: Box, shape: tuple[int, ...], scale: float) -> Pixels | None:
        """Return the pixels of a box, or None unless cells of that shape are whole pixels of the canvas."""
        x, y = round(box.x * scale), round((box.y - self.top) * scale)
        width, height = round(box.w * scale), round(box.h * scale)
        if abs(width - box.w * scale) > 1e-6 or width % shape[1] or height % shape[0] or not width * height:
            return None
        if x < 0 or y < 0 or y + height > self.pixels.shape[0] or x + width > self.pixels.shape[1]:
            return None
        return self.pixels[y : y + height, x : x + width]


class Layer:
    """An image as large as a widget that is painted again only when its key changes.

    What changes often in small places is painted on it as it is: see `canvas`.
    """

    def __init__(self) -> None:
        self._key: object = None
        self.image = QImage()
        self._canvas: Canvas | None = None
        self._address = 0
        self.painted = 0  # how many times it was painted

    def forget(self) -> None:
        """Paint it again next time."""
        self._key = None

    def canvas(self, top: float = 0.0) -> Canvas:
        """Return the pixels of the image itself, 0xffRRGGBB, to read and to write."""
        shape = self.image.height(), self.image.width()
        pixels = np.frombuffer(self.image.bits(), np.uint32).reshape(shape)
        address = pixels.__array_interface__["data"][0]
        if self._canvas is None or address != self._address or self._canvas.pixels.shape != shape:
            self._canvas, self._address = Canvas(pixels, top, {}), address
        elif top != self._canvas.top:
            self._canvas = Canvas(self._canvas.pixels, top, {})
        return self._canvas

    def get(self, key: object, widget: QWidget, paint: Callable[[QPainter], None]) -> QImage:
        """Return the image, as large as the widget, painted by `paint` if the key is a new one."""
        if self.renew(key, widget):
            painter = QPainter(self.image)
            paint(painter)
            painter.end()
            self.painted += 1
        return self.image

    def renew(self, key: object, widget: QWidget) -> bool:
        """Return whether key or size are new, so that everything has to be painted; make the room for it."""
        ratio = widget.devicePixelRatio()
        width, height = (math.ceil(length * ratio) for length in (widget.width(), widget.height()))
        full = (key, width, height, ratio)
        if full == self._key:
            return False
        if (self.image.width(), self.image.height()) != (width, height):
            self._canvas, self.image = None, QImage(width, height, QImage.Format.Format_RGB32)
        self.image.setDevicePixelRatio(ratio)
        self._key = full
        return True


def widget_style(widget: QWidget) -> MapStyle:
    """Return the style of maps in a widget: its palette's theme, its font's size."""
    size = widget.font().pointSizeF()
    return screen_style(tokens(widget.palette()), size / POINT_SIZE if size > 0 else 1.0)

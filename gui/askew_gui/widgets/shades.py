"""Colours of signed numbers: zero is neutral, the largest absolute value strongest."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QColor, QImage

import askew_assets

if TYPE_CHECKING:
    from askew.arrays import FloatArray, IntArray

BLACK, WHITE = "#141821", "#ffffff"


@cache
def fills(name: askew_assets.ColourTable = "diverging") -> tuple[QColor, ...]:
    """Return the 256 colours of a table."""
    return tuple(QColor(*map(int, rgb)) for rgb in askew_assets.colour_table(name))


@cache
def inks(name: askew_assets.ColourTable = "diverging") -> tuple[QColor, ...]:
    """Return for each of those colours the letters that read best on it, black or white (WCAG contrast)."""
    channels = askew_assets.colour_table(name).astype(np.float64) / 255
    linear = np.where(channels <= 0.03928, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    light = linear @ np.array([0.2126, 0.7152, 0.0722]) + 0.05
    black, white = QColor(BLACK), QColor(WHITE)
    return tuple(black if dark else white for dark in light / 0.06 > 1.05 / light)


def strongest(values: FloatArray) -> float:
    """Return the value of the strongest colour: the largest absolute value, 1 for all zeros."""
    largest = float(np.abs(values).max(initial=0.0))
    return largest if largest > 0 else 1.0


def shades(values: FloatArray, limit: float) -> IntArray:
    """Return places in the diverging table, −`limit` at 0 and `limit` at 255."""
    scaled = np.rint(values.astype(np.float64) * (127.5 / limit) + 127.5)
    return np.clip(scaled, 0, 255).astype(np.intp)


def reduced(values: FloatArray, room: tuple[int, int]) -> FloatArray:
    """Return a matrix with no more rows and columns than pixels; a lone peak stays visible."""
    for axis, most in enumerate(room):
        size = values.shape[axis]
        if 0 < most < size:
            starts = np.arange(most) * size // most
            high = np.maximum.reduceat(values, starts, axis=axis)
            low = np.minimum.reduceat(values, starts, axis=axis)
            values = np.where(-low > high, low, high)
    return values


def image(values: FloatArray, limit: float, room: tuple[int, int]) -> QImage:
    """Return a matrix as an image of a pixel a number, or of `room` (rows, columns) where that is less."""
    table = askew_assets.colour_table("diverging").astype(np.uint32)
    pixels = 0xFF000000 | (table[:, 0] << 16) | (table[:, 1] << 8) | table[:, 2]
    painted = np.ascontiguousarray(pixels[shades(reduced(values, room), limit)])
    rows, columns = painted.shape
    return QImage(painted.data, columns, rows, columns * 4, QImage.Format.Format_RGB32).copy()

"""Pictures of pixels, and PNG files of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage, QPainter

from askew.errors import AskewError
from askew_gui.export.pages import height_in_pixels, page_of, strip_page
from askew_gui.export.spec import (
    MOST_PIXELS,
    NARROWEST,
    WIDEST,
    WIDTH,
    PictureSpec,
    check_size,
    check_width,
)
from askew_gui.export.views import shown_maps
from askew_gui.i18n import tr
from askew_gui.maps.style import page_style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.evaluation import Evaluation
    from askew.heatmap import Heatmap
    from askew_gui.export.pages import Page
    from askew_gui.export.spec import Theme
    from askew_gui.export.views import Shown

STEP = 0.995  # from one width that is tried to the next
JUMP = 1.2  # times what fits by proportion, from where smaller widths are tried
QUALITY = 80  # of Qt: quick to write, 1 in 20 larger than the smallest


def picture_image(evaluation: Evaluation, spec: PictureSpec) -> QImage:
    """Return a picture as an image exactly as many pixels wide as asked.

    Raises
    ------
    AskewError
        If there is nothing to show, or the picture is too large; the largest that works is named.
    """
    image = image_of(checked_page(evaluation, spec), spec.pixels)
    dots = round(spec.resolution * spec.scale / 0.0254)
    image.setDotsPerMeterX(dots)
    image.setDotsPerMeterY(dots)
    return image


def checked_page(evaluation: Evaluation, spec: PictureSpec) -> Page:
    """Return the page of a picture that is not too large to be painted.

    Raises
    ------
    AskewError
        If there is nothing to show, or the picture is too large; the largest that works is named.
    """
    check_size(spec, "png")
    shown = shown_maps(evaluation, spec)
    page = page_of(shown, spec, spec.pixels)
    height = height_in_pixels(page, spec.pixels)
    if height > WIDEST or spec.pixels * height > MOST_PIXELS:
        largest = _largest(shown, spec, height)
        what = tr("a picture of {} × {} pixels is too large").format(spec.pixels, height)
        raise AskewError(what, remedy=tr("Choose at most {} pixels for its width").format(largest))
    return page


def _largest(shown: Shown, spec: PictureSpec, height: int) -> int:
    """Return the largest width that works, to half a percent: cells of whole pixels let the height jump.

    It is searched from somewhat above where a picture of the same proportions would do.
    """
    fits = min(WIDEST / height, math.sqrt(MOST_PIXELS / (spec.pixels * height)))
    width = min(spec.pixels, math.ceil(spec.pixels * fits * JUMP))
    while width > NARROWEST:
        width = max(NARROWEST, math.floor(width * STEP))
        height = height_in_pixels(page_of(shown, spec, width), width)
        if height <= WIDEST and width * height <= MOST_PIXELS:
            break
    return width


def render_heatmaps(heatmaps: Sequence[Heatmap], width: int = WIDTH, theme: Theme = "light") -> QImage:
    """Return heat maps that share their labels side by side, exactly `width` pixels wide."""
    check_width(width)
    return image_of(strip_page(heatmaps, width, page_style(theme)), width)


def image_of(page: Page, width: int) -> QImage:
    """Return a page as an image exactly `width` pixels wide.

    Raises
    ------
    AskewError
        If the picture is too large for the memory.
    """
    image = QImage(width, height_in_pixels(page, width), QImage.Format.Format_RGB32)
    if image.isNull():
        raise AskewError(tr("a picture {} pixels wide is too large").format(width), remedy=tr("Ask for less"))
    image.fill(page.background)
    painter = QPainter(image)
    painter.scale(width / page.width, width / page.width)
    page.paint(painter)
    painter.end()
    return image


def png_bytes(image: QImage) -> bytes:
    """Return an image as the content of a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG", QUALITY):  # type: ignore[call-overload]
        raise AskewError(tr("the picture could not be turned into a PNG file"))
    return bytes(buffer.data().data())

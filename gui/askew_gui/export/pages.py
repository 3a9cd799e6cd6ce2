"""Pictures for files: the maps, the head grid or one map, exactly as wide as asked.

A page is laid out in units of its own and then scaled, so that nothing depends on the screen: twice the width
is the same picture, twice as large.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtGui import QImage, QPainter

from askew.errors import AskewError
from askew_gui.fonts import load_fonts
from askew_gui.i18n import tr
from askew_gui.maps.grid_page import grid_page, paint_grid_page
from askew_gui.maps.painter import lay_out, paint_strip
from askew_gui.maps.style import MapStyle, page_style
from askew_gui.maps.views import grid_maps, three_maps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askew.evaluation import Evaluation
    from askew.heatmap import Heatmap

Theme = Literal["light", "dark"]

WIDTH = 1600  # pixels, unless another width is asked for
NARROWEST, WIDEST = 64, 30000
PAGE = 960.0  # units a page of three maps is wide
LABELLED = 10.0  # units a cell needs so that every label is written


@dataclass(frozen=True, slots=True)
class Page:
    """Something to paint, `width` × `height` units; `paint` takes any painter, scaled so."""

    width: float
    height: float
    paint: Callable[[QPainter], None]
    background: str


def maps_page(evaluation: Evaluation, pixels: float, theme: Theme = "light") -> Page:
    """Return raw, head and difference as a page that will be so many pixels wide."""
    check_tokens(evaluation)
    return strip_page(three_maps(evaluation), pixels, page_style(theme))


def strip_page(heatmaps: Sequence[Heatmap], pixels: float, style: MapStyle) -> Page:
    """Return maps side by side as a page: narrower for one alone, of limited height for many rows."""
    check_width(pixels)
    rows, columns = heatmaps[0].values.shape
    count = len(heatmaps)
    least = PAGE if count > 1 else 560.0
    width = min(max(least, count * columns * LABELLED + 200), 2.2 * PAGE)
    tallest = None if rows <= 1.5 * columns else max(700.0, min(rows * LABELLED, 1400.0))
    layout = lay_out(heatmaps, width, tallest, style, scale=pixels / width)

    def paint(painter: QPainter) -> None:
        paint_strip(painter, heatmaps, layout, style)

    return Page(width, layout.height, paint, style.background)


def head_grid_page(evaluation: Evaluation, pixels: float, theme: Theme = "light") -> Page:
    """Return raw and all heads as a page that will be so many pixels wide."""
    check_width(pixels)
    check_tokens(evaluation)
    style, heatmaps = page_style(theme), grid_maps(evaluation)
    layout = grid_page(evaluation, len(heatmaps), PAGE, pixels / PAGE)

    def paint(painter: QPainter) -> None:
        paint_grid_page(painter, layout, heatmaps, style)

    return Page(PAGE, layout.height, paint, style.background)


def image_of(page: Page, width: int) -> QImage:
    """Return a page as an image exactly `width` pixels wide.

    Raises
    ------
    AskewError
        If the width makes no sense, or the picture is too large for the memory.
    """
    scale = width / page.width
    image = QImage(width, max(1, math.ceil(page.height * scale - 1e-6)), QImage.Format.Format_RGB32)
    if image.isNull():
        raise AskewError(tr("a picture {} pixels wide is too large").format(width), remedy=tr("Ask for less"))
    image.fill(page.background)
    load_fonts()
    painter = QPainter(image)
    painter.scale(scale, scale)
    page.paint(painter)
    painter.end()
    return image


def check_width(width: float) -> None:
    """Raise for a width that cannot be painted."""
    if not NARROWEST <= width <= WIDEST:
        what = tr("a picture cannot be {} pixels wide").format(width)
        raise AskewError(what, remedy=tr("Choose {} to {}").format(NARROWEST, WIDEST))


def check_tokens(evaluation: Evaluation) -> None:
    """Raise if there is no token to show."""
    if not evaluation.tokens:
        raise AskewError(tr("there is no token to show"), remedy=tr("Type words that the vectors know"))

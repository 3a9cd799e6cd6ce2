"""Pictures for files as pages: laid out in units of their own, painted with any painter.

A page is scaled as a whole, so that nothing depends on the screen: twice the width is the same picture, twice
as large.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from askew_gui.export.views import shown_maps
from askew_gui.fonts import load_fonts
from askew_gui.maps.grid_page import grid_page, paint_grid_page
from askew_gui.maps.labels import drawable, wrapped
from askew_gui.maps.layout import LINE, MARGIN
from askew_gui.maps.painter import LEFT, lay_out, paint_strip
from askew_gui.maps.rectangles import MOST_RECTANGLES
from askew_gui.maps.style import LABEL_PX, TITLE_PX, MapStyle, colour, page_style

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QPainter

    from askew.evaluation import Evaluation
    from askew.heatmap import Heatmap
    from askew_gui.export.spec import PictureSpec
    from askew_gui.export.views import Shown

PAGE = 960.0  # units a page of three maps is wide
LABELLED = 10.0  # units a cell needs so that every label is written
FINEST = 8.0  # parts of a unit that cells are whole ones of, in drawings that know no pixels


@dataclass(frozen=True, slots=True)
class Page:
    """Something to paint, `width` × `height` units; `paint` takes any painter, scaled so."""

    width: float
    height: float
    paint: Callable[[QPainter], None]
    background: str
    title: str = ""


def picture_page(evaluation: Evaluation, spec: PictureSpec, pixels: int | None) -> Page:
    """Return what is asked for as a page that will be so many pixels wide, or is drawn without pixels.

    Raises
    ------
    AskewError
        If there is nothing to show.
    """
    return page_of(shown_maps(evaluation, spec), spec, pixels)


def page_of(shown: Shown, spec: PictureSpec, pixels: int | None) -> Page:
    """Return maps as a page, like `picture_page`."""
    style = replace(page_style(spec.theme), numbers=spec.numbers)
    if pixels is None:
        few = sum(one.values.size for one in shown.heatmaps) <= MOST_RECTANGLES
        style = replace(style, cells="rectangles" if few else "image")
    page = _laid_out(shown, spec, pixels, style)
    if spec.aspect is None:
        return page
    part = page.width / (spec.aspect * page.height)
    if part < 1 and pixels is not None:
        page = _laid_out(shown, spec, pixels * part, style)  # it gets that part of the width
    return _in_the_middle(page, spec.aspect)


def _laid_out(shown: Shown, spec: PictureSpec, pixels: float | None, style: MapStyle) -> Page:
    if shown.grid:
        page = _grid_page(shown, pixels, style, spec.units)
    else:
        page = strip_page(shown.heatmaps, pixels, style, spec.units)
    return _framed(page, spec.title, spec.caption, style)


def _in_the_middle(page: Page, aspect: float) -> Page:
    """Return a page of given proportions with another in its middle."""
    width, height = max(page.width, aspect * page.height), max(page.height, page.width / aspect)

    def paint(painter: QPainter) -> None:
        painter.fillRect(QRectF(0, 0, width, height), colour(page.background))
        painter.save()
        painter.translate((width - page.width) / 2, (height - page.height) / 2)
        page.paint(painter)
        painter.restore()

    return Page(width, height, paint, page.background, page.title)


@cache
def _see_to_fonts() -> None:
    """Have the bundled fonts before anything is laid out: widths of text are measured then."""
    load_fonts()


def strip_page(
    heatmaps: Sequence[Heatmap], pixels: float | None, style: MapStyle, units: float | None = None
) -> Page:
    """Return maps side by side as a page: narrower for one alone, of limited height for many rows."""
    _see_to_fonts()
    rows, columns = heatmaps[0].values.shape
    count = len(heatmaps)
    least = PAGE if count > 1 else 560.0
    usual = min(max(least, count * columns * LABELLED + 200), 2.2 * PAGE)
    width = units or usual
    tallest = None if rows <= 1.5 * columns else max(700.0, min(rows * LABELLED, 1400.0)) * width / usual
    scale = FINEST if pixels is None else pixels / width
    layout = lay_out(heatmaps, width, tallest, style, scale=scale)
    paint = partial(paint_strip, heatmaps=heatmaps, layout=layout, style=style)
    title = ", ".join([one.title for one in heatmaps[:3]])
    return Page(width, layout.height, paint, style.background, title)


def _grid_page(shown: Shown, pixels: float | None, style: MapStyle, units: float | None) -> Page:
    """Return small maps under a heading as a page."""
    _see_to_fonts()
    width = units or PAGE
    scale = FINEST if pixels is None else pixels / width
    layout = grid_page(shown.heatmaps, shown.words, width, scale, shown.per_row)
    paint = partial(paint_grid_page, page=layout, heatmaps=shown.heatmaps, style=style)
    return Page(width, layout.height, paint, style.background, layout.title)


def _framed(page: Page, title: str, caption: str, style: MapStyle) -> Page:
    """Put a title over a page and a caption under it, both in as many lines as they need."""
    room = page.width - 2 * MARGIN
    heading = wrapped(title, TITLE_PX + 2, room, bold=True)
    words = wrapped(caption, LABEL_PX, room)
    if not heading and not words:
        return page
    above = len(heading) * 1.3 * LINE + (10 if heading else 0)
    below = len(words) * LINE + (14 if words else 0)
    height = page.height + above + below

    def paint(painter: QPainter) -> None:
        painter.fillRect(QRectF(0, 0, page.width, height), colour(page.background))
        painter.save()
        painter.translate(0, above)
        page.paint(painter)
        painter.restore()
        painter.setPen(colour(style.tokens.text))
        painter.setFont(style.font(TITLE_PX + 2, bold=True))
        for number, line in enumerate(heading):
            box = QRectF(MARGIN, 12 + number * 1.3 * LINE, room, 1.3 * LINE)
            painter.drawText(box, LEFT, line)
        painter.setFont(style.font(LABEL_PX))
        for number, line in enumerate(words):
            painter.drawText(QRectF(MARGIN, above + page.height + number * LINE, room, LINE), LEFT, line)

    return Page(page.width, height, paint, page.background, drawable(title) or page.title)


def height_in_pixels(page: Page, width: int) -> int:
    """Return how high a page is that is `width` pixels wide."""
    return max(1, math.ceil(page.height * width / page.width - 1e-6))

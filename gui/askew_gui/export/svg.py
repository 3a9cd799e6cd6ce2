"""SVG files: text stays text, cells are rectangles, or an image where there are too many."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from askew_gui.export.pages import picture_page
from askew_gui.export.spec import check_size
from askew_gui.maps.svg_painter import SvgPainter

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from askew.evaluation import Evaluation
    from askew_gui.export.pages import Page
    from askew_gui.export.spec import PictureSpec


def svg_bytes(evaluation: Evaluation, spec: PictureSpec, prefix: str = "") -> bytes:
    """Return a picture as the content of an SVG file, as wide on paper as asked.

    Parameters
    ----------
    prefix
        Put before all names in the file, where several pictures stand in one page.

    Raises
    ------
    AskewError
        If there is nothing to show or the size makes no sense.
    """
    check_size(spec, "svg")
    return svg_of(picture_page(evaluation, spec, None), spec.millimetres, prefix)


def svg_of(page: Page, millimetres: float, prefix: str = "") -> bytes:
    """Return a page as the content of an SVG file so wide."""
    painter = SvgPainter(prefix)
    page.paint(cast("QPainter", painter))  # it has the part of QPainter that is used
    size = (millimetres, millimetres * page.height / page.width)
    return painter.document(page.width, page.height, size, page.title).encode()

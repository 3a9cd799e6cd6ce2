"""PDF files of one page, with text that can be found and copied, the same bytes whenever they are made."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QSizeF
from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

from askew.errors import AskewError
from askew_gui.export.pages import picture_page
from askew_gui.export.pdf_form import canonical
from askew_gui.export.spec import LONGEST_MM, check_size
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from askew.evaluation import Evaluation
    from askew_gui.export.pages import Page
    from askew_gui.export.spec import PictureSpec

RESOLUTION = 1200


def pdf_bytes(evaluation: Evaluation, spec: PictureSpec) -> bytes:
    """Return a picture as the content of a PDF file, as wide on paper as asked.

    Raises
    ------
    AskewError
        If there is nothing to show or the size makes no sense.
    """
    check_size(spec, "pdf")
    page = picture_page(evaluation, spec, None)
    size = (spec.points, spec.points * page.height / page.width)
    highest = LONGEST_MM * 72 / 25.4
    if size[1] > highest:
        what = tr("a page of PDF cannot be {:.0f} mm high").format(size[1] * 25.4 / 72)
        widest = math.floor(spec.width * highest / size[1])
        raise AskewError(what, remedy=tr("Choose at most {} {} for its width").format(widest, spec.unit))
    return pdf_of(page, spec.points)


def pdf_of(page: Page, points: float) -> bytes:
    """Return a page as the content of a PDF file so wide."""
    size = (points, points * page.height / page.width)
    return canonical(_written(page, size), size)


def _written(page: Page, size: tuple[float, float]) -> bytes:
    """Return what Qt writes: a page of whole points, of which the picture fills the upper left."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(RESOLUTION)
    whole = QSizeF(math.ceil(size[0]), math.ceil(size[1]))
    exact = QPageSize.SizeMatchPolicy.ExactMatch
    writer.setPageSize(QPageSize(whole, QPageSize.Unit.Point, "", exact))
    writer.setPageMargins(QMarginsF())
    writer.setTitle(page.title)
    writer.setCreator("Askew")
    painter = QPainter(writer)
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
    scale = size[0] * RESOLUTION / 72 / page.width
    painter.scale(scale, scale)
    page.paint(painter)
    painter.end()
    return bytes(buffer.data().data())

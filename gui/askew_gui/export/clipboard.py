"""Maps on the clipboard: as a picture, and as a table that a spreadsheet reads."""

from __future__ import annotations

import atexit
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QMimeData
from PySide6.QtGui import QGuiApplication

from askew_gui.export.numbers import NumbersSpec, text_table
from askew_gui.export.png import picture_image
from askew_gui.export.spec import PictureSpec
from askew_gui.export.svg import svg_bytes
from askew_gui.maps.views import three_maps

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from askew.evaluation import Evaluation
    from askew.heatmap import Heatmap
    from askew_gui.export.numbers import Kind, What


def copy_maps(evaluation: Evaluation) -> None:
    """Put the three maps on the clipboard, as a picture, as a drawing and as three tables."""
    tables = "\n".join(f"{one.title}\n{table_text(one)}" for one in three_maps(evaluation))
    spec = PictureSpec()
    _copy(picture_image(evaluation, spec), tables, svg_bytes(evaluation, spec))


def copy_heatmap(heatmap: Heatmap, image: QImage) -> None:
    """Put one map on the clipboard, as the picture given and as a table."""
    _copy(image, table_text(heatmap))


def copy_picture(image: QImage) -> None:
    """Put an image on the clipboard."""
    QGuiApplication.clipboard().setImage(image)


def copy_grid(evaluation: Evaluation) -> None:
    """Put the head grid on the clipboard as a picture."""
    copy_picture(picture_image(evaluation, PictureSpec("grid")))


def copy_table(heatmap: Heatmap) -> None:
    """Put a map's numbers on the clipboard."""
    QGuiApplication.clipboard().setText(table_text(heatmap))


def copy_text_table(evaluation: Evaluation, what: What, kind: Kind) -> None:
    """Put a map, or the measures of the heads, on the clipboard as a table for LaTeX or Markdown."""
    QGuiApplication.clipboard().setText(text_table(evaluation, NumbersSpec(what, kind)))


def _copy(image: QImage, text: str, drawing: bytes = b"") -> None:
    atexit.unregister(_let_go)
    atexit.register(_let_go)
    content = QMimeData()
    content.setImageData(image)
    content.setText(text)
    if drawing:
        content.setData("image/svg+xml", QByteArray(drawing))
    QGuiApplication.clipboard().setMimeData(content)


def _let_go() -> None:
    """Empty a clipboard that lives in this process alone: Qt would do it when Python is gone, and crash."""
    if QGuiApplication.instance() is not None and QGuiApplication.platformName() in ("offscreen", "minimal"):
        QGuiApplication.clipboard().clear()


def table_text(heatmap: Heatmap) -> str:
    """Return a heat map's numbers with their labels, columns parted by tabs.

    Every number has the digits that give its float32 back; no value is an empty cell.
    """
    lines = ["\t".join(["", *map(_cell, heatmap.column_labels)])]
    for label, row in zip(heatmap.row_labels, heatmap.values, strict=True):
        lines.append("\t".join([_cell(label), *("" if value != value else str(value) for value in row)]))
    return "\n".join(lines) + "\n"


def _cell(label: str) -> str:
    """Return a label that stays in its cell."""
    return " ".join(label.split()) if any(c in label for c in "\t\r\n") else label

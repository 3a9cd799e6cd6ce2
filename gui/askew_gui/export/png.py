"""PNG files: the maps, the head grid, or one map."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QBuffer, QIODevice

from askew.errors import AskewError
from askew.evaluation import evaluate
from askew.files import write_bytes
from askew_gui.export.pages import (
    WIDTH,
    Theme,
    check_tokens,
    head_grid_page,
    image_of,
    maps_page,
    strip_page,
)
from askew_gui.i18n import tr
from askew_gui.maps.style import page_style
from askew_gui.maps.views import three_maps, weights_map

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from PySide6.QtGui import QImage

    from askew.evaluation import Evaluation
    from askew.heatmap import Heatmap

View = Literal["maps", "grid", "raw", "pattern", "scores", "difference", "weights"]
VIEWS: tuple[View, ...] = ("maps", "grid", "raw", "pattern", "scores", "difference", "weights")


def render_view(evaluation: Evaluation, view: View, width: int = WIDTH, theme: Theme = "light") -> QImage:
    """Return one of the views of an evaluation as an image exactly `width` pixels wide.

    `raw` and `difference` are of the quantity the experiment shows, `pattern` and `scores` of the selected
    heads, `weights` W_q, W_k and W_v of the first of them.

    Raises
    ------
    AskewError
        If there is nothing to show or the width makes no sense.
    """
    if view == "maps":
        return render_maps(evaluation, width, theme)
    if view == "grid":
        return render_grid(evaluation, width, theme)
    if view == "weights":
        return _render_weights(evaluation, width, theme)
    check_tokens(evaluation)
    if view in ("pattern", "scores"):
        shown = replace(evaluation.experiment, quantity=view)
        evaluation = evaluate(shown, evaluation.vectors, previous=evaluation)
    raw, head, difference = three_maps(evaluation)
    chosen = {"raw": raw, "difference": difference}.get(view, head)
    return render_heatmaps((chosen,), width, theme)


def render_maps(evaluation: Evaluation, width: int = WIDTH, theme: Theme = "light") -> QImage:
    """Return raw, head and difference as an image exactly `width` pixels wide."""
    return image_of(maps_page(evaluation, width, theme), width)


def render_grid(evaluation: Evaluation, width: int = WIDTH, theme: Theme = "light") -> QImage:
    """Return raw and every head as an image exactly `width` pixels wide."""
    return image_of(head_grid_page(evaluation, width, theme), width)


def render_heatmaps(heatmaps: Sequence[Heatmap], width: int = WIDTH, theme: Theme = "light") -> QImage:
    """Return heat maps that share their labels side by side, exactly `width` pixels wide."""
    return image_of(strip_page(heatmaps, width, page_style(theme)), width)


def _render_weights(evaluation: Evaluation, width: int, theme: Theme) -> QImage:
    index = evaluation.experiment.selected[0]
    head = evaluation.experiment.heads[index]
    if head.w_q.shape == head.w_v.shape:
        return render_heatmaps([weights_map(head, part, index) for part in ("q", "k", "v")], width, theme)
    return render_heatmaps([weights_map(head, part, index) for part in ("q", "k")], width, theme)


def png_bytes(image: QImage) -> bytes:
    """Return an image as the content of a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG", 80):  # type: ignore[call-overload]
        raise AskewError(tr("the picture could not be turned into a PNG file"))
    return bytes(buffer.data().data())


def save_png(image: QImage, path: str | os.PathLike[str]) -> None:
    """Write an image as a PNG file, whole or not at all.

    Raises
    ------
    askew.files.WriteError
        If the place cannot be written; what was there before still is.
    """
    write_bytes(path, png_bytes(image))

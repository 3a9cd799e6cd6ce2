"""Pictures without a screen, as the command line asks for them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from askew.errors import AskewError
from askew.experiment import evaluate
from askew.heatmap import symmetric_limits
from askew_gui.export.pages import check_width
from askew_gui.export.png import render_grid, render_heatmaps, render_view
from askew_gui.fonts import load_fonts
from askew_gui.maps.views import three_maps, weights_map

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from askew.experiment import Evaluation
    from askew.heads import Part
    from askew.heatmap import Heatmap
    from askew_gui.export.pages import Theme
    from askew_gui.export.png import View


def gui_without_screen() -> QGuiApplication:
    """Return a Qt application that paints text in the program's fonts; windows are not needed for that."""
    existing = QGuiApplication.instance()
    application = existing if isinstance(existing, QGuiApplication) else QGuiApplication(["askew"])
    load_fonts()  # before anything is laid out: widths of text are measured then
    return application


def render_one(evaluation: Evaluation, view: View, head: int, width: int, theme: Theme) -> QImage:
    """Return a view of one head as an image exactly `width` pixels wide.

    Raises
    ------
    AskewError
        If there is no such head or the width makes no sense.
    """
    check_width(width)
    count = len(evaluation.heads)
    if not 0 <= head < count:
        raise AskewError(f"there is no head {head}", remedy=f"Heads are 0 to {count - 1}")
    return render_view(_selecting(evaluation, head), view, width, theme)


def render_all(evaluation: Evaluation, view: View, width: int, theme: Theme) -> QImage:
    """Return a view of every head, on one scale, as an image exactly `width` pixels wide.

    Patterns and scores come as the head grid, raw first; differences and weights side by side.
    """
    check_width(width)
    if view == "difference":
        return render_heatmaps(_on_one_scale(_differences(evaluation)), width, theme)
    if view == "weights":
        return render_heatmaps(_on_one_scale(_weights(evaluation)), width, theme)
    if view == "scores":
        scores = replace(evaluation.experiment, quantity="scores")
        evaluation = evaluate(scores, evaluation.vectors, previous=evaluation)
    return render_grid(evaluation, width, theme)


def _selecting(evaluation: Evaluation, head: int) -> Evaluation:
    """Return the evaluation with one head shown; all numbers are shared."""
    experiment = replace(evaluation.experiment, selected=(head,))
    return evaluate(experiment, evaluation.vectors, previous=evaluation)


def _differences(evaluation: Evaluation) -> list[Heatmap]:
    """Return the difference of every head."""
    maps = [three_maps(_selecting(evaluation, h))[2] for h in range(len(evaluation.heads))]
    return [replace(heatmap, title=f"Head {h} − raw", subtitle="") for h, heatmap in enumerate(maps)]


def _weights(evaluation: Evaluation) -> list[Heatmap]:
    """Return W_q, W_k and, if it is as wide, W_v of every head."""
    heads = evaluation.experiment.heads
    parts: tuple[Part, ...] = ("q", "k", "v") if heads[0].d_k == heads[0].d_v else ("q", "k")
    return [
        replace(weights_map(head, part, h), title=f"{h}: W_{part}", subtitle="")
        for h, head in enumerate(heads)
        for part in parts
    ]


def _on_one_scale(heatmaps: list[Heatmap]) -> list[Heatmap]:
    """Give all maps the limits of the largest value among them."""
    limits = symmetric_limits(*(heatmap.values for heatmap in heatmaps))
    return [replace(heatmap, limits=limits) for heatmap in heatmaps]

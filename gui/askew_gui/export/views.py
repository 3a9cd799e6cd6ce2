"""Which heat maps a picture shows, in which colours and range."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from askew.errors import AskewError
from askew.evaluation import evaluate
from askew.heatmap import BETWEEN_NOTES, pattern_limits, symmetric_limits
from askew_gui.i18n import tr
from askew_gui.maps.views import grid_maps, three_maps, token_labels, weights_map

if TYPE_CHECKING:
    from collections.abc import Sequence

    import askew_assets
    from askew.arrays import FloatArray
    from askew.evaluation import Evaluation
    from askew.heads import Part
    from askew.heatmap import Heatmap
    from askew_gui.export.spec import ColourMap, PictureSpec, Range, View

# Tables of what has only one direction, and of what has a zero in its middle.
TABLES: dict[ColourMap, tuple[askew_assets.ColourTable, askew_assets.ColourTable]] = {
    "standard": ("sequential", "diverging"),
    "viridian": ("viridian", "purple-green"),
    "grey": ("grey", "diverging"),
}


class Shown(NamedTuple):
    """What a picture shows: maps side by side, or as small tiles under a heading."""

    heatmaps: tuple[Heatmap, ...]
    grid: bool
    words: tuple[str, str] = ("", "")
    per_row: int | None = None


def shown_maps(evaluation: Evaluation, spec: PictureSpec) -> Shown:
    """Return the maps of a view in the colours and the range asked for.

    Raises
    ------
    AskewError
        If there is nothing to show.
    """
    if spec.view != "weights" and not evaluation.tokens:
        raise AskewError(tr("there is no token to show"), remedy=tr("Type words that the vectors know"))
    if spec.view in ("pattern", "scores"):
        quantity = "scores" if spec.view == "scores" else "pattern"
        evaluation = _changed(evaluation, quantity=quantity)
    if spec.range in ("fixed", "map") and evaluation.experiment.quantity == "pattern":
        evaluation = _changed(evaluation, stretch=spec.range)
    grid = spec.view == "grid" or (spec.all_heads and spec.view != "raw")
    maps = _tiles(evaluation, spec.view) if grid else _strip(evaluation, spec.view)
    maps = _ranged(maps, spec.range, weights=spec.view == "weights")
    words = _heading(evaluation, spec.view) if grid else ("", "")
    per_row = len(maps) // len(evaluation.heads) if spec.view == "weights" else None
    return Shown(tuple(_coloured(maps, spec.colours)), grid, words, per_row)


def _heading(evaluation: Evaluation, view: View) -> tuple[str, str]:
    """Return what stands over the tiles of all heads."""
    names = {"pattern": tr("Patterns"), "scores": tr("Scores"), "cosine": tr("Cosines")}
    name = names[evaluation.experiment.quantity]
    if view == "weights":
        name = tr("Weights")
    elif view == "difference":
        name = tr("Differences to raw")
    title = tr("{} of {} heads").format(name, len(evaluation.heads))
    return title, "" if view == "weights" else " ".join(token_labels(evaluation))


def _changed(evaluation: Evaluation, **fields: object) -> Evaluation:
    """Return an evaluation that shows something else of the same numbers."""
    experiment = replace(evaluation.experiment, **fields)  # type: ignore[arg-type]
    return evaluate(experiment, evaluation.vectors, previous=evaluation)


def _strip(evaluation: Evaluation, view: View) -> list[Heatmap]:
    """Return the maps of the selected heads."""
    if view == "weights":
        return _weights(evaluation, every=False)
    raw, head, difference = three_maps(evaluation)
    if view == "maps":
        return [raw, head, difference]
    return [{"raw": raw, "difference": difference}.get(view, head)]


def _tiles(evaluation: Evaluation, view: View) -> list[Heatmap]:
    """Return the maps of all heads."""
    if view == "weights":
        return _weights(evaluation, every=True)
    return _differences(evaluation) if view == "difference" else grid_maps(evaluation)


def _weights(evaluation: Evaluation, *, every: bool) -> list[Heatmap]:
    """Return W_q, W_k and, if it is as wide, W_v of the first selected head or of all on one scale."""
    heads = evaluation.experiment.heads
    parts: tuple[Part, ...] = ("q", "k", "v") if heads[0].d_k == heads[0].d_v else ("q", "k")
    if not every:
        index = evaluation.experiment.selected[0]
        return [weights_map(heads[index], part, index) for part in parts]
    return _on_one_scale(
        [_lying(weights_map(head, part, h)) for h, head in enumerate(heads) for part in parts]
    )


def _lying(heatmap: Heatmap) -> Heatmap:
    """Return the map of a matrix that is higher than wide on its side."""
    return replace(
        heatmap,
        values=heatmap.values.T,
        row_labels=heatmap.column_labels,
        column_labels=heatmap.row_labels,
        row_axis=heatmap.column_axis,
        column_axis=heatmap.row_axis,
        title=f"{heatmap.title}ᵀ, {heatmap.subtitle}",
        subtitle="",
    )


def _differences(evaluation: Evaluation) -> list[Heatmap]:
    """Return the difference of every head on one scale."""
    maps = [three_maps(_changed(evaluation, selected=(h,)))[2] for h in range(len(evaluation.heads))]
    return _on_one_scale([replace(one, title=str(head), subtitle="") for head, one in enumerate(maps)])


def _on_one_scale(heatmaps: Sequence[Heatmap]) -> list[Heatmap]:
    """Give maps that have a zero in the middle the limits of the largest value that no mask hides."""
    limits = symmetric_limits(*(_seen(one) for one in heatmaps))
    return [replace(one, limits=limits) for one in heatmaps]


def _seen(heatmap: Heatmap) -> FloatArray:
    return heatmap.values if heatmap.masked is None else heatmap.values[~heatmap.masked]


def _ranged(heatmaps: Sequence[Heatmap], wanted: Range, *, weights: bool) -> list[Heatmap]:
    """Return maps in the range asked for, which their note says.

    Patterns that are `fixed` or stretched one by one are so already. A difference is another kind than the
    maps beside it and keeps a range of its own.
    """
    if wanted in ("as-shown", "fixed") or not heatmaps:
        return list(heatmaps)
    if wanted == "map":
        note = tr("colours stretched to the largest value of each map")
        own = [one if one.colours == "sequential" else _on_one_scale([one])[0] for one in heatmaps]
        return [replace(one, note=BETWEEN_NOTES.join(filter(None, (one.note, note)))) for one in own]
    if weights or heatmaps[-1].high:
        several = [one for one in heatmaps if weights or one.high]
        others = [one for one in heatmaps if not (weights or one.high)]
        return [*_ranged(others, wanted, weights=False), *_on_one_scale(several)]
    if heatmaps[0].colours == "diverging":
        return _on_one_scale(heatmaps)
    values = np.concatenate([_seen(one).ravel() for one in heatmaps])
    limits = pattern_limits(values, "map")
    note = tr("colours stretched to the largest value of all maps")
    return [replace(one, limits=limits, row_stretch=False, note=note) for one in heatmaps]


def _coloured(heatmaps: Sequence[Heatmap], name: ColourMap) -> list[Heatmap]:
    if name == "standard":
        return list(heatmaps)
    sequential, diverging = TABLES[name]
    return [replace(one, table=sequential if one.colours == "sequential" else diverging) for one in heatmaps]

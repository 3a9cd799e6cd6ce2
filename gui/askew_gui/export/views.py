"""Which heat maps a picture shows, in which colours and range."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from askew.errors import AskewError
from askew.evaluation import evaluate
from askew.heatmap import pattern_limits, symmetric_limits
from askew_gui.i18n import tr
from askew_gui.maps.views import grid_maps, three_maps, weights_map

if TYPE_CHECKING:
    from collections.abc import Sequence

    import askew_assets
    from askew.arrays import FloatArray
    from askew.evaluation import Evaluation
    from askew.heads import Part
    from askew.heatmap import Heatmap
    from askew_gui.export.spec import ColourMap, PictureSpec, Range

# Tables of what has only one direction, and of what has a zero in its middle.
TABLES: dict[ColourMap, tuple[askew_assets.ColourTable, askew_assets.ColourTable]] = {
    "standard": ("sequential", "diverging"),
    "viridian": ("viridian", "purple-green"),
    "grey": ("grey", "diverging"),
}


class Shown(NamedTuple):
    """What a picture shows: maps side by side, or as tiles of the head grid."""

    heatmaps: tuple[Heatmap, ...]
    grid: bool
    evaluation: Evaluation


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
    grid = spec.view == "grid" or (spec.all_heads and spec.view in ("maps", "pattern", "scores"))
    maps = grid_maps(evaluation) if grid else _strip(evaluation, spec)
    maps = _ranged(maps, spec.range, weights=spec.view == "weights")
    return Shown(tuple(_coloured(maps, spec.colours)), grid, evaluation)


def _changed(evaluation: Evaluation, **fields: object) -> Evaluation:
    """Return an evaluation that shows something else of the same numbers."""
    experiment = replace(evaluation.experiment, **fields)  # type: ignore[arg-type]
    return evaluate(experiment, evaluation.vectors, previous=evaluation)


def _strip(evaluation: Evaluation, spec: PictureSpec) -> list[Heatmap]:
    if spec.view == "weights":
        return _weights(evaluation, spec.all_heads)
    if spec.view == "difference" and spec.all_heads:
        return _differences(evaluation)
    raw, head, difference = three_maps(evaluation)
    if spec.view == "maps":
        return [raw, head, difference]
    return [{"raw": raw, "difference": difference}.get(spec.view, head)]


def _weights(evaluation: Evaluation, every: bool) -> list[Heatmap]:
    """Return W_q, W_k and, if it is as wide, W_v of the first selected head or of all on one scale."""
    heads = evaluation.experiment.heads
    parts: tuple[Part, ...] = ("q", "k", "v") if heads[0].d_k == heads[0].d_v else ("q", "k")
    if not every:
        index = evaluation.experiment.selected[0]
        return [weights_map(heads[index], part, index) for part in parts]
    return _on_one_scale(
        [
            replace(weights_map(head, part, h), title=f"{h}: W_{part}", subtitle="")
            for h, head in enumerate(heads)
            for part in parts
        ]
    )


def _differences(evaluation: Evaluation) -> list[Heatmap]:
    """Return the difference of every head on one scale."""
    maps = [three_maps(_changed(evaluation, selected=(h,)))[2] for h in range(len(evaluation.heads))]
    titles = [tr("Head {} − raw").format(h) for h in range(len(maps))]
    return _on_one_scale(
        [replace(one, title=title, subtitle="") for one, title in zip(maps, titles, strict=True)]
    )


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
        return [one if one.colours == "sequential" else _on_one_scale([one])[0] for one in heatmaps]
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

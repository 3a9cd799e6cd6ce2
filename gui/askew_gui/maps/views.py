"""From an evaluation to the heat maps that are shown: which numbers, which range, which words."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from askew.compare import compare
from askew.heatmap import BETWEEN_NOTES, Heatmap, pattern_limits, symmetric_limits
from askew.notices import unlike_the_model
from askew_gui.i18n import tr
from askew_gui.maps.formulas import head_formula, raw_formula

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from askew.arrays import FloatArray
    from askew.compare import Comparison
    from askew.evaluation import Evaluation
    from askew.heads import Head

Limits = tuple[float, float]


class Axes(NamedTuple):
    """Labels of the tokens, and what rows and columns are."""

    labels: tuple[str, ...]
    row: str
    column: str


ThreeMaps = tuple[Heatmap, Heatmap, Heatmap]
RAW = -1  # place of the raw map among the heads


def three_maps(evaluation: Evaluation) -> ThreeMaps:
    """Return raw, head (or the mean of those selected) and difference of the quantity that is shown."""
    experiment = evaluation.experiment
    selected = experiment.selected
    comparison = compare(evaluation, selected)
    limits = _shared_limits(evaluation, (comparison.raw, comparison.head))
    axes = Axes(token_labels(evaluation), tr("query"), tr("key"))
    raw = _side(evaluation, comparison.raw, tr("Raw"), raw_formula(experiment), limits, axes)
    formula = head_formula(experiment, selected)
    head = _side(evaluation, comparison.head, heads_title(selected), formula, limits, axes)
    unlike = unlike_the_model(experiment)
    if unlike:
        head = replace(head, note=BETWEEN_NOTES.join(filter(None, (unlike, head.note))))
    return raw, head, _difference(evaluation, comparison, axes)


def grid_maps(evaluation: Evaluation, places: Iterable[int] | None = None) -> list[Heatmap]:
    """Return the small maps of the head grid, raw (place -1) and heads on one scale; raw is as it is."""
    heads = range(len(evaluation.heads))
    places = (RAW, *heads) if places is None else places
    scores = evaluation.experiment.quantity == "scores"
    limits = _shared_limits(evaluation, (evaluation.raw.scores, evaluation.scores) if scores else ())
    axes = Axes(token_labels(evaluation), tr("query"), tr("key"))
    shown = [(_values(evaluation, place), tile_title(place + 1)) for place in places]
    if not shown:
        return []
    first = _side(evaluation, *shown[0], "", limits, axes)
    if evaluation.experiment.quantity != "cosine" and evaluation.experiment.stretch != "map":
        return [first, *_siblings(first, shown[1:])]  # limits and note are the same for all
    return [first, *(_side(evaluation, values, title, "", limits, axes) for values, title in shown[1:])]


def _siblings(one: Heatmap, others: Iterable[tuple[FloatArray, str]]) -> list[Heatmap]:
    """Return maps of other values and titles; several times quicker than `replace`, for they may be many."""
    labels, limits, scale, masked, stretch = (
        one.row_labels,
        one.limits,
        one.colours,
        one.masked,
        one.row_stretch,
    )
    words = (one.low, one.high, one.note, one.row_axis, one.column_axis)
    return [
        Heatmap(values, labels, labels, limits, scale, title, "", masked, stretch, *words)
        for values, title in others
    ]


def weights_map(head: Head, part: Literal["q", "k", "v"], index: int) -> Heatmap:
    """Return W_q, W_k or W_v of a head as a heat map, (d_model, d) with both counted from 1."""
    matrix = {"q": head.w_q, "k": head.w_k, "v": head.w_v}[part]
    rows, columns = matrix.shape
    return Heatmap(
        matrix,
        tuple(str(row + 1) for row in range(rows)),
        tuple(str(column + 1) for column in range(columns)),
        symmetric_limits(matrix),
        "diverging",
        title=f"W_{part}",
        subtitle=tr("head {}, {} × {}").format(index, rows, columns),
        row_axis=tr("in"),
        column_axis=tr("out"),
    )


def same_map(one: Heatmap, other: Heatmap) -> bool:
    """Return whether two maps look the same; values are the same only if they are the same object."""
    return same_cells(one, other) and _words(one) == _words(other)


def same_cells(one: Heatmap, other: Heatmap) -> bool:
    """Return whether the cells of two maps look the same."""
    return (
        one.values is other.values
        and one.masked is other.masked
        and one.limits == other.limits
        and one.row_stretch == other.row_stretch
        and one.palette == other.palette
    )


def _words(heatmap: Heatmap) -> tuple[object, ...]:
    return (
        heatmap.title,
        heatmap.subtitle,
        heatmap.note,
        heatmap.low,
        heatmap.high,
        heatmap.row_labels,
        heatmap.column_labels,
    )


def tile_title(tile: int) -> str:
    """Return what a tile is called: 0 is raw, h + 1 is head h."""
    return tr("raw") if tile == 0 else str(tile - 1)


def heads_title(selected: Sequence[int]) -> str:
    """Return what the middle map is called."""
    if len(selected) == 1:
        return tr("Head {}").format(selected[0])
    return tr("Mean of heads {}").format(", ".join(str(head) for head in sorted(selected)))


def _values(evaluation: Evaluation, place: int) -> FloatArray:
    """Return the quantity that is shown, of a head or of the raw side."""
    side = evaluation.raw if place == RAW else evaluation.heads[place]
    quantity = evaluation.experiment.quantity
    if quantity == "pattern":
        return side.pattern
    return side.scores if quantity == "scores" else side.cosine


def _shared_limits(evaluation: Evaluation, arrays: Sequence[FloatArray]) -> Limits:
    """Return the range that makes these maps comparable."""
    quantity = evaluation.experiment.quantity
    if quantity == "pattern":
        return 0.0, 1.0
    if quantity == "cosine":
        return -1.0, 1.0
    return symmetric_limits(*(_seen(evaluation, one) for one in arrays))


def _seen(evaluation: Evaluation, values: FloatArray) -> FloatArray:
    """Return the values of (..., n, n) that no mask hides."""
    return values if evaluation.mask is None else values[..., ~evaluation.mask]


def _side(
    evaluation: Evaluation,
    values: FloatArray,
    title: str,
    subtitle: str,
    limits: Limits,
    axes: Axes,
) -> Heatmap:
    """Return the map of one side, stretched if the experiment says so."""
    experiment = evaluation.experiment
    pattern = experiment.quantity == "pattern"
    stretch = experiment.stretch if pattern else "fixed"
    note = _undefined_note(evaluation, values)
    if stretch == "map" and values.size:
        limits = pattern_limits(values, stretch)
        note = tr("colours stretched to the largest value of each map")
    elif stretch == "row":
        note = tr("colours stretched to the largest value of each row")
    return Heatmap(
        values,
        axes.labels,
        axes.labels,
        limits,
        "sequential" if pattern else "diverging",
        title=title,
        subtitle=subtitle,
        masked=evaluation.mask,
        row_axis=axes.row,
        column_axis=axes.column,
        row_stretch=stretch == "row",
        note=note,
    )


def _difference(evaluation: Evaluation, comparison: Comparison, axes: Axes) -> Heatmap:
    several = len(evaluation.experiment.selected) > 1
    return Heatmap(
        comparison.difference,
        axes.labels,
        axes.labels,
        symmetric_limits(_seen(evaluation, comparison.difference)),
        "diverging",
        title=tr("Difference"),
        subtitle=_difference_formula(evaluation),
        masked=evaluation.mask,
        row_axis=axes.row,
        column_axis=axes.column,
        low=tr("raw gives more"),
        high=tr("heads give more") if several else tr("head gives more"),
        note=_comparison_note(comparison),
        short_ends=(tr("raw more"), tr("heads more") if several else tr("head more")),
    )


def _difference_formula(evaluation: Evaluation) -> str:
    experiment = evaluation.experiment
    quantity, mode = experiment.quantity, experiment.compare
    if mode == "same-scale" and quantity != "cosine":
        return tr("head − raw, same scale")
    if mode == "matched" and quantity == "pattern":
        return tr("head − raw, sharpness-matched")
    return tr("head − raw, as is")


def _comparison_note(comparison: Comparison) -> str:
    """Return what was done to the raw side, and which rows could not be matched."""
    rows = [str(row + 1) for row in comparison.tied_rows]
    if not rows:
        return comparison.note
    named = ", ".join(rows[:6]) + (", …" if len(rows) > 6 else "")
    one, more = tr("row {}: as sharp as its ties allow"), tr("rows {}: as sharp as their ties allow")
    tied = one if len(rows) == 1 else more
    return f"{comparison.note}; {tied.format(named)}"


def token_labels(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the texts of the rows, as typed."""
    return tuple([token.text for token in evaluation.tokens])


def _undefined_note(evaluation: Evaluation, values: FloatArray) -> str:
    """Say why cells have no value, where that is not because their token is unknown."""
    known = evaluation.known
    if not values.size:
        return ""
    if not len(known):
        return tr("none of these tokens has a vector")
    if evaluation.experiment.quantity != "cosine" or not math.isnan(values.sum()):
        return ""
    if np.isnan(values[np.ix_(known, known)]).any():
        return tr("the cosine of a zero vector is undefined")
    return ""

"""Raw similarity and heads made comparable, and their difference.

Three ways: `as-is`; `same-scale`, raw scores × γ with γ = ‖S − row means‖ / ‖R − row means‖ over the cells a
query can see; `matched`, each raw row as sharp as the head's (`askew.matching`). Cosines are always as is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from askew.attention import softmax
from askew.errors import ExperimentError
from askew.inputs import COMPARISONS, QUANTITIES, known_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.arrays import BoolArray, Float32, Float64
    from askew.evaluation import Evaluation
    from askew.experiment import Quantity
    from askew.head_result import HeadResult
    from askew.raw_side import RawSide

_NOTHING = 1e-12  # of the norm: what the mean of equal numbers may miss them by


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Three maps that belong together, (n, n) each: difference = head − raw, to the last bit.

    Parameters
    ----------
    raw
        The raw side, already scaled or matched.
    head
        The head, or the mean of several heads' own maps.
    difference
        Warm colours: the head gives more.
    note
        What was done to the raw side; empty for `as-is`.
    tied_rows
        Rows, counted from 0, that are only as sharp as their ties allow: equal words keep the raw row from
        being as sharp as the head's.
    gammas
        γ of each head in `same-scale`, else empty.
    """

    raw: Float32
    head: Float32
    difference: Float32
    note: str = ""
    tied_rows: tuple[int, ...] = ()
    gammas: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The raw side made comparable with one head, over the known tokens."""

    values: Float64
    gamma: float | None = None
    tied: BoolArray | None = None


def compare(
    evaluation: Evaluation,
    heads: Sequence[int],
    *,
    quantity: Quantity | None = None,
    mode: str | None = None,
) -> Comparison:
    """Return raw side, head and difference for one head, or for the mean of several.

    Of several heads each map is the mean of the heads' own maps, raw ones included; never the softmax of mean
    scores.

    Parameters
    ----------
    evaluation
        What was computed.
    heads
        Indexes of heads, at least one.
    quantity, mode
        What to compare and how; None for what the experiment says.

    Raises
    ------
    ExperimentError
        If there is no head to compare, or a name is unknown.
    """
    quantity = quantity or evaluation.experiment.quantity
    mode = mode or evaluation.experiment.compare
    _check(heads, len(evaluation.heads), quantity, mode)
    results = [evaluation.heads[index] for index in heads]
    head = _mean([getattr(result, quantity) for result in results])
    sides = [_raw_side(result, evaluation.raw, quantity, mode) for result in results]
    if sides[0] is None:
        raw: Float32 = getattr(evaluation.raw, quantity)
        return Comparison(raw, head, _difference(head, raw), _note(quantity, mode))
    made = [side for side in sides if side is not None]
    rows = evaluation.setting.rows
    raw = rows.shown(np.mean([side.values for side in made], axis=0))
    tied = np.any([side.tied for side in made if side.tied is not None], axis=0)
    gammas = tuple(side.gamma for side in made if side.gamma is not None)
    tied_rows = tuple(rows.known[np.flatnonzero(tied)].tolist())
    note = _note(quantity, mode, gammas)
    return Comparison(raw, head, _difference(head, raw), note, tied_rows, gammas)


def scale(scores: Float64, raw: Float64, hidden: BoolArray | None = None) -> float:
    """Return γ = ‖S − row means‖ / ‖R − row means‖ over the cells that are seen; 1 where R is even."""
    spread, raw_spread = _spread(scores, hidden), _spread(raw, hidden)
    return spread / raw_spread if raw_spread > 0 else 1.0


def _raw_side(result: HeadResult, raw: RawSide, quantity: str, mode: str) -> _Side | None:
    """Return the raw side made comparable with a head, or None where it stays as it is."""
    if quantity == "cosine" or mode == "as-is" or (quantity == "scores" and mode == "matched"):
        return None
    hidden = result.maps.setting.hidden_known
    if mode == "matched":
        matched = result.maps.matched
        return _Side(matched.pattern, tied=matched.tied)
    if quantity == "scores":
        gamma = scale(result.maps.scores64, raw.scores64, hidden)
        return _Side(raw.scores64 * gamma, gamma)
    gamma = scale(result.maps.scores64, raw.scaled64, hidden)
    return _Side(softmax(raw.scaled64 * gamma, hidden, result.maps.setting.temperature), gamma)


def _spread(values: Float64, hidden: BoolArray | None) -> float:
    """Return ‖V − row means‖ over the cells that are seen and defined; 0 where it is nothing but rounding."""
    seen = ~np.isnan(values)
    if hidden is not None:
        seen &= ~hidden
    inside = np.where(seen, values, 0.0)
    means = inside.sum(axis=1, keepdims=True) / np.maximum(seen.sum(axis=1, keepdims=True), 1)
    spread = float(np.linalg.norm(np.where(seen, inside - means, 0.0)))
    return spread if spread > _NOTHING * float(np.linalg.norm(inside)) else 0.0


def _mean(maps: Sequence[Float32]) -> Float32:
    """Return the mean of maps; a single one as it is."""
    if len(maps) == 1:
        return maps[0]
    mean: Float32 = np.stack(maps).mean(axis=0, dtype=np.float64).astype(np.float32)
    return _frozen(mean)


def _difference(head: Float32, raw: Float32) -> Float32:
    difference: Float32 = np.subtract(head, raw)
    return _frozen(difference)


def _frozen(array: Float32) -> Float32:
    array.setflags(write=False)
    return array


def _note(quantity: str, mode: str, gammas: Sequence[float] = ()) -> str:
    """Say what was done to the raw side."""
    if quantity == "cosine" and mode != "as-is":
        return "cosines are compared as they are"
    if quantity == "scores" and mode == "matched":
        return "sharpness is of patterns; scores are compared as they are"
    if mode == "matched":
        return "each raw row as sharp as the head's"
    if mode == "same-scale":
        factors = ", ".join(f"{gamma:.3g}" for gamma in gammas)
        return f"raw scores × γ, γ = {factors}"
    return ""


def _check(heads: Sequence[int], count: int, quantity: str, mode: str) -> None:
    """Raise for heads or names there are not."""
    if not heads:
        raise ExperimentError("there is no head to compare", remedy="Select at least one")
    for index in heads:
        if not 0 <= index < count:
            raise ExperimentError(f"there is no head {index}", remedy=f"Choose one of 0 to {count - 1}")
    known_name("quantity", quantity, QUANTITIES)
    known_name("comparison", mode, COMPARISONS)

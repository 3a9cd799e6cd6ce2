"""The smallest change of W_q or W_k that gives one cell of a map a wanted value, and what else it changes.

The score of a cell is x_i·W_q·y / divisor, plus what the bias brings, with y = k_j. Of all changes that make
it larger by t the one of least Frobenius norm is ΔW_q = t·divisor·x_iᵀ·y / (‖x_i‖²·‖y‖²): the point nearest
to zero of the plane of all that do. For W_k the same with x_j and q_i. Rotary positions turn y back to where
x·W is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from askew.arrays import frozen32
from askew.blas import one_thread
from askew.errors import ExperimentError
from askew.evaluation import evaluate
from askew.head_maps import exact_queries_and_keys, placed
from askew.positions import ROTATED
from askew.row_curve import RowCurve

if TYPE_CHECKING:
    from askew.arrays import Float32, Float64
    from askew.evaluation import Evaluation
    from askew.head_result import HeadResult
    from askew.heads import Head

Half = Literal["q", "k"]


@dataclass(frozen=True, slots=True, eq=False)
class Collateral:
    """What a nudge has changed, after − before.

    Parameters
    ----------
    scores, pattern
        Of every cell, (n, n); NaN where there is no value.
    largest_score, rms_score, largest_weight, rms_weight
        Largest absolute and root mean square change of all other cells, without those a mask hides.
    alike
        Cells whose words are those of the nudged one: without rotary positions they move along exactly.
    """

    scores: Float32
    pattern: Float32
    largest_score: float
    rms_score: float
    largest_weight: float
    rms_weight: float
    alike: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Nudge:
    """The new head, score of the cell before and after, and what happened to the other cells."""

    head: Head
    before: float
    after: float
    collateral: Collateral


def nudge(evaluation: Evaluation, h: int, i: int, j: int, wanted: float, part: Half = "q") -> Nudge:
    """Give cell (i, j) of head `h` a wanted score by the least change of W_q, or of W_k.

    Parameters
    ----------
    i, j
        Query and key, counted from 0 among the tokens shown.
    wanted
        The score before mask and temperature.
    part
        Which matrix is changed.

    Raises
    ------
    ExperimentError
        If the cell has no value or is hidden, if its scoring is no dot product, if the vectors whose product
        the change is are zero, or if the weights would leave float32.
    """
    aim = Aim(evaluation, h, i, j, part)
    head = aim.head_for(wanted)
    heads = (*evaluation.experiment.heads[:h], head, *evaluation.experiment.heads[h + 1 :])
    after = evaluate(replace(evaluation.experiment, heads=heads), evaluation.vectors, evaluation)
    return Nudge(head, aim.score, float(after.heads[h].scores[i, j]), collateral(evaluation, after, h, i, j))


def score_for(evaluation: Evaluation, h: int, i: int, j: int, share: float, part: Half = "q") -> float:
    """Return the score that `nudge` must be given so that the cell gets `share` of its row's pattern.

    The other cells of the row move along, so this is not the score that would do it alone.

    Raises
    ------
    ExperimentError
        As `nudge`, and if no nudge of this matrix gives the cell that share.
    """
    return Aim(evaluation, h, i, j, part).score_for(share)


def collateral(before: Evaluation, after: Evaluation, h: int, i: int, j: int) -> Collateral:
    """Return what differs between two evaluations of the same tokens after a nudge of head `h` at (i, j)."""
    old, new = before.heads[h], after.heads[h]
    scores = frozen32(new.scores.astype(np.float64) - old.scores)
    pattern = frozen32(new.pattern.astype(np.float64) - old.pattern)
    others = np.isfinite(pattern)
    if before.mask is not None:
        others &= ~before.mask
    others[i, j] = False
    return Collateral(
        scores, pattern, *_summary(scores[others]), *_summary(pattern[others]), _alike(before, i, j)
    )


class Aim:
    """A cell of a head, prepared to be nudged as often as a drag moves; always from the same beginning.

    Attributes
    ----------
    score, weight
        Of the cell at the beginning.
    """

    def __init__(self, evaluation: Evaluation, h: int, i: int, j: int, part: Half = "q") -> None:
        result = _nudged_head(evaluation, h)
        _check_cell(evaluation, i, j)
        rows = evaluation.setting.rows
        self._result, self._part = result, part
        self._i, self._j = (int(np.searchsorted(rows.known, at)) for at in (i, j))
        self._x: Float64 = rows.distinct.each(rows.distinct.rows)
        with one_thread():
            q, k = exact_queries_and_keys(result.head, rows.distinct.rows)
            self._q, self._k = placed(q, rows), placed(k, rows)
        own, other = (self._i, self._k[self._j]) if part == "q" else (self._j, self._q[self._i])
        self._from = self._x[own]
        self._to = other
        if rows.rotation is not None:
            self._to = rows.rotation.turned(other[np.newaxis], [own], back=True)[0]
        self._check_directions(i, j)
        self.score = float(result.maps.scores64[self._i, self._j])
        self.weight = float(result.maps.pattern64[self._i, self._j])

    def _check_directions(self, i: int, j: int) -> None:
        """Refuse a cell whose score no change of the matrix moves."""
        query = self._part == "q"
        names = (f"the vector of row {i + 1}", f"the key of column {j + 1}")
        if not query:
            names = (f"the vector of column {j + 1}", f"the query of row {i + 1}")
        for name, vector in zip(names, (self._from, self._to), strict=True):
            if not vector.any():
                raise ExperimentError(
                    f"{name} is all zeros, so no W_{self._part} changes this score",
                    remedy=f"Nudge W_{'k' if query else 'q'} instead, or another cell",
                )

    @property
    def _matrix(self) -> Float32:
        head = self._result.head
        return head.w_q if self._part == "q" else head.w_k

    @one_thread()
    def head_for(self, wanted: float) -> Head:
        """Return the head in which the cell has the wanted score.

        Raises
        ------
        ExperimentError
            If the score is no number, or the weights would leave float32.
        """
        if not math.isfinite(wanted):
            raise ExperimentError(f"the wanted score is {wanted}", remedy="Choose a number")
        direction = np.outer(self._from, self._to)
        direction *= self._result.divisor / (self._from @ self._from) / (self._to @ self._to)
        matrix = self._matrix
        if wanted != self.score:
            matrix = _rounded(matrix + (wanted - self.score) * direction)
            # Rounding to float32 moved the score a little; half of that is made good by a second, tiny step.
            missed = wanted - self._score_of(matrix)
            again = _rounded(matrix + missed * direction)
            if abs(wanted - self._score_of(again)) < abs(missed):
                matrix = again
        if self._part == "q":
            return replace(self._result.head, w_q=matrix, recipe="edited")
        return replace(self._result.head, w_k=matrix, recipe="edited")

    def _score_of(self, matrix: Float32) -> float:
        """Return the cell's score with another matrix."""
        head = self._result.head
        bias = head.b_q if self._part == "q" else head.b_k
        projected = self._from @ matrix.astype(np.float64)
        if bias is not None:
            projected = projected + bias
        return float(projected @ self._to) / self._result.divisor

    def score_for(self, share: float) -> float:
        """Return the score that gives the cell this share of its row.

        Raises
        ------
        ExperimentError
            If the share is not between 0 and 1, or cannot be reached; then the message says what can be.
        """
        if not 0 < share < 1:
            raise ExperimentError(
                f"the wanted weight is {share:g}", remedy="Choose a number between 0 and 1, such as 0.9"
            )
        step = self.curve.step_for(share)
        if step is None:
            above = share > self.curve.peak.weight
            limit = self.curve.peak.weight if above else self.curve.least.weight
            raise ExperimentError(
                f"no nudge of W_{self._part} gives this cell the weight {share:.3f}: its row moves along, "
                f"and the {'largest' if above else 'smallest'} within reach is {limit:.3f}",
                remedy=f"Choose a weight within reach, or nudge W_{'k' if self._part == 'q' else 'q'}",
            )
        return self.score + step

    @cached_property
    def curve(self) -> RowCurve:
        """How the cell's weight depends on its score."""
        maps = self._result.maps
        hidden = maps.hidden
        seen = np.ones(len(self._x), dtype=bool) if hidden is None else ~hidden[self._i]
        temperature = maps.setting.temperature
        return RowCurve(maps.scores64[self._i], self._along(), seen, self._j, temperature)

    def _along(self) -> Float64:
        """Return by how much each score of the row moves when that of the cell moves by 1, (m,)."""
        rotation = self._result.maps.setting.rows.rotation
        square = self._to @ self._to
        if self._part == "q":
            to = self._to if rotation is None else rotation.turned(self._to[np.newaxis], [self._i])[0]
            return np.asarray(self._k @ to / square)
        keys = np.broadcast_to(self._to, self._k.shape)
        if rotation is not None:
            keys = rotation.turned(keys)
        alike = self._x @ self._from / (self._from @ self._from)
        return np.asarray(keys @ self._q[self._i] / square * alike)


def _nudged_head(evaluation: Evaluation, h: int) -> HeadResult:
    if not 0 <= h < len(evaluation.heads):
        raise ExperimentError(f"there is no head {h}", remedy=f"Heads are 0 to {len(evaluation.heads) - 1}")
    result = evaluation.heads[h]
    if result.head.scoring not in ROTATED:
        raise ExperimentError(
            f"head {h} scores by {result.head.scoring}, and only dot products can be nudged",
            remedy=f"Choose scoring {' or '.join(reversed(ROTATED))}",
        )
    return result


def _check_cell(evaluation: Evaluation, i: int, j: int) -> None:
    """Refuse cells that are not there, have no value or do not count."""
    n = len(evaluation.tokens)
    for what, place in (("row", i), ("column", j)):
        if not 0 <= place < n:
            raise ExperimentError(f"there is no {what} {place + 1}", remedy=f"There are {n}")
        if place not in evaluation.known:
            raise ExperimentError(
                f"the word of {what} {place + 1} has no vector, so its cells have no value",
                remedy="Choose a cell of two known words",
            )
    if evaluation.mask is not None and evaluation.mask[i, j]:
        raise ExperimentError(
            f"row {i + 1} may not see column {j + 1}: the mask hides it",
            remedy="Choose a cell that is not grey, or another mask",
        )


def _alike(evaluation: Evaluation, i: int, j: int) -> tuple[tuple[int, int], ...]:
    """Return the other cells of equal vectors, by which word they are and not by where they stand."""
    rows = evaluation.setting.rows
    if rows.distinct.places is None:
        return ()
    word = dict(zip(rows.known.tolist(), rows.distinct.places.tolist(), strict=True))
    query, key = ([at for at, place in word.items() if place == word[one]] for one in (i, j))
    return tuple((row, column) for row in query for column in key if (row, column) != (i, j))


def _summary(changes: Float32) -> tuple[float, float]:
    """Return the largest absolute and the root mean square change."""
    if not changes.size:
        return 0.0, 0.0
    exact = changes.astype(np.float64)
    return float(np.abs(exact).max()), float(np.sqrt(np.square(exact).mean()))


def _rounded(matrix: Float64) -> Float32:
    """Return a matrix in float32, or refuse what float32 does not hold."""
    with np.errstate(over="ignore"):
        rounded = frozen32(matrix)
    if not np.isfinite(rounded).all():
        raise ExperimentError(
            "the weights would be larger than float32 can hold", remedy="Choose a score that is nearer"
        )
    return rounded

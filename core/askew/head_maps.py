"""Scores and pattern of one head; what does not depend on W_v, so that changing W_v shares all of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from askew.attention import softmax
from askew.blas import one_thread
from askew.matching import Matched, matched_pattern
from askew.scoring import SCORINGS, scores_of
from askew.similarity import cosines

if TYPE_CHECKING:
    import numpy.typing as npt

    from askew.arrays import BoolArray, Float32, Float64, FloatArray
    from askew.heads import Head
    from askew.inputs import Rows, Setting
    from askew.measures import Measures
    from askew.notices import Notice
    from askew.raw_side import RawSide

Real = TypeVar("Real", bound=np.floating)


@dataclass(frozen=True, slots=True, eq=False)
class Projected:
    """Queries and keys of the distinct rows, (u, d_k), and scores of the known tokens, (m, m).

    Queries and keys are those before rotary positions, which depend on the place and not on the word.
    All three are float64, or all float32 where the work is large and the scores are so small that the pattern
    is right to 1e-6. `largest` is the largest absolute score where that was the question, else 0.
    """

    q: FloatArray
    k: FloatArray
    scores: FloatArray
    largest: float = 0.0


class HeadMaps:
    """Maps of one head in a setting; all but scores and pattern are computed when first asked for."""

    def __init__(
        self, head: Head, setting: Setting, raw: RawSide, projected: Projected, pattern: FloatArray
    ) -> None:
        self.head = head
        self.setting = setting
        self.raw = raw
        self.projected = projected
        self.known_pattern = pattern
        self.remarks: dict[int, tuple[Notice, ...]] = {}  # by the index of the head, kept by `notices_of`

    @cached_property
    def q(self) -> Float32:
        """Queries, (n, d_k); after rotation where positions are rotary."""
        rows = self.setting.rows
        return rows.shown(placed(self.projected.q, rows), axes=1)

    @cached_property
    def k(self) -> Float32:
        """Keys, (n, d_k); after rotation where positions are rotary."""
        rows = self.setting.rows
        return rows.shown(placed(self.projected.k, rows), axes=1)

    @cached_property
    def scores(self) -> Float32:
        """Scores before mask and temperature, (n, n)."""
        return self.setting.rows.shown(self.projected.scores)

    @cached_property
    def pattern(self) -> Float32:
        """Softmax of the scores over the keys, (n, n)."""
        return self.setting.rows.shown(self.known_pattern)

    @cached_property
    @one_thread()
    def cosine(self) -> Float32:
        """Cosine of each query with each key, (n, n)."""
        rows, q, k = self.setting.rows, self.projected.q, self.projected.k
        if rows.rotation is not None:
            return rows.shown(cosines(placed(q, rows), placed(k, rows)))
        return rows.shown(rows.distinct.square(cosines(q, k)))

    @cached_property
    @one_thread()
    def scores64(self) -> Float64:
        """Scores of the known tokens, in float64 throughout."""
        if self.projected.scores.dtype == np.float64:
            return self.projected.scores.astype(np.float64, copy=False)
        rows = self.setting.rows
        return scores_between(self.head, *exact_queries_and_keys(self.head, rows.distinct.rows), rows)

    @cached_property
    def pattern64(self) -> Float64:
        """Pattern of the known tokens, in float64 throughout."""
        if self.known_pattern.dtype == np.float64:
            return self.known_pattern.astype(np.float64, copy=False)
        return softmax(self.scores64, self.hidden, self.setting.temperature)

    @cached_property
    def hidden(self) -> BoolArray | None:
        """What the softmax leaves out, among the known tokens."""
        return unseen(self.projected.scores, self.setting.hidden_known)

    @cached_property
    def matched(self) -> Matched:
        """The raw pattern, of the known tokens, with the sharpness of this head's rows."""
        return matched_pattern(self.pattern64, self.raw.dot64, self.setting.hidden_known)

    @cached_property
    def measures(self) -> Measures:
        """Measures of this head, in float64 from float64 scores and patterns, over the known tokens."""
        from askew.measures import measure_head

        rows = self.setting.rows
        return measure_head(
            scores=self.scores64,
            pattern=self.pattern64,
            raw_pattern=self.raw.pattern64,
            matched_pattern=self.matched.pattern,
            cosines=self.raw.cosine64,
            tokens=[rows.tokens[row].text for row in rows.known],
            hidden=self.hidden,
            rows=rows.known.tolist(),
        )


def placed(values: npt.NDArray[Real], rows: Rows) -> npt.NDArray[Real]:
    """Return queries or keys of the distinct rows, (u, d_k), for each known token, (m, d_k)."""
    each = rows.distinct.each(values)
    return each if rows.rotation is None else rows.rotation.turned(each)


def scores_between(head: Head, q: npt.NDArray[Real], k: npt.NDArray[Real], rows: Rows) -> npt.NDArray[Real]:
    """Return scores of the known tokens, (m, m), from queries and keys of the distinct rows, (u, d_k)."""
    if rows.rotation is None:
        return rows.distinct.square(scores_of(head, q, k))
    return scores_of(head, placed(q, rows), placed(k, rows))


def exact_queries_and_keys(head: Head, x: Float64) -> tuple[Float64, Float64]:
    """Return queries and keys, (u, d_k), in float64; the rows themselves where nothing is projected.

    Rotary positions are not in them yet.
    """
    if not SCORINGS[head.scoring].projected:
        return x, x
    return project(x, head.w_q, head.b_q), project(x, head.w_k, head.b_k)


def project(
    x: npt.NDArray[Real], w: Float32, b: Float32 | None, out: npt.NDArray[Real] | None = None
) -> npt.NDArray[Real]:
    """Return x·w + b in the precision of `x`, in `out` if given."""
    projected: npt.NDArray[Real] = np.dot(x, w.astype(x.dtype, copy=False), out=out)
    if b is not None:
        projected += b
    return projected


def unseen(scores: FloatArray, hidden: BoolArray | None) -> BoolArray | None:
    """Return what the softmax leaves out: hidden keys and undefined scores (cosines of zero vectors)."""
    undefined = np.isnan(scores)
    if not undefined.any():
        return hidden
    return undefined if hidden is None else undefined | hidden

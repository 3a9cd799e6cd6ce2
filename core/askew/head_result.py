"""The numbers of one head."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from askew.attention import softmax
from askew.scoring import SCORINGS
from askew.similarity import cosines

if TYPE_CHECKING:
    from askew.arrays import BoolArray, Float32, Float64, FloatArray
    from askew.heads import Head
    from askew.inputs import Setting
    from askew.measures import Measures
    from askew.raw_side import RawSide


@dataclass(frozen=True, slots=True, eq=False)
class Projected:
    """Queries, keys and scores of one head for the known tokens, float32."""

    q: Float32
    k: Float32
    scores: Float32


class HeadResult:
    """What one head makes of the tokens; what is not needed at once is computed when first asked for.

    Attributes
    ----------
    head
        The head itself.
    projected
        Queries, keys and scores of the known tokens alone.
    """

    def __init__(
        self, head: Head, setting: Setting, raw: RawSide, projected: Projected, pattern: Float32
    ) -> None:
        self.head = head
        self.projected = projected
        self.known_pattern = pattern
        self.setting = setting
        self.raw = raw

    @property
    def divisor(self) -> float:
        """What the product of query and key was divided by: √d_k for `scaled-dot`, 1 for most."""
        return SCORINGS[self.head.scoring].divisor(self.head.d_k, self.head.d_model)

    @cached_property
    def q(self) -> Float32:
        """Queries, (n, d_k)."""
        return self.setting.rows.spread(self.projected.q, axes=1)

    @cached_property
    def k(self) -> Float32:
        """Keys, (n, d_k)."""
        return self.setting.rows.spread(self.projected.k, axes=1)

    @cached_property
    def v(self) -> Float32:
        """Values, (n, d_v)."""
        return self.setting.rows.spread(self._known_v, axes=1)

    @cached_property
    def scores(self) -> Float32:
        """Scores before mask and temperature, (n, n)."""
        return self.setting.rows.spread(self.projected.scores)

    @cached_property
    def pattern(self) -> Float32:
        """Softmax of the scores over the keys, (n, n)."""
        return self.setting.rows.spread(self.known_pattern)

    @cached_property
    def outputs(self) -> Float32:
        """Pattern · V, (n, d_v)."""
        return self.setting.rows.spread(self.known_pattern @ self._known_v, axes=1)

    @cached_property
    def cosine(self) -> Float32:
        """Cosine of each query with each key, (n, n); NaN where one of them is zeros."""
        both = cosines(self.projected.q, self.projected.k)
        return self.setting.rows.spread(both.astype(np.float32))

    @cached_property
    def scores64(self) -> Float64:
        """Scores of the known tokens, computed in float64 throughout."""
        return scores64(self.head, self.setting.rows.x64)

    @cached_property
    def pattern64(self) -> Float64:
        """Pattern of the known tokens, computed in float64 throughout."""
        hidden = unseen(self.scores64, self.setting.hidden_known)
        return softmax(self.scores64, hidden, self.setting.temperature)

    @cached_property
    def measures(self) -> Measures:
        """Measures of this head, in float64 from float64 scores and patterns, over the known tokens."""
        from askew.compare import matched_pattern
        from askew.measures import measure_head

        rows, hidden = self.setting.rows, self.setting.hidden_known
        matched = matched_pattern(self.pattern64, self.raw.dot64, hidden)
        return measure_head(
            pattern=self.pattern64,
            scores=self.scores64,
            raw_pattern=self.raw.pattern64,
            matched_pattern=matched.pattern,
            cosines=self.raw.cosine64,
            tokens=[rows.tokens[i].text for i in rows.known],
            hidden=unseen(self.scores64, hidden),
            rows=rows.known.tolist(),
        )

    @cached_property
    def _known_v(self) -> Float32:
        return project(self.setting.rows.x, self.head.w_v, self.head.b_v)


def project(x: Float32, w: Float32, b: Float32 | None) -> Float32:
    """Return x·w + b."""
    projected = x @ w
    if b is not None:
        projected += b
    return projected


def scores64(head: Head, x: Float64) -> Float64:
    """Return the scores of a head, (m, m), in float64 throughout."""
    scoring = SCORINGS[head.scoring]
    q = k = x
    if scoring.projected:
        q, k = x @ head.w_q.astype(np.float64), x @ head.w_k.astype(np.float64)
        q = q if head.b_q is None else q + head.b_q
        k = k if head.b_k is None else k + head.b_k
    scores = scoring.score(q, k) / scoring.divisor(head.d_k, head.d_model)
    return scores.astype(np.float64, copy=False)


def unseen(scores: FloatArray, hidden: BoolArray | None) -> BoolArray | None:
    """Return what the softmax leaves out: hidden keys, and undefined scores (cosines of zero vectors)."""
    undefined = np.isnan(scores)
    if not undefined.any():
        return hidden
    return undefined if hidden is None else undefined | hidden

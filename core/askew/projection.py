"""Queries, keys, scores and patterns of many heads; heads that have not changed are not computed again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askew.attention import softmax
from askew.head_result import HeadResult, Projected, project, unseen
from askew.scoring import SCORINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.arrays import Float32
    from askew.heads import Head
    from askew.inputs import Setting
    from askew.raw_side import RawSide


def evaluate_heads(
    heads: Sequence[Head], setting: Setting, previous: Sequence[HeadResult], raw: RawSide
) -> tuple[HeadResult, ...]:
    """Return a result for each head; results of `previous` where head and setting are the same."""
    known = {id(result.head): result for result in previous}
    return tuple(_result(head, setting, known.get(id(head)), raw) for head in heads)


def _result(head: Head, setting: Setting, before: HeadResult | None, raw: RawSide) -> HeadResult:
    if before is not None and before.setting is setting and before.raw is raw:
        return before
    projected = _projected(head, setting.rows.x)
    hidden = unseen(projected.scores, setting.hidden_known)
    return HeadResult(head, setting, raw, projected, softmax(projected.scores, hidden, setting.temperature))


def _projected(head: Head, x: Float32) -> Projected:
    scoring = SCORINGS[head.scoring]
    q = k = x
    if scoring.projected:
        q, k = project(x, head.w_q, head.b_q), project(x, head.w_k, head.b_k)
    scores = np.asarray(scoring.score(q, k) / scoring.divisor(head.d_k, head.d_model), dtype=np.float32)
    return Projected(q, k, scores)

"""What a reader of the maps should be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askew.evaluation import Evaluation
    from askew.head_result import HeadResult

NEARLY_EVEN = 1e-4
NEARLY_ALL = 0.999


@dataclass(frozen=True, slots=True)
class Notice:
    """One remark: its kind, the sentence, and the head it is about (None: about all)."""

    kind: Literal["sees-no-token", "nearly-even", "nearly-all"]
    text: str
    head: int | None = None


def notices_of(evaluation: Evaluation) -> tuple[Notice, ...]:
    """Return the remarks on an evaluation, rows counted from 1."""
    remarks: list[Notice] = []
    for index, result in enumerate(evaluation.heads):
        remarks += _about(index, result)
    return tuple(dict.fromkeys(remarks))


def _about(index: int, result: HeadResult) -> Iterator[Notice]:
    maps = result.maps
    rows, pattern, scores = maps.setting.rows, maps.known_pattern, maps.projected.scores
    if not pattern.size:
        return
    seen = np.ones(pattern.shape, bool) if maps.hidden is None else ~maps.hidden
    keys = seen.sum(axis=1)
    for row in np.flatnonzero(keys == 0):
        yield Notice("sees-no-token", f"row {rows.known[row] + 1} sees no token")
    choosing = keys > 1
    if not choosing.any():
        return
    high = np.max(scores, axis=1, where=seen, initial=-np.inf)[choosing]
    low = np.min(scores, axis=1, where=seen, initial=np.inf)[choosing]
    if ((high - low) / maps.setting.temperature).max() < NEARLY_EVEN:
        yield Notice("nearly-even", f"head {index} is nearly even: scores differ by less than 0.0001", index)
    sharp = np.flatnonzero(choosing & (pattern.max(axis=1) > NEARLY_ALL))
    if len(sharp):
        where = f"row {rows.known[sharp[0]] + 1} of head {index}"
        more = f" (and {len(sharp) - 1} more rows)" if len(sharp) > 1 else ""
        yield Notice("nearly-all", f"{where} puts more than 0.999 on one token{more}", index)

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
        known = result.maps.remarks
        if index not in known:
            known[index] = tuple(_about(index, result))
        remarks += known[index]
    return tuple(dict.fromkeys(remarks))


def _about(index: int, result: HeadResult) -> Iterator[Notice]:
    """Return the remarks on one head."""
    maps = result.maps
    pattern, scores = maps.known_pattern, maps.projected.scores
    seen = np.ones(pattern.shape, dtype=bool) if maps.hidden is None else ~maps.hidden
    keys = seen.sum(axis=1)
    names = maps.setting.rows.known + 1
    masked = maps.setting.hidden_known
    for row in np.flatnonzero(keys == 0):
        of_all = masked is not None and bool(masked[row].all())
        yield Notice("sees-no-token", f"row {names[row]} sees no token", None if of_all else index)
    choosing = keys > 1
    if not choosing.any():
        return
    high = np.max(scores, axis=1, where=seen, initial=-np.inf)[choosing]
    low = np.min(scores, axis=1, where=seen, initial=np.inf)[choosing]
    if np.max(high - low) < NEARLY_EVEN * maps.setting.temperature:
        what = "scores" if maps.setting.temperature == 1.0 else "scores over temperature"
        yield Notice("nearly-even", f"head {index} is nearly even: {what} differ by less than 0.0001", index)
    sharp = np.flatnonzero(choosing & (pattern.max(axis=1) > NEARLY_ALL))
    if len(sharp) == 1:
        text = f"row {names[sharp[0]]} of head {index} puts more than 0.999 on one token"
        yield Notice("nearly-all", text, index)
    elif len(sharp):
        first = f"row {names[sharp[0]]} is the first"
        text = f"{len(sharp)} rows of head {index} put more than 0.999 on one token each; {first}"
        yield Notice("nearly-all", text, index)

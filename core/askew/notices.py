"""What a reader of the maps should be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from askew.embedding import as_model_runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askew.evaluation import Evaluation
    from askew.experiment import Experiment
    from askew.head_result import HeadResult

NEARLY_EVEN = 1e-4
NEARLY_ALL = 0.999


@dataclass(frozen=True, slots=True)
class Notice:
    """One remark: its kind, the sentence, and the head it is about (None: about all)."""

    kind: Literal["not-the-model", "sees-no-token", "nearly-even", "nearly-all"]
    text: str
    head: int | None = None


def notices_of(evaluation: Evaluation) -> tuple[Notice, ...]:
    """Return the remarks on an evaluation, rows counted from 1."""
    remarks: list[Notice] = []
    unlike = unlike_the_model(evaluation.experiment)
    if unlike:
        remarks.append(Notice("not-the-model", unlike))
    for index, result in enumerate(evaluation.heads):
        known = result.maps.remarks
        if index not in known:
            known[index] = tuple(_about(index, result))
        remarks += known[index]
    return tuple(dict.fromkeys(remarks))


def unlike_the_model(experiment: Experiment) -> str:
    """Say in a few words why the heads are not given what their model gives them; empty if they are.

    Empty too for plain word vectors, which belong to no model that is known here.
    """
    layer = experiment.embedding
    if layer is None or as_model_runs(experiment):
        return ""
    learned, norm = layer.positions is not None, layer.norm_weight is not None
    positions, normalize = ("learned" if learned else "none"), ("layer" if norm else "none")
    scorings = dict.fromkeys(head.scoring for head in experiment.heads if head.scoring != "scaled-dot")
    differs = {
        "the model does more than is known here": not layer.complete,
        f"positions {experiment.positions}": experiment.positions != positions,
        "no layer normalization": norm and experiment.normalize != "layer",
        f"normalization {experiment.normalize}": not norm and experiment.normalize != normalize,
        "no special tokens": not experiment.specials and bool(layer.first or layer.last),
        f"encoder {experiment.encoder}": experiment.encoder != "none",
        f"mask {experiment.mask}": experiment.mask != "none",
        f"temperature {experiment.temperature:g}": experiment.temperature != 1.0,
        f"scoring {', '.join(scorings)}": bool(scorings),
    }
    return f"not what the model sees: {', '.join(text for text, so in differs.items() if so)}"


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

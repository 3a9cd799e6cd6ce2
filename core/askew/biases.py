"""Biases of a head: given, taken away, one at a time or all three."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from askew.arrays import frozen32
from askew.edits import with_head
from askew.errors import ExperimentError, WeightsError
from askew.heads import PARTS

if TYPE_CHECKING:
    import numpy.typing as npt

    from askew.arrays import Float32
    from askew.experiment import Experiment
    from askew.heads import Head, Part


def with_bias(experiment: Experiment, h: int, part: Part, bias: npt.ArrayLike | None) -> Experiment:
    """Replace b_q, b_k (d_k,) or b_v (d_v,) of head `h`; None takes it away.

    Raises
    ------
    WeightsError
        If the length is not that of the matrix or a number is not finite.
    """
    head = _head(experiment, h)
    old = bias_of(head, part)
    if bias is None:
        return experiment if old is None else with_head(experiment, h, _changed(head, {part: None}))
    with np.errstate(over="ignore"):  # beyond float32 is inf, which Head refuses in words
        new = frozen32(bias)
    wanted = (head.d_v if part == "v" else head.d_k,)
    if new.shape != wanted:
        raise WeightsError(
            f"the bias has shape {new.shape} and b_{part} of head {h} has {wanted[0]} numbers",
            remedy="Bring a bias of that length",
        )
    if old is not None and np.array_equal(old, new):
        return experiment
    return with_head(experiment, h, _changed(head, {part: new}))


def with_zero_biases(experiment: Experiment, h: int) -> Experiment:
    """Give head `h` the biases it has not: zeros, which change nothing until they are edited."""
    head = _head(experiment, h)
    missing: dict[Part, Float32 | None] = {
        part: frozen32(np.zeros(head.d_v if part == "v" else head.d_k))
        for part in PARTS
        if bias_of(head, part) is None
    }
    return with_head(experiment, h, _changed(head, missing)) if missing else experiment


def bias_of(head: Head, part: Part) -> Float32 | None:
    """Return b_q, b_k or b_v of a head."""
    return {"q": head.b_q, "k": head.b_k, "v": head.b_v}[part]


def _changed(head: Head, biases: dict[Part, Float32 | None]) -> Head:
    kept = {part: bias_of(head, part) for part in PARTS} | biases
    return replace(head, b_q=kept["q"], b_k=kept["k"], b_v=kept["v"], recipe="edited")


def _head(experiment: Experiment, h: int) -> Head:
    if not 0 <= h < len(experiment.heads):
        raise ExperimentError(f"there is no head {h}", remedy=f"Heads are 0 to {len(experiment.heads) - 1}")
    return experiment.heads[h]

"""The numbers of an evaluation as plain data, for JSON."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from askew.captions import state
from askew.compare import compare
from askew.errors import ExperimentError

if TYPE_CHECKING:
    import numpy as np

    from askew.arrays import Float32
    from askew.experiment import Evaluation

FORMAT = 1
LARGEST = 20_000_000
"""Numbers written at most: about 260 MB of JSON, written in about a minute."""


def to_json(evaluation: Evaluation) -> dict[str, Any]:
    """Return an evaluation as dicts, lists, numbers and None, fit for strict JSON.

    Returns
    -------
    dict
        ``{"format", "tokens", "context", "unknown", "d_model", "raw": {"dot", "cosine", "pattern"}, "heads":
        [{"d_k", "scores", "pattern", "outputs", "difference", "measures"}], "state"}``. Matrices are lists of
        rows (query, key); `state` says in words what was computed; numbers have the fewest digits that give
        the float32 back; None is no value.

    Raises
    ------
    ExperimentError
        If there would be more than `LARGEST` numbers.
    """
    check_amount(evaluation)
    return {
        "format": FORMAT,
        "tokens": [token.text for token in evaluation.tokens],
        "context": None,
        "unknown": [token.text for token in evaluation.unknown],
        "d_model": evaluation.experiment.d_model,
        "raw": raw_json(evaluation),
        "heads": [head_json(evaluation, h) for h in range(len(evaluation.heads))],
        "state": state(evaluation),
    }


def dumps(data: dict[str, Any]) -> str:
    """Return strict JSON in one line; NaN and infinity are errors."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def rows(matrix: Float32) -> list[list[float | None]]:
    """Return a matrix as lists of its rows; what is not finite is None."""
    return [[_shortest(value) for value in row] for row in matrix]


def check_amount(evaluation: Evaluation) -> None:
    """Refuse what would take minutes and gigabytes to write."""
    n, heads = len(evaluation.tokens), len(evaluation.heads)
    amount = 3 * n * n * (1 + heads) + heads * n * evaluation.heads[0].head.d_v
    if amount > LARGEST:
        raise ExperimentError(
            f"{n} tokens and {heads} heads are {amount:,} numbers, a file is good for {LARGEST:,}",
            remedy="Shorten the text, or use fewer heads",
        )


def raw_json(evaluation: Evaluation) -> dict[str, list[list[float | None]]]:
    """Return the numbers of the raw side as they stand in the JSON."""
    raw = evaluation.raw
    return {"dot": rows(raw.dot), "cosine": rows(raw.cosine), "pattern": rows(raw.pattern)}


def head_json(evaluation: Evaluation, h: int) -> dict[str, Any]:
    """Return the numbers of one head as they stand in the JSON."""
    result = evaluation.heads[h]
    return {
        "d_k": result.head.d_k,
        "scores": rows(result.scores),
        "pattern": rows(result.pattern),
        "outputs": rows(result.outputs),
        "difference": rows(compare(evaluation, (h,), quantity="pattern").difference),
        "measures": asdict(result.measures),
    }


def _shortest(value: np.float32) -> float | None:
    """Return the double with the fewest decimal digits that rounds to this float32."""
    return float(str(value)) if math.isfinite(value) else None

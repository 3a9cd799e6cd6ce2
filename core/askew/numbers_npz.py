"""All numbers of an evaluation as an .npz file."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from askew.captions import state
from askew.compare import compare
from askew.results import FORMAT, check_amount
from askew.tables import measured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.evaluation import Evaluation
    from askew.tables import Cell

NO_INDEX = -1


def npz_bytes(evaluation: Evaluation) -> bytes:
    """Return a file of arrays named by their paths in the JSON; the same numbers give the same bytes.

    ``heads/3/pattern`` is (query, key) float32, ``heads/3/measures/sharpness`` a float64 without axes,
    ``tokens`` and ``state`` are unicode; nothing needs pickle. No value is NaN, for the index of a sink -1
    and for its token "". ``context`` is there only if there is one.

    Raises
    ------
    ExperimentError
        If there are too many numbers.
    """
    check_amount(evaluation)
    raw = evaluation.raw
    arrays: dict[str, Any] = {
        "format": np.int64(FORMAT),
        "tokens": _texts([token.text for token in evaluation.tokens]),
        "unknown": _texts([token.text for token in evaluation.unknown]),
        "d_model": np.int64(evaluation.experiment.d_model),
        "raw/dot": raw.dot,
        "raw/cosine": raw.cosine,
        "raw/pattern": raw.pattern,
    }
    for h in range(len(evaluation.heads)):
        arrays |= {f"heads/{h}/{name}": array for name, array in _head(evaluation, h).items()}
    arrays["state"] = np.str_(state(evaluation))
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _head(evaluation: Evaluation, h: int) -> dict[str, Any]:
    result = evaluation.heads[h]
    return {
        "d_k": np.int64(result.head.d_k),
        "scores": result.scores,
        "pattern": result.pattern,
        "outputs": result.outputs,
        "difference": compare(evaluation, (h,), quantity="pattern").difference,
        **{f"measures/{each.path}": _scalar(each.path, each.value) for each in measured(result.measures)},
    }


def _scalar(path: str, value: Cell) -> np.generic:
    if path == "sink/token":
        return np.str_(value or "")
    if path == "sink/index":
        return np.int64(NO_INDEX if value is None else value)
    return np.float64(np.nan if value is None else value)


def _texts(texts: Sequence[str]) -> Any:  # noqa: ANN401
    """Return texts as an array, (n,), of unicode of one width."""
    return np.array(texts, dtype=np.str_)

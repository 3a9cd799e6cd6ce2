"""How a head turns queries and keys into scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from askew.similarity import cosines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from askew.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class Scoring:
    """One way to score.

    Parameters
    ----------
    score
        From queries (..., n, d) and keys (..., m, d) to scores (..., n, m), before the division.
    divisor
        From d_k and d_model to what the scores are divided by; 1 for most.
    projected
        False where the token vectors themselves are compared and w_q, w_k play no part.
    """

    score: Callable[[FloatArray, FloatArray], FloatArray]
    divisor: Callable[[int, int], float]
    projected: bool = True


def dot_products(q: FloatArray, k: FloatArray) -> FloatArray:
    """Return q·k."""
    return np.matmul(q, np.swapaxes(k, -1, -2))


def negative_distances(q: FloatArray, k: FloatArray) -> FloatArray:
    """Return −‖q − k‖² / 2, in float64, since near vectors cancel."""
    a, b = q.astype(np.float64, copy=False), k.astype(np.float64, copy=False)
    half_a = np.square(a).sum(axis=-1)[..., :, None] / 2
    half_b = np.square(b).sum(axis=-1)[..., None, :] / 2
    return np.minimum(a @ np.swapaxes(b, -1, -2) - half_a - half_b, 0.0)


def _one(d_k: int, d_model: int) -> float:
    return 1.0


def _root_of_d_k(d_k: int, d_model: int) -> float:
    return math.sqrt(d_k)


def _root_of_d_model(d_k: int, d_model: int) -> float:
    return math.sqrt(d_model)


SCORINGS: Mapping[str, Scoring] = {
    "scaled-dot": Scoring(dot_products, _root_of_d_k),
    "dot": Scoring(dot_products, _one),
    "cosine": Scoring(cosines, _one),
    "distance": Scoring(negative_distances, _one),
    "raw": Scoring(dot_products, _root_of_d_model, projected=False),
}

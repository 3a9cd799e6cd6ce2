"""How a head turns queries and keys into scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from askew.similarity import cosines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt

    from askew.arrays import Float64
    from askew.heads import Head

Real = TypeVar("Real", bound=np.floating)

_EPSILON = float(np.finfo(np.float64).eps)


class Score(Protocol):
    """Compares queries with keys."""

    def __call__(self, q: npt.NDArray[Real], k: npt.NDArray[Real]) -> npt.NDArray[Real]:
        """Return scores (..., n, m) of queries (..., n, d) and keys (..., m, d), before the division."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """One way to score.

    Parameters
    ----------
    score
        From queries and keys to scores, before the division.
    divisor
        From d_k and d_model to what the scores are divided by; 1 for most.
    projected
        False where the token vectors themselves are compared and w_q, w_k play no part.
    """

    score: Score
    divisor: Callable[[int, int], float]
    projected: bool = True


def dot_products(q: npt.NDArray[Real], k: npt.NDArray[Real]) -> npt.NDArray[Real]:
    """Return q·k."""
    products: npt.NDArray[Real] = np.matmul(q, np.swapaxes(k, -1, -2))
    return products


def negative_distances(q: npt.NDArray[Real], k: npt.NDArray[Real]) -> npt.NDArray[Real]:
    """Return −‖q − k‖² / 2, worked out in float64 since near vectors cancel; what is only rounding is 0."""
    a, b = q.astype(np.float64, copy=False), k.astype(np.float64, copy=False)
    squares = (np.square(a).sum(axis=-1)[..., :, None] + np.square(b).sum(axis=-1)[..., None, :]) / 2
    distances: Float64 = np.matmul(a, np.swapaxes(b, -1, -2)) - squares
    distances[distances > -_EPSILON * a.shape[-1] * squares] = 0.0
    return distances.astype(q.dtype, copy=False)


def cosine_scores(q: npt.NDArray[Real], k: npt.NDArray[Real]) -> npt.NDArray[Real]:
    """Return cos(q, k); NaN where one of them is zeros."""
    return cosines(q, k).astype(q.dtype, copy=False)


def _one(d_k: int, d_model: int) -> float:
    return 1.0


def _root_of_d_k(d_k: int, d_model: int) -> float:
    return math.sqrt(d_k)


def _root_of_d_model(d_k: int, d_model: int) -> float:
    return math.sqrt(d_model)


SCORINGS: Mapping[str, Scoring] = {
    "scaled-dot": Scoring(dot_products, _root_of_d_k),
    "dot": Scoring(dot_products, _one),
    "cosine": Scoring(cosine_scores, _one),
    "distance": Scoring(negative_distances, _one),
    "raw": Scoring(dot_products, _root_of_d_model, projected=False),
}


def scores_of(head: Head, q: npt.NDArray[Real], k: npt.NDArray[Real]) -> npt.NDArray[Real]:
    """Return the scores (..., n, n) that the head's scoring gives, divided by its divisor."""
    scoring = SCORINGS[head.scoring]
    scores = scoring.score(q, k)
    divisor = scoring.divisor(head.d_k, head.d_model)
    if divisor != 1.0:
        scores /= divisor
    return scores

"""Softmax over the keys, and the mixing of values."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from askew.arrays import BoolArray

Real = TypeVar("Real", bound=np.floating)


def softmax(
    scores: npt.NDArray[Real], hidden: BoolArray | None = None, temperature: float = 1.0
) -> npt.NDArray[Real]:
    """Return softmax over the last axis of (scores + mask) / temperature, in the precision of `scores`.

    The largest score a row can see is subtracted first: no score is too large, no temperature too small.

    Parameters
    ----------
    scores
        (..., n, m), finite.
    hidden
        (n, m), True where a query may not see a key; None hides nothing.
    temperature
        Above 0.

    Returns
    -------
    numpy.ndarray
        Same shape; each row sums to 1, a row that sees no key is all zeros, hidden cells are exactly 0.
    """
    if scores.size == 0:
        return np.zeros_like(scores)
    weights: npt.NDArray[Real]
    if hidden is None:
        weights = scores - scores.max(axis=-1, keepdims=True)
    else:
        weights = np.where(hidden, scores.dtype.type(-np.inf), scores)
        largest = weights.max(axis=-1, keepdims=True)
        blind = largest == -np.inf
        largest[blind] = 0
        weights -= largest
    if temperature != 1.0:
        with np.errstate(over="ignore"):  # what is too far below the largest weighs nothing
            weights /= scores.dtype.type(temperature)
    np.exp(weights, out=weights)
    sums = weights.sum(axis=-1, keepdims=True)
    if hidden is not None:
        sums[blind] = 1
    weights /= sums
    return weights

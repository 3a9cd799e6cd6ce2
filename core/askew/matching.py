"""A raw pattern made as sharp as a head's, row by row, so that scale alone makes no difference."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from askew.attention import softmax

if TYPE_CHECKING:
    from askew.arrays import BoolArray, Float64

LARGEST_BETA = 1e4
_TIED = 1e-9  # nats of entropy that a row may miss before it is called tied: rounding stays well below
_SMALLEST = 1e-100  # below it a quotient may overflow
_STEPS = 200  # a bracket of [0, 10⁴] is down to neighbouring floats after some 100 halvings


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """A raw pattern with the entropy of a head's, row by row.

    Parameters
    ----------
    pattern
        (n, n), float64.
    beta
        (n,), what the raw dot products of each row were multiplied by.
    tied
        (n,), True for rows that cannot be as sharp as the head's: as sharp as their ties allow.
    """

    pattern: Float64
    beta: Float64
    tied: BoolArray


def matched_pattern(pattern: Float64, raw_dot: Float64, hidden: BoolArray | None = None) -> Matched:
    """Return softmax(β·r_i) with the β in [0, 10⁴] that gives row i the entropy of the head's row.

    The entropy falls as β grows, so β is found by bisection, all rows at once. Newton's step on the root of
    what is missing to an even row, which is nearly linear in β, replaces the middle where it stays in the
    bracket.

    Parameters
    ----------
    pattern
        The head's, (n, n), float64.
    raw_dot
        X0·X0ᵀ, (n, n), float64.
    hidden
        (n, n), True where a query may not see a key.
    """
    if not raw_dot.size:
        return Matched(np.zeros_like(raw_dot), np.zeros(len(raw_dot)), np.zeros(len(raw_dot), dtype=bool))
    seen = np.ones(raw_dot.shape, dtype=bool) if hidden is None else ~hidden
    most = np.log(np.maximum(seen.sum(axis=1), 1))
    target = np.where(pattern.sum(axis=1) > 0, np.minimum(_entropies(pattern), most), most)
    top = np.max(raw_dot, axis=1, where=seen, initial=-np.inf, keepdims=True)
    tilt = np.where(seen, raw_dot - np.where(np.isfinite(top), top, 0.0), 0.0)
    sharpest, _ = _entropy_and_spread(tilt, seen, np.full(len(tilt), LARGEST_BETA))
    tied = sharpest > target + _TIED
    beta = np.where(tied, LARGEST_BETA, _solve(tilt, seen, most, np.where(tied, most, target)))
    return Matched(softmax(raw_dot * beta[:, None], hidden), beta, tied)


def _solve(tilt: Float64, seen: BoolArray, most: Float64, target: Float64) -> Float64:
    """Return β (n,) with entropy `target`, or an end of the bracket where there is none."""
    low, high = np.zeros(len(tilt)), np.full(len(tilt), LARGEST_BETA)
    wanted = np.sqrt(most - target)
    _, spread = _entropy_and_spread(tilt, seen, low)
    beta = _inside(wanted * math.sqrt(2.0) / _positive(np.sqrt(spread)), low, high)
    for _ in range(_STEPS):
        entropy, spread = _entropy_and_spread(tilt, seen, beta)
        low, high = np.where(entropy > target, beta, low), np.where(entropy > target, high, beta)
        missing = np.sqrt(np.maximum(most - entropy, 0.0))
        newer = _inside(beta - (missing - wanted) * 2 * missing / _positive(beta * spread), low, high)
        settled = (np.abs(newer - beta) <= 2 * np.spacing(beta)) | (entropy == target)
        beta = np.where(settled, beta, newer)
        if settled.all():
            break
    return np.where(wanted > 0, beta, 0.0)


def _inside(guess: Float64, low: Float64, high: Float64) -> Float64:
    """Return the guess where it is within the bracket, else the middle."""
    return np.where((guess > low) & (guess < high), guess, (low + high) / 2)


def _positive(values: Float64) -> Float64:
    """Return the values, NaN for those a division could not stand."""
    return np.where(values > _SMALLEST, values, np.nan)


def _entropies(pattern: Float64) -> Float64:
    """Return −Σ a·ln a of each row, in nats; 0·ln 0 = 0."""
    logs = np.log(pattern, where=pattern > 0, out=np.zeros_like(pattern))
    entropies: Float64 = -np.einsum("ij,ij->i", pattern, logs)
    return entropies


def _entropy_and_spread(tilt: Float64, seen: BoolArray, beta: Float64) -> tuple[Float64, Float64]:
    """Return entropy of softmax(β·tilt) and variance of tilt under it, row by row; the largest tilt is 0."""
    weights = np.exp(tilt * beta[:, None]) * seen
    total = np.maximum(weights.sum(axis=1), 1.0)
    tilted = weights * tilt
    mean = tilted.sum(axis=1) / total
    square = np.einsum("ij,ij->i", tilted, tilt) / total
    return np.log(total) - beta * mean, np.maximum(square - mean * mean, 0.0)

"""Edits of the weights of one head: pure functions from a head to the next.

What an edit is not about stays: scoring, lock, the other matrices. Where nothing changes the very same head
comes back; else its recipe is "edited". A head that shares its keys with others gets keys of its own. What
all positions of a slider share is worked out once: `noise_slider(head, ...)(size)` is `noisy(head, ...,
size, ...)`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from askew.arrays import frozen32, rounded32
from askew.errors import WeightsError
from askew.heads import PARTS, Head, Recipe
from askew.initializers import INITIALIZERS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askew.arrays import Float32, Float64
    from askew.heads import Part

NOISE = 4
"""Noise of seed s and head h is drawn from [s, 2³² − 1, NOISE, h], so that it is never a head's own draw."""

ORTHOGONAL_WITHIN = 1e-6
"""How far from orthonormal, relative to its scale, rounding to float32 leaves an orthogonal matrix."""

_FIXED = ("identity", "zero")  # nothing in them is drawn


def scaled(head: Head, part: Part, factor: float) -> Head:
    """Return the head with a matrix and its bias times `factor`: every q, k or v becomes that much larger.

    Raises
    ------
    WeightsError
        If the factor is not a number, or a product is beyond float32.
    """
    if not math.isfinite(factor):
        raise WeightsError(f"the factor is {factor}", remedy="Choose a number")
    bias = bias_of(head, part)
    return _with_part(
        head,
        part,
        matrix_of(head, part).astype(np.float64) * factor,
        None if bias is None else rounded32(bias.astype(np.float64) * factor),
    )


def negated(head: Head, part: Part) -> Head:
    """Return the head with a matrix and its bias times −1: for W_q or W_k every score changes its sign."""
    return scaled(head, part, -1.0)


def noisy(head: Head, part: Part, size: float, seed: int, index: int) -> Head:
    """Return the head with normal noise on a matrix, of standard deviation `size` times the matrix' rms.

    On a matrix of zeros it is `size`/√d_model, which is what `gaussian` draws. `seed` and the head's `index`
    decide the noise of all its matrices: W_q's is drawn first, then W_k's, then W_v's.

    Raises
    ------
    WeightsError
        If the size is negative or not a number, or a sum is beyond float32.
    """
    return noise_slider(head, (part,), seed, index)(size)


def noise_slider(head: Head, parts: Sequence[Part], seed: int, index: int) -> Callable[[float], Head]:
    """Return `noisy` of this head, on each of `parts`, for every size."""
    g = np.random.default_rng([seed, 2**32 - 1, NOISE, index])
    drawn = {part: g.standard_normal(matrix_of(head, part).shape) for part in PARTS}
    sizes = {part: _rms(matrix_of(head, part)) or 1.0 / math.sqrt(head.d_model) for part in PARTS}
    noise = {part: drawn[part] * sizes[part] for part in parts}

    def add(size: float) -> Head:
        if not (math.isfinite(size) and size >= 0.0):
            raise WeightsError(f"the size of the noise is {size}", remedy="Choose a number of 0 or above")
        changed = head
        for part in parts:
            changed = _with_part(changed, part, matrix_of(head, part) + size * noise[part])
        return changed

    return add


def transposed(head: Head, part: Part) -> Head:
    """Return the head with a square matrix transposed; its bias stays.

    Raises
    ------
    WeightsError
        If the matrix is not square.
    """
    matrix = matrix_of(head, part)
    if matrix.shape[0] != matrix.shape[1]:
        raise WeightsError(
            f"W_{part} is {matrix.shape[0]} × {matrix.shape[1]} (d_model × d) and cannot be transposed",
            remedy=f"Only a square matrix can; make {'d_v' if part == 'v' else 'd_k'} {head.d_model} first",
        )
    return _with_part(head, part, matrix.T)


def orthogonalized(head: Head, part: Part) -> Head:
    """Return the head with the nearest matrix of orthonormal columns in place of one, its rms kept.

    That is U·Vᵀ of the matrix' own U·diag(σ)·Vᵀ, its polar factor (Higham 1986); orthonormal rows where it
    has more columns than rows. The rms of all its numbers stays as it was, and so does its bias.

    Raises
    ------
    WeightsError
        If the matrix is all zeros.
    """
    matrix = matrix_of(head, part).astype(np.float64)
    if not matrix.any():
        raise WeightsError(f"W_{part} is all zeros and has no direction to keep", remedy="Randomize it first")
    u, sigma, vt = np.linalg.svd(matrix, full_matrices=False)
    scale = math.sqrt(float(np.mean(sigma**2)))
    if np.abs(sigma - scale).max() <= ORTHOGONAL_WITHIN * scale:
        return head
    return _with_part(head, part, (u @ vt) * scale)


def tied(head: Head, tau: float, seed: int, index: int) -> Head:
    """Return the head with W_k = τ·W_q + √(1 − τ²)·G: W_q itself at τ = 1, free of it at 0.

    G is the W_k that the head's recipe draws from `seed` and `index` (`gaussian` where it has none, or one
    that draws nothing), scaled to the rms of W_q unless W_q is of that very draw. So a head drawn by
    `gaussian` becomes, from its own seed and index, number for number what `tied` draws, and has that for
    its recipe. Biases stay.

    Raises
    ------
    WeightsError
        If τ is not from 0 to 1.
    """
    return tie_slider(head, seed, index)(tau)


def tie_slider(head: Head, seed: int, index: int) -> Callable[[float], Head]:
    """Return `tied` of this head for every τ."""
    w_q, free, own = _drawn_pair(head, seed, index)

    def tie(tau: float) -> Head:
        _check_share("τ", tau)
        made = _with_part(head, "k", tau * w_q + math.sqrt(1.0 - tau**2) * free)
        if made is head or own is None:
            return made
        return replace(made, recipe=replace(own, initializer="tied", tau=tau))

    return tie


def blended(a: Head, b: Head, share: float) -> Head:
    """Return (1 − share)·a + share·b of all matrices and biases; a bias that one lacks is zeros there.

    Scoring and lock are a's. At share 0 it is a itself; at 1 the numbers are b's, and so is their origin.

    Raises
    ------
    WeightsError
        If the shapes differ or the share is not from 0 to 1.
    """
    _check_share("the share", share)
    shapes = [(head.d_model, head.d_k, head.d_v) for head in (a, b)]
    if shapes[0] != shapes[1]:
        raise WeightsError(
            f"heads of (d_model, d_k, d_v) = {shapes[0]} and {shapes[1]} cannot be blended",
            remedy="Choose two heads of the same shape",
        )
    if share == 0.0 or a is b:
        return a
    if share == 1.0:
        return replace(b, scoring=a.scoring, extra=a.extra, locked=a.locked)
    mixed = {
        name: _mixed(getattr(a, name), getattr(b, name), share)
        for name in ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v")
    }
    return replace(a, recipe="edited", **mixed)  # type: ignore[arg-type]


def matrix_of(head: Head, part: Part) -> Float32:
    """Return W_q, W_k or W_v."""
    return {"q": head.w_q, "k": head.w_k, "v": head.w_v}[part]


def bias_of(head: Head, part: Part) -> Float32 | None:
    """Return b_q, b_k or b_v, if the head has it."""
    return {"q": head.b_q, "k": head.b_k, "v": head.b_v}[part]


def _mixed(a: Float32 | None, b: Float32 | None, share: float) -> Float32 | None:
    """Return (1 − share)·a + share·b in float64, rounded."""
    if a is None and b is None:
        return None
    first, second = (0.0 if one is None else one.astype(np.float64) for one in (a, b))
    return rounded32((1.0 - share) * first + share * second)  # type: ignore[arg-type]


def _drawn_pair(head: Head, seed: int, index: int) -> tuple[Float64, Float64, Recipe | None]:
    """Return W_q and G of `tied`, in float64, and the recipe where `tied` draws just these."""
    recipe = head.recipe if isinstance(head.recipe, Recipe) else Recipe("gaussian", seed, index)
    name = "gaussian" if recipe.initializer in _FIXED else recipe.initializer
    rank = recipe.rank or max(1, head.d_k // 4)

    def draw(gain: float) -> tuple[Float64, Float64]:
        g = np.random.default_rng([seed, index])
        first, second = (
            INITIALIZERS[name](g, head.d_model, head.d_k, gain=gain, rank=rank) for _ in range(2)
        )
        return first, second

    own, free = draw(recipe.gain)
    if np.array_equal(rounded32(own), head.w_q):
        same = recipe is head.recipe and (recipe.seed, recipe.index) == (seed, index)
        return own, free, recipe if same and name in ("gaussian", "tied") else None
    free = draw(1.0)[1]
    return head.w_q.astype(np.float64), free * (_rms(head.w_q) / _rms(free)), None


def _rms(matrix: Float32 | Float64) -> float:
    """Return the root of the mean square."""
    return math.sqrt(float(np.mean(np.square(matrix, dtype=np.float64))))


def _check_share(name: str, value: float) -> None:
    if not 0.0 <= value <= 1.0:
        raise WeightsError(f"{name} is {value}", remedy="Choose a share from 0 to 1")


def _with_part(head: Head, part: Part, matrix: Float32 | Float64, bias: Float32 | None = None) -> Head:
    """Return the head with another matrix, and bias unless None; the same head if all is the same."""
    new = rounded32(matrix) if matrix.dtype == np.float64 else frozen32(matrix)  # type: ignore[arg-type]
    changes = {f"w_{part}": new} if bias is None else {f"w_{part}": new, f"b_{part}": bias}
    if all(np.array_equal(value, getattr(head, name)) for name, value in changes.items()):
        return head
    return replace(head, recipe="edited", **changes)  # type: ignore[arg-type]

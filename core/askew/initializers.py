"""Ways to fill the weights of a head; the same recipe gives the same numbers on every machine.

Head `h` of seed `s` is drawn alone, from ``numpy.random.default_rng([s, h])``: w_q first, then w_k, then w_v,
all in float64, scaled, and only then rounded to float32. So a head does not change when heads are added, and
drawing w_k alone anew means drawing the whole head and taking its second matrix.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

import numpy as np

from askew.arrays import rounded32
from askew.errors import ExperimentError
from askew.heads import Head, Recipe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askew.arrays import Float64


class Initializer(Protocol):
    """Draws one matrix."""

    def __call__(self, g: np.random.Generator, rows: int, columns: int, *, gain: float, rank: int) -> Float64:
        """Return (rows, columns) in float64; `rank` matters to `low-rank` alone."""


def gaussian(g: np.random.Generator, rows: int, columns: int, *, gain: float, rank: int) -> Float64:
    """Return normal numbers of standard deviation gain / √rows."""
    return g.standard_normal((rows, columns)) * (gain / math.sqrt(rows))


def xavier(g: np.random.Generator, rows: int, columns: int, *, gain: float, rank: int) -> Float64:
    """Return normal numbers of standard deviation gain · √(2 / (rows + columns)) (Glorot and Bengio 2010)."""
    return g.standard_normal((rows, columns)) * (gain * math.sqrt(2.0 / (rows + columns)))


def orthogonal(g: np.random.Generator, rows: int, columns: int, *, gain: float, rank: int) -> Float64:
    """Return gain × orthonormal columns (orthonormal rows where there are more columns than rows).

    The Q of a QR of a normal matrix, R with positive diagonal: uniform over all such (Mezzadri 2007).
    """
    normal = g.standard_normal((rows, columns))
    q, r = np.linalg.qr(normal if rows >= columns else normal.T)
    q = q * np.where(np.diagonal(r) < 0, -1.0, 1.0) * gain
    return q if rows >= columns else q.T


def low_rank(g: np.random.Generator, rows: int, columns: int, *, gain: float, rank: int) -> Float64:
    """Return U·V / √rank with U (rows, rank) drawn before V (rank, columns), scaled as `gaussian`."""
    u = g.standard_normal((rows, rank))
    v = g.standard_normal((rank, columns))
    return (u @ v) / math.sqrt(rank) * (gain / math.sqrt(rows))


def identity(g: np.random.Generator, rows: int, columns: int, *, gain: float, rank: int) -> Float64:
    """Return the first `columns` columns of gain × identity; more columns than rows are refused."""
    if columns > rows:
        raise ExperimentError(
            f"an identity cannot have {columns} columns and only {rows} rows",
            remedy=f"Choose d_k and d_v of at most {rows}, or another initializer",
        )
    return np.eye(rows, columns) * gain


def zero(g: np.random.Generator, rows: int, columns: int, *, gain: float, rank: int) -> Float64:
    """Return zeros: every score is 0 and every row of the pattern is even."""
    return np.zeros((rows, columns))


INITIALIZERS: Mapping[str, Initializer] = {
    "gaussian": gaussian,
    "xavier": xavier,
    "orthogonal": orthogonal,
    "identity": identity,
    "low-rank": low_rank,
    "zero": zero,
    "tied": gaussian,
}


def draw_head(recipe: Recipe, d_model: int, d_k: int, d_v: int) -> Head:
    """Return the head that `recipe` describes; the same recipe and sizes give the same numbers, bit for bit.

    Parameters
    ----------
    recipe
        Which initializer, seed and head index, and how large. With `tied`, w_k = τ·w_q + √(1 − τ²)·(the w_k
        drawn), so τ = 1 makes w_k equal to w_q and τ = 0 gives `gaussian`, all of the same size.
    d_model, d_k, d_v
        Numbers per token vector, per query and key, per value.

    Raises
    ------
    ExperimentError
        If the initializer is unknown, a size is below 1, or an identity would need more columns than rows.
    """
    _check(recipe, d_model, d_k, d_v)
    draw = INITIALIZERS[recipe.initializer]
    rank = recipe.rank or max(1, d_k // 4)
    g = np.random.default_rng([recipe.seed, recipe.index])
    w_q = draw(g, d_model, d_k, gain=recipe.gain, rank=rank)
    w_k = draw(g, d_model, d_k, gain=recipe.gain, rank=rank)
    w_v = draw(g, d_model, d_v, gain=recipe.gain, rank=rank)
    if recipe.initializer == "tied":
        w_k = recipe.tau * w_q + math.sqrt(1.0 - recipe.tau**2) * w_k
    return Head(rounded32(w_q), rounded32(w_k), rounded32(w_v), recipe=recipe)


def random_heads(
    count: int,
    *,
    d_model: int,
    d_k: int,
    d_v: int,
    seed: int = 0,
    initializer: str = "gaussian",
    gain: float = 1.0,
    rank: int | None = None,
) -> tuple[Head, ...]:
    """Return `count` heads, each drawn alone from ``default_rng([seed, index])``.

    Parameters
    ----------
    count
        How many heads.
    d_model, d_k, d_v
        Numbers per token vector, per query and key, per value.
    seed
        Zero or above.
    initializer
        A name of `INITIALIZERS`.
    gain
        Factor on all weights.
    rank
        For `low-rank`; None for max(1, d_k // 4).

    Raises
    ------
    ExperimentError
        As `draw_head`, or if `count` is below 1.
    """
    if count < 1:
        raise ExperimentError(f"{count} heads were asked for", remedy="Ask for at least one")
    recipes = (Recipe(initializer, seed, index, gain, rank) for index in range(count))
    return tuple(draw_head(recipe, d_model, d_k, d_v) for recipe in recipes)


def _check(recipe: Recipe, d_model: int, d_k: int, d_v: int) -> None:
    """Raise for what cannot be drawn."""
    if recipe.initializer not in INITIALIZERS:
        known = ", ".join(INITIALIZERS)
        raise ExperimentError(
            f"there is no initializer {recipe.initializer!r}", remedy=f"Choose one of {known}"
        )
    for name, size in (("d_model", d_model), ("d_k", d_k), ("d_v", d_v)):
        if size < 1:
            raise ExperimentError(f"{name} is {size}", remedy=f"Choose {name} of at least 1")
    if recipe.seed < 0 or recipe.index < 0:
        raise ExperimentError(f"the seed is {recipe.seed}", remedy="Choose a seed of 0 or above")
    if not math.isfinite(recipe.gain):
        raise ExperimentError(f"the gain is {recipe.gain}", remedy="Choose a number")
    if recipe.rank is not None and recipe.rank < 1:
        raise ExperimentError(f"the rank is {recipe.rank}", remedy="Choose a rank of at least 1")
    if not 0.0 <= recipe.tau <= 1.0:
        raise ExperimentError(f"τ is {recipe.tau}", remedy="Choose a share from 0 to 1")

"""Nearest words by cosine over a whole table, exact, block by block and without a copy of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askew.blas import one_thread, share_out, threads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.arrays import Float32, Float64, FloatArray, IntArray

BLOCK = 32768  # rows; the fastest of those tried, for one query as for 144
_SHARED = 4  # blocks from which they are shared out among threads
_AT_ONCE = 16  # rows of cosines held in memory for each thread


def inverse_norms(matrix: Float32) -> Float32:
    """Return 1 / norm of each row, (n,); NaN for a zero row, which has no direction."""
    inverse = np.empty(len(matrix), dtype=np.float32)
    for start in range(0, len(matrix), BLOCK):
        block = matrix[start : start + BLOCK]
        squares = np.einsum("ij,ij->i", block, block, dtype=np.float64)
        squares[squares == 0] = np.nan
        with np.errstate(over="ignore"):
            inverse[start : start + BLOCK] = 1 / np.sqrt(squares)
    return inverse


def nearest_rows(
    matrix: Float32, inverse: Float32, queries: Float32, n: int, without: Sequence[int | None] = ()
) -> list[tuple[IntArray, Float64]]:
    """Return for each query the rows with the largest cosines, largest first, ties in the order of rows.

    Parameters
    ----------
    matrix
        (rows, dim).
    inverse
        1 / norm of each row, (rows,), as `inverse_norms` gives it; rows with NaN are never near.
    queries
        (q, dim); a zero query has no nearest rows.
    n
        How many at most.
    without
        For each query a row to leave out, or None.
    """
    lengths = np.linalg.norm(queries.astype(np.float64), axis=1)
    units = queries / np.where(lengths > 0, lengths, np.nan)[:, None]
    best = [_Best(n) for _ in units]
    starts = range(0, len(matrix), BLOCK)
    together = threads() * max(1, _AT_ONCE // max(1, len(units))) if len(starts) >= _SHARED else 1

    def cosines_from(start: int) -> FloatArray:
        return _cosines(matrix[start : start + BLOCK], inverse[start : start + BLOCK], units)

    with one_thread():
        for place in range(0, len(starts), together):
            wave = starts[place : place + together]
            for start, cosines in zip(wave, share_out(cosines_from, wave), strict=True):
                _leave_out(cosines, without, start)
                for query, keeper in enumerate(best):
                    keeper.offer(cosines[query], start)
    return [keeper.ranked() for keeper in best]


def _leave_out(cosines: FloatArray, without: Sequence[int | None], start: int) -> None:
    for query, row in enumerate(without):
        if row is not None and start <= row < start + cosines.shape[1]:
            cosines[query, row - start] = np.nan


def _cosines(block: Float32, inverse: Float32, units: Float64) -> FloatArray:
    """Return the cosines of all queries with the rows of a block, (q, k)."""
    with np.errstate(over="ignore", invalid="ignore"):
        products = units.astype(np.float32) @ block.T
        if np.isfinite(products.sum()) and not np.isinf(inverse).any():
            products *= inverse
            return products
    if np.isnan(units).all():
        return products
    wide = block.astype(np.float64)  # numbers so large or small that float32 cannot hold their products
    norms = np.linalg.norm(wide, axis=1)
    cosines: Float64 = (units @ wide.T) / np.where(norms > 0, norms, np.nan)
    return cosines


class _Best:
    """The n largest values so far and their places; NaN is never among them."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._least = -np.inf
        self._values: Float64 = np.empty(0)
        self._rows: IntArray = np.empty(0, dtype=np.intp)

    def offer(self, values: FloatArray, start: int) -> None:
        """Take what is larger than the least so far; `start` is the row of the first value."""
        better = np.flatnonzero(values > self._least)
        if len(better) > 4 * self._n:
            chosen = values[better]
            least = np.partition(chosen, len(chosen) - self._n)[len(chosen) - self._n]
            better = better[chosen >= least]
        if len(better):
            self._values = np.concatenate([self._values, values[better]])
            self._rows = np.concatenate([self._rows, better + start])
            order = np.lexsort((self._rows, -self._values))[: self._n]
            self._values, self._rows = self._values[order], self._rows[order]
            self._least = float(self._values[-1]) if len(order) == self._n else -np.inf

    def ranked(self) -> tuple[IntArray, Float64]:
        """Return the rows and their values, largest first."""
        return self._rows, np.clip(self._values, -1.0, 1.0)

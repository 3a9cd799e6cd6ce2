"""Rows of a matrix in a file at any places, a few of them or many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from askew.arrays import Float32, IntArray
    from askew.vectors.formats.matrix import StoredMatrix

_FEW = 64
_WHOLE = 1 << 26  # bytes up to which a matrix is held in memory


class ScatteredRows:
    """Reads a few rows one by one; for many the whole matrix, into memory if it is small, else by a map.

    A map of a file that others may cut short is made only to go through all of it, which big files have done
    in a process of its own.
    """

    def __init__(self, matrix: StoredMatrix) -> None:
        self._matrix = matrix
        self._table: Float32 | None = None

    @property
    def dim(self) -> int:
        """Numbers per row."""
        return self._matrix.dim

    def at(self, places: IntArray) -> Float32:
        """Return the rows at some places, (k, dim)."""
        if self._table is None and len(places) <= _FEW:
            result = np.empty((len(places), self.dim), dtype=np.float32)
            for row, place in enumerate(places.tolist()):
                result[row] = self._matrix.block(place, place + 1)[0]
            return result
        if self._table is None:
            self._table = _whole_or_mapped(self._matrix)
        return np.asarray(self._table[places])


def _whole_or_mapped(matrix: StoredMatrix) -> Float32:
    size = 4 * matrix.rows * matrix.dim
    if matrix.source.data is not None or size <= _WHOLE or matrix.kind != "<f4" or matrix.by_columns:
        return matrix.block(0, matrix.rows)
    start = matrix.source.start + matrix.start
    return np.memmap(matrix.source.path, "<f4", mode="r", offset=start, shape=(matrix.rows, matrix.dim))

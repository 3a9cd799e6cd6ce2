"""Rows of a matrix in a file at any places, a few of them or many."""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from askew.arrays import Float32, IntArray
    from askew.vectors.formats.matrix import StoredMatrix

_WHOLE = 1 << 26  # bytes up to which a matrix is held in memory
_GIVE_BACK = 1 << 28  # bytes that a map may fill
_AROUND = 1 << 16  # bytes around each row that the system brings along


class ScatteredRows:
    """Reads a few rows one by one; for many the whole matrix, into memory if it is small, else by a map.

    A map of a file that others may cut short is made only to go through all of it, which big files have done
    in a process of its own.
    """

    def __init__(self, matrix: StoredMatrix) -> None:
        self._matrix = matrix
        self._table: Float32 | None = None
        self._map: mmap.mmap | None = None
        self._touched = 0

    @property
    def dim(self) -> int:
        """Numbers per row."""
        return self._matrix.dim

    def at(self, places: IntArray, *, few: bool) -> Float32:
        """Return the rows at some places, (k, dim); `few` reads each of them from the file."""
        if few:
            result = np.empty((len(places), self.dim), dtype=np.float32)
            for row, place in enumerate(places.tolist()):
                result[row] = self._matrix.block(place, place + 1)[0]
            return result
        if self._table is None:
            self._table = self._whole_or_mapped()
        rows = np.asarray(self._table[places])
        self._give_back(len(places) * (4 * self.dim + _AROUND))
        return rows

    def _whole_or_mapped(self) -> Float32:
        matrix = self._matrix
        size = 4 * matrix.rows * matrix.dim
        plain = matrix.source.data is None and matrix.kind == "<f4" and not matrix.by_columns
        if size <= _WHOLE or not plain:
            return matrix.block(0, matrix.rows)
        with matrix.source.path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        start = matrix.source.start + matrix.start
        count = matrix.rows * matrix.dim
        return np.frombuffer(self._map, "<f4", count, start).reshape(matrix.rows, matrix.dim)

    def _give_back(self, size: int) -> None:
        """Let go of memory that the map has filled; the system may keep it as long as there is room."""
        self._touched += size
        if self._map is not None and self._touched > _GIVE_BACK and hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)
            self._touched = 0

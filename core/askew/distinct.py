"""Rows that may repeat, as the sentence's words do; each different row is computed once.

A matrix product may round equal rows differently, by where they stand in the matrix. Repeated words have to
tie exactly, so maps are computed for the different rows alone and then spread over all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from askew.arrays import Float64, IntArray

Scalar = TypeVar("Scalar", bound=np.generic)


class Distinct:
    """The different rows of a matrix.

    Attributes
    ----------
    rows
        (u, d), float64, in order of first appearance.
    places
        For each row of the matrix its row in `rows`, (m,); None where no row repeats.
    """

    def __init__(self, matrix: Float64) -> None:
        first: dict[bytes, int] = {}
        places = [first.setdefault(row.tobytes(), len(first)) for row in matrix]
        self.places: IntArray | None = None
        self.rows = matrix
        if len(first) < len(matrix):
            self.places = np.array(places, dtype=np.intp)
            self.rows = matrix[[places.index(place) for place in range(len(first))]]

    def each(self, values: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
        """Return one row for each row of the matrix, (u, d) to (m, d)."""
        return values if self.places is None else values[self.places]

    def square(self, values: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
        """Return one cell for each pair of rows of the matrix, (..., u, u) to (..., m, m)."""
        if self.places is None:
            return values
        return np.take(np.take(values, self.places, axis=-2), self.places, axis=-1)

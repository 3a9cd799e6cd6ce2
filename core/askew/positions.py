"""Positions that turn queries and keys instead of being added to the words."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from askew.errors import ExperimentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from askew.arrays import Float64, IntArray
    from askew.heads import Head

Real = TypeVar("Real", bound=np.floating)

BASE = 10_000.0
ROTATED = ("dot", "scaled-dot")
"""The scorings in which a rotation leaves nothing but the distance of the two places."""


class Rotation:
    """Rotary positions: the pair (i, i + d_k/2) is turned by place · 10⁴^(−2i/d_k), places from 0.

    Su et al. 2021, section 3.4.2, with the halves that Llama and its kin pair.

    Attributes
    ----------
    places
        The place of each row, (m,).
    """

    def __init__(self, places: IntArray) -> None:
        self.places = places
        self._tables: dict[int, tuple[Float64, Float64]] = {}

    def turned(
        self, vectors: npt.NDArray[Real], rows: Sequence[int] | None = None, *, back: bool = False
    ) -> npt.NDArray[Real]:
        """Return vectors (..., m, d_k) turned each for its place, in their own precision.

        With `rows` the vectors are of those rows alone; `back` takes a turn back.
        """
        cos, sin = self._table(vectors.shape[-1])
        if rows is not None:
            cos, sin = cos[list(rows)], sin[list(rows)]
        cos, sin = cos.astype(vectors.dtype, copy=False), sin.astype(vectors.dtype, copy=False)
        if back:
            sin = -sin
        half = vectors.shape[-1] // 2
        first, second = vectors[..., :half], vectors[..., half:]
        turned = np.empty(np.broadcast_shapes(vectors.shape, (*cos.shape[:-1], 2 * half)), vectors.dtype)
        turned[..., :half] = first * cos - second * sin
        turned[..., half:] = second * cos + first * sin
        return turned

    def _table(self, d_k: int) -> tuple[Float64, Float64]:
        """Return cosines and sines, (m, d_k/2)."""
        if d_k not in self._tables:
            speeds = BASE ** (-2.0 * np.arange(d_k // 2) / d_k)
            angles = self.places[:, np.newaxis] * speeds
            self._tables[d_k] = np.cos(angles), np.sin(angles)
        return self._tables[d_k]


def check_rotation(heads: Sequence[Head]) -> None:
    """Raise an `ExperimentError` for heads whose queries and keys cannot be turned."""
    for index, head in enumerate(heads):
        if head.scoring not in ROTATED:
            raise ExperimentError(
                f"positions rope turn queries and keys of dot products, and head {index} scores by "
                f"{head.scoring}",
                remedy=f"Choose scoring {' or '.join(ROTATED)}, or other positions",
            )
        if head.d_k % 2:
            raise ExperimentError(
                f"positions rope turn pairs of numbers, and d_k is {head.d_k}",
                remedy=f"Choose an even d_k such as {head.d_k + 1}, or other positions",
            )

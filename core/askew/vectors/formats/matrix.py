"""A matrix that lies in a file as plain numbers, read block by block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from askew.errors import VectorsError
from askew.vectors.formats.source import INCOMPLETE

if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    from askew.arrays import Float32
    from askew.vectors.formats.source import Source

BRAIN = "bf16"  # the upper half of a float32, which numpy does not know
_ITEMS = {"f2": 2, "f4": 4, "f8": 8, "i1": 1, "i2": 2, "i4": 4, "i8": 8, "u1": 1, "u2": 2, "u4": 4, "u8": 8}


@dataclass(frozen=True, slots=True)
class StoredMatrix:
    """A matrix in a file.

    Parameters
    ----------
    start
        Byte where it begins.
    kind
        Of its numbers, as numpy writes it with the order of bytes first (`<f4`), or `BRAIN`.
    by_columns
        Whether column follows column instead of row row.
    """

    source: Source
    start: int
    rows: int
    dim: int
    kind: str
    by_columns: bool = False

    def __post_init__(self) -> None:
        """Hold the promised size against the bytes that are there, before anything is allocated."""
        need = self.rows * self.dim * self.item
        have = self.source.size - self.start
        if self.rows < 0 or self.dim < 1:
            raise VectorsError(
                f"a matrix of shape ({self.rows}, {self.dim}) holds no vectors", where=self.source.name
            )
        if need > have:
            raise VectorsError(
                f"the file is incomplete: {max(0, have)} of {need} bytes of data",
                where=self.source.name,
                remedy=INCOMPLETE,
            )

    @property
    def item(self) -> int:
        """Bytes of a number."""
        return 2 if self.kind == BRAIN else _ITEMS[self.kind[1:]]

    def block(self, start: int, stop: int) -> Float32:
        """Return rows `start` to `stop`, (k, dim)."""
        count = stop - start
        if self.by_columns:
            height = self.rows * self.item
            columns = [
                self.source.read(self.start + column * height + start * self.item, count * self.item)
                for column in range(self.dim)
            ]
            return np.ascontiguousarray(self._numbers(b"".join(columns)).reshape(self.dim, count).T)
        width = self.dim * self.item
        return self._numbers(self.source.read(self.start + start * width, count * width)).reshape(
            count, self.dim
        )

    def _numbers(self, data: bytes) -> Float32:
        return as_float32(data, self.kind)


def as_float32(data: bytes, kind: str) -> Float32:
    """Return plain numbers as float32; what is beyond its range becomes infinite."""
    if kind == BRAIN:
        halves = np.frombuffer(data, dtype="<u2").astype(np.uint32)
        return (halves << np.uint32(16)).view(np.float32)
    numbers: npt.NDArray[Any] = np.frombuffer(data, dtype=kind)
    with np.errstate(over="ignore", invalid="ignore"):
        return numbers.astype(np.float32)


def is_number(kind: str) -> bool:
    """Whether arrays of a kind, as numpy writes it, can be read as float32."""
    return kind == BRAIN or (len(kind) == 3 and kind[0] in "<>|=" and kind[1:] in _ITEMS)

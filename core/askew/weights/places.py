"""Where the numbers of a tensor lie, and how they are read."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Protocol

from askew.errors import VectorsError, WeightsError
from askew.vectors.formats.matrix import BRAIN, as_float32
from askew.vectors.formats.zip_arrays import numbers_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askew.arrays import Float32
    from askew.vectors.formats.npy_header import Array
    from askew.vectors.formats.source import Source
    from askew.vectors.formats.zip_arrays import Named

Rows = tuple[int, int]


class Place(Protocol):
    """Numbers that can be read."""

    def numbers(self, rows: Rows | None = None) -> Float32:
        """Return the array as float32, or rows `rows[0]` up to `rows[1]` of it."""
        ...


@contextmanager
def told_as_weights() -> Iterator[None]:
    """Turn what the readers of vector files say into errors about weights."""
    try:
        yield
    except VectorsError as error:
        raise WeightsError(error.what, where=error.where, remedy=error.remedy) from error


@dataclass(frozen=True, slots=True)
class Stored:
    """Plain numbers in a file; `kind` as `StoredMatrix` has it, `by_columns` as numpy's Fortran order."""

    source: Source
    start: int
    shape: tuple[int, ...]
    kind: str
    by_columns: bool = False

    def numbers(self, rows: Rows | None = None) -> Float32:
        """Return the array as float32, or rows `rows[0]` up to `rows[1]` of it."""
        item = 2 if self.kind == BRAIN else int(self.kind[2:])
        if rows is None or self.by_columns:
            with told_as_weights():
                data = self.source.read(self.start, prod(self.shape) * item)
            whole = as_float32(data, self.kind).reshape(self.shape, order="F" if self.by_columns else "C")
            return whole if rows is None else whole[slice(*rows)]
        width = prod(self.shape[1:]) * item
        with told_as_weights():
            data = self.source.read(self.start + rows[0] * width, (rows[1] - rows[0]) * width)
        return as_float32(data, self.kind).reshape(rows[1] - rows[0], *self.shape[1:])


@dataclass(frozen=True, slots=True)
class Zipped:
    """An array of an .npz."""

    source: Source
    named: Named
    array: Array

    def numbers(self, rows: Rows | None = None) -> Float32:
        """Return the array as float32, or rows `rows[0]` up to `rows[1]` of it."""
        array = self.array
        with told_as_weights():
            inner = numbers_of(self.source, self.named)
        return Stored(inner, array.start, array.shape, array.kind, array.by_columns).numbers(rows)


@dataclass(frozen=True, slots=True, eq=False)
class Parsed:
    """Numbers of a table of text, which had to be read to know its shape."""

    values: Float32

    def numbers(self, rows: Rows | None = None) -> Float32:
        """Return the array as float32, or rows `rows[0]` up to `rows[1]` of it."""
        return self.values if rows is None else self.values[slice(*rows)]

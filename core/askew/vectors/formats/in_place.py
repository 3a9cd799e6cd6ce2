"""A big file in use: its words in memory, a row read and checked when its word is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askew.errors import VectorsError
from askew.vectors.cleaning import tell_undecoded
from askew.vectors.companions import state
from askew.vectors.fingerprint import fingerprint_of
from askew.vectors.formats.letters import FromLetters
from askew.vectors.index import HashIndex, WordJoiner
from askew.vectors.lazy import CheckedIndex, RowsOnDemand
from askew.vectors.table import Origin, WordVectors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from askew.arrays import Float32
    from askew.vectors.formats.contents import Contents, Matrix
    from askew.vectors.options import Options
    from askew.vectors.rows import Reading

_KEPT = 4096
_AT_ONCE = 1 << 16


class RowsInPlace(RowsOnDemand):
    """Rows of a file, read from where they are as long as it is the same file."""

    def __init__(self, path: Path, matrix: Matrix) -> None:
        self._path = path
        self._matrix = matrix
        self._state = state(path)
        self._kept: dict[int, Float32 | None] = {}

    @property
    def dim(self) -> int:
        """Numbers per row."""
        return self._matrix.dim

    def row(self, row: int) -> Float32 | None:
        """Return the numbers of a row, (dim,), or None if they cannot be read or are not finite."""
        if row not in self._kept:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            self._kept[row] = self._read(row)
        return self._kept[row]

    def _read(self, row: int) -> Float32 | None:
        if state(self._path) != self._state:
            return None
        try:
            values: Float32 = self._matrix.block(row, row + 1)[0]
        except VectorsError:
            return None
        return values if bool(np.isfinite(values).all()) else None

    def holds(self, row: int, word: str) -> bool:
        """Whether the row can be used."""
        return self.row(row) is not None


def open_in_place(
    path: Path,
    contents: Contents,
    words: Sequence[bytes],
    matrix: Matrix,
    reading: Reading,
    options: Options,
) -> WordVectors:
    """Index the words of a big file; its rows stay where they are until the store is built."""
    if not matrix.rows:
        raise VectorsError("there is no usable word in the file", where=path.name)
    joiner = WordJoiner()
    for start in range(0, len(words), _AT_ONCE):
        joiner.add(list(words[start : start + _AT_ONCE]))
    tell_undecoded(joiner.undecoded, reading.problems)
    rows = RowsInPlace(path, matrix)
    return WordVectors(
        contents.name or path.name,
        CheckedIndex(HashIndex(joiner.joined(), joiner.hashes()), rows),
        rows,
        fingerprint=fingerprint_of(path, options),
        report=reading.problems.told(),
        origin=Origin(contents.format, header=contents.header),
        letters=None if contents.letters is None else FromLetters(contents.letters),
        source=(path, options),
    )

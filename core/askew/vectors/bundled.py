"""The vectors that come with the program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import askew_assets
from askew.errors import VectorsError
from askew.vectors.fingerprint import fingerprint_of_file
from askew.vectors.table import DictIndex, Origin, WordVectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.arrays import Float32

BUNDLED = {"glove-6b-50d": "glove.6B.50d.top50k.f16.safetensors"}


class HalfRows:
    """Rows of a float16 matrix in a safetensors file, read one by one until all are needed."""

    def __init__(self, path: Path, tensor: str) -> None:
        from safetensors import safe_open

        file: Any = safe_open(path, framework="np")
        self._slice = file.get_slice(tensor)
        self._shape: list[int] = self._slice.get_shape()
        self._matrix: Float32 | None = None

    @property
    def dim(self) -> int:
        """Numbers per row."""
        return self._shape[1]

    def fetch(self, rows: Sequence[int]) -> Float32:
        """Return the rows asked for, (k, dim)."""
        result = np.empty((len(rows), self.dim), dtype=np.float32)
        for place, row in enumerate(rows):
            result[place] = self._slice[row : row + 1][0]
        return result

    def matrix(self) -> Float32:
        """Return all rows, (n, dim)."""
        if self._matrix is None:
            self._matrix = np.asarray(self._slice[:], dtype=np.float32)
        return self._matrix


def open_bundled(name: str) -> WordVectors:
    """Open vectors that come with the program.

    Raises
    ------
    VectorsError
        If there are none of that name, or the installation lacks their file.
    """
    from safetensors import safe_open

    if name not in BUNDLED:
        raise VectorsError(
            f"there are no bundled vectors named '{name}'", remedy=f"The names are: {', '.join(BUNDLED)}"
        )
    path = Path(askew_assets.__file__).parent / "vectors" / BUNDLED[name]
    if not path.is_file():
        raise VectorsError(
            f"the file of the bundled vectors '{name}' is missing", remedy="Install Askew again"
        )
    file: Any = safe_open(path, framework="np")
    words = file.get_tensor("vocab_utf8").tobytes().decode().split("\n")
    return WordVectors(
        name,
        DictIndex(words),
        HalfRows(path, "vectors"),
        fingerprint=fingerprint_of_file(path),
        origin=Origin("safetensors"),
    )

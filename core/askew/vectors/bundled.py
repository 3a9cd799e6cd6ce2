"""The vectors that come with the program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import askew_assets
from askew.errors import VectorsError
from askew.vectors.fingerprint import edges_of_file
from askew.vectors.table import DictIndex, Origin, WordVectors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from askew.arrays import Float32

BUNDLED = {
    "glove-6b-50d": ("glove.6B.50d.top50k.f16.safetensors", "vectors"),
    "minilm-l6-v2": ("minilm-l6-v2.layer0.top15k.f16.safetensors", "word_embeddings"),
}
"""Names, and which tensor of which file they are."""

UNACCENTED = ("minilm-l6-v2",)
"""Those whose words have neither capitals nor accents: a word is looked up without them."""

MANY = 64
"""Words looked up in the text one by one before a table of all is made."""


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


class LinesIndex:
    """Words of a text, one a line, looked up in the text itself until it pays to make a table of them.

    The first sentence needs a dozen words; a table of 50,000 takes longer than the first window may.
    """

    def __init__(self, text: bytes) -> None:
        self._text = b"\n" + text + b"\n"
        self._found: dict[str, int | None] = {}
        self._table: DictIndex | None = None

    def __len__(self) -> int:
        return self._text.count(b"\n") - 1

    def row(self, word: str) -> int | None:
        """Return the row of a word, looked up exactly as given."""
        if self._table is None and word not in self._found and len(self._found) < MANY:
            self._found[word] = self._search(word)
        if word in self._found:
            return self._found[word]
        return self._all().row(word)

    def word(self, row: int) -> str:
        """Return the word of a row."""
        return self._all().word(row)

    def starting_with(self, prefix: str) -> Iterator[int]:
        """Return the rows of words that begin so, in the order of the file."""
        return self._all().starting_with(prefix)

    def _search(self, word: str) -> int | None:
        if "\n" in word:
            return None
        place = self._text.find(b"\n" + word.encode("utf-8", "surrogatepass") + b"\n")
        return None if place < 0 else self._text.count(b"\n", 0, place)

    def _all(self) -> DictIndex:
        if self._table is None:
            self._table = DictIndex(self._text[1:-1].decode().split("\n"))
        return self._table


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
    file_name, tensor = BUNDLED[name]
    path = Path(askew_assets.__file__).parent / "vectors" / file_name
    if not path.is_file():
        raise VectorsError(
            f"the file of the bundled vectors '{name}' is missing", remedy="Install Askew again"
        )
    file: Any = safe_open(path, framework="np")
    return WordVectors(
        name,
        LinesIndex(file.get_tensor("vocab_utf8").tobytes()),
        HalfRows(path, tensor),
        fingerprint=edges_of_file(path),
        origin=Origin("safetensors"),
        unaccented=name in UNACCENTED,
    )

"""What every format goes through: repeated words, numbers that are not finite, words that are not UTF-8."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askew.errors import VectorsError
from askew.vectors.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from askew.arrays import BoolArray, Float32
    from askew.vectors.problems import Problems


def finite_rows(matrix: Float32) -> BoolArray:
    """Tell of each row whether all its numbers are finite, (n,)."""
    finite: BoolArray = np.all(np.isfinite(matrix), axis=1)
    return finite


def first_usable(blocks: Iterable[Rows], limit: int) -> Iterator[Rows]:
    """Return rows until there are so many words among them that can be used."""
    seen: set[bytes] = set()
    for rows in blocks:
        finite = finite_rows(rows.matrix)
        for place, word in enumerate(rows.words, 1):
            if finite[place - 1]:
                seen.add(word)
            if len(seen) == limit:
                yield Rows(rows.words[:place], rows.matrix[:place], rows.lines[:place])
                return
        yield rows


class Clean:
    """Takes rows as they come and gives on those that are usable; the first of equal words counts."""

    def __init__(self, problems: Problems, unit: str = "line", limit: int | None = None) -> None:
        self._problems = problems
        self._unit = unit
        self._limit = limit
        self._seen: dict[str, int] = {}
        self._undecoded: list[str] = []

    def __call__(self, blocks: Iterable[Rows]) -> Iterator[tuple[list[str], Float32]]:
        """Return the usable words and rows, block by block."""
        for rows in blocks:
            finite = finite_rows(rows.matrix)
            words: list[str] = []
            kept: list[int] = []
            for place, raw in enumerate(rows.words):
                if self._limit is not None and len(self._seen) >= self._limit:
                    break
                word = self._decoded(raw)
                if self._usable(word, rows.lines[place], bool(finite[place])):
                    words.append(word)
                    kept.append(place)
            yield words, rows.matrix if len(kept) == len(rows.words) else rows.matrix[kept]
            if self._limit is not None and len(self._seen) >= self._limit:
                break
        tell_undecoded(self._undecoded, self._problems)

    def _decoded(self, raw: bytes) -> str:
        try:
            return raw.decode()
        except UnicodeDecodeError:
            word = raw.decode("utf-8", "backslashreplace")
            self._undecoded.append(word)
            return word

    def _usable(self, word: str, line: int, finite: bool) -> bool:
        if not finite:
            self._problems.not_finite(word, line, self._unit)
            return False
        first = self._seen.get(word)
        if first is None:
            self._seen[word] = line
            return True
        self._problems.repeated(word, first, line, self._unit)
        return False


def tell_undecoded(words: list[str], problems: Problems) -> None:
    """Note the words that are not UTF-8."""
    if words:
        count = len(words)
        named = ", ".join(f"'{word}'" for word in words[:10])
        problems.add(
            "encoding",
            f"{count} {'word is' if count == 1 else 'words are'} not valid UTF-8 and shown by bytes: "
            f"{named}; if the file is in Latin-1, open it with the encoding latin-1",
        )


_WORD = 256  # bytes that a word takes beside its numbers: the text, and its place in two tables


class TooBigError(Exception):
    """The words and numbers do not fit into the memory they were given."""


def gathered(
    blocks: Iterable[tuple[list[str], Float32]], dim: int, name: str, at_most: int | None = None
) -> tuple[list[str], Float32]:
    """Return all words and their matrix, (n, dim), grown in place.

    Raises
    ------
    VectorsError
        If there is no usable word at all.
    TooBigError
        If words and matrix take more than `at_most` bytes.
    """
    words: list[str] = []
    most = None if at_most is None else at_most // (4 * dim + _WORD)
    matrix = np.empty((0, dim), dtype=np.float32)
    for block_words, block in blocks:
        need = len(words) + len(block_words)
        if most is not None and need > most:
            raise TooBigError
        if need > len(matrix):
            room = max(need, 2 * len(matrix))
            grown = np.empty((room if most is None else min(room, most), dim), dtype=np.float32)
            grown[: len(words)] = matrix[: len(words)]
            matrix = grown
        matrix[len(words) : need] = block
        words.extend(block_words)
    if not words:
        raise VectorsError("there is no usable word in the file", where=name)
    return words, matrix[: len(words)]

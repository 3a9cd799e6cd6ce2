"""Vectors of words that are made of several rows: their own and those of their letter groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askew.vectors.formats.letters import END_OF_SENTENCE, groups_of
from askew.vectors.formats.scattered import ScatteredRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.arrays import Float32, IntArray
    from askew.vectors.formats.contents import Matrix
    from askew.vectors.formats.letters import LettersPlace

_AT_ONCE = 1 << 16


class Composed:
    """Vectors of the words of a model: each the mean of its own row and those of its letter groups.

    The end of a sentence has no letters, as in fastText.
    """

    def __init__(self, words: Sequence[bytes], own: Matrix, letters: LettersPlace) -> None:
        self._words = words
        self._own = own
        self._letters = letters
        self._groups = ScatteredRows(letters.matrix)

    @property
    def rows(self) -> int:
        """How many words there are."""
        return len(self._words)

    @property
    def dim(self) -> int:
        """Numbers per word."""
        return self._own.dim

    def block(self, start: int, stop: int) -> Float32:
        """Return the vectors of words `start` to `stop`, (k, dim)."""
        sums = self._own.block(start, stop).copy()
        if not self._letters.usable:
            return sums
        step = max(1, _AT_ONCE // (1 + self._letters.longest))
        for first in range(start, stop, step):
            last = min(first + step, stop)
            self._add_letters(sums[first - start : last - start], self._words[first:last], stop - start == 1)
        return sums

    def _add_letters(self, sums: Float32, words: Sequence[bytes], few: bool) -> None:
        """Turn own rows into the means with the rows of letter groups."""
        rows, counts = self._rows_of(words)
        heads = np.cumsum(counts) - counts
        with np.errstate(over="ignore", invalid="ignore"):
            for place in range(int(counts.max(initial=0))):  # one by one, so that rounding is fastText's
                here = np.flatnonzero(counts > place)
                sums[here] += self._groups.at(rows[heads[here] + place], few=few)
            sums /= (counts[:, None] + 1).astype(np.float32)

    def _rows_of(self, words: Sequence[bytes]) -> tuple[IntArray, IntArray]:
        """Return the rows of the letter groups of each word, and how many they are."""
        letters = self._letters
        hashes, counts = groups_of(words, letters.shortest, letters.longest)
        rows = (hashes % np.uint32(letters.matrix.rows)).astype(np.intp)
        ends = np.array([word == END_OF_SENTENCE for word in words])
        if ends.any():
            rows = rows[np.repeat(~ends, counts)]
            counts = np.where(ends, 0, counts)
        return rows, counts

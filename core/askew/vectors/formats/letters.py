"""Vectors of letter groups (fastText's n-grams), from which vectors of unknown words are built."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from askew.errors import VectorsError
from askew.vectors.formats.matrix import StoredMatrix
from askew.vectors.formats.source import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from askew.arrays import Float32, IntArray

LONGEST_GROUP = 20  # letters; fastText takes up to 6 unless told otherwise
END_OF_SENTENCE = b"</s>"
_KEPT = 4096
_SEED, _PRIME = 2166136261, 16777619  # of the 32-bit hash FNV-1a


class Groups(NamedTuple):
    """The letter groups of several words, word after word: their hashes, and how many each word has."""

    hashes: npt.NDArray[np.uint32]
    counts: IntArray


def groups_of(words: Sequence[bytes], shortest: int, longest: int) -> Groups:
    """Return the hashes of all letter groups of `<word>`, as fastText's Dictionary::computeSubwords.

    A letter is a byte and the UTF-8 continuation bytes after it. Single letters at either end do not count.
    The order is fastText's: by first letter, then by length.
    """
    wrapped = [b"<" + word + b">" for word in words]
    text = np.frombuffer(b"".join(wrapped), dtype=np.uint8)
    lengths = np.array([len(word) for word in wrapped], dtype=np.intp)
    begins = (text & 0xC0) != 0x80
    begins[np.concatenate([[0], np.cumsum(lengths)])[:-1][lengths > 0].astype(np.intp)] = True
    starts = np.flatnonzero(begins)
    owner = np.repeat(np.arange(len(words)), lengths)[starts]
    sizes = np.diff(np.append(starts, len(text)))
    letters = len(starts)
    longest = min(longest, int(np.bincount(owner).max()) if letters else 0)
    if longest < max(shortest, 1):
        return Groups(np.zeros(0, dtype=np.uint32), np.zeros(len(words), dtype=np.intp))
    signed = text.view(np.int8).astype(np.int32).view(np.uint32)  # fastText extends the sign of each byte
    hashes = np.full(letters, _SEED, dtype=np.uint32)
    found = np.zeros((letters, longest), dtype=np.uint32)
    valid = np.zeros((letters, longest), dtype=bool)
    edge = np.append(owner[1:] != owner[:-1], True) | np.insert(owner[1:] != owner[:-1], 0, True)
    for extra in range(longest):
        first = np.arange(max(0, letters - extra))
        first = first[owner[first] == owner[first + extra]]
        hashes[first] = _extended(hashes[first], signed, starts[first + extra], sizes[first + extra])
        found[first, extra] = hashes[first]
        if extra + 1 >= shortest:
            valid[first, extra] = ~edge[first] if extra == 0 else True
    counts = np.bincount(owner, weights=valid.sum(axis=1), minlength=len(words)).astype(np.intp)
    return Groups(found[valid], counts)


def _extended(
    hashes: npt.NDArray[np.uint32], signed: npt.NDArray[np.uint32], starts: IntArray, sizes: IntArray
) -> npt.NDArray[np.uint32]:
    """Take one more letter into each hash."""
    for byte in range(int(sizes.max(initial=0))):
        here = sizes > byte
        hashes[here] = (hashes[here] ^ signed[starts[here] + byte]) * np.uint32(_PRIME)
    return hashes


@dataclass(frozen=True, slots=True)
class LettersPlace:
    """Where the vectors of letter groups lie: a matrix in a file, a row per bucket of the hash.

    Parameters
    ----------
    matrix
        Rows of the buckets, (buckets, dim).
    shortest, longest
        Letters in a group.
    """

    matrix: StoredMatrix
    shortest: int
    longest: int

    @property
    def usable(self) -> bool:
        """Whether there are groups at all."""
        return self.matrix.rows > 0 and self.longest > 0 and self.shortest <= self.longest

    def meta(self) -> dict[str, Any] | None:
        """Return all of it as plain values, None if it lies in memory."""
        place = self.matrix
        if place.source.data is not None:
            return None
        return {
            "file": str(place.source.path.resolve()),
            "start": place.source.start + place.start,
            "buckets": place.rows,
            "dim": place.dim,
            "kind": place.kind,
            "shortest": self.shortest,
            "longest": self.longest,
        }


def from_meta(meta: dict[str, Any] | None) -> FromLetters | None:
    """Return the builder for the place that `meta` told, None where there is none any more."""
    if meta is None:
        return None
    try:
        source = Source.of_file(Path(meta["file"]))
        matrix = StoredMatrix(source, meta["start"], meta["buckets"], meta["dim"], meta["kind"])
        return FromLetters(LettersPlace(matrix, meta["shortest"], meta["longest"]))
    except VectorsError:
        return None


class FromLetters:
    """Builds vectors of words outside the table: the mean of the vectors of their letter groups."""

    def __init__(self, place: LettersPlace) -> None:
        self._place = place
        self._kept: dict[str, Float32 | None] = {}

    def vector(self, word: str) -> Float32 | None:
        """Return the vector, (dim,), or None where the word has no letter group."""
        if word not in self._kept:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            self._kept[word] = self._built(word.encode("utf-8", "replace"))
        return self._kept[word]

    def _built(self, word: bytes) -> Float32 | None:
        place = self._place
        if word == END_OF_SENTENCE or not place.usable:
            return None
        hashes = groups_of([word], place.shortest, place.longest).hashes
        if not len(hashes):
            return None
        total = np.zeros(place.matrix.dim, dtype=np.float32)
        with np.errstate(over="ignore", invalid="ignore"):
            for row in (hashes % np.uint32(place.matrix.rows)).tolist():
                total += place.matrix.block(row, row + 1)[0]
            mean: Float32 = total / np.float32(len(hashes))
        return mean if bool(np.isfinite(mean).all()) else None

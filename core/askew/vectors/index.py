"""Words and their rows without a Python object a word: joined words, where each starts, and an order."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    UInt64 = npt.NDArray[np.uint64]
    UInt32 = npt.NDArray[np.uint32]
    Int64 = npt.NDArray[np.int64]

_KEYS = 4  # words are sorted by so many keys of 8 bytes; only longer equal beginnings are compared one by one


class JoinedWords(NamedTuple):
    """Words in UTF-8, each followed by a newline; word i is `text[starts[i] : starts[i + 1] - 1]`."""

    text: bytes
    starts: UInt64

    def __len__(self) -> int:
        return len(self.starts) - 1

    def word(self, row: int) -> bytes:
        """Return the word of a row."""
        return bytes(self.text[int(self.starts[row]) : int(self.starts[row + 1]) - 1])


class WordJoiner:
    """Collects words block by block into `JoinedWords`, with a hash of each."""

    def __init__(self) -> None:
        self.undecoded: list[str] = []
        self._parts: list[bytes] = []
        self._lengths: list[Int64] = []
        self._hashes: list[Int64] = []

    def add(self, words: list[bytes]) -> None:
        """Add words as their bytes; those that are not UTF-8 become the text that shows their bytes."""
        text = b"\n".join((*words, b""))
        if not _is_utf8(text):
            shown = [word.decode("utf-8", "backslashreplace") for word in words]
            self.undecoded += [new for new, word in zip(shown, words, strict=True) if new.encode() != word]
            words = [word.encode() for word in shown]
            text = b"\n".join((*words, b""))
        self._parts.append(text)
        self._lengths.append(np.fromiter(map(len, words), dtype=np.int64, count=len(words)) + 1)
        self._hashes.append(np.fromiter(map(hash, words), dtype=np.int64, count=len(words)))

    def joined(self) -> JoinedWords:
        """Return all words so far."""
        lengths = np.concatenate([np.zeros(1, dtype=np.int64), *self._lengths])
        return JoinedWords(b"".join(self._parts), np.cumsum(lengths).astype(np.uint64))

    def hashes(self) -> Int64:
        """Return the hashes of all words so far, of this process only."""
        return np.concatenate([np.zeros(0, dtype=np.int64), *self._hashes])


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


class HashIndex:
    """An index in memory that is ready soon after the words are read."""

    def __init__(self, words: JoinedWords, hashes: Int64) -> None:
        self._words = words
        self._order = np.argsort(hashes, kind="stable")
        self._sorted = hashes[self._order]

    def __len__(self) -> int:
        return len(self._words)

    def row(self, word: str) -> int | None:
        """Return the first row of a word, looked up exactly as given."""
        wanted = word.encode("utf-8", "replace")
        key = hash(wanted)
        place = int(np.searchsorted(self._sorted, key))
        while place < len(self._sorted) and self._sorted[place] == key:
            row = int(self._order[place])
            if self._words.word(row) == wanted:
                return row
            place += 1
        return None

    def word(self, row: int) -> str:
        """Return the word of a row."""
        return self._words.word(row).decode()

    def starting_with(self, prefix: str) -> Iterator[int]:
        """Return the rows of words that begin so, in the order of the file."""
        wanted = prefix.encode("utf-8", "replace")
        return (row for row in range(len(self)) if self._words.word(row).startswith(wanted))


class SortedIndex:
    """An index by bisection, which can lie in maps of files: nothing is read but what is compared.

    Parameters
    ----------
    text, starts
        As in `JoinedWords`; `starts` as a view of unsigned integers.
    order
        The rows in the order of their words' bytes.
    """

    def __init__(self, text: memoryview, starts: memoryview, order: memoryview) -> None:
        self._text = text
        self._starts = starts
        self._order = order

    def __len__(self) -> int:
        return len(self._order)

    def _word(self, row: int) -> bytes:
        return bytes(self._text[self._starts[row] : self._starts[row + 1] - 1])

    def row(self, word: str) -> int | None:
        """Return the first row of a word, looked up exactly as given."""
        wanted = word.encode("utf-8", "replace")
        place = bisect_left(self._order, wanted, key=self._word)
        if place < len(self._order) and self._word(self._order[place]) == wanted:
            return int(self._order[place])
        return None

    def word(self, row: int) -> str:
        """Return the word of a row."""
        return self._word(row).decode()

    def starting_with(self, prefix: str) -> Iterator[int]:
        """Return the rows of words that begin so, in the order of the file."""
        wanted = prefix.encode("utf-8", "replace")
        low = bisect_left(self._order, wanted, key=self._word)
        high = bisect_left(self._order, wanted + b"\xff", lo=low, key=self._word)
        return iter(np.sort(np.asarray(self._order[low:high])).tolist())


def sorted_order(words: JoinedWords) -> UInt32:
    """Return the rows in the order of their words' bytes; equal words in the order of their rows."""
    text = np.frombuffer(words.text, dtype=np.uint8)
    starts = words.starts[:-1].astype(np.int64)
    lengths = words.starts[1:].astype(np.int64) - starts - 1
    keys = [_key(text, starts, lengths, 8 * part) for part in range(_KEYS)]
    order = np.lexsort(keys[::-1]).astype(np.uint32)
    if len(order) > 1:
        _sort_long_words(order, words, keys, lengths)
    return order


def _key(text: npt.NDArray[np.uint8], starts: Int64, lengths: Int64, skip: int) -> UInt64:
    """Return bytes `skip` to `skip + 8` of every word as one big-endian number, 0 beyond its end."""
    key = np.zeros(len(starts), dtype=np.uint64)
    for place in range(skip, skip + 8):
        inside = lengths > place
        byte = np.take(text, np.where(inside, starts + place, 0), mode="clip") if len(text) else 0
        key = (key << np.uint64(8)) | np.where(inside, byte, 0).astype(np.uint64)
    return key


def _sort_long_words(order: UInt32, words: JoinedWords, keys: list[UInt64], lengths: Int64) -> None:
    """Put words in order that agree in all keys: those that are longer, or hold zero bytes."""
    same = np.ones(len(order) - 1, dtype=bool)
    for key in keys:
        same &= key[order[1:]] == key[order[:-1]]
    unsure = same & ((lengths[order[1:]] > 8 * _KEYS) | (lengths[order[:-1]] != lengths[order[1:]]))
    if not unsure.any():
        return
    edges = np.flatnonzero(np.diff(np.concatenate([[False], same, [False]]).astype(np.int8)))
    for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if unsure[first:last].any():
            group = order[first : last + 1].tolist()
            order[first : last + 1] = sorted(group, key=lambda row: (words.word(row), row))


def repeated_rows(words: JoinedWords, order: UInt32) -> list[tuple[int, int]]:
    """Return (first row, repeated row) for every word that was there before, by repeated row."""
    lengths = np.diff(words.starts)
    candidates = np.flatnonzero(lengths[order[1:]] == lengths[order[:-1]]).tolist()
    found: list[tuple[int, int]] = []
    first = last = -1
    for place in candidates:
        here, there = int(order[place]), int(order[place + 1])
        if words.word(here) == words.word(there):
            first = first if here == last else here
            found.append((first, there))
            last = there
    return sorted(found, key=_second)


def _second(pair: tuple[int, int]) -> int:
    return pair[1]


def joined(words: Iterable[str]) -> JoinedWords:
    """Return words as `JoinedWords`."""
    joiner = WordJoiner()
    joiner.add([word.encode("utf-8", "replace") for word in words])
    return joiner.joined()

"""Words and their rows without a Python object a word: joined words, where each starts, and an order."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, NamedTuple

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


class Growing:
    """Numbers that come block by block, in one piece of memory.

    As many small arrays they would lie between the large blocks that come and go, and the memory of those
    could not be used again.
    """

    def __init__(self, kind: type[np.generic]) -> None:
        self._kind = kind
        self._bytes = bytearray()

    def add(self, values: npt.ArrayLike) -> None:
        """Add some."""
        self._bytes += np.asarray(values, dtype=self._kind).tobytes()

    def array(self) -> npt.NDArray[Any]:
        """Return all so far."""
        return np.frombuffer(bytes(self._bytes), dtype=self._kind)


class WordJoiner:
    """Collects words block by block into `JoinedWords`, with a hash of each."""

    def __init__(self) -> None:
        self.undecoded: list[str] = []
        self._text = bytearray()
        self._lengths = Growing(np.int64)
        self._hashes = Growing(np.int64)

    def add(self, words: list[bytes]) -> None:
        """Add words as their bytes; those that are not UTF-8 become the text that shows their bytes."""
        text = b"\n".join((*words, b""))
        if not _is_utf8(text):
            shown = [word.decode("utf-8", "backslashreplace") for word in words]
            self.undecoded += [new for new, word in zip(shown, words, strict=True) if new.encode() != word]
            words = [word.encode() for word in shown]
            text = b"\n".join((*words, b""))
        self._text += text
        self._lengths.add(np.fromiter(map(len, words), dtype=np.int64, count=len(words)) + 1)
        self._hashes.add(np.fromiter(map(hash, words), dtype=np.int64, count=len(words)))

    def joined(self, *, forget: bool = False) -> JoinedWords:
        """Return all words so far; `forget` frees their memory here, and ends the collecting."""
        lengths = self._lengths.array()
        starts = np.zeros(len(lengths) + 1, dtype=np.uint64)
        np.cumsum(lengths, out=starts[1:], dtype=np.uint64)
        text = bytes(self._text)
        if forget:
            self._text, self._lengths, self._hashes = bytearray(), Growing(np.int64), Growing(np.int64)
        return JoinedWords(text, starts)

    def hashes(self) -> Int64:
        """Return the hashes of all words so far, of this process only."""
        return self._hashes.array()


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
        return next(self.rows(word), None)

    def rows(self, word: str) -> Iterator[int]:
        """Return all rows of a word, the first first."""
        wanted = word.encode("utf-8", "surrogatepass")
        key = hash(wanted)
        place = int(np.searchsorted(self._sorted, key))
        while place < len(self._sorted) and self._sorted[place] == key:
            row = int(self._order[place])
            if self._words.word(row) == wanted:
                yield row
            place += 1

    def word(self, row: int) -> str:
        """Return the word of a row."""
        return self._words.word(row).decode()

    def starting_with(self, prefix: str) -> Iterator[int]:
        """Return the rows of words that begin so, in the order of the file."""
        wanted = b"\n" + prefix.encode("utf-8", "surrogatepass")
        text, starts = self._words
        if not prefix or text.startswith(wanted[1:]):
            yield from range(1 if prefix else len(self))
        place = text.find(wanted) if prefix else -1
        while place >= 0:  # bytes are searched far faster than words are made
            yield int(np.searchsorted(starts, place + 1))
            place = text.find(wanted, place + 1)


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
        return next(self.rows(word), None)

    def rows(self, word: str) -> Iterator[int]:
        """Return all rows of a word, the first first."""
        wanted = word.encode("utf-8", "surrogatepass")
        place = bisect_left(self._order, wanted, key=self._word)
        while place < len(self._order) and self._word(self._order[place]) == wanted:
            yield int(self._order[place])
            place += 1

    def word(self, row: int) -> str:
        """Return the word of a row."""
        return self._word(row).decode()

    def starting_with(self, prefix: str) -> Iterator[int]:
        """Return the rows of words that begin so, in the order of the file."""
        wanted = prefix.encode("utf-8", "surrogatepass")
        low = bisect_left(self._order, wanted, key=self._word)
        high = bisect_left(self._order, wanted + b"\xff", lo=low, key=self._word)
        return iter(np.sort(np.asarray(self._order[low:high])).tolist())


def sorted_order(words: JoinedWords) -> UInt32:
    """Return the rows in the order of their words' bytes; equal words in the order of their rows."""
    first = _keys(words, None, 0)
    order = np.argsort(first, kind="stable").astype(np.uint32)
    if len(order) < 2:
        return order
    first = first[order]
    groups = _runs(first[1:] == first[:-1])
    del first
    if len(groups):
        _sort_groups(order, words, groups)
    return order


def _sort_groups(order: UInt32, words: JoinedWords, groups: Int64) -> None:
    """Put words in order that agree in their first eight bytes; `groups` are first and last places."""
    lengths = groups[:, 1] - groups[:, 0] + 1
    places = np.repeat(groups[:, 0] - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
    rows = order[places]
    keys = [_keys(words, rows, 8 * part) for part in range(1, _KEYS)]
    group = np.repeat(np.arange(len(groups)), lengths)
    sorting = np.lexsort((rows, *keys[::-1], group))
    rows, keys = rows[sorting], [key[sorting] for key in keys]
    same = group[1:] == group[:-1]
    for key in keys:
        same &= key[1:] == key[:-1]
    sizes = word_lengths(words)[rows]
    unsure = same & ((sizes[1:] > 8 * _KEYS) | (sizes[1:] != sizes[:-1]))  # longer words, or zero bytes
    for first, last in _runs(same).tolist():
        if unsure[first:last].any():
            rows[first : last + 1] = sorted(rows[first : last + 1].tolist(), key=lambda r: (words.word(r), r))
    order[places] = rows


def _runs(same: npt.NDArray[np.bool_]) -> Int64:
    """Return first and last place of each run of places that are the same as the next, (runs, 2)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], same, [False]]).astype(np.int8)))
    return edges.reshape(-1, 2).astype(np.int64)


def word_lengths(words: JoinedWords) -> Int64:
    """Return how many bytes each word has."""
    return (words.starts[1:] - words.starts[:-1]).astype(np.int64) - 1


def _keys(words: JoinedWords, rows: UInt32 | None, skip: int) -> UInt64:
    """Return bytes `skip` to `skip + 8` of words as one big-endian number each, 0 beyond their ends."""
    starts = words.starts[:-1] if rows is None else words.starts[rows]
    ends = (words.starts[1:] if rows is None else words.starts[rows + np.uint32(1)]) - np.uint64(1)
    text = np.frombuffer(words.text or b"\n", dtype=np.uint8)
    key = np.zeros(len(starts), dtype=np.uint64)
    places = starts + np.uint64(skip)
    for _ in range(8):
        byte = np.take(text, places.astype(np.int64), mode="clip")
        byte[places >= ends] = 0
        key <<= np.uint64(8)
        key |= byte
        places += np.uint64(1)
    return key


def repeated_rows(words: JoinedWords, order: UInt32) -> list[tuple[int, int]]:
    """Return (first row, repeated row) for every word that was there before, by repeated row."""
    lengths = word_lengths(words)
    here, there = order[:-1], order[1:]
    for part in range(_KEYS):
        same = lengths[here] == lengths[there] if part == 0 else np.ones(len(here), dtype=bool)
        here, there = here[same], there[same]
        same = _keys(words, here, 8 * part) == _keys(words, there, 8 * part)
        here, there = here[same], there[same]
    found: list[tuple[int, int]] = []
    first = last = -1
    for one, other in zip(here.tolist(), there.tolist(), strict=True):
        if words.word(one) == words.word(other):
            first = first if one == last else one
            found.append((first, other))
            last = other
    return sorted(found, key=_second)


def _second(pair: tuple[int, int]) -> int:
    return pair[1]


def joined(words: Iterable[str]) -> JoinedWords:
    """Return words as `JoinedWords`."""
    joiner = WordJoiner()
    joiner.add([word.encode("utf-8", "replace") for word in words])
    return joiner.joined()

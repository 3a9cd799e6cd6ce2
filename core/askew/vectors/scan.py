"""One quick pass over a big file that finds where each word's row is, and reads no number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from askew.errors import VectorsError
from askew.vectors.lines import at_lone_returns, split_line
from askew.vectors.rows import (
    LONGEST_LINE,
    bad_line,
    compare_with_header,
    cut_short,
    record_ends,
    record_pattern,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import RawIOBase

    import numpy.typing as npt

    from askew.vectors.detect import Detected
    from askew.vectors.rows import Reading

    Int64 = npt.NDArray[np.int64]

_BLOCK = 1 << 21
_BLANKS = 32  # bytes up to this one are blanks or ends of lines, never part of a number


class Found(NamedTuple):
    """Words of one block as bytes and where their lines (text) or numbers (binary) start in the file."""

    words: list[bytes]
    offsets: Int64


class _Buffer:
    """A block of a file that keeps what is unfinished at its end."""

    def __init__(self, stream: RawIOBase, size: int) -> None:
        self._stream = stream
        self.bytes = bytearray(size)
        self.view = memoryview(self.bytes)
        self.array = np.frombuffer(self.bytes, dtype=np.uint8)
        self.filled = 0

    def fill(self, used: int) -> bool:
        """Drop what was used and read on; False at the end of the file."""
        left = self.filled - used
        if used == 0 and left == len(self.bytes):
            if left > LONGEST_LINE:
                raise VectorsError(f"a line is longer than {LONGEST_LINE >> 20} MB")
            grown = bytearray(2 * len(self.bytes))
            grown[:left] = self.bytes
            self.bytes, self.view = grown, memoryview(grown)
            self.array = np.frombuffer(grown, dtype=np.uint8)
        elif used:
            self.view[:left] = self.view[used : self.filled]
        count = self._stream.readinto(self.view[left:]) or 0
        self.filled = left + count
        return count > 0


def scan_text(stream: RawIOBase, detected: Detected, reading: Reading, sample: bytes) -> Iterator[Found]:
    """Find the lines of a text file; `stream` stands at the first of them, `sample` are the first bytes.

    A line is passed over in one jump that is shorter than any line of the sample. A block counts as
    understood only if it has exactly the blanks that its lines must have; any other is split line by line.
    """
    shape = _Shape.of(sample, detected)
    buffer = _Buffer(stream, _BLOCK)
    base, number, used, seen = detected.start, detected.first_line, 0, 0
    more = True
    while more:
        more = buffer.fill(used)
        end = buffer.filled if not more else buffer.bytes.rfind(detected.newline, 0, buffer.filled) + 1
        found = shape.quick(buffer, end, base) if more or not end else None
        if found is None:
            found, lines = _line_by_line(bytes(buffer.view[:end]), base, number, detected, reading)
        else:
            lines = len(found.words)
        number += lines
        seen += len(found.words)
        base += end
        used = end
        yield found
    compare_with_header(seen, detected, reading)


@dataclass(frozen=True, slots=True)
class _Shape:
    """What the lines of a file look like: blanks in each, and a length none is expected to fall below."""

    blanks: int
    skip: int
    newline: bytes

    @classmethod
    def of(cls, sample: bytes, detected: Detected) -> _Shape:
        lines = sample.split(detected.newline)[:-1][:200]
        simple = [line for line in lines[:50] if line.find(b" ") == len(_word(line, detected.dim))]
        counts = [sum(byte <= _BLANKS for byte in line) + 1 for line in simple]
        blanks = max(set(counts), key=counts.count, default=0)
        tails = [len(line) - line.find(b" ") for line in lines if line]
        skip = max(0, int(0.7 * min(tails)) - 1) if tails else 0
        return cls(blanks, skip, detected.newline)

    def quick(self, buffer: _Buffer, end: int, base: int) -> Found | None:
        """Find the lines by jumps, or None where they are not all alike."""
        words: list[bytes] = []
        offsets: list[int] = []
        find, view = buffer.bytes.find, buffer.view
        place = 0
        while place < end:
            blank = find(b" ", place, end)
            after = find(self.newline, blank + self.skip, end)
            if blank < 0 or after < 0:
                return None
            words.append(bytes(view[place:blank]))
            offsets.append(place)
            place = after + 1
        if np.count_nonzero(buffer.array[:end] <= _BLANKS) != len(words) * self.blanks:
            return None
        if buffer.bytes.count(self.newline, 0, end) != len(words):  # a line broken in two has as many blanks
            return None
        return Found(words, np.array(offsets, dtype=np.int64) + base)


def _word(line: bytes, dim: int) -> bytes:
    split = split_line(line, dim)
    return b"" if split is None else split[0]


def _line_by_line(
    text: bytes, base: int, number: int, detected: Detected, reading: Reading
) -> tuple[Found, int]:
    """Find the lines one by one, exactly as a full reading does, and return how many there were."""
    words: list[bytes] = []
    offsets: list[int] = []
    place = 0
    lines = text.split(detected.newline)
    if lines[-1] == b"":
        lines.pop()
    for line_number, line in enumerate(lines, number):
        for part in at_lone_returns(line):
            split = split_line(part, detected.dim)
            if split is not None:
                words.append(split[0])
                offsets.append(base + place)
            elif part.strip(b" \t\r"):
                bad_line(part, line_number, detected.dim, reading)
            place += len(part) + 1
    return Found(words, np.array(offsets, dtype=np.int64)), len(lines)


def scan_binary(stream: RawIOBase, detected: Detected, reading: Reading) -> Iterator[Found]:
    """Find the records of a word2vec binary file; `stream` stands at the first of them."""
    width = 4 * detected.dim
    tail = width + detected.row_newline
    record = record_pattern(tail)
    buffer = _Buffer(stream, max(_BLOCK, 2 * tail))
    base, used, seen = detected.start, 0, 0
    while buffer.fill(used):
        words: list[bytes] = record.findall(buffer.view[: buffer.filled])
        ends = record_ends(words, tail)
        if tail > width and not np.all(buffer.array[ends - 1] == 10):
            tail, record = width, record_pattern(width)  # not all rows end in one: it begins the next word
            words = record.findall(buffer.view[: buffer.filled])
            ends = record_ends(words, tail)
        used = int(ends[-1]) if words else 0
        words = [word.lstrip(b"\n") for word in words] if any(map(_begins_with_newline, words)) else words
        yield Found(words, ends - tail + base)
        seen += len(words)
        base += used
        if not words and buffer.filled > tail + 4096 and b" " not in buffer.bytes[:4096]:
            reading.damaged(f"word {seen + 1} has no end", "", line=seen + 1)
            return
    yield from _last_record(bytes(buffer.view[: buffer.filled]), base, seen, detected, reading)


def _begins_with_newline(word: bytes) -> bool:
    return word[:1] == b"\n"


def _last_record(rest: bytes, base: int, seen: int, detected: Detected, reading: Reading) -> Iterator[Found]:
    """Return the last record, which may lack the newline that the others end in."""
    word, _, numbers = rest.partition(b" ")
    if len(numbers) == 4 * detected.dim:
        yield Found([word.lstrip(b"\n")], np.array([base + len(rest) - len(numbers)], dtype=np.int64))
        seen += 1
    elif rest.strip(b"\0 \n"):
        cut_short(rest.lstrip(b"\n"), seen + 1, 4 * detected.dim, reading)
    compare_with_header(seen, detected, reading)

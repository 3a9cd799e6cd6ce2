"""From the bytes of a file to words and rows, checked: nothing lost, nothing silent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from askew.errors import VectorsError
from askew.vectors.fast import QuickParser
from askew.vectors.lines import at_lone_returns, is_conflict_mark, shown_bytes, split_line, what_is_wrong
from askew.vectors.problems import DamagedError, Problems

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from askew.arrays import Float32
    from askew.vectors.detect import Detected
    from askew.vectors.index import Int64

BLOCK = 1 << 22
_WORTH_IT = 1 << 16  # bytes; below, loading the quick parser costs more than it saves
LONGEST_LINE = 1 << 26
_LONGEST_WORD = 4096


class Rows(NamedTuple):
    """Some rows in the order of the file: words as bytes, (k, dim) numbers, line or record numbers from 1."""

    words: list[bytes]
    matrix: Float32
    lines: list[int]


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read: the file's name for messages, whether to go on after damage, where problems go."""

    name: str
    problems: Problems
    skip_damaged: bool = False

    def damaged(self, message: str, place: str, *, line: int | None, word: str | None = None) -> None:
        """Note damage and go on, or stop.

        Raises
        ------
        DamagedError
            If damage is not to be skipped.
        """
        if not self.skip_damaged:
            where = f"{self.name}, {place}" if place else self.name
            raise DamagedError(
                message,
                where=where,
                remedy="Skip what is damaged (--skip-damaged), or get the whole file again",
            )
        where = f" ({place})" if place else ""
        self.problems.add("damaged", f"{message}{where}; it is left out", line=line, word=word)


def read_blocks(stream: BinaryIO, newline: bytes, name: str) -> Iterator[bytes]:
    """Return the rest of a stream in blocks of whole lines."""
    rest = b""
    while block := stream.read(BLOCK):
        end = block.rfind(newline) + 1
        if end:
            yield rest + block[:end]
            rest = block[end:]
        else:
            rest += block
            if len(rest) > LONGEST_LINE:
                raise VectorsError(f"a line is longer than {LONGEST_LINE >> 20} MB", where=name)
    if rest:
        yield rest


def read_text(stream: BinaryIO, detected: Detected, reading: Reading) -> Iterator[Rows]:
    """Return the rows of a text file; `stream` stands at the first of them.

    Raises
    ------
    DamagedError
        If a line does not hold a word and its numbers, unless damage is to be skipped.
    """
    number = detected.first_line
    seen = 0
    quick = QuickParser(detected.dim) if detected.newline == b"\n" else None
    for text in read_blocks(stream, detected.newline, reading.name):
        plain = quick.rows(text) if quick is not None and len(text) > _WORTH_IT else None
        if plain is not None:
            rows = Rows(*plain, list(range(number, number + len(plain[0]))))
            number += len(rows.words)
        else:
            lines = text.split(detected.newline)
            rows = _text_rows(lines, number, detected.dim, reading)
            number += len(lines) - 1
        seen += len(rows.words)
        yield rows
    compare_with_header(seen, detected, reading)


def _text_rows(lines: list[bytes], number: int, dim: int, reading: Reading) -> Rows:
    words: list[bytes] = []
    values: list[list[float]] = []
    numbers: list[int] = []
    parts = ((place, part) for place, line in enumerate(lines, number) for part in at_lone_returns(line))
    for place, line in parts:
        split = split_line(line, dim)
        if split is not None:
            words.append(split[0])
            values.append(split[1])
            numbers.append(place)
        elif line.strip(b" \t\r"):
            bad_line(line, place, dim, reading)
    with np.errstate(over="ignore"):
        matrix = np.array(values, dtype=np.float64).astype(np.float32).reshape(len(words), dim)
    return Rows(words, matrix, numbers)


def bad_line(line: bytes, number: int, dim: int, reading: Reading) -> None:
    """Say what is wrong with a line that does not hold a word and its numbers."""
    message = what_is_wrong(line, dim)
    if is_conflict_mark(line):  # to skip the mark alone would keep both versions of what is between
        raise VectorsError(
            message, where=f"{reading.name}, line {number}", remedy="Get a clean copy of the file"
        )
    reading.damaged(message, f"line {number}", line=number, word=shown_bytes(line.split(b" ")[0]))


def compare_with_header(seen: int, detected: Detected, reading: Reading) -> None:
    """Note if the header promised another number of words."""
    if detected.count is not None and detected.count != seen:
        more = "; it may be an incomplete download" if seen < detected.count else "; all of them are used"
        reading.problems.add(
            "header", f"the header says {detected.count} words, the file has {seen}{more}", line=1
        )


def read_binary(stream: BinaryIO, detected: Detected, reading: Reading) -> Iterator[Rows]:
    """Return the rows of a word2vec binary file; `stream` stands at the first of them.

    Raises
    ------
    DamagedError
        If the file ends inside a row, unless damage is to be skipped.
    """
    width = 4 * detected.dim
    record = record_pattern(width)
    rest = b""
    seen = 0
    while block := stream.read(max(BLOCK, width)):
        data = rest + block
        words: list[bytes] = record.findall(data)
        ends = record_ends(words, width)
        if words:
            numbers = b"".join([data[end - width : end] for end in ends.tolist()])
            matrix = np.frombuffer(numbers, dtype="<f4").reshape(len(words), detected.dim)
            lines = list(range(seen + 1, seen + len(words) + 1))
            yield Rows([word.lstrip(b"\n") for word in words], matrix, lines)
            data = data[int(ends[-1]) :]
        seen += len(words)
        rest = data
        if len(rest) > width + _LONGEST_WORD and b" " not in rest[:_LONGEST_WORD]:
            reading.damaged(f"word {seen + 1} has no end", "", line=seen + 1)
            return
    rest = rest.lstrip(b"\n")
    if rest.strip(b"\0 \n"):
        cut_short(rest, seen + 1, width, reading)
    compare_with_header(seen, detected, reading)


def record_pattern(width: int) -> re.Pattern[bytes]:
    """Return a pattern that finds the words of records: a word, a blank, `width` bytes of any kind."""
    return re.compile(rb"([^ ]*) (?s:.{%d})" % width)


def record_ends(words: list[bytes], width: int) -> Int64:
    """Return where each record ends that the pattern found, one after the other."""
    return np.cumsum(np.fromiter(map(len, words), dtype=np.int64, count=len(words)) + 1 + width)


def cut_short(rest: bytes, number: int, width: int, reading: Reading) -> None:
    """Say that a binary file ends inside a row."""
    word, blank, numbers = rest.partition(b" ")
    have = f"{len(numbers)} of {width} bytes" if blank else "its numbers are missing"
    shown = shown_bytes(word)
    message = f"the file ends inside word {number} '{shown}': {have}"
    reading.damaged(message, "", line=number, word=shown)

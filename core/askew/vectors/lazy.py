"""A big plain file in use: the index in memory, a row read and checked when its word is asked for."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from askew.errors import VectorsError
from askew.vectors.cleaning import tell_undecoded
from askew.vectors.fingerprint import fingerprint_of
from askew.vectors.index import Growing, HashIndex, WordJoiner
from askew.vectors.lines import split_line
from askew.vectors.scan import scan_binary, scan_text
from askew.vectors.streams import Counted, broken
from askew.vectors.table import Origin, WordVectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from askew.arrays import Float32, Float64
    from askew.vectors.detect import Detected
    from askew.vectors.index import Int64, JoinedWords, SortedIndex
    from askew.vectors.options import Options
    from askew.vectors.rows import Reading
    from askew.vectors.scan import Found
    from askew.vectors.streams import Progress

    FirstPart = Callable[[WordVectors], None]

_KEPT = 4096
FIRST_PART = 1 << 25  # bytes: the most frequent words of a file, read in a hundredth of a second


class RowsOnDemand(ABC):
    """Rows that are read from where they are in the file, one by one."""

    _path: Path

    @property
    @abstractmethod
    def dim(self) -> int:
        """Numbers per row."""

    @abstractmethod
    def row(self, row: int) -> Float32 | None:
        """Return the numbers of a row, (dim,), or None if they cannot be used."""

    def fetch(self, rows: Sequence[int]) -> Float32:
        """Return the rows asked for, (k, dim).

        Raises
        ------
        VectorsError
            If a row cannot be read any more, as when the file has changed.
        """
        result = np.empty((len(rows), self.dim), dtype=np.float32)
        for place, row in enumerate(rows):
            values = self.row(row)
            if values is None:
                raise VectorsError(
                    "a row that was there cannot be read any more",
                    where=self._path.name,
                    remedy="The file may have changed; open it again",
                )
            result[place] = values
        return result

    def matrix(self) -> Float32 | None:
        """Return None: all rows at once come from the store."""
        return None


class FileRows(RowsOnDemand):
    """Rows of a text or word2vec binary file, read from where they are.

    Parameters
    ----------
    offsets
        Where each row's line (text) or numbers (binary) begin: anything that gives integers by row.
    status
        Of the file when its rows were looked for; nothing is read of one that has changed since.
    """

    def __init__(
        self,
        path: Path,
        detected: Detected,
        offsets: Sequence[int] | memoryview,
        status: os.stat_result,
    ) -> None:
        self._path = path
        self._detected = detected
        self._offsets = offsets
        self._size = status.st_size
        self._stamp = _stamp(status)
        self._kept: dict[int, tuple[bytes | None, Float32 | None]] = {}

    @property
    def dim(self) -> int:
        """Numbers per row."""
        return self._detected.dim

    def row(self, row: int) -> Float32 | None:
        """Return the numbers of a row, (dim,), or None if they are damaged or not finite."""
        return self._at(row)[1]

    def holds(self, row: int, word: str) -> bool:
        """Whether the row can be used and, where its line says so, is still that word's."""
        raw, values = self._at(row)
        return values is not None and (raw is None or raw.decode("utf-8", "backslashreplace") == word)

    def _at(self, row: int) -> tuple[bytes | None, Float32 | None]:
        kept = self._kept.get(row)
        if kept is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            kept = self._kept[row] = self._read(row)
        return kept

    def _read(self, row: int) -> tuple[bytes | None, Float32 | None]:
        start = int(self._offsets[row])
        word: bytes | None = None
        numbers: Float64 | Float32 = np.empty(0)
        if self._detected.format == "word2vec-binary":
            data = self._bytes(start, 4 * self.dim)
            numbers = np.frombuffer(data, dtype="<f4", count=len(data) // 4)
        else:
            end = int(self._offsets[row + 1]) if row + 1 < len(self._offsets) else self._size
            split = split_line(self._bytes(start, end - start).split(self._detected.newline, 1)[0], self.dim)
            if split is not None:
                word, numbers = split[0], np.array(split[1])
        with np.errstate(over="ignore"):
            values = numbers.astype(np.float32)
        return word, values if len(values) == self.dim and bool(np.isfinite(values).all()) else None

    def _bytes(self, start: int, size: int) -> bytes:
        # Opened anew each time, so that others can replace or remove the file meanwhile.
        try:
            with self._path.open("rb", buffering=0) as file:
                if _stamp(os.fstat(file.fileno())) != self._stamp:
                    return b""  # another file by now: what was indexed is not where it was
                file.seek(start)
                return file.read(size)
        except OSError as error:
            raise broken(error, self._path.name) from error


def _stamp(status: os.stat_result) -> tuple[int, int]:
    return status.st_size, status.st_mtime_ns


class CheckedRows(Protocol):
    """Rows that are checked when they are asked for."""

    def holds(self, row: int, word: str) -> bool:
        """Whether the row can be used and is still that word's."""


class CheckedIndex:
    """An index that knows only the words whose rows can be used."""

    def __init__(self, index: HashIndex | SortedIndex, rows: CheckedRows) -> None:
        self._index = index
        self._rows = rows

    def __len__(self) -> int:
        return len(self._index)

    def row(self, word: str) -> int | None:
        """Return the first row of a word that can be used, looked up exactly as given."""
        return next((row for row in self._index.rows(word) if self._rows.holds(row, word)), None)

    def word(self, row: int) -> str:
        """Return the word of a row."""
        return self._index.word(row)

    def starting_with(self, prefix: str) -> Iterator[int]:
        """Return the rows of words that begin so, in the order of the file."""
        return self._index.starting_with(prefix)


def open_lazily(
    path: Path,
    detected: Detected,
    reading: Reading,
    sample: bytes,
    options: Options,
    progress: Progress | None = None,
    first_part: FirstPart | None = None,
    status: os.stat_result | None = None,
) -> WordVectors:
    """Index a plain file in one pass; its rows stay where they are.

    Parameters
    ----------
    sample
        The first bytes from the first row on.
    options
        The choices that `reading` follows, kept for the import.
    first_part
        Called with vectors of the first words, once there are more to come; the same vectors know all
        words when this function returns them.
    status
        Of the file when `detected` was found out; rows of one that was put in its place are not read.

    Raises
    ------
    DamagedError
        If a line lacks numbers, unless damage is to be skipped.
    Cancelled
        If `progress` raised it.
    """
    vectors: WordVectors | None = None
    with _looked_for(path, detected, progress, status) as (found, stream):
        for block in _scanned(stream, detected, reading, sample):
            found.add(block)
            if vectors is None and first_part is not None and stream.tell() >= FIRST_PART:
                vectors = found.vectors(reading, options)
                first_part(vectors)
    tell_undecoded(found.words.undecoded, reading.problems)
    everything = found.vectors(reading, options)
    if vectors is None:
        return everything
    vectors.grow(everything)
    return vectors


class _Found:
    """The words of a file and where their rows are, so far."""

    def __init__(self, path: Path, detected: Detected, status: os.stat_result) -> None:
        self._path = path
        self._detected = detected
        self._status = status
        self.words = WordJoiner()
        self._offsets = Growing(np.int64)

    def add(self, block: Found) -> None:
        """Add what one block holds."""
        self.words.add(block.words)
        self._offsets.add(block.offsets)

    def offsets(self) -> Int64:
        """Return where the rows are, as `FileRows` takes it."""
        return self._offsets.array()

    def vectors(self, reading: Reading, options: Options) -> WordVectors:
        """Return vectors of all words so far."""
        rows = FileRows(self._path, self._detected, self.offsets().data, self._status)
        return WordVectors(
            self._path.name,
            CheckedIndex(HashIndex(self.words.joined(), self.words.hashes()), rows),
            rows,
            fingerprint=fingerprint_of(self._path, options),
            report=reading.problems.told(),
            origin=Origin(self._detected.format, header=self._detected.header),
            source=(self._path, options),
        )


@contextmanager
def _looked_for(
    path: Path, detected: Detected, progress: Progress | None, looked: os.stat_result | None = None
) -> Iterator[tuple[_Found, Counted]]:
    """Give what takes the words of a file, and its stream, standing at the first row."""
    with path.open("rb", buffering=0) as file:
        file.seek(detected.start)
        status = os.fstat(file.fileno())
        yield (
            _Found(path, detected, looked or status),
            Counted(cast("BinaryIO", file), status.st_size, progress),
        )


def _scanned(stream: Counted, detected: Detected, reading: Reading, sample: bytes) -> Iterator[Found]:
    if detected.format == "word2vec-binary":
        return scan_binary(stream, detected, reading)
    return scan_text(stream, detected, reading, sample)


def find_rows(path: Path, detected: Detected, reading: Reading, sample: bytes) -> tuple[JoinedWords, Int64]:
    """Return the words of a plain file and where their rows are, as `FileRows` takes it."""
    with _looked_for(path, detected, None) as (found, stream):
        for block in _scanned(stream, detected, reading, sample):
            found.add(block)
    tell_undecoded(found.words.undecoded, reading.problems)
    return found.words.joined(forget=True), found.offsets()

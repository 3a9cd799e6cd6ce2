"""The store of a vector file: words, order and a float32 matrix in maps of files, open in a moment."""

from __future__ import annotations

import mmap
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from askew.errors import VectorsError
from askew.vectors.cache import read_meta, written_whole
from askew.vectors.cleaning import finite_rows, tell_undecoded
from askew.vectors.index import Growing, JoinedWords, SortedIndex, WordJoiner, repeated_rows, sorted_order
from askew.vectors.problems import Problem, Problems
from askew.vectors.search import inverse_norms
from askew.vectors.table import ArrayRows, Origin, WordVectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from io import RawIOBase
    from pathlib import Path

    from askew.arrays import BoolArray
    from askew.vectors.index import UInt32
    from askew.vectors.rows import Rows
    from askew.vectors.table import Letters

WORDS, STARTS, ORDER, _VECTORS, _NORMS = (
    "words.txt",
    "starts.u8",
    "order.u4",
    "vectors.f4",
    "inverse_norms.f4",
)
_BLOCK_ROWS = 8192
_PIECE = 1 << 23  # bytes written at once, from even places on: such pages are later mapped together


def write_store(
    folder: Path, blocks: Iterable[Rows], dim: int, meta: dict[str, Any], problems: Problems, unit: str
) -> None:
    """Write the store of a file into `folder`, which appears when all of it is there.

    Parameters
    ----------
    blocks
        The rows of the file, unchecked; they are read once and never held.
    meta
        What to remember of the file; the rest is added.
    unit
        How rows are counted in messages: line, word.

    Raises
    ------
    VectorsError
        If the cache cannot be written, or there is no usable word.
    """
    with written_whole(folder, meta) as beside:
        joiner = WordJoiner()
        lines, finite, norms = Growing(np.uint32), Growing(np.bool_), Growing(np.float32)
        with _written_in_pieces(beside / _VECTORS) as write:
            for rows in blocks:
                joiner.add(rows.words)
                lines.add(rows.lines)
                finite.add(finite_rows(rows.matrix))
                norms.add(inverse_norms(rows.matrix))
                write(np.ascontiguousarray(rows.matrix, dtype="<f4").data)
        words = joiner.joined(forget=True)
        usable, order = _usable(words, lines.array(), finite.array(), problems, unit)
        if not usable.any():
            raise VectorsError("there is no usable word in the file", where=str(meta.get("name", "")))
        inverse = norms.array()
        if order is None:
            words, inverse = _only(words, usable), inverse[usable]
            order = sorted_order(words)
            _compact(beside / _VECTORS, usable, dim)
        (beside / WORDS).write_bytes(words.text)
        words.starts.tofile(beside / STARTS)
        order.tofile(beside / ORDER)
        inverse.tofile(beside / _NORMS)
        tell_undecoded(joiner.undecoded, problems)
        told = [asdict(each) for each in problems.told()]
        meta |= {"words": len(words), "bytes": len(words.text), "dim": dim, "problems": told}


@contextmanager
def _written_in_pieces(file: Path) -> Iterator[Callable[[memoryview], None]]:
    """Give what writes to a file, in large pieces whatever it is given."""
    waiting = bytearray()
    with file.open("wb", buffering=0) as opened:

        def write(data: memoryview) -> None:
            waiting.extend(data.cast("B") if data.nbytes else b"")
            while len(waiting) >= _PIECE:
                _write_all(opened, waiting[:_PIECE])
                del waiting[:_PIECE]

        yield write
        _write_all(opened, waiting)


def _write_all(file: RawIOBase, data: bytearray) -> None:
    """Write all bytes: a full disk takes some of them without an error."""
    with memoryview(data) as rest:
        done = 0
        while done < len(rest):
            done += file.write(rest[done:]) or 0


def _usable(
    words: JoinedWords, lines: UInt32, finite: BoolArray, problems: Problems, unit: str
) -> tuple[BoolArray, UInt32 | None]:
    """Tell what is not finite or was there before; return which rows are left, and their order if all are."""
    usable = finite.copy()
    for row in np.flatnonzero(~finite).tolist():
        problems.not_finite(words.word(row).decode(), int(lines[row]), unit)
    rows = np.flatnonzero(finite)
    left = words if finite.all() else _only(words, finite)
    order = sorted_order(left)
    for first, again in repeated_rows(left, order):
        row = int(rows[again])
        usable[row] = False
        problems.repeated(left.word(again).decode(), int(lines[rows[first]]), int(lines[row]), unit)
    return usable, order if usable.all() else None


def _only(words: JoinedWords, usable: BoolArray) -> JoinedWords:
    starts = words.starts.tolist()
    dropped = np.flatnonzero(~usable).tolist()
    parts, begin = [], 0
    for row in dropped:
        parts.append(words.text[begin : starts[row]])
        begin = starts[row + 1]
    parts.append(words.text[begin:])
    lengths = np.diff(words.starts.astype(np.int64))[usable]
    return JoinedWords(b"".join(parts), np.concatenate([[0], np.cumsum(lengths)]).astype(np.uint64))


def _compact(file: Path, usable: BoolArray, dim: int) -> None:
    """Close the gaps that unusable rows leave in the matrix."""
    end = 0
    with file.open("rb+", buffering=0) as opened:
        for start in range(0, len(usable), _BLOCK_ROWS):
            opened.seek(start * dim * 4)
            kept = usable[start : start + _BLOCK_ROWS]
            rows = np.frombuffer(opened.read(len(kept) * dim * 4), dtype="<f4").reshape(len(kept), dim)
            opened.seek(end * dim * 4)
            opened.write(rows[kept].data)
            end += int(kept.sum())
        opened.truncate(end * dim * 4)


def open_store(folder: Path) -> WordVectors | None:
    """Open a store, or return None if there is none that is whole."""
    meta = read_meta(folder)
    if meta is None:
        return None
    try:
        count, dim = int(meta["words"]), int(meta["dim"])
        sizes = {WORDS: meta["bytes"], STARTS: 8 * count + 8, ORDER: 4 * count, _NORMS: 4 * count}
        if any((folder / file).stat().st_size != size for file, size in sizes.items()):
            return None
        index = SortedIndex(
            mapped(folder / WORDS), mapped(folder / STARTS).cast("Q"), mapped(folder / ORDER).cast("I")
        )
        matrix = np.memmap(folder / _VECTORS, dtype="<f4", mode="r", shape=(count, dim))
        norms = np.memmap(folder / _NORMS, dtype="<f4", mode="r", shape=(count,))
        return WordVectors(
            str(meta["name"]),
            index,
            ArrayRows(np.asarray(matrix)),
            fingerprint=str(meta["fingerprint"]),
            report=[Problem(**each) for each in meta["problems"]],
            origin=Origin(meta["format"], tuple(meta["container"]), meta["member"], meta["header"]),
            letters=_letters(meta.get("letters")),
            inverse_norms=np.asarray(norms),
            content=meta.get("content"),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _letters(meta: dict[str, Any] | None) -> Letters | None:
    if meta is None:
        return None
    from askew.vectors.formats.letters import from_meta  # few files have them, and it brings all readers

    return from_meta(meta)


def mapped(file: Path) -> memoryview:
    """Return the bytes of a file of the cache as a map."""
    with file.open("rb") as opened:
        return memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))

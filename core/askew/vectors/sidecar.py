"""The index of a big plain file in the cache: words, order and places of rows, open in a moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from askew.vectors.cache import read_meta, written_whole
from askew.vectors.detect import Detected
from askew.vectors.index import SortedIndex, sorted_order
from askew.vectors.lazy import CheckedIndex, FileRows
from askew.vectors.problems import Problem
from askew.vectors.store import ORDER, STARTS, WORDS, mapped
from askew.vectors.table import Origin, WordVectors

if TYPE_CHECKING:
    from pathlib import Path

    from askew.vectors.index import Int64, JoinedWords
    from askew.vectors.options import Options

_OFFSETS = "offsets.i8"


def write_index(
    folder: Path, words: JoinedWords, offsets: Int64, detected: Detected, meta: dict[str, Any]
) -> None:
    """Write the index of a file into `folder`, which appears when all of it is there.

    Raises
    ------
    CacheError
        If the cache cannot be written.
    """
    read = {"dim": detected.dim, "start": detected.start, "newline": detected.newline.decode()}
    with written_whole(folder, {**meta, **read, "rows": len(words), "bytes": len(words.text)}) as beside:
        (beside / WORDS).write_bytes(words.text)
        words.starts.tofile(beside / STARTS)
        sorted_order(words).tofile(beside / ORDER)
        offsets.tofile(beside / _OFFSETS)


def open_index(folder: Path, path: Path, options: Options) -> WordVectors | None:
    """Open a file by its index, or return None if there is none that is whole."""
    meta = read_meta(folder)
    if meta is None:
        return None
    try:
        rows = int(meta["rows"])
        sizes = {WORDS: meta["bytes"], STARTS: 8 * rows + 8, ORDER: 4 * rows, _OFFSETS: 8 * rows}
        if any((folder / file).stat().st_size != size for file, size in sizes.items()):
            return None
        detected = Detected(
            meta["format"], meta["dim"], start=meta["start"], newline=meta["newline"].encode()
        )
        source = FileRows(path, detected, mapped(folder / _OFFSETS).cast("q"), path.stat())
        index = SortedIndex(
            mapped(folder / WORDS), mapped(folder / STARTS).cast("Q"), mapped(folder / ORDER).cast("I")
        )
        return WordVectors(
            str(meta["name"]),
            CheckedIndex(index, source),
            source,
            fingerprint=str(meta["fingerprint"]),
            report=[Problem(**each) for each in meta["problems"]],
            origin=Origin(meta["format"], header=meta["header"]),
            source=(path, options),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None

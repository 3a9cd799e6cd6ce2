"""The one road by which vectors are opened, for the window and the command line alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from askew.errors import VectorsError
from askew.vectors.bundled import BUNDLED, open_bundled
from askew.vectors.cleaning import Clean, gathered
from askew.vectors.containers import unpack
from askew.vectors.detect import HEAD, sniff
from askew.vectors.fingerprint import fingerprint_of_file
from askew.vectors.lazy import open_lazily
from askew.vectors.problems import Problems
from askew.vectors.rows import Reading, read_binary, read_text
from askew.vectors.streams import Peeked, Recoded
from askew.vectors.table import ArrayRows, DictIndex, Origin, WordVectors

if TYPE_CHECKING:
    import os
    from typing import BinaryIO

    from askew.vectors.containers import Unpacked
    from askew.vectors.detect import Detected
    from askew.vectors.streams import Progress


SMALL = 1 << 24  # bytes up to which a file is read whole and checked in full at once


@dataclass(frozen=True, slots=True)
class Options:
    """What a person chose where a file can be read in several ways."""

    skip_damaged: bool = False
    limit: int | None = None
    encoding: str | None = None
    member: str | None = None


def open_vectors(
    name_or_path: str | os.PathLike[str],
    *,
    progress: Progress | None = None,
    skip_damaged: bool = False,
    limit: int | None = None,
    encoding: str | None = None,
    member: str | None = None,
) -> WordVectors:
    """Open bundled vectors by name, or a file of any kind that Askew knows, by its content.

    Parameters
    ----------
    name_or_path
        A name of `BUNDLED`, or a path; a file of the same name needs a path with a folder in it.
    progress
        Called with bytes done and bytes in all; may raise `Cancelled`.
    skip_damaged
        Leave out lines and rows that cannot be read instead of stopping at the first.
    limit
        Read only so many words, the first of the file.
    encoding
        Of a text file that is not in UTF-8.
    member
        Which file of an archive.

    Raises
    ------
    VectorsError
        If there is no such file or it cannot be read; the message says where and what to do.
    Cancelled
        If `progress` raised it.
    """
    if isinstance(name_or_path, str) and name_or_path in BUNDLED:
        return open_bundled(name_or_path)
    path = Path(name_or_path)
    if not path.exists():
        raise VectorsError(
            "there is no such file and no bundled vectors of that name",
            where=path.name or str(name_or_path),
            remedy=f"The bundled names are: {', '.join(BUNDLED)}",
        )
    return _open_file(path, Options(skip_damaged, limit, encoding, member), progress)


def _open_file(path: Path, options: Options, progress: Progress | None) -> WordVectors:
    problems = Problems()
    with unpack(path, progress, options.member) as unpacked:
        detected, stream = look_at(unpacked, options, problems)
        reading = Reading(path.name, problems, options.skip_damaged)
        plain = not unpacked.containers and detected.encoding == "utf-8"
        if not plain or options.limit is not None or path.stat().st_size < SMALL:
            return _read_whole(path, unpacked, detected, stream, reading, options)
        sample = unpacked.stream.peek(HEAD)
    return open_lazily(path, detected, reading, sample, progress)


def _read_whole(
    path: Path, unpacked: Unpacked, detected: Detected, stream: BinaryIO, reading: Reading, options: Options
) -> WordVectors:
    binary = detected.format == "word2vec-binary"
    blocks = (read_binary if binary else read_text)(stream, detected, reading)
    clean = Clean(reading.problems, "word" if binary else "line", options.limit)
    words, matrix = gathered(clean(blocks), detected.dim, path.name)
    matrix.setflags(write=False)
    return WordVectors(
        unpacked.name,
        DictIndex(words),
        ArrayRows(matrix),
        fingerprint=fingerprint_of_file(path),
        report=reading.problems.told(),
        origin=Origin(detected.format, unpacked.containers, unpacked.member, detected.header),
    )


def look_at(unpacked: Unpacked, options: Options, problems: Problems) -> tuple[Detected, BinaryIO]:
    """Return what a file is and its stream, standing at the first row, text as UTF-8."""
    stream = unpacked.stream
    detected = sniff(stream.peek(HEAD), unpacked.size, unpacked.name)
    encoding = options.encoding or (detected.encoding if detected.encoding != "utf-8" else None)
    if encoding is not None:
        stream.read(detected.start if detected.format == "text" else 0)
        stream = Peeked(cast("BinaryIO", Recoded(cast("BinaryIO", stream), encoding)), unpacked.name)
        problems.add("encoding", f"the text is in {encoding.upper()} and was read as such")
        detected = sniff(stream.peek(HEAD), None, unpacked.name)
    if detected.format not in ("word2vec-text", "glove", "numberbatch", "word2vec-binary"):
        raise VectorsError(f"files of the kind {detected.format} cannot be opened", where=unpacked.name)
    if detected.note:
        problems.add("first-line", detected.note, line=1)
    stream.read(detected.start)
    return replace(detected, encoding=encoding or "utf-8"), cast("BinaryIO", stream)

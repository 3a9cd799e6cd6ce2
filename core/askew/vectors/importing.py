"""Reading a whole vector file, into memory if it is small, else into a store of the cache."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, cast

from askew.errors import VectorsError
from askew.vectors.cache import CacheError, index_beside, place_of, read_meta
from askew.vectors.choices import refuse_idle
from askew.vectors.cleaning import Clean, first_usable, gathered
from askew.vectors.companions import companions, state
from askew.vectors.containers import unpack
from askew.vectors.content import ContentHash
from askew.vectors.detect import HEAD, WrongHeaderError, refuse_too_many, sniff
from askew.vectors.fingerprint import fingerprint_of
from askew.vectors.formats import READERS, Contents, read_contents
from askew.vectors.formats.letters import FromLetters
from askew.vectors.formats.spacy_folder import matrix_of_folder
from askew.vectors.keeping import keep_store
from askew.vectors.lazy import find_rows
from askew.vectors.options import Options
from askew.vectors.problems import Problems
from askew.vectors.rows import Reading, Rows, read_binary, read_text
from askew.vectors.sidecar import open_index, write_index
from askew.vectors.store import write_store
from askew.vectors.streams import Peeked, Recoded, known_encoding
from askew.vectors.table import ArrayRows, DictIndex, Origin, WordVectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from askew.vectors.containers import Unpacked
    from askew.vectors.detect import Detected
    from askew.vectors.streams import Progress

_ROWS = ("word2vec-text", "glove", "word2vec-binary")
_TEXT = ("text", "word2vec-text", "glove", "numberbatch")


def look_at(unpacked: Unpacked, options: Options, problems: Problems) -> tuple[Detected, BinaryIO]:
    """Return what a file is and its stream, standing at the first row, text as UTF-8."""
    stream = unpacked.stream
    detected = _sniffed(stream.peek(HEAD), unpacked.size, unpacked.name, options, problems)
    encoding = options.encoding or (detected.encoding if detected.encoding != "utf-8" else None)
    if encoding is not None:
        encoding = known_encoding(encoding)
    if encoding is not None and detected.format in _TEXT:
        stream.read(detected.start if detected.format == "text" else 0)
        stream = Peeked(cast("BinaryIO", Recoded(cast("BinaryIO", stream), encoding)), unpacked.name)
        problems.add("encoding", f"the text is in {encoding.upper()} and was read as such")
        detected = _sniffed(stream.peek(HEAD), None, unpacked.name, options, problems)
    if detected.format not in _ROWS and detected.format not in READERS:
        raise VectorsError(f"files of the kind {detected.format} cannot be opened", where=unpacked.name)
    refuse_idle(options, detected.format, unpacked.name, archive=unpacked.member is not None)
    if detected.note:
        problems.add("first-line", detected.note, line=1)
    stream.read(detected.start)
    return replace(detected, encoding=encoding or "utf-8"), cast("BinaryIO", stream)


def _sniffed(head: bytes, size: int | None, name: str, options: Options, problems: Problems) -> Detected:
    try:
        return sniff(head, size, name)
    except WrongHeaderError as error:
        if not options.skip_damaged:
            raise
        problems.add("header", error.instead.note, line=1)
        return replace(error.instead, note="")


def contents_of(
    path: Path,
    unpacked: Unpacked,
    looked: tuple[Detected, BinaryIO],
    reading: Reading,
    options: Options,
    progress: Progress | None = None,
) -> Contents:
    """Return the rows of a file of any format, unchecked."""
    detected, stream = looked
    if detected.format in READERS:
        contents = read_contents(path, unpacked, detected, stream, reading, options, progress)
        refuse_too_many(contents.dim, "the file", path.name)
        return contents
    rows = rows_of(stream, detected, reading)
    return Contents(detected.format, detected.dim, rows, unit_of(detected), detected.header)


def rows_of(stream: BinaryIO, detected: Detected, reading: Reading) -> Iterator[Rows]:
    """Return all rows of a file whose stream stands at the first."""
    if detected.format != "word2vec-binary":
        return read_text(stream, detected, reading)
    rows = read_binary(stream, detected, reading)
    return rows if detected.encoding == "utf-8" else _words_recoded(rows, detected.encoding)


def _words_recoded(blocks: Iterable[Rows], encoding: str) -> Iterator[Rows]:
    for words, matrix, lines in blocks:
        yield Rows([word.decode(encoding, "replace").encode() for word in words], matrix, lines)


def unit_of(detected: Detected) -> str:
    """Return how rows are counted in messages."""
    return "word" if detected.format == "word2vec-binary" else "line"


def read_into_memory(
    path: Path,
    unpacked: Unpacked,
    contents: Contents,
    reading: Reading,
    options: Options,
    at_most: int | None = None,
) -> WordVectors:
    """Read a whole file into memory, checked in full.

    Raises
    ------
    TooBigError
        If its numbers take more than `at_most` bytes.
    """
    clean = Clean(reading.problems, contents.unit, options.limit)
    words, matrix = gathered(clean(contents.blocks), contents.dim, path.name, at_most)
    matrix.setflags(write=False)
    return WordVectors(
        contents.name or unpacked.name,
        DictIndex(words),
        ArrayRows(matrix),
        fingerprint=fingerprint_of(path, options),
        report=reading.problems.told(),
        origin=Origin(contents.format, unpacked.containers, unpacked.member, contents.header),
        letters=None if contents.letters is None else FromLetters(contents.letters),
    )


def import_vectors(path: Path, options: Options | None = None, progress: Progress | None = None) -> Path:
    """Write the store of a file into the cache, if it is not there yet, and return its folder.

    This is what `askew vectors import` does, in a process of its own.

    Raises
    ------
    VectorsError
        If the file cannot be read or the cache not be written.
    Cancelled
        If `progress` raised it; nothing is left behind.
    """
    path = matrix_of_folder(path) if path.is_dir() else path
    options = (options or Options()).for_file(path)
    before, folder = state(path), place_of(path, str(options))
    if keep_store(folder, path, options, progress):
        return folder
    problems, meta = Problems(), dict[str, Any]()
    with ContentHash() as content, unpack(path, progress, options.member, content) as unpacked:
        detected, stream = look_at(unpacked, options, problems)
        reading = Reading(path.name, problems, options.skip_damaged)
        contents = contents_of(path, unpacked, (detected, stream), reading, options, progress)
        meta |= {
            "name": contents.name or unpacked.name,
            "format": contents.format,
            "container": list(unpacked.containers),
            "member": unpacked.member,
            "header": contents.header,
            "fingerprint": fingerprint_of(path, options),
            "companions": companions(path),
            "letters": None if contents.letters is None else contents.letters.meta(),
        }
        if options.limit is None and is_plain(unpacked, detected):
            _index_first(path, folder, detected, options, unpacked.stream.peek(HEAD), meta)
        if options.limit is None:
            blocks = _hashed(contents.blocks, path, before, content, meta, progress)
        else:
            blocks = first_usable(contents.blocks, options.limit)
        write_store(folder, blocks, contents.dim, meta, problems, contents.unit)
    if (read_meta(folder) or {}).get("content") != meta.get("content"):
        raise CacheError(
            "another program uses what the cache holds of the file as it was before", remedy="Close it first"
        )
    return folder


def _hashed(
    blocks: Iterable[Rows],
    path: Path,
    before: str,
    content: ContentHash,
    meta: dict[str, Any],
    progress: Progress | None,
) -> Iterator[Rows]:
    """Return the rows; then note the hash of the whole file.

    Raises
    ------
    VectorsError
        If the file is another one by then.
    """

    def still_wanted(_done: int, total: int) -> None:
        if progress is not None:
            progress(total, total)

    yield from blocks
    meta["content"] = content.of_file(path, still_wanted)
    if state(path) != before:
        raise VectorsError(
            "the file changed while it was read", where=path.name, remedy="Open it again once it is complete"
        )


def is_plain(unpacked: Unpacked, detected: Detected) -> bool:
    """Whether rows can be read from where they are in the file."""
    return not unpacked.containers and detected.encoding == "utf-8" and detected.format in _ROWS


def _index_first(
    path: Path, folder: Path, detected: Detected, options: Options, sample: bytes, meta: dict[str, Any]
) -> None:
    """Write the index, which takes a tenth of the time and disk, so that the next start has at least that."""
    if open_index(index_beside(folder), path, options) is not None:
        return
    problems = Problems()
    if detected.note:
        problems.add("first-line", detected.note, line=1)
    words, offsets = find_rows(path, detected, Reading(path.name, problems, options.skip_damaged), sample)
    told = [asdict(each) for each in problems.told()]
    write_index(index_beside(folder), words, offsets, detected, {**meta, "problems": told})

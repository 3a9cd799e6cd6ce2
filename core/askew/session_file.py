"""The session file: a zip of `session.json` and `arrays.npz`. See docs/sessions.md."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from askew import carried, session_arrays, session_json
from askew.files import remove_leftovers, write_bytes
from askew.session_archive import MAX_FILE, Archive, Budget, packed
from askew.session_errors import (
    ARRAYS,
    DOCUMENT,
    NewerSessionError,
    SessionError,
    TooLargeError,
    in_arrays,
    in_document,
)
from askew.session_made import drawn_again
from askew.session_read import Reader, array_names
from askew.session_write import Writer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askew.arrays import Float32
    from askew.session import Session
    from askew.session_schema import SessionJson
    from askew.session_vectors import SavedVectors
    from askew.vectors.options import Options
    from askew.vectors.table import WordVectors

    Places = Mapping[str, Path | tuple[Path, Options]]

__all__ = [
    "CARRIED_LIMIT",
    "SUFFIX",
    "Loaded",
    "NewerSessionError",
    "SessionError",
    "TooLargeError",
    "from_bytes",
    "kind_of",
    "load",
    "open_any",
    "save",
    "to_bytes",
]

SUFFIX = ".askew"
CARRIED_LIMIT = 4_000_000
"""Bytes of numbers that a picture may carry."""
_EDGE = 1 << 12


@dataclass(frozen=True, slots=True)
class Loaded:
    """A session read back.

    Parameters
    ----------
    session
        Its variants, heads with their very numbers.
    vectors
        By fingerprint: what is known of the vectors, and a table of the rows used.
    notes
        What a person must be told, sentences with their full stop.
    format
        Of the file; below `askew.session_schema.FORMAT` it was converted in memory.
    """

    session: Session
    vectors: dict[str, SavedVectors]
    notes: tuple[str, ...] = ()
    format: int = 1


def save(
    path: str | Path, session: Session, tables: Mapping[str, WordVectors], *, places: Places | None = None
) -> None:
    """Write a session file: whole, or the old one stays as it was.

    A file of an older format is kept beside it, as "NAME (format N).askew".

    Parameters
    ----------
    path
        Of the file.
    session
        What to write.
    tables
        The vectors of each variant, by fingerprint; of an `askew.session_vectors.SavedTable` all that is
        known of its file is written again.
    places
        By fingerprint, the file of vectors that are not bundled, or the file and how it was read.

    Raises
    ------
    SessionError
        If it is larger than can be read back, or a table is missing.
    WriteError
        If the place cannot be written.
    """
    path = Path(path)
    data = to_bytes(session, tables, places=places, folder=Path(os.path.abspath(path)).parent)
    _keep_older(path)
    write_bytes(path, data)
    remove_leftovers(path)


def to_bytes(
    session: Session,
    tables: Mapping[str, WordVectors],
    *,
    places: Places | None = None,
    folder: Path | None = None,
    limit: int | None = None,
) -> bytes:
    """Return the bytes of a session file; the same session gives the same bytes.

    Parameters
    ----------
    session, tables, places
        As for `save`.
    folder
        Where the file will lie, for the way to the vectors; None writes file names only.
    limit
        For pictures, `CARRIED_LIMIT`: arrays that are bundled or drawn from a recipe go in as name or recipe
        and hash, others as numbers up to so many bytes. None stores all numbers.

    Raises
    ------
    TooLargeError
        If there are more numbers than `limit`; the message is fit to show.
    SessionError
        As for `save`.
    """
    writer = Writer(tables, places or {}, folder, limit)
    document = session_json.dumped(writer.document(session))
    session_json.loaded(document, "the session")  # what would be refused when it is opened is not written
    return packed({DOCUMENT: document, ARRAYS: session_arrays.dumped(writer.arrays)}, compressed=[DOCUMENT])


def load(path: str | Path) -> Loaded:
    """Read a session file; nothing in it is trusted and the file is left as it is.

    Raises
    ------
    NewerSessionError
        If only a newer Askew can read it.
    SessionError
        If it cannot be read; the message names the path inside the file.
    """
    path = Path(path)
    with _opened(path) as file:
        return _read(file, path.name, Path(os.path.abspath(path)).parent)


def from_bytes(data: bytes, name: str) -> Loaded:
    """Read a session from its bytes, as `load` does; `name` is for messages."""
    return _read(io.BytesIO(data), name, None)


def open_any(path: str | Path) -> Loaded:
    """Read a session file, or the session that an exported picture carries; its content decides.

    Raises
    ------
    SessionError
        If it is neither, or the picture carries none, or as `load`.
    """
    path = Path(path)
    if kind_of(path) == "session":
        return load(path)
    with _opened(path) as file:
        data = file.read(carried.MAX_PICTURE + 1)
    session = carried.extract(data, path.name)
    if session is None:
        remedy = "Open a .askew file, or a PNG, SVG or HTML that Askew exported with its session"
        if carried.is_picture(data[:4096]):
            remedy = f"{remedy}; a copy saved by another program has lost it"
        raise SessionError(
            "it is no session, and no picture that carries one", where=path.name, remedy=remedy
        )
    return from_bytes(session, path.name)


def kind_of(path: str | Path) -> Literal["session", "picture", "other"]:
    """Tell by its content what a file is; a PNG or SVG may carry a session or not, a page does.

    A file named .askew counts as a session whatever it holds, so that opening it says what is wrong with it.
    """
    path = Path(path)
    if path.suffix.lower() == SUFFIX:
        return "session"
    try:
        with _opened(path) as file:
            head = file.read(_EDGE)
            file.seek(max(0, file.seek(0, io.SEEK_END) - _EDGE))
            tail = file.read()
    except SessionError:
        return "other"
    if head.startswith(b"PK") and DOCUMENT.encode() in tail:
        return "session"
    return "picture" if carried.is_picture(head) or _is_page(path, head) else "other"


def _is_page(path: Path, head: bytes) -> bool:
    """Tell whether a file is an HTML page that carries a session; others are often failed downloads."""
    if not carried.is_markup(head):
        return False
    with _opened(path) as file:
        return carried.is_marked(file.read(carried.MAX_PICTURE))


def _read(file: IO[bytes], name: str, folder: Path | None) -> Loaded:
    """Read a session from an open file."""
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    if file.read(1) == b"{":
        raise _bare(file, name)
    budget = Budget(size)
    archive = Archive(file, name, budget)
    archive.check_names((DOCUMENT, ARRAYS))
    text = archive.read(DOCUMENT, in_document(name), session_json.MAX_BYTES)
    document, found = session_json.loaded(text, name)
    arrays, notes = _arrays(archive, document, name, budget)
    reader = Reader(name, document, arrays, folder)
    session = reader.session()
    if found < document.format:
        notes.append(f"{name} is of an older format and was converted; the file is kept as it is.")
    return Loaded(session, reader.vectors(), tuple(notes), found)


def _arrays(
    archive: Archive, document: SessionJson, name: str, budget: Budget
) -> tuple[dict[str, Float32], list[str]]:
    """Return all arrays that a document names, and notes on those that are not what they were."""
    named = array_names(document)
    made, notes = drawn_again(document.made, name, named)
    stored = {each: path for each, path in named.items() if each not in document.made}
    data = archive.read(ARRAYS, in_arrays(name))
    return {**made, **session_arrays.loaded(data, stored, name, budget)}, notes


def _bare(file: IO[bytes], name: str) -> SessionError:
    """Return the error for a file that is the document alone: newer, cut short, or without its arrays."""
    file.seek(0)
    try:
        session_json.loaded(file.read(session_json.MAX_BYTES + 1), name)
    except SessionError as error:
        return error
    return SessionError(f"there is no {ARRAYS} in it", where=name, remedy=session_json.DAMAGED)


def _opened(path: Path) -> IO[bytes]:
    """Open a file that is not too large to be a session; a pipe, which may never end, is refused."""
    try:
        if path.exists() and not path.is_file():
            raise SessionError("this is no file", where=path.name, remedy="Choose a session")
        size = path.stat().st_size
        if size > MAX_FILE and path.suffix.lower() == SUFFIX:
            raise SessionError(f"it is larger than a session can be ({size:,} bytes)", where=path.name)
        return path.open("rb")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SessionError(
            f"cannot read {path}: {reason}", remedy="Look at its name and permissions"
        ) from error


def _keep_older(path: Path) -> None:
    """Copy a file of an older format beside itself before it is written over."""
    older = _older_format(path)
    if older is None:
        return
    content = path.read_bytes()
    for number in range(1, 1000):
        mark = f" (format {older})" if number == 1 else f" (format {older}, {number})"
        beside = path.with_name(f"{path.stem}{mark}{path.suffix}")
        if not beside.exists():
            write_bytes(beside, content)
            return
        if beside.read_bytes() == content:
            return


def _older_format(path: Path) -> int | None:
    """Return the format of a session that is older than what is written, None for any other file."""
    if not path.is_file():
        return None
    try:
        with _opened(path) as file:
            archive = Archive(file, path.name, Budget(path.stat().st_size))
            text = archive.read(DOCUMENT, in_document(path.name), session_json.MAX_BYTES)
            document, found = session_json.loaded(text, path.name)
    except SessionError:
        return None
    return found if found < document.format else None

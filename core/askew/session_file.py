"""The session file: a zip of `session.json` and `arrays.npz`. See docs/sessions.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from askew.errors import AskewError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from askew.session import Session
    from askew.session_vectors import SavedVectors
    from askew.vectors.options import Options
    from askew.vectors.table import WordVectors

    Places = Mapping[str, Path | tuple[Path, Options]]

SUFFIX = ".askew"
CARRIED_LIMIT = 4_000_000
"""Bytes of numbers that a picture may carry."""


class SessionError(AskewError):
    """A session cannot be read or written; `where` names the file and the path inside it."""


class NewerSessionError(SessionError):
    """A session of a format that only a newer Askew knows."""


class TooLargeError(SessionError):
    """A session has more numbers than a picture may carry."""


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
    raise NotImplementedError


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
    raise NotImplementedError


def load(path: str | Path) -> Loaded:
    """Read a session file; nothing in it is trusted and the file is left as it is.

    Raises
    ------
    NewerSessionError
        If only a newer Askew can read it.
    SessionError
        If it cannot be read; the message names the path inside the file.
    """
    raise NotImplementedError


def from_bytes(data: bytes, name: str) -> Loaded:
    """Read a session from its bytes, as `load` does; `name` is for messages."""
    raise NotImplementedError


def open_any(path: str | Path) -> Loaded:
    """Read a session file, or the session that an exported picture carries; its content decides.

    Raises
    ------
    SessionError
        If it is neither, or the picture carries none, or as `load`.
    """
    raise NotImplementedError


def kind_of(path: str | Path) -> Literal["session", "picture", "other"]:
    """Tell by a look at its first and last bytes what a file is; a picture may carry a session or not.

    A file named .askew counts as a session whatever it holds, so that opening it says what is wrong with it.
    """
    raise NotImplementedError

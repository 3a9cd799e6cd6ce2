"""The one road by which vectors are opened, for the window and the command line alike."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from askew.errors import VectorsError
from askew.vectors.bundled import BUNDLED, open_bundled
from askew.vectors.choices import refuse_idle
from askew.vectors.options import Options

if TYPE_CHECKING:
    import os

    from askew.vectors.lazy import FirstPart
    from askew.vectors.streams import Progress
    from askew.vectors.table import WordVectors


def open_vectors(
    name_or_path: str | os.PathLike[str],
    *,
    progress: Progress | None = None,
    skip_damaged: bool = False,
    limit: int | None = None,
    encoding: str | None = None,
    member: str | None = None,
    words: str | None = None,
    language: str | None = None,
    in_full: bool = False,
    first_part: FirstPart | None = None,
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
    words
        The file with the words of a bare matrix, one a line.
    language
        Which language of a file of several.
    in_full
        Check every number of a big file now, so that the report is complete, and not only its words; and
        that its store in the cache, if there is one, is of these very bytes.
    first_part
        Called once with vectors that know the first words of a big file, while the rest is looked
        through; the same object knows all words when it is returned.

    Raises
    ------
    VectorsError
        If there is no such file or it cannot be read; the message says where and what to do.
    Cancelled
        If `progress` raised it.
    """
    options = Options(skip_damaged, limit, encoding, member, words, language)
    return open_with(name_or_path, options, progress, in_full=in_full, first_part=first_part)


def open_with(
    name_or_path: str | os.PathLike[str],
    options: Options,
    progress: Progress | None = None,
    *,
    in_full: bool = False,
    first_part: FirstPart | None = None,
) -> WordVectors:
    """Do what `open_vectors` does, with the choices in one object."""
    if isinstance(name_or_path, str) and name_or_path in BUNDLED:
        refuse_idle(options, "bundled", name_or_path)
        return open_bundled(name_or_path)
    path = existing(name_or_path)
    options = options.for_file(path)
    stored = None if in_full else _from_store(path, options)
    if stored is not None:
        return stored
    from askew.vectors.files import open_file  # archives and all formats, which a store does without

    return open_file(path, options, progress, in_full=in_full, first_part=first_part)


def _from_store(path: Path, options: Options) -> WordVectors | None:
    """Open the store of a file, if there is one; this is the way in which a big file is mostly opened."""
    from askew.vectors.cache import place_of
    from askew.vectors.store import open_store

    return open_store(place_of(path, str(options))) if path.is_file() else None


def existing(name_or_path: str | os.PathLike[str]) -> Path:
    """Return the path of a file that is there.

    Raises
    ------
    VectorsError
        If there is no such file, or it is a pipe or a device, which may never end.
    """
    path = Path(name_or_path)
    if not path.exists():
        raise VectorsError(
            "there is no such file and no bundled vectors of that name",
            where=path.name or str(name_or_path),
            remedy=f"The bundled names are: {', '.join(BUNDLED)}",
        )
    if not path.is_file() and not path.is_dir():
        what, remedy = "this is a pipe or a device, not a file", "Save what comes from it to a file first"
        raise VectorsError(what, where=path.name, remedy=remedy)
    return path

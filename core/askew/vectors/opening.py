"""The one road by which vectors are opened, for the window and the command line alike."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from askew.errors import VectorsError
from askew.vectors.bundled import BUNDLED, open_bundled
from askew.vectors.cache import place_of
from askew.vectors.containers import unpack
from askew.vectors.detect import HEAD
from askew.vectors.importing import import_vectors, look_at, read_into_memory
from askew.vectors.lazy import open_lazily
from askew.vectors.options import Options
from askew.vectors.problems import Problems
from askew.vectors.rows import Reading
from askew.vectors.store import open_store

if TYPE_CHECKING:
    import os

    from askew.vectors.streams import Progress
    from askew.vectors.table import WordVectors

SMALL = 1 << 24  # bytes up to which a file is read whole and checked in full at once


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
    size = path.stat().st_size
    if size >= SMALL:
        stored = open_store(place_of(path, str(options)))
        if stored is not None:
            return stored
    problems = Problems()
    with unpack(path, progress, options.member) as unpacked:
        detected, stream = look_at(unpacked, options, problems)
        reading = Reading(path.name, problems, options.skip_damaged)
        if size < SMALL or options.limit is not None:
            return read_into_memory(path, unpacked, detected, stream, reading, options.limit)
        sample = unpacked.stream.peek(HEAD)
    if not unpacked.containers and detected.encoding == "utf-8":
        return open_lazily(path, detected, reading, sample, progress)
    stored = open_store(import_vectors(path, options, progress))
    if stored is None:
        raise VectorsError("the store that was just written cannot be read", where=path.name)
    return stored

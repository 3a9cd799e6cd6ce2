"""The vectors of a session: which file they were, the rows that it used, and where the file is now."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from askew.errors import AskewError, VectorsError
from askew.vectors.bundled import BUNDLED, open_bundled
from askew.vectors.fingerprint import fingerprint_of
from askew.vectors.formats.spacy_folder import matrix_of_folder
from askew.vectors.opening import open_with
from askew.vectors.table import WordVectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from askew.arrays import Float32
    from askew.vectors.options import Options
    from askew.vectors.streams import Progress


class SavedTable(WordVectors):
    """The words that a session used, under name and fingerprint of the whole table they come from.

    Experiments of the session give the very same maps with it. Nearest words cannot be had from it.
    """

    saved: SavedVectors

    @property
    def searchable(self) -> bool:
        """False: the words of a few sentences are not the nearest of anything."""
        return False

    def _matrix(self) -> Float32:
        raise VectorsError(
            "only the words of the session are here",
            where=self.name,
            remedy="Open the file of the vectors",
        )


@dataclass(frozen=True, slots=True, eq=False)
class SavedVectors:
    """What a session knows of the vectors it was made with.

    Parameters
    ----------
    name, fingerprint, dim
        As in the experiments' `VectorsRef`.
    file_name
        Of the file, without folders; empty where there was none.
    relative
        Way from the session's folder to the file, with "/", where that is in the folder, below it or in one
        beside it; None elsewhere and always in pictures.
    size
        Of the file in bytes, or None.
    content
        Hash of every byte of the file, or None where it was not known.
    bundled
        Name of the bundled vectors, or None.
    options
        How the file was read.
    table
        The rows that the session used.
    expected
        Where the file was to be by `relative` when the session was read from disk; never stored.
    """

    name: str
    fingerprint: str
    dim: int
    file_name: str
    relative: str | None
    size: int | None
    content: str | None
    bundled: str | None
    options: Options
    table: SavedTable
    expected: Path | None = None


@dataclass(frozen=True, slots=True)
class VectorsPlace:
    """Where the vectors of a session are now.

    Parameters
    ----------
    source
        A bundled name or a path for `open_found`; None where they were not found.
    options
        How to read it.
    reason
        Why they were not found, as a sentence without its full stop; empty where they were.
    other
        The file that lies under the old name and is another one, or None.
    """

    source: str | Path | None
    options: Options
    reason: str = ""
    other: Path | None = None


def find_vectors(saved: SavedVectors, session_path: Path | None, also: Iterable[Path] = ()) -> VectorsPlace:
    """Look for the file of a session's vectors; its fingerprint decides, never its name.

    Looked at are the place relative to the session, the session's folder, and the paths in `also` (files
    opened lately, say) that have the old name. Nothing else is searched, and files are read but to be hashed.
    """
    options = saved.options
    if saved.bundled is not None:
        return _bundled(saved)
    if not saved.file_name:
        reason = f"the vectors '{saved.name}' were in no file; only the words of the session are here"
        return VectorsPlace(None, options, reason)
    other = None
    for path in _candidates(saved, session_path, also):
        if not _is_there(path):
            continue
        if _fingerprint(path, options) == saved.fingerprint:
            return VectorsPlace(path, options)
        if path.is_file():
            other = other or path
    if other is not None:
        reason = f"'{other.name}' is not the file this session was made with"
        return VectorsPlace(None, options, reason, other)
    return VectorsPlace(None, options, f"the file '{saved.file_name}' of this session was not found")


def find_all(
    vectors: Mapping[str, SavedVectors], session_path: Path | None, also: Iterable[Path] = ()
) -> dict[str, VectorsPlace]:
    """Return `find_vectors` of each, by fingerprint."""
    known = tuple(also)
    return {each: find_vectors(saved, session_path, known) for each, saved in vectors.items()}


def open_found(place: VectorsPlace, progress: Progress | None = None) -> WordVectors:
    """Open vectors that were found: bundled ones, a file, or the words of a model's folder.

    Raises
    ------
    VectorsError
        If they were not found, or cannot be read any more.
    Cancelled
        If `progress` raised it.
    """
    if place.source is None:
        raise VectorsError(place.reason, remedy="Choose the file")
    return open_with(place.source, place.options, progress)


def way_from(folder: Path, path: Path) -> str | None:
    """Return the way from a folder to a file in it, below it or in one beside it; None elsewhere."""
    try:
        way = Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive
        return None
    return way if is_way(way) else None


def is_way(way: str) -> bool:
    """Tell whether a way leads to a file in the folder, below it or in one beside it, and can be trusted."""
    parts = way.split("/")
    inside = parts[1:] if parts[0] == ".." else parts
    return bool(inside) and not any(
        part in ("", ".", "..") or any(mark in part for mark in "\\:\0") for part in inside
    )


def _bundled(saved: SavedVectors) -> VectorsPlace:
    """Return the bundled vectors of that name, if they still are the same."""
    name = saved.bundled or ""
    if name in BUNDLED and open_bundled(name).fingerprint == saved.fingerprint:
        return VectorsPlace(name, saved.options)
    reason = f"the vectors '{name}' that come with this Askew are not those this session was made with"
    return VectorsPlace(None, saved.options, reason)


def _candidates(saved: SavedVectors, session_path: Path | None, also: Iterable[Path]) -> list[Path]:
    """Return where the file may be, the likeliest place first."""
    places = []
    if session_path is not None:
        folder = Path(os.path.abspath(session_path)).parent
        if saved.relative is not None:
            places.append(Path(os.path.normpath(folder / saved.relative)))
        places.append(folder / saved.file_name)
    places += [path for path in also if path.name == saved.file_name]
    return list(dict.fromkeys(places))


def _is_there(path: Path) -> bool:
    """Tell whether a path is a file or folder, never a pipe; a name that no system allows is neither."""
    try:
        return path.is_file() or path.is_dir()
    except (OSError, ValueError):
        return False


def _fingerprint(path: Path, options: Options) -> str | None:
    """Return the fingerprint of a file or folder as it would be opened, None if it cannot be read."""
    from askew.weights.model_words import files_of, has_words, open_words  # seldom needed

    try:
        if has_words(path):
            return open_words(files_of(path)).fingerprint
        file = matrix_of_folder(path) if path.is_dir() else path
        return fingerprint_of(file, options.for_file(file))
    except (OSError, ValueError, AskewError):
        return None

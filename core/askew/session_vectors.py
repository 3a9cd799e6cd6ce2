"""The vectors of a session: which file they were, the rows that it used, and where the file is now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askew.errors import VectorsError
from askew.vectors.table import WordVectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from askew.arrays import Float32
    from askew.vectors.options import Options


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
        A bundled name or a path for `open_with`; None where they were not found.
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
    raise NotImplementedError


def find_all(
    vectors: Mapping[str, SavedVectors], session_path: Path | None, also: Iterable[Path] = ()
) -> dict[str, VectorsPlace]:
    """Return `find_vectors` of each, by fingerprint."""
    known = tuple(also)
    return {each: find_vectors(saved, session_path, known) for each, saved in vectors.items()}

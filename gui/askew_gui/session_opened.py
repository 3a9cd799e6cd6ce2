"""Reading a session off the disk: what is shown of it at once, and where its vectors are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from askew.vectors.bundled import open_bundled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askew.session import Session
    from askew.session_file import Loaded
    from askew.session_vectors import SavedVectors, VectorsPlace
    from askew.vectors.table import WordVectors


@dataclass(frozen=True, slots=True)
class Missing:
    """Vectors of a session of which only the words it used are there; the place says where they may be."""

    saved: SavedVectors
    place: VectorsPlace


@dataclass(frozen=True, slots=True)
class Opened:
    """A session that can be shown.

    Parameters
    ----------
    session
        Its variants.
    tables
        Of each variant: the bundled ones, or of others the words that were used.
    missing
        Vectors to be opened from their files, or to be asked for.
    notes
        What a person must be told, sentences with their full stop.
    """

    session: Session
    tables: tuple[WordVectors, ...]
    missing: tuple[Missing, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def table(self) -> WordVectors:
        """The table of the variant that is shown."""
        wanted = self.session.experiment.vectors.fingerprint
        return next(table for table in self.tables if table.fingerprint == wanted)


def read(path: str, also: Sequence[str]) -> Opened:
    """Return the session of a file or picture; `also` names files that its vectors may be in.

    Raises
    ------
    SessionError
        If it cannot be read.
    """
    from askew.session_file import open_any

    return opened(open_any(path), Path(path), also)


def opened(loaded: Loaded, path: Path | None, also: Sequence[str]) -> Opened:
    """Return a session that was read, with the tables that can be had at once."""
    from askew.session_vectors import find_all

    places = find_all(loaded.vectors, path, map(Path, also))
    tables = tuple(_table(saved, places) for saved in loaded.vectors.values())
    missing = tuple(
        Missing(saved, places[saved.fingerprint])
        for saved, table in zip(loaded.vectors.values(), tables, strict=True)
        if table is saved.table
    )
    return Opened(loaded.session, tables, missing, loaded.notes)


def first_example() -> Opened:
    """Return the session of somebody who begins."""
    from askew.examples import EXAMPLES, PLAIN_VECTORS, example
    from askew.session import Session
    from askew_gui.app import FIRST_EXAMPLE

    vectors = open_bundled(EXAMPLES[FIRST_EXAMPLE].vectors or PLAIN_VECTORS)
    return Opened(Session((example(FIRST_EXAMPLE, vectors),)), (vectors,))


def _table(saved: SavedVectors, places: Mapping[str, VectorsPlace]) -> WordVectors:
    found = saved.bundled is not None and places[saved.fingerprint].source == saved.bundled
    return open_bundled(saved.bundled or "") if found else saved.table

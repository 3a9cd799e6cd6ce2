"""A session as the start of what is asked for on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from askew.edits import with_vectors
from askew.session_file import open_any
from askew.session_vectors import find_vectors, open_found
from askew.vectors import open_vectors

if TYPE_CHECKING:
    from collections.abc import Callable

    from askew.experiment import Experiment
    from askew.vectors import WordVectors
    from askew.vectors.streams import Progress


def session_start(
    path: str,
    tell: Callable[[str], None],
    *,
    text: str | None = None,
    vectors: str | None = None,
    progress: Progress | None = None,
) -> tuple[Experiment, WordVectors]:
    """Return the experiment that a session or picture shows, and its vectors.

    For the session's own text the rows in it are enough. Another text needs the file of its vectors; where
    that is not found, `tell` is given a line, and words that the session did not use are unknown.

    Raises
    ------
    AskewError
        If the session or the vectors asked for cannot be read.
    """
    loaded = open_any(path)
    for note in loaded.notes:
        tell(note.removesuffix("."))
    experiment = loaded.session.experiment
    if vectors is not None:
        table = open_vectors(vectors, progress=progress)
        change = with_vectors(experiment, table)
        if change.message:
            tell(f"{table.name} has vectors of another size: heads that no recipe can draw are random now")
        return change.experiment, table
    saved = loaded.vectors[experiment.vectors.fingerprint]
    if text is None or text == experiment.text:
        return experiment, saved.table
    place = find_vectors(saved, Path(path))
    if place.source is not None:
        return experiment, open_found(place, progress)
    tell(f"{place.reason}; words that the session did not use are unknown")
    return experiment, saved.table

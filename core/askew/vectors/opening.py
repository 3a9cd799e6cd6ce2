"""The one road by which vectors are opened, for the window and the command line alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from askew.errors import VectorsError
from askew.vectors.bundled import BUNDLED, open_bundled

if TYPE_CHECKING:
    import os

    from askew.vectors.table import WordVectors

Progress = Callable[[int, int], None]


def open_vectors(name_or_path: str | os.PathLike[str], *, progress: Progress | None = None) -> WordVectors:
    """Open bundled vectors by name, or a file.

    Parameters
    ----------
    name_or_path
        A name of `BUNDLED`, or a path; a file of the same name needs a path with a folder in it.
    progress
        Called with bytes done and bytes in all; may raise `Cancelled`.

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
    raise VectorsError(
        "there is no such file and no bundled vectors of that name",
        where=path.name,
        remedy=f"The bundled names are: {', '.join(BUNDLED)}",
    )

"""Bundled data of Askew: vectors, fonts, icons, colour tables, licences.

Everything is a plain file beside this one; nothing is read before it is asked for.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent

ColourTable = Literal["sequential", "diverging", "viridian", "purple-green", "grey"]


def path(name: str) -> Path:
    """Return where a bundled file is.

    Parameters
    ----------
    name
        Path below this package, with forward slashes: ``"fonts/NotoSans-Regular.ttf"``.

    Raises
    ------
    FileNotFoundError
        If there is no such file or folder.
    """
    found = ROOT.joinpath(*name.split("/"))
    if not found.exists():
        raise FileNotFoundError(f"Askew has no bundled file {name!r}")
    return found


@cache
def colour_table(name: ColourTable) -> NDArray[np.uint8]:
    """Return a colour table as a read-only array, (256, 3), red, green, blue.

    ``sequential`` goes from near white to navy. ``diverging`` goes from blue to orange-brown; its two middle
    entries, 127 and 128, are the same neutral grey, so that zero is neutral however an index is rounded. For
    pictures there are also ``viridian``, from dark indigo to yellow, ``grey``, from near white to near black,
    and ``purple-green``, made like ``diverging``.
    """
    import numpy as np

    lines = path(f"colours/{name}.txt").read_text(encoding="ascii").split()
    table = np.frombuffer(bytes.fromhex("".join(lines)), dtype=np.uint8)
    return table.reshape(-1, 3)


def icon_names() -> tuple[str, ...]:
    """Return the names of the bundled icons."""
    return tuple(sorted(file.stem for file in path("icons").glob("*.svg")))

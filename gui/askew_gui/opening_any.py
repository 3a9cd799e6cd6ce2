"""What a file is that was dropped, chosen or named: the one decision, by its content, and who opens it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from askew_gui.window import Window

Kind = Literal["session", "picture", "vectors"]


def kind_of(path: str) -> Kind:
    """Tell what a file or folder is; a picture may carry a session or not."""
    from askew import session_file

    if Path(path).is_file():
        kind = session_file.kind_of(path)
        if kind != "other":
            return kind
    return "vectors"


def open_any(window: Window, path: str) -> None:
    """Open any file in a window: a session, a picture that carries one, or vectors."""
    if kind_of(path) == "vectors":
        window.vector_files.open(path)
    else:
        window.sessions.open(path)

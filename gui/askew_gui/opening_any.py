"""What a file is that was dropped, chosen or named: the one decision, by its content, and who opens it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from askew_gui.window import Window

Kind = Literal["session", "picture", "weights", "vectors"]


def kind_of(path: str, d_model: int | None = None) -> Kind:
    """Tell what a file or folder is; a picture may carry a session or not.

    A bare matrix is of weights where one of its sides is `d_model`, the numbers of the vectors in use.
    """
    from askew import session_file

    if Path(path).is_file():
        kind = session_file.kind_of(path)
        if kind != "other":
            return kind
    from askew.weights.telling import holds_weights

    return "weights" if holds_weights(path, d_model) else "vectors"


def open_any(window: Window, path: str) -> None:
    """Open any file in a window: a session, a picture that carries one, weights, or vectors."""
    kind = kind_of(path, window.store.vectors.dim)
    if kind == "vectors":
        window.vector_files.open(path)
    elif kind == "weights":
        from askew_gui import weight_bringing

        weight_bringing.open_path(window, path)
    else:
        window.sessions.open(path)


def open_recent(window: Window, path: str) -> None:
    """Open a file again, vectors as they were read last."""
    if path in window.settings.reading or kind_of(path, window.store.vectors.dim) == "vectors":
        window.vector_files.open_recent(path)
    else:
        open_any(window, path)

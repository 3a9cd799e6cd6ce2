"""Asking for a vector file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from askew_gui.i18n import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from askew_gui.settings import Settings


def ask_for_vectors(parent: QWidget, settings: Settings) -> str:
    """Return the path of the file that was chosen, or "".

    Any file may be chosen: what it is shows in its content, not in its name.
    """
    path, _ = QFileDialog.getOpenFileName(
        parent, tr("Open vectors"), settings.folder, tr("Word vectors (*.txt *.vec *.bin);;All files (*)")
    )
    if path:
        settings.folder = str(Path(path).parent)
    return path

"""The question where to write a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QWidget


def ask_where(
    parent: QWidget | None,
    title: str,
    start: Path,
    filters: Sequence[str],
    suffix: str,
    chosen: Callable[[str], object],
) -> QFileDialog:
    """Ask where to write, which is asked again if there is such a file; return the question.

    Parameters
    ----------
    start
        Folder and name that are suggested.
    filters
        Kinds of files, as Qt writes them: ``Sessions (*.askew)``.
    suffix
        Of a name without one, with or without its dot.
    chosen
        Called with the path.
    """
    dialog = QFileDialog(parent, title, str(start))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(filters))
    dialog.setDefaultSuffix(suffix.removeprefix("."))
    dialog.fileSelected.connect(chosen)
    dialog.open()
    return dialog

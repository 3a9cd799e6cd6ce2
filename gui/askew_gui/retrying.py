"""What is offered where a file could not be written: to try again, or to write it elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from askew.errors import AskewError
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from askew_gui.store import Store

    Then = Callable[[], object]


def offer_retry(store: Store, again: Then, elsewhere: Then, error: Exception) -> None:
    """Say why something was not written, and offer to try again or to write it elsewhere."""
    if not isinstance(error, AskewError):
        raise error
    store.offer(error, error.remedy, ((tr("Retry"), again), (tr("Save as…"), elsewhere)))


def ask_elsewhere(parent: QWidget | None, path: str, chosen: Callable[[str], object]) -> QFileDialog:
    """Ask for another file of the same kind, which is asked again if it exists; return the question."""
    place = Path(path)
    dialog = QFileDialog(parent, tr("Save as"), str(place))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([f"*{place.suffix}"])
    dialog.setDefaultSuffix(place.suffix[1:])
    dialog.fileSelected.connect(chosen)
    dialog.open()
    return dialog

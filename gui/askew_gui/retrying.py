"""What is offered where a file could not be written: to try again, or to write it elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from askew.errors import AskewError
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QFileDialog, QWidget

    from askew_gui.store import Store

    Then = Callable[[], object]


def offer_retry(store: Store, again: Then, elsewhere: Then, error: Exception) -> None:
    """Say why something was not written, and offer to try again or to write it elsewhere."""
    if not isinstance(error, AskewError):
        raise error
    store.offer(error, error.remedy, ((tr("Retry"), again), (tr("Save as…"), elsewhere)))


def ask_elsewhere(parent: QWidget | None, path: str, chosen: Callable[[str], object]) -> QFileDialog:
    """Ask for another file of the same kind, which is asked again if it exists; return the question."""
    from askew_gui.dialogs.where import ask_where

    place = Path(path)
    return ask_where(parent, tr("Save as"), place, [f"*{place.suffix}"], place.suffix, chosen)

"""Asking whether to clear the cache of word vectors."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from askew.vectors.cache import cache_size, clear_cache
from askew_gui.context_menus import size_text
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from askew_gui.store import Store


def ask_and_clear(parent: QWidget, store: Store) -> QMessageBox:
    """Say what clearing does and, if that is wanted, do it; return the question."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(tr("Clear the cache"))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(tr("The cache of word vectors takes {}.").format(size_text(cache_size())))
    box.setInformativeText(
        tr(
            "It holds what Askew made of big files, so that they open at once and nearest words can be had. "
            "Your own files stay as they are, and what is in use stays too. "
            "A file that is opened again is imported again."
        )
    )
    clear = box.addButton(tr("Clear"), QMessageBox.ButtonRole.AcceptRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(QMessageBox.StandardButton.Cancel)
    clear.clicked.connect(partial(_clear, store))
    box.open()
    return box


def _clear(store: Store, _checked: bool = False) -> None:
    before = cache_size()
    kept = clear_cache({table.fingerprint for table in store.tables})
    left = cache_size()
    text = tr("{} were freed").format(size_text(before - left)) if before > left else tr("Nothing was freed")
    stays = tr("{} stay, for they are in use").format(size_text(left)) if kept else ""
    store.say("info", text, stays)

"""Asking what to open, where to save, and what becomes of changes that are not saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox

from askew_gui.dialogs.open_vectors import PATTERNS
from askew_gui.dialogs.where import ask_where
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from askew_gui.settings import Settings

SUFFIX = "askew"
PICTURES = "*.png *.svg *.html"


def ask_what_to_open(parent: QWidget, settings: Settings, chosen: Callable[[str], object]) -> QFileDialog:
    """Let any file be chosen: what it is shows in its content; return the question."""
    dialog = QFileDialog(parent, tr("Open"), settings.folder)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters(
        [
            tr("All files (*)"),
            tr("Sessions (*.askew)"),
            tr("Pictures that carry a session ({})").format(PICTURES),
            tr("Word vectors ({})").format(PATTERNS),
        ]
    )
    dialog.fileSelected.connect(chosen)
    dialog.open()
    return dialog


def ask_where_to_save(
    parent: QWidget, start: Path, chosen: Callable[[str], object], title: str
) -> QFileDialog:
    """Ask for the file of a session, which is asked again if it exists; return the question."""
    filters = [tr("Sessions (*.askew)"), tr("All files (*)")]
    return ask_where(parent, title, start, filters, SUFFIX, chosen)


def ask_about_changes(
    parent: QWidget, name: str, save: Callable[[], object], discard: Callable[[], object]
) -> QMessageBox:
    """Ask whether to save changes before they are gone; return the question."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(tr("Unsaved changes"))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(tr("Save the changes to “{}”?").format(name))
    box.setInformativeText(tr("They are lost if you don't save them."))
    yes = box.addButton(tr("Save"), QMessageBox.ButtonRole.AcceptRole)
    no = box.addButton(tr("Don't save"), QMessageBox.ButtonRole.DestructiveRole)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(yes)
    box.setEscapeButton(cancel)
    yes.clicked.connect(save)
    no.clicked.connect(discard)
    box.open()
    return box

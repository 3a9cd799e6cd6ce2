"""The dialogs of the window: about and keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog

from askew_gui.dialogs.about import about_dialog, keys_text

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.window import Window


def test_about_names_version_libraries_and_licences(window: Window, qtbot: QtBot) -> None:
    dialog = about_dialog(window)
    qtbot.addWidget(dialog)
    text = dialog.text.toPlainText()
    for what in ("Python 3.", "numpy ", "PySide6", "PDDL", "SIL OPEN FONT LICENSE", "MS MARCO"):
        assert what.lower() in text.lower()


def test_about_and_keyboard_open_and_close_from_the_menu(window: Window, qtbot: QtBot) -> None:
    for name in ("about", "keys"):
        window.actions_table[name].trigger()
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible()


def test_the_sheet_of_keys_has_every_shortcut(window: Window) -> None:
    text = keys_text(window)
    for spec in window.actions_table.specs:
        for key in spec.keys:
            assert key in text

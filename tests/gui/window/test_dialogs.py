"""The dialogs of the window: about, keyboard, and export of a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QWidget

from askew_gui.dialogs.about import about_dialog, keys_text
from askew_gui.dialogs.export import ExportDialog, ask_and_export
from askew_gui.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store
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


def test_the_export_dialog_previews_and_remembers(store: Store, settings: Settings, qtbot: QtBot) -> None:
    dialog = ExportDialog(store.evaluation, settings)
    qtbot.addWidget(dialog)
    assert dialog.image().width() == 1600
    dialog.pixels.setValue(1000)
    assert dialog.image().width() == 1000
    assert "1000 ×" in dialog.size_line.whole_text
    light = dialog.preview.pixmap().toImage()
    dialog.dark.setChecked(True)
    assert dialog.preview.pixmap().toImage() != light
    dialog.accept()
    assert Settings().export_width == 1000


def test_every_view_of_the_export_dialog_has_a_preview(
    store: Store, settings: Settings, qtbot: QtBot
) -> None:
    dialog = ExportDialog(store.evaluation, settings)
    qtbot.addWidget(dialog)
    for index in range(dialog.view.count()):
        dialog.view.setCurrentIndex(index)
        assert not dialog.preview.pixmap().isNull()


@pytest.mark.parametrize("name", ["picture", "picture.png"])
def test_an_export_is_a_file_of_the_width_asked(
    window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    from PySide6.QtGui import QImage

    window.settings.export_width = 700
    monkeypatch.setattr(ExportDialog, "exec", lambda _self: QDialog.DialogCode.Accepted)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(tmp_path / name), ""))
    window.actions_table["export"].trigger()
    assert QImage(str(tmp_path / "picture.png")).width() == 700
    assert window.messages.current is not None
    assert window.messages.current.level == "info"


def test_a_name_without_its_ending_replaces_no_file_unasked(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "picture.png"
    old.write_bytes(b"mine")
    answers = [str(tmp_path / "picture"), ""]
    suggested: list[str] = []

    def ask(_parent: QWidget, _title: str, suggestion: str, _kind: str) -> tuple[str, str]:
        suggested.append(suggestion)
        return answers.pop(0), ""

    monkeypatch.setattr(ExportDialog, "exec", lambda _self: QDialog.DialogCode.Accepted)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    assert not ask_and_export(window, window.store, window.settings)
    assert old.read_bytes() == b"mine"
    assert suggested[1] == str(old)


def test_an_export_that_is_cancelled_writes_nothing(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ExportDialog, "exec", lambda _self: QDialog.DialogCode.Rejected)
    assert not ask_and_export(window, window.store, window.settings)
    monkeypatch.setattr(ExportDialog, "exec", lambda _self: QDialog.DialogCode.Accepted)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: ("", ""))
    assert not ask_and_export(window, window.store, window.settings)
    assert list(tmp_path.glob("*.png")) == []


def test_an_export_to_a_place_that_cannot_be_written_says_so(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ExportDialog, "exec", lambda _self: QDialog.DialogCode.Accepted)
    target = str(tmp_path / "no such folder" / "x.png")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (target, ""))
    assert not ask_and_export(window, window.store, window.settings)
    assert window.messages.current is not None
    assert window.messages.current.level == "error"

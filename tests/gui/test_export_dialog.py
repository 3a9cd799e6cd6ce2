"""The dialog that asks for a picture: preview, choices, caption, what is carried, failure."""

from __future__ import annotations

import errno
import os
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QCheckBox, QComboBox, QDialog, QFileDialog, QLabel, QWidget

from askew.carried import extract
from askew.evaluation import evaluate
from askew_gui.dialogs.export import ExportDialog, ask_and_export
from askew_gui.dialogs.export_names import filters
from askew_gui.export import png
from askew_gui.export.png import png_bytes
from askew_gui.export.spec import VIEWS, PictureSpec
from askew_gui.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.export.spec import Format
    from askew_gui.store import Store
    from askew_gui.window import Window


@pytest.fixture
def dialog(store: Store, settings: Settings, qtbot: QtBot) -> ExportDialog:
    dialog = ExportDialog(store.evaluation, settings)
    qtbot.addWidget(dialog)
    return dialog


def shown(dialog: ExportDialog) -> QImage:
    dialog.refresh()
    return dialog.preview.pixmap().toImage()


def choose(dialog: ExportDialog, name: str, value: object) -> None:
    box = getattr(dialog.form, name)
    place = box.findData(value)
    assert place >= 0
    box.setCurrentIndex(place)


def test_the_preview_follows_the_choices_after_a_moment(dialog: ExportDialog, qtbot: QtBot) -> None:
    dialog.show()
    before = shown(dialog)
    choose(dialog, "theme", "dark")
    assert dialog.preview.pixmap().toImage() == before, "not at every key"
    qtbot.waitUntil(lambda: dialog.preview.pixmap().toImage() != before)


def test_every_choice_has_a_name_for_screen_readers(dialog: ExportDialog) -> None:
    kinds = (QComboBox, QAbstractSpinBox, QCheckBox)
    fields = [field for field in dialog.form.findChildren(QWidget) if isinstance(field, kinds)]
    labelled = {label.buddy() for label in dialog.form.findChildren(QLabel)}
    assert len(fields) == 13
    for field in fields:
        text = field.text() if isinstance(field, QCheckBox) else ""
        assert field in labelled or field.accessibleName() or text, field


@pytest.mark.parametrize(
    ("name", "value"),
    [("theme", "dark"), ("colours", "grey"), ("range", "map"), ("numbers", "on"), ("view", "grid")],
)
def test_each_choice_is_seen_in_the_preview(dialog: ExportDialog, name: str, value: str) -> None:
    dialog.resize(1100, 760)
    dialog.show()
    before = shown(dialog)
    choose(dialog, name, value)
    assert shown(dialog) != before
    assert getattr(dialog.spec(), name) == value


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("every", [False, True])
def test_every_view_has_a_preview(dialog: ExportDialog, view: str, every: bool) -> None:
    choose(dialog, "view", view)
    dialog.form.all_heads.setChecked(every)
    assert not shown(dialog).isNull()
    assert dialog.save.isEnabled()
    assert dialog.spec().all_heads == (every and view not in ("grid", "raw"))


def test_a_preset_sets_the_size_and_another_size_has_no_name(dialog: ExportDialog) -> None:
    form = dialog.form
    form.preset.setCurrentIndex(form.preset.findData("single-column"))
    form.preset.activated.emit(form.preset.currentIndex())
    dialog.refresh()
    spec = dialog.spec()
    assert (spec.width, spec.unit, spec.dpi, spec.font_size) == (89, "mm", 300, 6)
    assert "1051 ×" in dialog.size_line.whole_text
    assert form.preset.currentData() == "single-column"
    form.width_field.setValue(90)
    assert form.preset.currentData() == ""
    choose(dialog, "format", "svg")
    dialog.refresh()
    assert dialog.size_line.whole_text.startswith("SVG, 90 × ")
    assert not form.scale.isEnabled()


def test_what_cannot_be_painted_is_said_in_place_of_the_preview(dialog: ExportDialog) -> None:
    dialog.form.width_field.setValue(5000)
    dialog.form.scale.setValue(8)
    dialog.refresh()
    assert "cannot be 40000 pixels wide" in dialog.preview.text()
    assert not dialog.save.isEnabled()
    dialog.form.scale.setValue(1)
    assert not shown(dialog).isNull()
    assert dialog.save.isEnabled()


def test_choices_are_remembered_when_accepted(dialog: ExportDialog) -> None:
    choose(dialog, "view", "grid")
    choose(dialog, "format", "pdf")
    choose(dialog, "unit", "mm")
    dialog.form.width_field.setValue(120)
    dialog.form.title.setText("only for this picture")
    dialog.accept()
    kept = Settings().export_picture
    assert (kept["view"], kept["format"], kept["width"], kept["unit"]) == ("grid", "pdf", 120, "mm")
    assert "title" not in kept


def test_the_caption_follows_the_view_until_a_person_writes_it(dialog: ExportDialog) -> None:
    first = dialog.caption.edit.toPlainText()
    assert "head 0" in first
    assert dialog.spec().caption == ""
    choose(dialog, "view", "raw")
    dialog.refresh()
    assert "raw similarity, without" in dialog.caption.edit.toPlainText()
    dialog.caption.edit.setPlainText("mine & only 50%")
    choose(dialog, "view", "grid")
    dialog.refresh()
    assert dialog.caption.edit.toPlainText() == "mine & only 50%"
    before = shown(dialog)
    dialog.caption.shown.setChecked(True)
    assert dialog.spec().caption == "mine & only 50%"
    assert shown(dialog) != before
    dialog.caption.copies["latex"].click()
    assert QGuiApplication.clipboard().text() == r"mine \& only 50\%"
    dialog.caption.anew.click()
    assert "all 5 heads" in dialog.caption.edit.toPlainText()


def test_what_is_carried_is_stated_and_one_click_off(dialog: ExportDialog) -> None:
    assert dialog.carry.isChecked()
    assert dialog.session("png") is not None
    assert "Open the file with Askew" in dialog.carry_line.whole_text
    dialog.carry.click()
    assert dialog.session("png") is None
    dialog.carry.click()
    choose(dialog, "format", "pdf")
    dialog.refresh()
    assert not dialog.carry.isEnabled()
    assert dialog.session("pdf") is None
    assert dialog.session("svg") is not None, "the name of the file may ask for another format"


def test_too_large_an_experiment_is_not_carried_and_why(
    store: Store, settings: Settings, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from askew import session_file

    def too_large(*_args: object, **_options: object) -> bytes:
        raise session_file.TooLargeError("the numbers take 9 MB, a picture carries 4 MB")

    monkeypatch.setattr(session_file, "to_bytes", too_large)
    dialog = ExportDialog(store.evaluation, settings)
    qtbot.addWidget(dialog)
    assert not dialog.carry.isEnabled()
    assert "9 MB" in dialog.carry_line.whole_text
    assert dialog.session("png") is None


@pytest.mark.parametrize("tokens", [1, 300])
@pytest.mark.parametrize("size", [(1000, 640), (1120, 760)])
def test_the_dialog_fits_with_few_and_many_tokens(
    store: Store, settings: Settings, qtbot: QtBot, tokens: int, size: tuple[int, int]
) -> None:
    text = " ".join(["cat"] * tokens)
    dialog = ExportDialog(evaluate(replace(store.experiment, text=text), store.vectors), settings)
    qtbot.addWidget(dialog)
    dialog.resize(*size)
    dialog.show()
    dialog.refresh()
    assert (dialog.width(), dialog.height()) == size
    assert dialog.preview.width() > 380
    for field in (dialog.form.title, dialog.carry, dialog.save, dialog.caption.anew):
        assert dialog.rect().contains(field.mapTo(dialog, field.rect().bottomRight()))


def accept(monkeypatch: pytest.MonkeyPatch, *answers: tuple[str, str]) -> list[str]:
    """Let the dialog be accepted and files be named; return what is suggested each time."""
    left, suggested = list(answers), []

    def name(_parent: QWidget, _title: str, suggestion: str, _kinds: str, _kind: str) -> tuple[str, str]:
        suggested.append(suggestion)
        return left.pop(0)

    monkeypatch.setattr(ExportDialog, "exec", lambda _self: QDialog.DialogCode.Accepted)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", name)
    return suggested


def finish(window: Window) -> None:
    """Wait until the files that are being written are there."""
    QTest.qWait(0)
    while not window.store.jobs.idle:
        QTest.qWait(1)


def test_pixels_are_packed_beside_the_window(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    def packed(image: QImage) -> bytes:
        seen.append(threading.current_thread() is threading.main_thread())
        return png_bytes(image)

    monkeypatch.setattr(png, "png_bytes", packed)
    accept(monkeypatch, (str(tmp_path / "x.png"), ""))
    assert ask_and_export(window, window.store, window.settings)
    finish(window)
    assert seen == [False]


@pytest.mark.parametrize("name", ["picture", "picture.png"])
def test_an_export_is_a_file_of_the_width_asked_that_carries_its_experiment(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    window.settings.export_picture = {"width": 700.0, "unit": "px"}
    accept(monkeypatch, (str(tmp_path / name), ""))
    window.actions_table["export"].trigger()
    finish(window)
    file = tmp_path / "picture.png"
    assert QImage(str(file)).width() == 700
    assert extract(file.read_bytes(), file.name) is not None
    assert str(tmp_path).encode() not in file.read_bytes()
    assert window.messages.current is not None
    assert window.messages.current.level == "info"


@pytest.mark.parametrize(
    ("name", "kind", "start"),
    [("a.svg", "png", b"<?xml"), ("a", "pdf", b"%PDF"), ("a.b", "svg", b"<?xml"), ("a.PDF", "png", b"%PDF")],
)
def test_the_ending_decides_the_format_or_else_the_kind_chosen(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: Format, start: bytes
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    accept(monkeypatch, (str(folder / name), filters()[kind]))
    assert ask_and_export(window, window.store, window.settings)
    finish(window)
    [file] = folder.iterdir()
    assert file.read_bytes().startswith(start)


def test_a_name_without_its_ending_replaces_no_file_unasked(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "picture.png"
    old.write_bytes(b"mine")
    suggested = accept(monkeypatch, (str(tmp_path / "picture"), ""), ("", ""))
    assert not ask_and_export(window, window.store, window.settings)
    assert old.read_bytes() == b"mine"
    assert suggested[1] == str(old)


def test_an_export_that_is_cancelled_writes_nothing(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    accept(monkeypatch, ("", ""))
    assert not ask_and_export(window, window.store, window.settings)
    monkeypatch.setattr(ExportDialog, "exec", lambda _self: QDialog.DialogCode.Rejected)
    assert not ask_and_export(window, window.store, window.settings)
    assert list(tmp_path.glob("*.png")) == []


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES])
def test_a_failure_leaves_the_old_file_and_can_be_tried_again(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    target = folder / "x.png"
    target.write_bytes(b"old")
    accept(monkeypatch, (str(target), ""))
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", _failing(code))
        assert ask_and_export(window, window.store, window.settings)
        finish(window)
    message = window.messages.current
    assert message is not None
    assert message.level == "error"
    assert "x.png" in message.text
    assert target.read_bytes() == b"old"
    assert os.listdir(folder) == ["x.png"]
    (said, again), (other, _elsewhere) = message.choices
    assert (said, other) == ("Retry", "Save as…")
    again()
    finish(window)
    assert QImage(str(target)).width() == PictureSpec().pixels


def _failing(code: int) -> object:
    def fail(_descriptor: int) -> None:
        raise OSError(code, os.strerror(code))

    return fail

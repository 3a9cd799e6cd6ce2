"""A file that could not be written is offered again and elsewhere, the same way for every kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from askew_gui.dialogs import export_numbers, export_report, export_weights, save_vectors
from askew_gui.export.choices import from_plain
from askew_gui.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.window import Window


def numbers(window: Window, path: str) -> None:
    export_numbers.ask_and_export(window, window.store, window.settings).write(path)


def weights(window: Window, path: str) -> None:
    export_weights.ask_and_export(window, window.store, window.settings).write(path)


def report(window: Window, path: str) -> None:
    export_report.export(window, window.store, window.settings, path)


def vectors(window: Window, path: str) -> None:
    save_vectors.save(window.store, "safetensors", window, path)


def picture(window: Window, path: str) -> None:
    from askew_gui.dialogs.export import export

    export(window, window.store, window.store.evaluation, from_plain({})[0], None, path)


def session(window: Window, path: str) -> None:
    window.sessions._save_to(path)


KINDS = (numbers, weights, report, vectors, picture, session)
SUFFIXES = (".csv", ".npz", ".html", ".safetensors", ".svg", ".askew")


@pytest.mark.parametrize(("write", "suffix"), list(zip(KINDS, SUFFIXES, strict=True)))
def test_what_could_not_be_written_is_written_elsewhere(
    window: Window, qtbot: QtBot, tmp_path: Path, write: Callable[[Window, str], None], suffix: str
) -> None:
    store = window.store
    write(window, str(tmp_path / "gone" / f"my file{suffix}"))
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=5000)
    message = window.messages.current
    assert message is not None
    assert [text for text, _ in message.choices] == ["Retry", "Save as…"]
    message.choices[1][1]()
    dialog = _question(window)
    assert dialog.selectedFiles()[0].endswith(suffix)
    there = tmp_path / f"there{suffix}"
    dialog.fileSelected.emit(str(there))
    dialog.reject()
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=5000)
    assert there.stat().st_size > 0


def _question(window: QWidget) -> QFileDialog:
    (dialog,) = (each for each in window.findChildren(QDialog) if isinstance(each, QFileDialog))
    return dialog


def test_the_name_of_a_file_keeps_its_small_letter(window: Window) -> None:
    from askew.errors import AskewError

    window.store.fail(AskewError("it is no session", where="my report.html, line 3"))
    assert window.messages.current == Message("error", "“my report.html”, line 3: it is no session")
    assert window.messages.current.line.startswith("“my report.html”")
    window.store.fail(AskewError("it has 1 value", where="row 2"))
    assert window.messages.current.line == "Row 2: it has 1 value."

"""Exporting weights in the window: what, as what, and where to."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from tests.gui.vector_files import message, settled

from askew.weights import Choice, load, look, plan
from askew_gui import intents
from askew_gui.dialogs.export_weights import ExportWeightsDialog

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store
    from askew_gui.window import Window


def export_dialog(window: Window) -> ExportWeightsDialog:
    window.actions_table["export-weights"].trigger()
    return next(each for each in window.findChildren(ExportWeightsDialog) if each.isVisible())


def write(dialog: ExportWeightsDialog, store: Store, qtbot: QtBot, path: Path) -> None:
    """Press Save as, and give the file dialog a name."""
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    asked = dialog.findChild(QFileDialog)
    assert asked is not None
    asked.fileSelected.emit(str(path))
    settled(store, qtbot)


def chosen(dialog: ExportWeightsDialog, what: str, kind: str, qtbot: QtBot) -> None:
    for choice, name in ((dialog.what, what), (dialog.kind, kind)):
        while choice.name != name:
            qtbot.keyClick(choice, Qt.Key.Key_Down)


@pytest.mark.parametrize("kind", ["npz", "safetensors"])
def test_all_heads_go_into_a_file_and_come_back_bit_for_bit(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path, kind: str
) -> None:
    dialog = export_dialog(window)
    chosen(dialog, "all", kind, qtbot)
    path = tmp_path / f"heads.{kind}"
    write(dialog, store, qtbot, path)
    assert message(window) == f"Wrote {path.name}."
    file = look(path)
    imported = load(file, plan(file, Choice(), d_model=store.vectors.dim))
    assert imported.heads is not None
    for old, new in zip(store.experiment.heads, imported.heads, strict=True):
        assert old.w_k.tobytes() == new.w_k.tobytes()


def test_the_heads_shown_alone_can_be_written_as_tables(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    from zipfile import ZipFile

    intents.select_head(store, 3)
    dialog = export_dialog(window)
    assert "Head 3" in [dialog.what.itemText(i) for i in range(dialog.what.count())]
    chosen(dialog, "selected", "csv", qtbot)
    write(dialog, store, qtbot, tmp_path / "head.zip")
    with ZipFile(tmp_path / "head.zip") as archive:
        assert archive.namelist() == ["head3_w_q.csv", "head3_w_k.csv", "head3_w_v.csv"]


def test_one_matrix_is_a_table_and_nothing_else(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = export_dialog(window)
    chosen(dialog, "v", "matrix", qtbot)
    assert not dialog.kind.isEnabled()
    write(dialog, store, qtbot, tmp_path / "w_v.csv")
    read = np.loadtxt(tmp_path / "w_v.csv", delimiter=",", dtype=np.float32, ndmin=2)
    np.testing.assert_array_equal(read, store.experiment.heads[0].w_v)


def test_the_program_runs_and_its_numbers_are_named(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = export_dialog(window)
    chosen(dialog, "all", "script", qtbot)
    assert "numpy alone" in dialog.text.text()
    write(dialog, store, qtbot, tmp_path / "attention.py")
    assert "attention_data.npz" in message(window)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "attention.py")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("as shown") == 5


def test_a_place_that_cannot_be_written_is_said_and_nothing_changes(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    before = store.experiment
    write(export_dialog(window), store, qtbot, tmp_path / "no such folder" / "heads.npz")
    assert "cannot write" in message(window).lower()
    assert store.experiment is before

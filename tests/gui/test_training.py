"""Training vectors from a text beside the window, and saving them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QProcess, Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from askew.vectors import open_vectors
from askew_gui import paths
from askew_gui.dialogs.save_vectors import SUFFIXES, kinds, save

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.dialogs.train import TrainDialog
    from askew_gui.store import Store
    from askew_gui.window import Window

LONG = 60_000  # ms


@pytest.fixture
def text(tmp_path: Path) -> Path:
    chosen = random.Random(4)
    file = tmp_path / "farm.txt"
    animals, foods = ["cat", "dog", "horse"], ["bread", "cheese", "soup"]
    lines = [f"the {chosen.choice(animals)} eats {chosen.choice(foods)}" for _ in range(400)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.fixture
def dialog(window: Window, text: Path) -> TrainDialog:
    window.actions_table["train-vectors"].trigger()
    dialog = window.vector_files.show_training()
    assert dialog.isVisible()
    assert not dialog.isModal()
    dialog.path.setText(str(text))
    dialog.dim.setValue(8)
    dialog.epochs.setValue(2)
    return dialog


def said(window: Window) -> str:
    return " | ".join(message.line for message in window.messages.messages)


def test_a_text_is_trained_on_opened_and_offered_for_saving(
    window: Window, store: Store, dialog: TrainDialog, qtbot: QtBot
) -> None:
    losses: list[float] = []
    trainer = dialog._trainer
    trainer.changed.connect(lambda: losses.extend(trainer.losses[len(losses) :]))
    with qtbot.waitSignal(store.changed, timeout=LONG):
        qtbot.mouseClick(dialog.train, Qt.MouseButton.LeftButton)
        assert dialog.bar.isVisible()
        assert not dialog.path.isEnabled()
    assert store.vectors.name == "farm.safetensors"
    assert (len(store.vectors), store.vectors.dim) == (8, 8)
    assert len(losses) == 2
    assert not dialog.isVisible()
    assert "farm.safetensors was trained" in said(window)
    assert [file.name for file in (paths.data_dir() / "trained").iterdir()] == ["farm.safetensors"]


def test_cancel_ends_the_training_and_leaves_nothing(
    window: Window, store: Store, dialog: TrainDialog, qtbot: QtBot
) -> None:
    before = store.experiment
    dialog.epochs.setValue(1000)
    qtbot.mouseClick(dialog.train, Qt.MouseButton.LeftButton)
    helper = dialog._trainer.helper
    assert helper is not None
    qtbot.waitUntil(lambda: dialog._trainer.done > 0, timeout=LONG)
    with qtbot.waitSignal(helper.process.finished, timeout=10_000):
        qtbot.mouseClick(dialog.stop, Qt.MouseButton.LeftButton)
    assert dialog.train.isEnabled()
    assert dialog.state.whole_text == "Cancelled."
    assert list((paths.data_dir() / "trained").iterdir()) == []
    assert store.experiment is before


def test_too_short_a_text_is_said_in_the_dialog(dialog: TrainDialog, text: Path, qtbot: QtBot) -> None:
    text.write_text("once upon a time\n")
    with qtbot.waitSignal(dialog._trainer.failed, timeout=LONG):
        qtbot.mouseClick(dialog.train, Qt.MouseButton.LeftButton)
    assert "too few to train on" in dialog.state.whole_text
    assert "Traceback" not in dialog.state.whole_text
    assert dialog.isVisible()
    assert dialog.train.isEnabled()


def test_a_file_that_is_not_there_is_said_before_anything_starts(dialog: TrainDialog, qtbot: QtBot) -> None:
    dialog.path.setText("nowhere.txt")
    qtbot.mouseClick(dialog.train, Qt.MouseButton.LeftButton)
    assert "no file" in dialog.state.whole_text
    assert not dialog._trainer.is_running
    dialog.path.clear()
    assert not dialog.train.isEnabled()


def test_the_training_ends_with_the_window(window: Window, dialog: TrainDialog, qtbot: QtBot) -> None:
    dialog.epochs.setValue(1000)
    qtbot.mouseClick(dialog.train, Qt.MouseButton.LeftButton)
    helper = dialog._trainer.helper
    assert helper is not None
    process = helper.process
    qtbot.waitUntil(lambda: process.state() == QProcess.ProcessState.Running, timeout=LONG)
    window.close()
    assert process.state() == QProcess.ProcessState.NotRunning


@pytest.mark.parametrize("kind", SUFFIXES)
def test_vectors_are_saved_in_each_kind_and_read_back(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path, kind: str
) -> None:
    file = tmp_path / f"mine{SUFFIXES[kind]}"
    save(store, kind, window, str(file))
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=5000)
    assert f"Wrote {file.name}" in said(window)
    again = open_vectors(file)
    assert list(again) == list(store.vectors)
    assert again.origin.format == kind


def test_the_dialog_saves_as_the_kind_that_was_chosen(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    window.settings.folder = str(tmp_path)
    window.actions_table["save-vectors"].trigger()
    dialog = window.findChildren(QFileDialog)[0]
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.selectNameFilter(kinds()["word2vec-binary"])
    dialog.filterSelected.emit(kinds()["word2vec-binary"])
    dialog.selectFile(str(tmp_path / "out"))
    dialog.accept()
    qtbot.waitUntil(lambda: (tmp_path / "out.bin").exists() and store.jobs.idle, timeout=5000)
    assert open_vectors(tmp_path / "out.bin").origin.format == "word2vec-binary"
    assert QApplication.activeModalWidget() is None


def test_a_place_that_cannot_be_written_is_said(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    save(store, "word2vec-text", window, str(tmp_path / "nowhere" / "x.txt"))
    qtbot.waitUntil(lambda: "cannot write" in said(window).lower(), timeout=5000)

"""Files dropped on the window or chosen again, the later of two, progress and Cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QMenu
from tests.gui.window.steps import fail

from askew_gui.context_menus import fill_recent

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.jobs import Job
    from askew_gui.store import Store
    from askew_gui.window import Window

WORDS = ["the", "animal", "cat", "dog"]


def vector_file(folder: Path, name: str = "mine.txt", dim: int = 7) -> Path:
    file = folder / name
    lines = [
        f"{word} " + " ".join(f"{(i + 1) * (j + 1) / 10}" for j in range(dim)) for i, word in enumerate(WORDS)
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def dropped(window: Window, *files: Path) -> QDropEvent:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    place = window.rect().center()
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(place, copy, mime, left, none)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted() == bool(files)
    drop = QDropEvent(QPointF(place), copy, mime, left, none)
    QApplication.sendEvent(window, drop)
    return drop


def test_a_dropped_vector_file_is_opened_and_undo_brings_the_old_back(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    before = store.experiment
    file = vector_file(tmp_path, "Ünï 文件 (1).vec")
    with qtbot.waitSignal(store.changed, timeout=5000):
        dropped(window, file)
    assert store.vectors.dim == 7
    assert "Ünï 文件 (1)" in store.experiment.vectors.name
    assert window.messages.current is not None
    assert "7 numbers per word instead of 20" in window.messages.current.text
    store.undo()
    assert store.experiment is before
    assert store.vectors.dim == 20


def test_what_is_not_a_file_is_not_taken(window: Window, store: Store) -> None:
    dropped(window)
    assert store.jobs.idle


def test_a_file_that_cannot_be_read_becomes_a_message_and_changes_nothing(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    before = store.experiment
    file = tmp_path / "page.txt"
    file.write_text("<!DOCTYPE html><html><body>Not found</body></html>")
    window.open_file(str(file))
    qtbot.waitUntil(lambda: window.messages.current is not None, timeout=5000)
    assert window.messages.current is not None
    assert window.messages.current.level == "error"
    assert window.messages.current.remedy
    assert store.experiment is before


def test_of_two_files_the_later_wins(window: Window, store: Store, qtbot: QtBot, tmp_path: Path) -> None:
    first, second = vector_file(tmp_path, "first.txt", 6), vector_file(tmp_path, "second.txt", 9)
    window.open_file(str(first))
    window.open_file(str(second))
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=5000)
    assert store.vectors.dim == 9
    assert store.undo_stack.count() == 1


def test_a_recent_file_is_opened_again_from_the_menu(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    menu = QMenu(window)
    fill_recent(window, menu)
    assert [action.isEnabled() for action in menu.actions()] == [False]
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.open_file(str(vector_file(tmp_path, "A&B.txt")))
    window.open_file(str(tmp_path / "missing.txt"))
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=5000)
    store.undo()
    fill_recent(window, menu)
    assert [action.text() for action in menu.actions()] == ["A&&B.txt"]
    with qtbot.waitSignal(store.changed, timeout=5000):
        menu.actions()[0].trigger()
    assert store.vectors.dim == 7


def test_progress_is_shown_for_what_takes_long_and_cancel_stops_it(
    window: Window, store: Store, qtbot: QtBot
) -> None:
    def work(job: Job) -> None:
        while True:
            job.report(250_000_000, 1_000_000_000)

    job = store.jobs.submit("files", work, fail, fail, topic="vectors", label="Opening big.txt")
    assert not window.progress.isVisible()
    qtbot.waitUntil(window.progress.isVisible, timeout=5000)
    said = " ".join(label.text() for label in window.progress.findChildren(QLabel))
    assert "Opening big.txt" in said
    assert "250 of 1,000 MB" in said
    qtbot.mouseClick(window.progress._cancel, Qt.MouseButton.LeftButton)
    assert job.cancelled
    assert not window.progress.isVisible()
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=5000)

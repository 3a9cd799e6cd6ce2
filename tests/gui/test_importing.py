"""The import of a big file beside the window: by the real process, with its cancel, its end, its failures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QProcess, Qt
from PySide6.QtWidgets import QMessageBox

from askew.vectors import files
from askew.vectors.cache import cache_folder, cache_size
from askew.vectors.options import Options
from askew_gui.context_menus import show_cache_size, size_text
from askew_gui.helper import Helper
from askew_gui.importing import arguments
from askew_gui.panels.vectors_status import VectorsStatus

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.importing import Importer
    from askew_gui.store import Store
    from askew_gui.window import Window

WORDS = ("the", "animal", "cat", "dog", "tired")
LONG = 30_000  # ms


@pytest.fixture(autouse=True)
def every_file_is_big(monkeypatch: pytest.MonkeyPatch) -> None:
    """Index even small files in place, so that they need an import."""
    monkeypatch.setattr(files, "SMALL", 0)


def text_file(folder: Path, rows: int = 5, dim: int = 7) -> Path:
    file = folder / "big.txt"
    words = [*WORDS, *(f"w{i}" for i in range(rows - len(WORDS)))]
    numbers = [" ".join(f"{(i * j) % 11 / 10}" for j in range(1, dim + 1)) for i in range(1, 12)]
    file.write_text("".join(f"{word} {numbers[i % 11]}\n" for i, word in enumerate(words)), encoding="utf-8")
    return file


def open_big(window: Window, qtbot: QtBot, file: Path) -> Importer:
    """Open a file and begin its import at once."""
    preparation = window.vector_files.preparation
    with qtbot.waitSignal(window.store.changed, timeout=LONG):
        window.vector_files.open(str(file))
    qtbot.waitUntil(lambda: window.store.jobs.idle, timeout=LONG)
    assert not window.store.vectors.searchable
    preparation.pause.stop()
    preparation.begin()
    return preparation.importer


def status(window: Window) -> VectorsStatus:
    return window.heads.findChildren(VectorsStatus)[0]


def said(window: Window) -> str:
    return " | ".join(message.line for message in window.messages.messages)


def test_after_the_import_nearest_words_are_there_and_the_panel_is_quiet(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    importer = open_big(window, qtbot, text_file(tmp_path))
    line = status(window)
    assert line.state.isVisible()
    assert "preparing" in line.state.whole_text
    with qtbot.waitSignal(importer.imported, timeout=LONG):
        pass
    assert store.vectors.searchable
    assert {word for word, _ in store.vectors.neighbours("the", 4)} <= set(WORDS)
    assert not line.isVisible()
    assert cache_size() > 0
    assert importer.vectors is None


def test_an_import_begins_by_itself_a_moment_after_the_file_was_opened(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(window.vector_files.preparation.importer.imported, timeout=LONG):
        window.open_file(str(text_file(tmp_path)))
    assert store.vectors.searchable


def test_a_problem_that_only_the_whole_reading_finds_is_told_afterwards(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    file = text_file(tmp_path)
    with file.open("a") as more:
        more.write("the 1 2 3 4 5 6 7\n")
    importer = open_big(window, qtbot, file)
    with qtbot.waitSignal(importer.imported, timeout=LONG):
        pass
    assert "'the' is on line 1 and again on line 6" in said(window)
    assert status(window).report.text() == "1 problem"


def test_cancel_ends_the_import_leaves_nothing_and_does_not_begin_it_again(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    importer = open_big(window, qtbot, text_file(tmp_path, rows=150_000, dim=60))
    assert importer.helper is not None
    process = importer.helper.process
    qtbot.waitUntil(lambda: importer.done > 0, timeout=LONG)
    with qtbot.waitSignal(process.finished, timeout=5000):
        qtbot.mouseClick(status(window).cancel, Qt.MouseButton.LeftButton)
    assert importer.vectors is None
    assert not store.vectors.searchable
    assert status(window).start.isVisible()
    assert [folder.name for folder in cache_folder().glob("*") if folder.name.startswith(".")] == []
    store.undo()
    store.redo()
    assert not window.vector_files.preparation.pause.isActive()
    qtbot.mouseClick(status(window).start, Qt.MouseButton.LeftButton)
    assert importer.vectors is store.vectors


def test_the_import_ends_with_the_window(window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    importer = open_big(window, qtbot, text_file(tmp_path, rows=150_000, dim=60))
    assert importer.helper is not None
    process = importer.helper.process
    qtbot.waitUntil(lambda: importer.done > 0, timeout=LONG)
    window.close()
    assert process.state() == QProcess.ProcessState.NotRunning


def test_the_import_ends_even_if_the_window_is_killed(tmp_path: Path, askew_home: Path) -> None:
    file = text_file(tmp_path, rows=150_000, dim=60)
    child = subprocess.Popen(
        [sys.executable, "-m", "askew_gui", *arguments(file, Options())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert set(json.loads(child.stdout.readline())) == {"done", "total"}
    child.stdin.close()  # as when the process that held it has gone
    assert child.wait(timeout=10) == 1
    child.stdout.close()


def test_a_cache_that_cannot_be_written_is_said_once_and_all_else_works(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    cache_folder().parent.mkdir(parents=True, exist_ok=True)
    cache_folder().write_text("a file where a folder should be")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        importer = open_big(window, qtbot, text_file(tmp_path / name, dim=6 + len(name) + (name == "two")))
        with qtbot.waitSignal(importer.failed, timeout=LONG):
            pass
    warnings = [message for message in window.messages.messages if message.level == "warning"]
    assert len(warnings) == 1
    assert "cache" in warnings[0].line
    assert "among the first 50,000 words" in warnings[0].line
    assert "Traceback" not in warnings[0].line
    assert len(store.evaluation.tokens) > 3
    assert status(window).start.isVisible()
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=LONG)
    assert store.stand_in is not None
    assert {word for word, _ in store.stand_in.neighbours("the", 3)} <= set(WORDS)


def test_damage_found_by_the_import_can_be_left_out(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = text_file(tmp_path)
    importer = open_big(window, qtbot, file)
    vectors = store.vectors
    importer.cancel()
    from askew_gui.helper import Failure

    importer.failed.emit(vectors, Failure("DamagedError", "it has 3 numbers", "big.txt, line 2"))
    assert "line 2" in said(window)
    with qtbot.waitSignal(importer.imported, timeout=LONG):
        qtbot.mouseClick(window.messages._choose, Qt.MouseButton.LeftButton)
    assert vectors.searchable


def test_a_process_that_cannot_start_is_said(
    window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no such program"))
    window.vector_files.preparation.pause.setInterval(10_000_000)
    with qtbot.waitSignal(window.store.changed, timeout=LONG):
        window.open_file(str(text_file(tmp_path)))
    with qtbot.waitSignal(window.vector_files.preparation.importer.failed, timeout=LONG):
        window.vector_files.preparation.begin()
    assert "cannot be started" in said(window)


@pytest.mark.skipif(os.name != "posix", reason="priorities of POSIX")
def test_the_process_gives_way(tmp_path: Path, askew_home: Path) -> None:
    file = text_file(tmp_path, rows=150_000, dim=60)
    child = subprocess.Popen(
        [sys.executable, "-m", "askew_gui", *arguments(file, Options())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stdin is not None
    child.stdout.readline()
    assert os.getpriority(os.PRIO_PROCESS, child.pid) >= 10
    child.stdin.close()
    child.wait(timeout=10)
    child.stdout.close()


def test_the_choices_of_a_file_become_the_flags_of_the_command() -> None:
    options = Options(member="a b.txt", limit=7, skip_damaged=True)
    path = Path("/x/--y.zip")
    flags = ["--background", "--skip-damaged", "--limit=7", "--member=a b.txt", "--", str(path)]
    assert arguments(path, options) == ["vectors", "import", *flags]


@pytest.mark.parametrize("frozen", [True, False])
def test_a_frozen_program_is_the_command_itself(
    window: Window, monkeypatch: pytest.MonkeyPatch, *, frozen: bool
) -> None:
    monkeypatch.setattr(sys, "frozen", frozen, raising=False)
    monkeypatch.setattr(QProcess, "start", lambda _process: None)
    helper = Helper(["vectors", "list"], window)
    assert helper.process.program() == sys.executable
    assert helper.process.arguments() == [*([] if frozen else ["-m", "askew_gui"]), "vectors", "list"]


# The cache


def test_the_menu_says_how_big_the_cache_is_and_clears_what_is_not_in_use(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    show_cache_size(window)
    action = window.actions_table["clear-cache"]
    assert not action.isEnabled()
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        importer = open_big(
            window, qtbot, text_file(tmp_path / name, rows=2000, dim=len(name) + ord(name[0]) % 7)
        )
        with qtbot.waitSignal(importer.imported, timeout=LONG):
            pass
    unused = cache_folder() / "0123-4567"
    unused.mkdir()
    (unused / "vectors.f4").write_bytes(b"\0" * 3_000_000)
    show_cache_size(window)
    assert action.isEnabled()
    assert size_text(cache_size()) in action.text()
    action.trigger()
    box = window.findChildren(QMessageBox)[0]
    assert size_text(cache_size()) in box.text()
    box.button(QMessageBox.StandardButton.Cancel).click()
    assert unused.exists()
    action.trigger()
    box = window.findChildren(QMessageBox)[-1]
    next(button for button in box.buttons() if button.text() == "Clear").click()
    assert not unused.exists()
    assert len(list(cache_folder().iterdir())) >= 2
    assert "3 MB were freed" in said(window)
    assert store.vectors.searchable


def test_an_open_report_of_progress_names_megabytes(window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    importer = open_big(window, qtbot, text_file(tmp_path))
    importer.done, importer.total, importer._begun = 250_000_000, 1_000_000_000, time.monotonic() - 10
    importer.changed.emit()
    assert status(window).state.whole_text == "preparing, 25 %"
    assert "250 of 1,000 MB · 30 s left" in status(window).state.toolTip()

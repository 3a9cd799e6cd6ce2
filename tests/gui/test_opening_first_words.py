"""The first words of a big file, in use while the rest of it is read."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import Qt
from tests.gui.vector_files import WORDS, message, settled, text_file

from askew.errors import AskewError, VectorsError
from askew.vectors import WordVectors
from askew.vectors.options import Options
from askew_gui import intents, opening

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.jobs import Job
    from askew_gui.store import Store
    from askew_gui.window import Window


class Reader:
    """Stands for the reading of a big file: hands over its first words, then waits for what the test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go_on = threading.Event()
        self.error: AskewError | None = None
        self.table = table(WORDS[:2])
        self.table.source = (Path("big.txt"), Options())
        monkeypatch.setattr(opening, "_open", self._open)

    def _open(self, _path: str, _options: dict[str, object], job: Job) -> WordVectors:
        job.hand_over(self.table)
        while not self.go_on.wait(0.01):
            job.check()
        if self.error is not None:
            raise self.error
        whole = table(WORDS)
        self.table.grow(whole)
        return self.table


def table(words: tuple[str, ...]) -> WordVectors:
    numbers = np.arange(1, 1 + 3 * len(words), dtype=np.float32).reshape(-1, 3)
    return WordVectors.from_arrays(words, numbers, name="big.txt")


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    return Reader(monkeypatch)


def begun(window: Window, store: Store, qtbot: QtBot) -> None:
    """Open the file, until its first words are in use."""
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.open_file("big.txt")


def test_the_first_words_are_on_screen_while_the_rest_is_read(
    window: Window, store: Store, qtbot: QtBot, reader: Reader
) -> None:
    intents.set_text(store, "the dog")
    begun(window, store, qtbot)
    assert [token.status for token in store.evaluation.sentence] == ["known", "unknown"]
    assert not window.vector_files.preparation.pause.isActive()
    reader.go_on.set()
    settled(store, qtbot)
    assert window.vector_files.preparation.pause.isActive()
    window.vector_files.preparation.pause.stop()
    assert [token.status for token in store.evaluation.sentence] == ["known", "known"]
    assert store.undo_stack.count() == 2
    assert window.settings.recent != []


def test_cancel_after_the_first_words_brings_the_old_vectors_back_for_good(
    window: Window, store: Store, qtbot: QtBot, reader: Reader
) -> None:
    before = store.experiment
    begun(window, store, qtbot)
    assert store.vectors.name == "big.txt"
    qtbot.waitUntil(window.progress.isVisible, timeout=5000)
    qtbot.mouseClick(window.progress._cancel, Qt.MouseButton.LeftButton)
    settled(store, qtbot)
    assert store.experiment is before
    assert store.vectors.name == "small"
    assert store.undo_stack.count() == 0
    assert not window.actions_table["redo"].isEnabled()
    assert window.settings.recent == []


def test_a_failure_after_the_first_words_brings_the_old_vectors_back_and_is_said(
    window: Window, store: Store, qtbot: QtBot, reader: Reader
) -> None:
    before = store.experiment
    begun(window, store, qtbot)
    reader.error = VectorsError("the file is incomplete", where="big.txt")
    reader.go_on.set()
    settled(store, qtbot)
    assert store.experiment is before
    assert "incomplete" in message(window)


def test_what_was_done_on_the_first_words_is_kept_when_the_rest_is_cancelled(
    window: Window, store: Store, qtbot: QtBot, reader: Reader
) -> None:
    begun(window, store, qtbot)
    intents.randomize(store, seed=3)
    after = store.experiment
    store.jobs.drop(opening.TOPIC)
    settled(store, qtbot)
    assert store.experiment is after
    assert "Only the first 2 words of big.txt are known" in message(window)


def test_a_later_file_takes_the_place_of_one_that_has_only_begun(
    window: Window,
    store: Store,
    qtbot: QtBot,
    reader: Reader,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun(window, store, qtbot)
    monkeypatch.undo()
    window.open_file(str(text_file(tmp_path)))
    settled(store, qtbot)
    assert store.vectors.name == "mine.txt"
    assert store.undo_stack.count() == 1
    store.undo()
    assert store.vectors.name == "small"

"""The same things over and over: memory stays, and the panels are the same ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from tests.gui.monkey.memory import STATM, memory

from askew_gui import intents

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from askew_gui.window import Window

DATA = Path(__file__).resolve().parents[2] / "data"
MOST = 20  # MB
TEXTS = ("the cat and the dog", "the animal did not cross the street because it was too tired", "paris")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not STATM.exists(), reason="memory is read from Linux's /proc"),
]


def soaked(window: Window, qtbot: QtBot, act: Callable[[int], None], times: int, first: int) -> None:
    """Act so often, and compare memory and widgets with those after the `first` times."""
    for name in window.tabs.names:
        window.tabs.open(name)
        QApplication.processEvents()
    for number in range(1, times + 1):
        act(number)
        QApplication.processEvents()
        qtbot.waitUntil(lambda: window.store.jobs.idle, timeout=30_000)
        if number == first:
            before, widgets = memory(), len(window.findChildren(QWidget))
    after = memory()
    print(f"{before:.1f} MB, {after:.1f} MB")
    assert after < before + MOST
    assert len(window.findChildren(QWidget)) == widgets


def test_two_hundred_sentences_and_numbers_of_heads_keep_no_memory(zoo: Window, qtbot: QtBot) -> None:
    intents.apply_example(zoo.store, "trained")

    def act(number: int) -> None:
        intents.set_text(zoo.store, f"{TEXTS[number % 3]} {number}")
        intents.set_shape(zoo.store, count=(2, 5, 8, 12)[number % 4])

    soaked(zoo, qtbot, act, 200, 20)


def test_vectors_opened_fifty_times_keep_no_memory(zoo: Window, qtbot: QtBot) -> None:
    def act(number: int) -> None:
        zoo.open_file(
            str(DATA / "cases" / ("A01a_glove_no_header.txt", "A24_all_zero_vector.txt")[number % 2])
        )

    soaked(zoo, qtbot, act, 50, 10)


def test_sessions_opened_fifty_times_keep_no_memory(zoo: Window, qtbot: QtBot) -> None:
    def act(number: int) -> None:
        zoo.open_file(str(DATA / "sessions" / ("format-1.askew", "format-1.png")[number % 2]))

    soaked(zoo, qtbot, act, 50, 10)

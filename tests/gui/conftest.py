"""What every test of the window gets: the dressed program and a check for left-over widgets."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget

from askew.examples import example
from askew.vectors import WordVectors
from askew_gui import theme
from askew_gui.fonts import ui_font
from askew_gui.settings import Settings
from askew_gui.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from askew_gui.window import Window

# Its assertions say as much as those of the tests that import it.
pytest.register_assert_rewrite("tests.gui.command_line")

KNOWN = """
the animal did not cross street because it was too tired a cat dog and sat on mat is in paris Apple apple
unk , . <b> AT&T
"""
WORDS = tuple(KNOWN.split())

# Qt keeps the last tool tip for itself.
KEPT_BY_QT = {"QTipLabel"}


@pytest.fixture(scope="session")
def dressed_app(qapp: QApplication) -> QApplication:
    """Return the application with the program's fonts and style."""
    theme.load_fonts()
    qapp.setFont(ui_font())
    return qapp


@pytest.fixture(autouse=True)
def clean_app(dressed_app: QApplication) -> Iterator[QApplication]:
    """Start each test in the light theme and the usual size of text; fail one that leaves a window behind."""
    if dressed_app.font() != ui_font():
        dressed_app.setFont(ui_font())
    theme.apply_theme(dressed_app, "light")
    before = set(map(id, QApplication.topLevelWidgets()))
    yield dressed_app
    left = _left_over(before)
    if left:
        gc.collect()
        left = _left_over(before)
    names = [f"{type(widget).__name__} {widget.objectName()!r}" for widget in left]
    for widget in left:
        widget.deleteLater()
    _delete_now()
    assert not names, f"the test left widgets behind: {', '.join(names)}"


def _left_over(before: set[int]) -> list[QWidget]:
    _delete_now()
    return [
        widget
        for widget in QApplication.topLevelWidgets()
        if id(widget) not in before and widget.metaObject().className() not in KEPT_BY_QT
    ]


def _delete_now() -> None:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def vectors() -> WordVectors:
    """Return a small table of 20 numbers per word."""
    numbers = np.random.default_rng(5).standard_normal((len(WORDS), 20)).astype(np.float32)
    return WordVectors.from_arrays(WORDS, numbers, name="small")


@pytest.fixture
def store(vectors: WordVectors, dressed_app: QApplication) -> Iterator[Store]:
    """Return the store of 5 random heads on the demo sentence."""
    store = Store(example("glove-random", vectors), vectors)
    yield store
    store.jobs.close()


@pytest.fixture
def settings() -> Settings:
    """Return settings of this test alone."""
    return Settings()


@pytest.fixture
def window(store: Store, settings: Settings, qtbot: QtBot) -> Window:
    """Return the window, on screen at the size it is designed for."""
    from askew_gui.window import Window

    window = Window(store, settings)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.fill()
    return window


@pytest.fixture
def first_window(dressed_app: QApplication, settings: Settings, qtbot: QtBot) -> Iterator[Window]:
    """Return the window of the very first start."""
    from askew_gui import app
    from askew_gui.window import Window

    store = app.first_store()
    window = Window(store, settings)
    qtbot.addWidget(window)
    window.example_strip.begin(app.FIRST_EXAMPLE)
    window.show()
    qtbot.waitExposed(window)
    window.fill()
    yield window
    store.jobs.close()

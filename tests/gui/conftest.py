"""What every test of the window gets: the dressed program and a check for left-over widgets."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget

from askew_gui import theme
from askew_gui.fonts import ui_font

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """Start each test in the light theme, and fail the one that leaves a window behind."""
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

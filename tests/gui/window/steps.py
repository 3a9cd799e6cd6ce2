"""A step that several tests of the window take, and a slot that nothing may reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.window import Window


def click_tab(window: Window, qtbot: QtBot, name: str) -> None:
    place = window.tabs.bar.tabRect(window.tabs.names.index(name)).center()
    qtbot.mouseClick(window.tabs.bar, Qt.MouseButton.LeftButton, pos=place)


def fail(what: object) -> None:
    raise AssertionError(f"this should not have arrived: {what}")

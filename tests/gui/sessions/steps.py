"""Steps that several tests of sessions take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPushButton

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.window import Window

LONG = 10_000  # milliseconds that no step takes


def settled(window: Window, qtbot: QtBot) -> None:
    """Wait until nothing runs in the background."""
    qtbot.waitUntil(lambda: window.store.jobs.idle, timeout=LONG)


def trigger(window: Window, name: str) -> None:
    """Do what a line of the menus does; it must be on."""
    action = window.actions_table[name]
    assert action.isEnabled()
    action.trigger()


def choose_file(window: Window, qtbot: QtBot, path: Path) -> None:
    """Answer the question for a file that is on the screen."""
    dialog = next(each for each in window.findChildren(QFileDialog) if each.isVisible())
    dialog.fileSelected.emit(str(path))
    dialog.close()
    settled(window, qtbot)


def save_as(window: Window, qtbot: QtBot, path: Path) -> None:
    """Save the session to a file, by the menu."""
    trigger(window, "save-as")
    choose_file(window, qtbot, path)
    assert path.exists()


def open_file(window: Window, qtbot: QtBot, path: Path) -> None:
    """Open a file as a drop does, and wait until it is there."""
    window.open_file(str(path))
    settled(window, qtbot)


def drop(window: Window, path: Path) -> None:
    """Drop a file on the window."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    place = window.rect().center()
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(place, copy, mime, left, none))
    QApplication.sendEvent(window, QDropEvent(QPointF(place), copy, mime, left, none))


def question(window: Window) -> QMessageBox | None:
    """Return the question about unsaved changes, if it is asked."""
    return next((box for box in window.findChildren(QMessageBox) if box.isVisible()), None)


def answer(window: Window, qtbot: QtBot, text: str) -> None:
    """Press a button of the question about unsaved changes."""
    box = question(window)
    assert box is not None
    found = next(button for button in box.buttons() if button.text().replace("&", "") == text)
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


def choice(window: Window, text: str) -> Callable[[], object]:
    """Return the way out that the message on show offers under this text."""
    assert window.messages.current is not None
    return dict(window.messages.current.choices)[text]


def press(window: Window, qtbot: QtBot, text: str) -> None:
    """Press a button of the message bar."""
    found = next(b for b in window.messages.findChildren(QPushButton) if b.isVisible() and b.text() == text)
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


def said(window: Window) -> str:
    """Return the message on show."""
    return window.messages.current.line if window.messages.current is not None else ""

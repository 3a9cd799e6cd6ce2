"""Themes, the size of all text, and Present mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from askew_gui import intents, theme
from askew_gui.settings import Settings

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store
    from askew_gui.window import Window


@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_theme_dresses_every_part_at_once(window: Window, name: theme.ThemeName) -> None:
    window.set_theme(name)
    colours = {"light": theme.LIGHT, "dark": theme.DARK}[name]
    picture = window.grab().toImage()
    assert picture.pixelColor(3, 3).name() == colours.window
    assert picture.pixelColor(window.maps.mapTo(window, QPoint(2, 2))).name() == colours.canvas
    assert window.actions_table[f"theme-{name}"].isChecked()
    assert Settings().theme == name


def test_ctrl_and_plus_or_the_wheel_change_the_size_of_all_text(window: Window, qtbot: QtBot) -> None:
    before = QApplication.font().pointSizeF()
    height = window.sentence.edit.height()
    window.actions_table["larger"].trigger()
    turn_wheel(window, 120)
    assert QApplication.font().pointSizeF() == pytest.approx(before * 1.21, rel=0.01)
    QApplication.processEvents()
    assert window.sentence.edit.height() > height
    turn_wheel(window, -120)
    window.actions_table["smaller"].trigger()
    assert QApplication.font().pointSizeF() == pytest.approx(before, rel=0.01)
    window.actions_table["larger"].trigger()
    window.actions_table["normal"].trigger()
    assert window.settings.text_scale == 1.0


def turn_wheel(window: Window, delta: int) -> None:
    place = QPointF(window.rect().center())
    event = QWheelEvent(
        place,
        place,
        QPoint(),
        QPoint(0, delta),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(window, event)


def test_large_text_folds_the_window_like_a_small_one(window: Window) -> None:
    least = window.left.minimumWidth()
    window.set_text_scale(1.5)
    assert window.tabs.folded
    assert "inspector" in window.tabs.names
    assert window.left.minimumWidth() == round(1.5 * least)
    window.set_text_scale(1.0)
    assert not window.tabs.folded
    assert window.left.minimumWidth() == least


def test_a_button_cut_for_large_text_says_all_again_in_usual_text(window: Window, store: Store) -> None:
    undo = window.topbar._actions[0]
    intents.toggle_lock(store, 1)
    intents.toggle_lock(store, 1)
    QApplication.processEvents()
    whole = undo.text()
    window.set_text_scale(1.4)
    QApplication.processEvents()
    assert undo.text() != whole
    window.set_text_scale(1.0)
    QApplication.processEvents()
    assert undo.text() == whole


def test_text_never_grows_or_shrinks_out_of_sight(window: Window) -> None:
    for _ in range(30):
        window.actions_table["larger"].trigger()
    assert window.settings.text_scale == 2.5
    for _ in range(60):
        window.actions_table["smaller"].trigger()
    assert window.settings.text_scale == 0.6


def test_present_mode_shows_the_sentence_and_the_maps_alone(window: Window, qtbot: QtBot) -> None:
    window.actions_table["present"].trigger()
    assert window.presenting
    assert window.sentence.isVisible()
    assert window.maps.isVisible()
    assert not any(part.isVisible() for part in (window.heads, window.tabs, window.inspector, window.topbar))
    window.maps.setFocus()
    qtbot.keyClick(window.maps, Qt.Key.Key_Escape)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.presenting
    assert window.topbar.isVisible()

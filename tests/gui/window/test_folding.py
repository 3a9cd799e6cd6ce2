"""What folds or is shortened when the window is small."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication
from tests.gui.window.steps import click_tab

from askew_gui import intents
from askew_gui.window import SMALLEST, Window

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.settings import Settings
    from askew_gui.store import Store


def test_at_its_designed_size_everything_is_in_sight(window: Window) -> None:
    window.resize(1440, 900)
    for part in (window.sentence, window.heads, window.maps, window.grid, window.tabs, window.inspector):
        assert part.isVisible()
    assert window.tabs.names == ("weights", "measures")
    assert not window.tabs.folded


def test_below_1280_the_inspector_is_a_tab_and_comes_back_when_there_is_room(
    window: Window, qtbot: QtBot
) -> None:
    window.resize(1279, 900)
    assert window.tabs.names == ("weights", "measures", "inspector")
    click_tab(window, qtbot, "inspector")
    assert window.inspector.isVisible()
    assert window.tabs.isAncestorOf(window.inspector)
    window.resize(1280, 900)
    assert "inspector" not in window.tabs.names
    assert window.inspector.isVisible()
    assert not window.tabs.isAncestorOf(window.inspector)


def test_below_800_the_tabs_start_folded_and_a_click_unfolds_and_folds(window: Window, qtbot: QtBot) -> None:
    window.resize(1100, 700)
    assert window.tabs.folded
    assert window.tabs.height() == window.tabs.folded_height()
    click_tab(window, qtbot, "weights")
    assert not window.tabs.folded
    assert window.weights is not None
    assert window.weights.isVisible()
    click_tab(window, qtbot, "measures")
    assert not window.tabs.folded
    assert window.tabs.current == "measures"
    click_tab(window, qtbot, "measures")
    assert window.tabs.folded
    window.resize(1100, 900)
    assert not window.tabs.folded


def test_a_window_that_starts_small_starts_folded(store: Store, settings: Settings, qtbot: QtBot) -> None:
    window = Window(store, settings)
    qtbot.addWidget(window)
    window.resize(1100, 700)
    window.show()
    assert window.tabs.folded
    assert "inspector" in window.tabs.names


@pytest.mark.parametrize("size", [(1100, 700), (1440, 900)])
@pytest.mark.parametrize("count", [0, 1, 12, 300])
def test_nothing_needs_more_room_than_the_window_has(
    window: Window, store: Store, qtbot: QtBot, size: tuple[int, int], count: int
) -> None:
    window.resize(*size)
    intents.set_text(store, "animal " * count)
    intents.randomize(store)
    qtbot.waitUntil(lambda: not store.stale)
    QApplication.processEvents()
    assert (window.width(), window.height()) == size
    assert window.minimumSizeHint().width() <= size[0]
    assert window.minimumSizeHint().height() <= size[1]


def test_the_top_row_shortens_what_does_not_fit(window: Window, store: Store) -> None:
    for text in range(3):
        intents.set_text(store, f"the cat {text}")
    window.resize(1440, 900)
    button = window.topbar._actions[0]
    assert button.text() == "Undo typing"
    window.resize(1000, 700)
    assert button.text() == ""
    assert button.accessibleName() == "Undo typing"
    export = window.topbar._actions[-1]
    assert export.geometry().right() <= window.topbar.width()
    assert window.topbar.menus.width() >= window.topbar.menus.sizeHint().width()


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_in_the_smallest_window_no_menu_is_covered_by_a_button(window: Window, scale: float) -> None:
    window.set_text_scale(scale)
    window.resize(*SMALLEST)
    QApplication.processEvents()
    bar = window.topbar
    shown = [button for button in (*bar._actions, *bar._menus) if button.isVisible()]
    assert all(bar.menus.geometry().right() < button.x() for button in shown)
    last = bar.menus.actionGeometry(bar.menus.actions()[-1])
    assert bar.menus.rect().contains(last)
    window.set_text_scale(1.0)
    window.resize(1440, 900)
    QApplication.processEvents()
    assert all(button.isVisible() for button in (*bar._actions, *bar._menus))


def test_a_longer_undo_takes_no_room_from_the_menus(window: Window, store: Store) -> None:
    window.resize(1100, 700)
    undo = window.topbar._actions[0]
    assert undo.text() == "Undo"
    window.sentence.toggle_left_out(1)
    QApplication.processEvents()
    assert undo.text() == ""
    assert "leaving out animal" in undo.toolTip()
    assert window.topbar.menus.width() >= window.topbar.menus.sizeHint().width()
    store.undo()
    QApplication.processEvents()
    assert undo.text() == "Undo"


def test_the_icons_of_the_top_row_are_drawn_after_the_first_picture(
    store: Store, settings: Settings, qtbot: QtBot
) -> None:
    window = Window(store, settings)
    qtbot.addWidget(window)
    undo = window.topbar._actions[0]
    blank = undo.icon().pixmap(15, 15).toImage()
    assert {blank.pixelColor(x, y).alpha() for x in range(15) for y in range(15)} == {0}
    window.show()
    qtbot.waitUntil(lambda: undo.icon().pixmap(15, 15).toImage() != blank, timeout=5000)

"""What the next window remembers of the last one, and Reset layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication
from tests.gui.window.steps import click_tab

from askew_gui.settings import Settings
from askew_gui.window import Window

if TYPE_CHECKING:
    from PySide6.QtCore import QByteArray
    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store


def reopened(window: Window, store: Store, qtbot: QtBot) -> Window:
    window.close()
    again = Window(store, Settings())
    qtbot.addWidget(again)
    again.show()
    return again


def test_geometry_tab_and_columns_are_remembered(
    window: Window, store: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The screen of these tests is smaller than the window: Qt would make it fit.
    restored: list[QByteArray] = []
    monkeypatch.setattr(Window, "restoreGeometry", lambda _self, state: restored.append(state))
    click_tab(window, qtbot, "measures")
    window.body.setSizes([300, 900, 300])
    left = window.body.sizes()[0]
    saved = window.saveGeometry()
    again = reopened(window, store, qtbot)
    assert restored == [saved]
    assert again.tabs.current == "measures"
    assert abs(again.body.sizes()[0] - left) <= 2


def test_a_high_tab_is_as_high_again_after_folding_and_in_the_next_window(
    window: Window, store: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Window, "restoreGeometry", lambda _self, _state: True)
    window.show()
    QApplication.processEvents()
    room = sum(window.centre.sizes())
    window.centre.setSizes([room // 2, room - room // 2])
    high = window.centre.sizes()[1]
    for _ in range(2):
        click_tab(window, qtbot, "weights")
        QApplication.processEvents()
    assert abs(window.centre.sizes()[1] - high) <= 2
    again = reopened(window, store, qtbot)
    QApplication.processEvents()
    assert abs(again.centre.sizes()[1] - high) <= 2


def test_a_folded_tab_is_remembered(window: Window, store: Store, qtbot: QtBot) -> None:
    click_tab(window, qtbot, "weights")
    assert window.tabs.folded
    assert reopened(window, store, qtbot).tabs.folded


def test_reset_layout_goes_back_to_the_first_day(window: Window, qtbot: QtBot) -> None:
    click_tab(window, qtbot, "weights")
    window.resize(1100, 700)
    window.set_theme("dark")
    window.actions_table["reset-layout"].trigger()
    assert (window.width(), window.height()) == (1440, 900)
    assert not window.tabs.folded
    assert window.inspector.isVisible()
    assert window.settings.theme == "dark"


@pytest.mark.parametrize("geometry", ["", "nonsense", "AAAA"])
def test_a_geometry_that_makes_no_sense_is_ignored(
    store: Store, settings: Settings, qtbot: QtBot, geometry: str
) -> None:
    settings.geometry = geometry
    window = Window(store, settings)
    qtbot.addWidget(window)
    window.show()
    assert (window.width(), window.height()) == (1440, 900)

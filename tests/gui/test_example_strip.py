"""The two lines about an example: there from the start, gone when they are no longer true."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from tests.gui.window.steps import click_tab

from askew.examples import EXAMPLES
from askew.session import Session
from askew_gui import intents
from askew_gui.window import Window

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.maps.layout import StripLayout
    from askew_gui.panels.example_strip import ExampleStrip
    from askew_gui.settings import Settings
    from askew_gui.store import Store

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(first_window: Window) -> Window:
    return first_window


@pytest.fixture
def store(window: Window) -> Store:
    return window.store


@pytest.fixture
def strip(window: Window) -> ExampleStrip:
    return window.example_strip


def test_the_first_start_says_what_to_look_at_and_what_to_try(strip: ExampleStrip) -> None:
    assert strip.isVisible()
    assert strip.example == "trained"
    assert strip.look.whole_text == EXAMPLES["trained"].look
    assert strip.tries.whole_text == EXAMPLES["trained"].tries
    assert strip.look.text() == strip.look.whole_text, "the line is cut off"


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_shows_its_own_lines_in_full(window: Window, name: str) -> None:
    window.actions_table[f"example-{name}"].trigger()
    strip = window.example_strip
    assert strip.example == name
    for label, text in ((strip.look, EXAMPLES[name].look), (strip.tries, EXAMPLES[name].tries)):
        assert label.text() == label.whole_text == text


def test_a_store_that_shows_no_example_has_no_lines(store: Store, settings: Settings, qtbot: QtBot) -> None:
    window = Window(store, settings)
    qtbot.addWidget(window)
    assert window.example_strip.isHidden()
    assert window.example_strip.example == ""


def test_the_cross_closes_the_lines_until_an_example_is_asked_for(
    window: Window, strip: ExampleStrip, qtbot: QtBot
) -> None:
    qtbot.mouseClick(strip.close_button, LEFT)
    assert strip.isHidden()
    intents.set_text(window.store, "the cat")
    assert strip.isHidden()
    window.actions_table["example-trained"].trigger()
    assert strip.example == "trained"
    qtbot.mouseClick(strip.close_button, LEFT)
    window.actions_table["example-exchanged"].trigger()
    assert strip.example == "exchanged"


def test_what_the_lines_say_to_try_leaves_them_there(window: Window, store: Store) -> None:
    strip = window.example_strip
    height = window.maps.height()
    intents.set_field(store, "positions", "none", "p")
    intents.exchange(store, 2)
    intents.randomize(store)
    intents.set_text(store, "and another sentence that is rather longer than the one before it was")
    assert strip.example == "trained"
    assert window.maps.height() == height


def test_other_heads_or_vectors_take_the_lines_away_and_undo_brings_them_back(
    window: Window, store: Store
) -> None:
    strip = window.example_strip
    intents.set_shape(store, count=3)
    assert strip.isHidden()
    store.undo()
    assert strip.example == "trained"
    window.actions_table["example-glove-random"].trigger()
    assert strip.example == "glove-random"
    store.undo()
    assert strip.example == "trained"
    store.redo()
    assert strip.example == "glove-random"
    intents.set_shape(store, d_k=3)
    assert strip.example == ""


def test_a_session_that_is_opened_takes_the_lines_away(strip: ExampleStrip, store: Store) -> None:
    store.replace_session(Session((replace(store.experiment, text="the mat"),)), [store.vectors])
    assert strip.isHidden()


def test_a_new_session_begins_with_the_first_example_and_its_lines(
    window: Window, strip: ExampleStrip, qtbot: QtBot
) -> None:
    qtbot.mouseClick(strip.close_button, LEFT)
    window.sessions.new()
    assert strip.example == "trained"


def test_the_cross_follows_the_theme(window: Window, strip: ExampleStrip) -> None:
    light = strip.close_button.icon().pixmap(12, 12).toImage()
    window.set_theme("dark")
    assert strip.close_button.icon().pixmap(12, 12).toImage() != light


def test_in_a_low_window_open_tabs_leave_the_maps_room_and_folded_ones_give_all_back(
    window: Window, strip: ExampleStrip, qtbot: QtBot
) -> None:
    for scale in (1.5, 1.0):
        window.set_text_scale(scale)
        window.resize(1100, 700)
        QApplication.processEvents()
        assert strip.isVisible() is window.grid.isVisible() is (scale == 1.0)
        assert _strip(window).maps[0].frame.h > 150
        click_tab(window, qtbot, "weights")
        QApplication.processEvents()
        assert not window.tabs.folded
        assert not strip.isVisible()
        assert not window.grid.isVisible()
        assert _strip(window).maps[0].frame.h > 80
        window.set_presenting(True)
        window.set_presenting(False)
        QApplication.processEvents()
        assert not window.grid.isVisible()
        click_tab(window, qtbot, "weights")
        QApplication.processEvents()
        assert strip.isVisible() is window.grid.isVisible() is (scale == 1.0)


def test_at_the_designed_size_the_maps_are_large(window: Window) -> None:
    window.resize(1440, 900)
    QApplication.processEvents()
    assert _strip(window).maps[0].frame.h > 220


def test_the_lines_stay_away_while_the_maps_are_presented(window: Window, strip: ExampleStrip) -> None:
    window.set_presenting(True)
    assert strip.isHidden()
    window.set_presenting(False)
    assert strip.example == "trained"


def _strip(window: Window) -> StripLayout:
    strip = window.maps.strip
    assert strip is not None
    return strip

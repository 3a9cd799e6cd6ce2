"""The trained layer through the real window: what head 2 does, what takes it away and what brings it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel
from tests.gui.command_line import computed

from askew.measure_texts import MEASURES
from askew_gui import intents

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.panels.heads_more import MoreForm
    from askew_gui.panels.measures import MeasuresPanel
    from askew_gui.store import Store
    from askew_gui.window import Window

LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
HEAD = 2
TOKENS = 14


@pytest.fixture
def window(first_window: Window) -> Window:
    return first_window


@pytest.fixture
def store(window: Window) -> Store:
    return window.store


def measure_on_screen(window: Window, qtbot: QtBot, key: str) -> str:
    """Return what the table of measures says of head 2, once it is about what is in the maps."""
    window.tabs.open("measures")
    panel = cast("MeasuresPanel", window.tabs.panel("measures"))
    panel.compute()
    qtbot.waitUntil(lambda: panel.numbers.measures == window.store.evaluation.measures)
    column = next(i for i, measure in enumerate(MEASURES) if measure.key == key)
    return str(panel.numbers.index(HEAD, column).data())


def click_cell(window: Window, qtbot: QtBot, row: int, column: int) -> str:
    """Click a cell of the head's map and return what the inspector says."""
    strip = window.maps.strip
    assert strip is not None
    box = strip.maps[1].cell_box(row, column)
    window.focus.lock(None)
    place = QPoint(round((box.x + box.right) / 2), round((box.y + box.bottom) / 2))
    qtbot.mouseClick(window.maps, LEFT, pos=place)
    assert window.focus.locked == (row, column)
    return " ".join(label.text() for label in window.inspector.findChildren(QLabel) if label.isVisible())


def choose_positions(window: Window, qtbot: QtBot, kind: str) -> None:
    if window.heads.more.body.isHidden():
        qtbot.mouseClick(window.heads.more.button, LEFT)
    choice = cast("MoreForm", window.heads.more.body).choices["positions"]
    choice.setCurrentIndex(choice.findData(kind))
    choice.activated.emit(choice.currentIndex())


def test_the_first_start_shows_the_trained_layer_as_the_model_runs_it(window: Window) -> None:
    assert window.store.experiment.vectors.name == "minilm-l6-v2"
    assert [heatmap.title for heatmap in window.maps.heatmaps] == ["Raw", "Head 2", "Difference"]
    assert window.maps.heatmaps[0].row_labels[0] == "[CLS]"
    assert window.sentence.count.whole_text == "12 tokens + 2 special · all known"
    assert window.heads.more.note.whole_text == "not at default: positions learned, layer norm"
    assert window.heads.form.source.name == "trained"
    assert window.messages.current is None
    assert window.example_strip.example == "trained"
    assert window.grid.height() == window.grid.sizeHint().height() < 110, "the maps of 12 heads are one row"


def test_a_locked_cell_is_let_go_of_where_special_tokens_come_or_go(window: Window, qtbot: QtBot) -> None:
    click_cell(window, qtbot, 9, 8)
    intents.set_field(window.store, "specials", False, "special tokens")
    assert window.focus.locked is None
    assert window.maps.heatmaps[1].row_labels[8] == "it"


def test_head_2_looks_at_the_previous_token_on_screen_and_on_the_command_line(
    window: Window, qtbot: QtBot
) -> None:
    assert measure_on_screen(window, qtbot, "previous") == "1.000"
    for row in (2, 9, 13):
        said = click_cell(window, qtbot, row, row - 1)
        value = window.store.evaluation.heads[HEAD].pattern[row, row - 1]
        assert value > 0.998
        assert f"{value:.3f}" in said
    told = computed("--example", "trained")
    assert told["tokens"] == list(window.maps.heatmaps[1].row_labels)
    assert f"{told['heads'][HEAD]['measures']['previous']:.3f}" == "1.000"
    np.testing.assert_allclose(window.maps.heatmaps[1].values, told["heads"][HEAD]["pattern"], atol=1e-6)
    for shown, head in zip(window.store.evaluation.heads, told["heads"], strict=True):
        np.testing.assert_allclose(shown.scores, head["scores"], rtol=1e-5, atol=1e-5)


def test_exchanged_it_looks_at_the_next_token_and_the_key_x_turns_it_back(
    window: Window, qtbot: QtBot
) -> None:
    scores = window.store.evaluation.heads[HEAD].scores
    window.actions_table["example-exchanged"].trigger()
    assert float(measure_on_screen(window, qtbot, "next")) >= 0.998
    np.testing.assert_allclose(window.store.evaluation.heads[HEAD].scores, scores.T, atol=1e-4)
    assert computed("--example", "exchanged")["heads"][HEAD]["measures"]["next"] >= 0.998
    window.maps.setFocus()
    qtbot.keyClick(window.maps, Qt.Key.Key_X)
    assert measure_on_screen(window, qtbot, "previous") == "1.000"
    np.testing.assert_array_equal(window.store.evaluation.heads[HEAD].scores, scores)


def test_without_positions_it_is_gone_and_one_undo_brings_it_back(window: Window, qtbot: QtBot) -> None:
    first, before = window.store.experiment, window.maps.heatmaps[1].values.copy()
    choose_positions(window, qtbot, "none")
    assert float(measure_on_screen(window, qtbot, "previous")) < 0.2
    assert window.heads.more.note.whole_text == "not at default: layer norm"
    qtbot.keyClick(window.maps, Qt.Key.Key_Z, CONTROL)
    assert window.store.experiment is first
    assert measure_on_screen(window, qtbot, "previous") == "1.000"
    np.testing.assert_array_equal(window.maps.heatmaps[1].values, before)
    assert window.example_strip.example == "trained"


def test_other_words_change_nothing_of_what_head_2_does(window: Window, qtbot: QtBot) -> None:
    window.sentence.edit.setFocus()
    window.sentence.edit.selectAll()
    qtbot.keyClicks(window.sentence.edit, "Green ideas sleep near an old Cafe")
    assert window.maps.heatmaps[1].row_labels[1] == "Green"
    assert window.sentence.count.whole_text == "7 tokens + 2 special · all known"
    assert float(measure_on_screen(window, qtbot, "previous")) > 0.98


def test_an_example_of_plain_vectors_takes_glove_again_and_one_undo_brings_all_back(window: Window) -> None:
    first = window.store.experiment
    window.actions_table["example-glove-random"].trigger()
    assert window.store.vectors.name == "glove-6b-50d"
    assert window.store.experiment.embedding is None
    assert len(window.store.evaluation.tokens) == 12
    window.actions_table["undo"].trigger()
    assert window.store.experiment is first
    assert len(window.store.evaluation.tokens) == TOKENS


def test_trained_heads_drawn_anew_come_back_by_reset_and_by_the_source(window: Window, qtbot: QtBot) -> None:
    window.maps.setFocus()
    qtbot.keyClick(window.maps, Qt.Key.Key_R)
    assert float(measure_on_screen(window, qtbot, "previous")) < 0.5
    window.actions_table["reset"].trigger()
    assert measure_on_screen(window, qtbot, "previous") == "1.000"
    source = window.heads.form.source
    source.setCurrentIndex(source.findData("trained"))
    source.activated.emit(source.currentIndex())
    assert all(head.recipe == "trained" for head in window.store.experiment.heads)

"""Typing a sentence: undo word by word, pastes, whole characters, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from tests.gui.sentence.shown import FAMILY, THUMB, texts

from askew_gui import intents
from askew_gui.panels.sentence_edit import merge_key

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.panels.sentence import SentencePanel
    from askew_gui.store import Store


def type_anew(panel: SentencePanel, qtbot: QtBot, text: str) -> None:
    panel.edit.setFocus()
    panel.edit.selectAll()
    qtbot.keyClick(panel.edit, Qt.Key.Key_Delete)
    qtbot.keyClicks(panel.edit, text)


def test_what_is_typed_is_the_experiment_at_once(panel: SentencePanel, store: Store, qtbot: QtBot) -> None:
    type_anew(panel, qtbot, "the cat")
    assert store.experiment.text == "the cat"
    assert texts(panel) == ["the", "cat"]


def test_typing_is_undone_word_by_word(panel: SentencePanel, store: Store, qtbot: QtBot) -> None:
    type_anew(panel, qtbot, "the cat sat")
    seen = []
    for _ in range(3):
        seen.append(store.experiment.text)
        store.undo()
    assert seen == ["the cat sat", "the cat ", "the "]
    assert panel.edit.text() == store.experiment.text == ""


def test_letters_taken_away_one_by_one_come_back_word_by_word(
    panel: SentencePanel, store: Store, qtbot: QtBot
) -> None:
    intents.set_text(store, "the cat sat")
    for _ in range(3):
        qtbot.keyClick(panel.edit, Qt.Key.Key_Backspace)
    assert store.experiment.text == "the cat "
    store.undo()
    assert panel.edit.text() == "the cat sat"


def test_a_paste_is_one_step_and_its_lines_become_blanks(
    panel: SentencePanel, store: Store, qtbot: QtBot
) -> None:
    before = store.experiment
    QApplication.clipboard().setText("the\ncat\r\nsat\ton")
    panel.edit.setFocus()
    panel.edit.selectAll()
    qtbot.keyClick(panel.edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert panel.edit.text() == store.experiment.text == "the cat sat on"
    store.undo()
    assert store.experiment is before


def test_the_cursor_stands_behind_what_was_pasted(panel: SentencePanel, qtbot: QtBot) -> None:
    panel.edit.setFocus()
    panel.edit.setText("the sat")
    panel.edit.setCursorPosition(4)
    QApplication.clipboard().setText("cat\r\ndog\r\n")
    qtbot.keyClick(panel.edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert panel.edit.text() == "the cat dog sat"
    assert panel.edit.cursorPosition() == 12


def test_a_text_that_is_too_long_is_cut_and_said_to_be(
    panel: SentencePanel, store: Store, qtbot: QtBot
) -> None:
    panel.edit.setMaxLength(10)
    QApplication.clipboard().setText("the cat sat on the mat")
    panel.edit.setFocus()
    panel.edit.selectAll()
    with qtbot.waitSignal(store.said) as said:
        qtbot.keyClick(panel.edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert store.experiment.text == "the cat sa"
    assert said.args is not None
    assert said.args[:2] == ["warning", "The sentence was cut after 10 letters"]


@pytest.mark.parametrize("cluster", [FAMILY, THUMB, "e\u0301", "🇩🇪"])
def test_backspace_takes_a_whole_character_as_people_see_it(
    panel: SentencePanel, store: Store, qtbot: QtBot, cluster: str
) -> None:
    intents.set_text(store, f"we {cluster}")
    panel.edit.end(False)
    qtbot.keyClick(panel.edit, Qt.Key.Key_Backspace)
    assert store.experiment.text == "we "


def test_the_cursor_steps_over_a_whole_character(panel: SentencePanel, store: Store, qtbot: QtBot) -> None:
    intents.set_text(store, f"{FAMILY}a")
    panel.edit.home(False)
    qtbot.keyClick(panel.edit, Qt.Key.Key_Right)
    assert panel.edit.cursorPosition() == len(FAMILY.encode("utf-16-le")) // 2


def test_a_selection_is_taken_away_whole(panel: SentencePanel, store: Store, qtbot: QtBot) -> None:
    intents.set_text(store, "the cat sat")
    panel.edit.setSelection(4, 4)
    qtbot.keyClick(panel.edit, Qt.Key.Key_Backspace)
    assert store.experiment.text == "the sat"


def test_undo_puts_the_cursor_where_the_text_came_back(
    panel: SentencePanel, store: Store, qtbot: QtBot
) -> None:
    intents.set_text(store, "the cat sat")
    panel.edit.setSelection(4, 4)
    qtbot.keyClick(panel.edit, Qt.Key.Key_Delete)
    store.undo()
    assert panel.edit.text() == "the cat sat"
    assert panel.edit.cursorPosition() == 8


@pytest.mark.parametrize("key", [Qt.Key.Key_Z, Qt.Key.Key_Y, Qt.Key.Key_C])
def test_undo_redo_and_a_copy_of_nothing_are_left_to_the_window(panel: SentencePanel, key: Qt.Key) -> None:
    panel.edit.deselect()
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.ControlModifier)
    event.ignore()
    QApplication.sendEvent(panel.edit, event)
    assert not event.isAccepted()


def test_a_copy_of_selected_text_belongs_to_the_field(panel: SentencePanel, qtbot: QtBot) -> None:
    panel.edit.setFocus()
    panel.edit.setSelection(0, 3)
    qtbot.keyClick(panel.edit, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "the"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_enter_and_escape_say_that_the_sentence_is_done(
    panel: SentencePanel, qtbot: QtBot, key: Qt.Key
) -> None:
    with qtbot.waitSignal(panel.edit.finished, timeout=1000):
        qtbot.keyClick(panel.edit, key)


def test_the_field_has_no_undo_in_its_menu(panel: SentencePanel) -> None:
    names = [action.objectName() for action in panel.edit.context_menu().actions()]
    assert "edit-undo" not in names
    assert "edit-paste" in names


@given(before=st.text("ab é👍\u0301", max_size=12), after=st.text("ab é👍\u0301", max_size=12))
def test_any_change_of_text_has_a_key_or_is_a_step_of_its_own(before: str, after: str) -> None:
    key = merge_key(before, after)
    assert key == "" or abs(len(after) - len(before)) <= 2


def test_a_replaced_letter_does_not_merge_with_typing() -> None:
    assert merge_key("the cat", "the bat") == ""

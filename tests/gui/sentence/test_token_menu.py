"""What can be done to a token: leave out, replace, split, join, and undo of that alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication
from tests.gui.sentence.shown import statuses, texts

from askew_gui import intents
from askew_gui import store as store_module

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.panels.sentence import SentencePanel
    from askew_gui.store import Store


def choose(panel: SentencePanel, index: int, text: str) -> None:
    menu = panel.menu_for(index)
    action = next(action for action in menu.actions() if action.text() == text)
    assert action.isEnabled()
    action.trigger()
    menu.deleteLater()


def enabled(panel: SentencePanel, index: int) -> dict[str, bool]:
    menu = panel.menu_for(index)
    result = {action.text(): action.isEnabled() for action in menu.actions() if action.text()}
    menu.deleteLater()
    return result


def test_a_token_is_left_out_and_taken_in_again(panel: SentencePanel, store: Store) -> None:
    choose(panel, 1, "Leave out")
    assert len(store.evaluation.tokens) == 11
    assert panel.count.whole_text == "12 tokens · 1 left out · all known"
    assert store.undo_stack.undoText() == "leaving out animal"
    choose(panel, 1, "Take in again")
    assert len(store.evaluation.tokens) == 12
    store.undo()
    assert statuses(panel)[1] == "left-out"


def test_a_token_is_replaced_in_place(panel: SentencePanel, store: Store, qtbot: QtBot) -> None:
    choose(panel, 1, "Replace…")
    assert panel.editor.isVisible()
    qtbot.keyClicks(panel.editor, "cat")
    qtbot.keyClick(panel.editor, Qt.Key.Key_Return)
    assert texts(panel)[:3] == ["the", "cat", "did"]
    assert store.experiment.text.startswith("the animal did")
    assert not panel.editor.isVisible()


def test_escape_gives_the_replacement_up(panel: SentencePanel, store: Store, qtbot: QtBot) -> None:
    choose(panel, 1, "Replace…")
    qtbot.keyClicks(panel.editor, "cat")
    qtbot.keyClick(panel.editor, Qt.Key.Key_Escape)
    assert store.undo_stack.count() == 0
    assert not panel.editor.isVisible()


def test_a_token_is_split_where_the_blank_is_typed(panel: SentencePanel, store: Store, qtbot: QtBot) -> None:
    intents.set_text(store, "the catdog")
    choose(panel, 1, "Split…")
    panel.editor.setCursorPosition(3)
    qtbot.keyClicks(panel.editor, " ")
    qtbot.keyClick(panel.editor, Qt.Key.Key_Return)
    assert texts(panel) == ["the", "cat", "dog"]


def test_a_split_that_changes_letters_is_refused_with_a_hint(
    panel: SentencePanel, store: Store, qtbot: QtBot
) -> None:
    choose(panel, 1, "Split…")
    panel.editor.setText("ani mals")
    with qtbot.waitSignal(store.said) as said:
        qtbot.keyClick(panel.editor, Qt.Key.Key_Return)
    assert said.args is not None
    assert said.args[0] == "info"
    assert store.undo_stack.count() == 0


def test_two_tokens_are_joined_and_the_edit_is_undone_alone(panel: SentencePanel, store: Store) -> None:
    intents.set_text(store, "the cat sat")
    choose(panel, 1, "Join with next")
    assert texts(panel) == ["the", "cat sat"]
    choose(panel, 1, "Undo changes of this token")
    assert texts(panel) == ["the", "cat", "sat"]
    assert store.experiment.edits == ()


def test_the_menu_offers_only_what_can_be_done(panel: SentencePanel, store: Store) -> None:
    intents.set_text(store, "a cat")
    assert enabled(panel, 0) == {
        "Leave out": True,
        "Replace…": True,
        "Split…": False,
        "Join with next": True,
        "Undo changes of this token": False,
    }
    assert not enabled(panel, 1)["Join with next"]
    panel.toggle_left_out(1)
    assert enabled(panel, 1)["Undo changes of this token"]
    assert not enabled(panel, 1)["Replace…"]


def test_edits_of_tokens_move_along_with_their_words(
    panel: SentencePanel, store: Store, qtbot: QtBot
) -> None:
    panel.toggle_left_out(1)
    panel.edit.setFocus()
    panel.edit.home(False)
    qtbot.keyClicks(panel.edit, "is ")
    assert [token.text for token in panel.chips.tokens if token.left_out] == ["animal"]


@pytest.mark.parametrize("reason", [QContextMenuEvent.Reason.Mouse, QContextMenuEvent.Reason.Keyboard])
def test_the_menu_opens_by_mouse_and_by_key(
    panel: SentencePanel, qtbot: QtBot, reason: QContextMenuEvent.Reason
) -> None:
    place = panel.chips.chip_rect(3).center()
    panel.chips._set_current(3)
    event = QContextMenuEvent(reason, place, panel.chips.viewport().mapToGlobal(place))
    with qtbot.waitSignal(panel.chips.menu_asked) as asked:
        QApplication.sendEvent(panel.chips.viewport(), event)
    assert asked.args is not None
    assert asked.args[0] == 3
    popup = QApplication.activePopupWidget()
    assert popup is not None
    popup.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_chips_of_an_older_text_change_nothing_in_the_new_one(
    panel: SentencePanel, store: Store, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    intents.set_text(store, "the cat sat on the mat")
    monkeypatch.setattr(store_module, "INLINE_CELLS", 0)
    intents.set_text(store, "animal the cat sat on the mat")
    assert store.stale  # the chips are still those of before
    panel.toggle_left_out(1)
    panel.join_with_next(0)
    panel.undo_edits(0)
    assert store.experiment.edits == ()
    qtbot.waitUntil(lambda: not store.stale)
    panel.toggle_left_out(1)
    assert len(store.experiment.edits) == 1
    qtbot.waitUntil(lambda: not store.stale)

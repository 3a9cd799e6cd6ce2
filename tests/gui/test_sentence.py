"""The sentence panel: typing, chips, what can be done to a token."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QToolTip

from askew.vectors import WordVectors
from askew_gui import intents, theme
from askew_gui import store as store_module
from askew_gui.focus import Focus
from askew_gui.panels.chip_painter import flow
from askew_gui.panels.chip_texts import chip_lines, count_line
from askew_gui.panels.sentence import SentencePanel
from askew_gui.panels.sentence_edit import merge_key

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store

FAMILY = "👩‍👩‍👧‍👦"
THUMB = "👍🏽"


@pytest.fixture
def focus() -> Focus:
    return Focus()


@pytest.fixture
def panel(store: Store, focus: Focus, qtbot: QtBot) -> SentencePanel:
    panel = SentencePanel(store, focus)
    qtbot.addWidget(panel)
    panel.resize(1400, 90)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def type_anew(panel: SentencePanel, qtbot: QtBot, text: str) -> None:
    panel.edit.setFocus()
    panel.edit.selectAll()
    qtbot.keyClick(panel.edit, Qt.Key.Key_Delete)
    qtbot.keyClicks(panel.edit, text)


def texts(panel: SentencePanel) -> list[str]:
    return [token.text for token in panel.chips.tokens]


def statuses(panel: SentencePanel) -> list[str]:
    return [token.status for token in panel.chips.tokens]


def click_chip(panel: SentencePanel, qtbot: QtBot, index: int) -> None:
    place = panel.chips.chip_rect(index).center()
    qtbot.mouseClick(panel.chips.viewport(), Qt.MouseButton.LeftButton, pos=place)


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


# Typing


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


# Chips


def test_chips_say_what_became_of_every_token(panel: SentencePanel, store: Store) -> None:
    intents.set_text(store, "Paris is in Apple zzyzx")
    assert statuses(panel) == ["changed", "known", "known", "known", "unknown"]
    assert panel.chips.tokens[0].key == "paris"


def test_a_changed_chip_is_wider_for_it_shows_the_used_form(panel: SentencePanel, store: Store) -> None:
    intents.set_text(store, "Paris paris")
    assert panel.chips.chip_rect(0).width() > panel.chips.chip_rect(1).width() + 20


def test_emoji_are_one_chip_each(panel: SentencePanel, store: Store) -> None:
    intents.set_text(store, f"the {FAMILY} cat {THUMB}")
    assert texts(panel) == ["the", FAMILY, "cat", THUMB]
    assert statuses(panel)[1::2] == ["unknown", "unknown"]


def test_markup_in_tokens_is_shown_character_for_character(panel: SentencePanel, store: Store) -> None:
    intents.set_text(store, "<b>")
    assert "<b>" in "".join(texts(panel))
    assert panel.count.textFormat() == Qt.TextFormat.PlainText


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "Type a sentence"),
        ("   ", "Type a sentence"),
        ("cat", "1 token · all known"),
        ("the animal did not cross the street because it was too tired", "12 tokens · all known"),
        ("the zzyzx cat", "3 tokens · 1 not found: zzyzx"),
        ("q1 q2 q3 q4 the", "5 tokens · 4 not found: q1, q2, q3, …"),
        ("zzyzx zzyzx", "2 tokens · 2 not found: zzyzx"),
    ],
)
def test_the_count_line_names_what_was_not_found(
    panel: SentencePanel, store: Store, text: str, line: str
) -> None:
    intents.set_text(store, text)
    assert panel.count.whole_text == line == count_line(store.evaluation)


def test_what_no_font_can_draw_is_named_by_its_code_point(panel: SentencePanel, store: Store) -> None:
    intents.set_text(store, "the \ue000 cat")  # of private use: in no font
    assert panel.count.whole_text == "3 tokens · 1 not found: U+E000"
    assert chip_lines(panel.chips.tokens[1], store.vectors, edited=False)[0] == "U+E000"


def test_unknown_words_are_kept_or_left_out_by_a_switch(
    panel: SentencePanel, store: Store, qtbot: QtBot
) -> None:
    intents.set_text(store, "the cat")
    assert panel.keep.isHidden()
    intents.set_text(store, "the zzyzx cat")
    assert not panel.keep.isHidden()
    assert len(store.evaluation.tokens) == 2
    qtbot.mouseClick(panel.keep, Qt.MouseButton.LeftButton, pos=QPoint(8, panel.keep.height() // 2))
    assert store.experiment.unknown == "keep"
    assert len(store.evaluation.tokens) == 3
    store.undo()
    assert not panel.keep.isChecked()


def test_a_click_on_a_chip_locks_its_row_and_another_unlocks(
    panel: SentencePanel, focus: Focus, qtbot: QtBot
) -> None:
    click_chip(panel, qtbot, 1)
    assert focus.locked == (1, -1)
    click_chip(panel, qtbot, 1)
    assert focus.locked is None


def test_rows_are_counted_without_the_words_that_were_dropped(
    panel: SentencePanel, store: Store, focus: Focus, qtbot: QtBot
) -> None:
    intents.set_text(store, "zzyzx the cat")
    click_chip(panel, qtbot, 2)
    assert focus.locked == (1, -1)
    click_chip(panel, qtbot, 0)
    assert focus.locked == (1, -1)


def test_equal_words_are_different_tokens(
    panel: SentencePanel, store: Store, focus: Focus, qtbot: QtBot
) -> None:
    intents.set_text(store, "the cat and the dog")
    click_chip(panel, qtbot, 3)
    assert focus.locked == (3, -1)


def test_the_pointer_on_a_chip_shows_its_row(panel: SentencePanel, focus: Focus, qtbot: QtBot) -> None:
    qtbot.mouseMove(panel.chips.viewport(), panel.chips.chip_rect(2).center())
    assert focus.hovered == (2, -1)
    QApplication.sendEvent(panel.chips.viewport(), QEvent(QEvent.Type.Leave))
    assert focus.hovered is None


def test_the_cell_under_the_pointer_marks_its_two_chips(panel: SentencePanel, focus: Focus) -> None:
    before = panel.chips.grab().toImage()
    focus.hover((1, 4))
    assert panel.chips.grab().toImage() != before
    assert (panel.chips._query, panel.chips._key) == (1, 4)


def test_keys_walk_the_chips_lock_rows_and_leave_tokens_out(
    panel: SentencePanel, store: Store, focus: Focus, qtbot: QtBot
) -> None:
    panel.chips.setFocus()
    for _ in range(2):
        qtbot.keyClick(panel.chips, Qt.Key.Key_Right)
    qtbot.keyClick(panel.chips, Qt.Key.Key_Space)
    assert focus.locked == (2, -1)
    qtbot.keyClick(panel.chips, Qt.Key.Key_Delete)
    assert statuses(panel)[2] == "left-out"
    qtbot.keyClick(panel.chips, Qt.Key.Key_End)
    assert panel.chips.current == 11
    assert "tired" in panel.chips.accessibleDescription()
    qtbot.keyClick(panel.chips, Qt.Key.Key_Right)
    assert panel.chips.current == 11
    assert store.undo_stack.count() == 1


def test_up_and_down_go_from_line_to_line(panel: SentencePanel, qtbot: QtBot) -> None:
    panel.resize(500, 120)
    panel.chips.setFocus()
    first = panel.chips.chip_rect(panel.chips.current)
    qtbot.keyClick(panel.chips, Qt.Key.Key_Down)
    assert panel.chips.chip_rect(panel.chips.current).top() > first.top()
    qtbot.keyClick(panel.chips, Qt.Key.Key_Up)
    assert panel.chips.chip_rect(panel.chips.current).top() == first.top()


# What can be done to a token


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


# The tooltip


def rest_on(panel: SentencePanel, index: int) -> None:
    place = panel.chips.chip_rect(index).center()
    event = QHelpEvent(QEvent.Type.ToolTip, place, panel.chips.viewport().mapToGlobal(place))
    QApplication.sendEvent(panel.chips.viewport(), event)


def test_a_tooltip_tells_norm_place_and_nearest_words(
    panel: SentencePanel, store: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _place, text, _widget: said.append(text))
    monkeypatch.setattr(panel.chips, "underMouse", lambda: True)
    rest_on(panel, 1)
    assert "word 2 of" in said[0]
    assert "norm" in said[0]
    qtbot.waitUntil(lambda: len(said) == 2)
    assert "nearest: " in said[1]
    nearest = store.vectors.neighbours("animal", 1)[0][0]
    assert nearest in said[1]


def test_the_tooltip_of_an_unknown_word_says_where_it_was_looked_for(
    panel: SentencePanel, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _place, text, _widget: said.append(text))
    intents.set_text(store, "<i>zz</i>")
    rest_on(panel, 1)
    assert any("not found in small" in text for text in said)
    assert not any("<i>" in text for text in said)


def test_chips_are_not_painted_again_for_an_edit_of_weights(
    panel: SentencePanel, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[object] = []
    monkeypatch.setattr(panel.chips, "show_tokens", lambda *tokens: shown.append(tokens))
    intents.randomize(store)
    assert shown == []
    intents.set_text(store, "the cat")
    assert len(shown) == 1


def test_other_vectors_are_looked_up_anew(panel: SentencePanel, store: Store) -> None:
    table = WordVectors.from_arrays(["cat", "the"], np.eye(2, 20, dtype=np.float32), name="two words")
    intents.set_text(store, "the animal")
    intents.use_vectors(store, table)
    assert statuses(panel) == ["known", "unknown"]


# Many tokens, small windows, both themes


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("count", [0, 1, 300])
def test_the_panel_opens_with_any_number_of_tokens(
    store: Store, focus: Focus, qtbot: QtBot, dressed_app: QApplication, name: theme.ThemeName, count: int
) -> None:
    theme.apply_theme(dressed_app, name)
    intents.set_text(store, "cat " * count)
    qtbot.waitUntil(lambda: not store.stale)
    panel = SentencePanel(store, focus)
    qtbot.addWidget(panel)
    panel.resize(900, 100)
    panel.show()
    assert len(panel.chips.tokens) == count
    assert not panel.grab().isNull()


def test_many_tokens_scroll_and_never_widen_or_fill_the_window(
    panel: SentencePanel, store: Store, qtbot: QtBot
) -> None:
    intents.set_text(store, "the animal did not cross " * 60)
    qtbot.waitUntil(lambda: not store.stale)
    panel.resize(1400, panel.sizeHint().height())
    assert panel.minimumSizeHint().width() < 600
    assert panel.chips.height() < 120
    assert panel.chips.verticalScrollBar().maximum() > 0
    panel.chips.setFocus()
    qtbot.keyClick(panel.chips, Qt.Key.Key_End)
    last = panel.chips.chip_rect(299)
    assert panel.chips.viewport().rect().contains(last)


def test_a_long_word_is_shortened(panel: SentencePanel, store: Store) -> None:
    intents.set_text(store, "x" * 5000)
    assert panel.chips.chip_rect(0).width() < 300
    assert panel.minimumSizeHint().width() < 600


def test_only_the_chips_in_sight_are_painted(
    panel: SentencePanel, store: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    intents.set_text(store, "the animal did not cross " * 60)
    qtbot.waitUntil(lambda: not store.stale)
    painted: list[object] = []
    monkeypatch.setattr(panel.chips._painter, "paint", lambda *args: painted.append(args))
    panel.chips.viewport().grab()
    assert 0 < len(painted) < 150


@given(
    widths=st.lists(st.integers(1, 400), max_size=60),
    available=st.integers(20, 900),
)
def test_chips_never_overlap_and_never_leave_the_line(widths: list[int], available: int) -> None:
    rects = flow(widths, 20, available)
    assert len(rects) == len(widths)
    for rect in rects:
        assert rect.left() >= 0
        assert rect.left() + rect.width() <= available
    for first, second in pairwise(rects):
        assert second.top() > first.top() or second.left() >= first.left() + first.width()


def test_the_sentence_is_larger_than_other_text_and_follows_its_size(
    panel: SentencePanel, dressed_app: QApplication
) -> None:
    edit = panel.edit
    assert edit.font().pointSizeF() > dressed_app.font().pointSizeF()
    old = dressed_app.font()
    try:
        larger = dressed_app.font()
        larger.setPointSizeF(old.pointSizeF() * 2)
        dressed_app.setFont(larger)
        theme.apply_theme(dressed_app, "light")
        assert edit.font().pointSizeF() > larger.pointSizeF()
    finally:
        dressed_app.setFont(old)


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

"""The chips: what they say of every token, the count line, rows locked by mouse and keys, tooltips."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from tests.gui.sentence.shown import FAMILY, THUMB, statuses, texts

from askew.vectors import WordVectors
from askew_gui import intents
from askew_gui.panels.chip_texts import chip_lines, count_line

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.focus import Focus
    from askew_gui.panels.sentence import SentencePanel
    from askew_gui.store import Store


def click_chip(panel: SentencePanel, qtbot: QtBot, index: int) -> None:
    place = panel.chips.chip_rect(index).center()
    qtbot.mouseClick(panel.chips.viewport(), Qt.MouseButton.LeftButton, pos=place)


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

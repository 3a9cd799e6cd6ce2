"""Special tokens of a model among the chips: seen, counted apart, and standing for no text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from tests.gui.sentence.shown import statuses, texts

from askew.examples import example
from askew.vectors import open_vectors
from askew_gui import intents
from askew_gui.panels.chip_texts import chip_lines
from askew_gui.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from askew_gui.focus import Focus
    from askew_gui.panels.sentence import SentencePanel

LEFT = Qt.MouseButton.LeftButton
LAST = 13


@pytest.fixture
def store() -> Iterator[Store]:
    """Return the store of the trained layer."""
    vectors = open_vectors("minilm-l6-v2")
    store = Store(example("trained", vectors), vectors)
    yield store
    store.jobs.close()


def menu_texts(panel: SentencePanel, index: int) -> list[str]:
    menu = panel.menu_for(index)
    found = [action.text() for action in menu.actions() if action.isEnabled() and action.text()]
    menu.deleteLater()
    return found


def test_special_tokens_are_chips_at_both_ends_and_counted_apart(panel: SentencePanel) -> None:
    assert texts(panel)[:2] == ["[CLS]", "the"]
    assert texts(panel)[-1] == "[SEP]"
    assert statuses(panel) == ["special", *["known"] * 12, "special"]
    assert panel.count.whole_text == "12 tokens + 2 special · all known"


def test_words_that_lose_capitals_and_accents_say_so_and_unknown_ones_are_named(
    panel: SentencePanel, store: Store
) -> None:
    intents.set_text(store, "Café zzyzxx")
    assert statuses(panel) == ["special", "changed", "unknown", "special"]
    assert panel.chips.tokens[1].key == "cafe"
    assert panel.count.whole_text == "2 tokens + 2 special · 1 not found: zzyzxx"


def test_the_menu_of_a_special_token_offers_only_to_do_without(panel: SentencePanel, store: Store) -> None:
    assert menu_texts(panel, 0) == menu_texts(panel, LAST) == ["Without special tokens"]
    assert "Join with next" in menu_texts(panel, LAST - 2)
    assert "Join with next" not in menu_texts(panel, LAST - 1)
    menu = panel.menu_for(0)
    menu.actions()[0].trigger()
    menu.deleteLater()
    assert not store.experiment.specials
    assert texts(panel)[0] == "the"
    assert panel.count.whole_text == "12 tokens · all known"
    store.undo()
    assert texts(panel)[0] == "[CLS]"


def test_a_special_token_is_not_left_out_by_key(panel: SentencePanel, store: Store, qtbot: QtBot) -> None:
    panel.chips.setFocus()
    qtbot.keyClick(panel.chips, Qt.Key.Key_Home)
    with qtbot.waitSignal(store.said) as said:
        qtbot.keyClick(panel.chips, Qt.Key.Key_Delete)
    assert said.args is not None
    assert said.args[1].startswith("[CLS] stands for no text")
    assert store.undo_stack.count() == 0


def test_rows_of_special_tokens_are_pointed_at_and_locked(
    panel: SentencePanel, focus: Focus, qtbot: QtBot
) -> None:
    for index in (0, LAST):
        qtbot.mouseClick(panel.chips.viewport(), LEFT, pos=panel.chips.chip_rect(index).center())
        assert focus.locked == (index, -1)
    qtbot.mouseMove(panel.chips.viewport(), panel.chips.chip_rect(0).center())
    assert focus.hovered == (0, -1)


def test_typing_at_both_ends_stays_between_the_special_tokens(
    panel: SentencePanel, store: Store, qtbot: QtBot
) -> None:
    panel.edit.setFocus()
    panel.edit.end(False)
    qtbot.keyClicks(panel.edit, " now")
    panel.edit.home(False)
    qtbot.keyClicks(panel.edit, "so ")
    assert texts(panel)[:3] == ["[CLS]", "so", "the"]
    assert texts(panel)[-2:] == ["now", "[SEP]"]
    assert [
        store.experiment.text[t.start : t.end] for t in (panel.chips.tokens[0], panel.chips.tokens[-1])
    ] == [
        "",
        "",
    ]


def test_edits_of_words_leave_special_tokens_unmarked(panel: SentencePanel, store: Store) -> None:
    panel.toggle_left_out(1)
    panel.toggle_left_out(LAST - 1)
    assert panel.chips._edited == {1, LAST - 1}
    assert statuses(panel)[0] == statuses(panel)[-1] == "special"
    assert len(store.evaluation.tokens) == 12


def test_a_special_token_typed_as_a_word_is_a_word(panel: SentencePanel, store: Store) -> None:
    intents.set_text(store, "[CLS] the")
    assert texts(panel)[0] == "[CLS]"
    assert statuses(panel)[0] == "special"
    assert "special" not in statuses(panel)[1:-1]
    assert len(store.evaluation.tokens) == len(panel.chips.tokens)


def test_its_tooltip_says_what_it_is(panel: SentencePanel, store: Store) -> None:
    lines = chip_lines(panel.chips.tokens[0], store.vectors, False)
    assert lines[:2] == ["[CLS]", "special token: stands for no text"]
    panel.chips.setFocus()
    panel.chips._set_current(LAST)
    assert panel.chips.accessibleDescription() == "[SEP], special token of the model"


def test_without_words_there_are_no_special_tokens(panel: SentencePanel, store: Store) -> None:
    intents.set_text(store, "")
    assert texts(panel) == []
    assert panel.count.whole_text == "Type a sentence"

"""Completions of the word being typed: what is offered, and that typing is never in its way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from askew.examples import example
from askew.vectors import WordVectors
from askew_gui.completion import completed, word_before
from askew_gui.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from askew_gui.completion import Completion
    from askew_gui.panels.sentence_edit import SentenceEdit
    from askew_gui.window import Window

WORDS = ["the", "tired", "animal", "tire", "Paris", "tiramisu", "ti\u00a0x", "anna", "don't", "x"]


def table(words: list[str]) -> WordVectors:
    numbers = np.random.default_rng(1).standard_normal((len(words), 6)).astype(np.float32)
    return WordVectors.from_arrays(words, numbers, name="words")


@pytest.fixture
def vectors() -> WordVectors:
    return table(WORDS)


@pytest.fixture
def store(vectors: WordVectors, dressed_app: QApplication) -> Iterator[Store]:
    store = Store(example("glove-random", vectors), vectors)
    yield store
    store.jobs.close()


@pytest.fixture
def edit(window: Window, qtbot: QtBot) -> SentenceEdit:
    """Return the empty sentence with the focus in it."""
    field = window.sentence.edit
    window.activateWindow()
    field.setFocus()
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.waitUntil(field.hasFocus, timeout=2000)
    return field


def typed(window: Window, edit: SentenceEdit, qtbot: QtBot, text: str) -> Completion:
    """Type, and wait for the list."""
    qtbot.keyClicks(edit, text)
    qtbot.waitUntil(window.completion.popup.isVisible, timeout=3000)
    return window.completion


def quiet(window: Window, qtbot: QtBot) -> None:
    """Wait until no list can come any more."""
    qtbot.waitUntil(lambda: not window.completion._pause.isActive(), timeout=2000)
    qtbot.waitUntil(lambda: window.store.jobs.idle, timeout=2000)


@pytest.mark.parametrize(
    ("text", "cursor", "word"),
    [
        ("the ti", 6, "ti"),
        ("t", 1, ""),
        ("tired", 3, ""),
        ("ti red", 2, "ti"),
        ("", 0, ""),
        ("don't", 5, "don't"),
        ("1 ", 2, ""),
        ("(ti", 3, "ti"),
        ("机器", 2, "机器"),
    ],
)
def test_the_word_being_typed_ends_at_the_cursor(text: str, cursor: int, word: str) -> None:
    assert word_before(text, cursor) == word


def test_the_first_words_of_the_table_are_offered_first(vectors: WordVectors) -> None:
    assert completed(vectors, "ti") == ["tired", "tire", "tiramisu"]
    assert completed(vectors, "ti", most=2) == ["tired", "tire"]
    assert completed(vectors, "zz") == []


def test_a_whole_word_stands_first_whatever_its_rank(vectors: WordVectors) -> None:
    assert completed(vectors, "tire") == ["tire", "tired"]


def test_capitals_that_were_typed_stay(vectors: WordVectors) -> None:
    assert completed(vectors, "Ti") == ["Tired", "Tire", "Tiramisu"]
    assert completed(vectors, "Pa") == ["Paris"]
    assert completed(vectors, "pa") == []


def test_words_that_cannot_be_typed_are_not_offered(vectors: WordVectors) -> None:
    assert "ti\u00a0x" not in completed(vectors, "ti")


def test_two_letters_open_the_list_under_the_word(window: Window, edit: SentenceEdit, qtbot: QtBot) -> None:
    qtbot.keyClicks(edit, "the t")
    quiet(window, qtbot)
    assert not window.completion.popup.isVisible()
    popup = typed(window, edit, qtbot, "i").popup
    assert popup.words == ["tired", "tire", "tiramisu"]
    assert popup.marked == ""
    assert edit.hasFocus()
    below = edit.mapTo(window, edit.rect().bottomLeft()).y()
    assert abs(popup.y() - below) <= 2
    assert popup.x() > edit.mapTo(window, edit.rect().topLeft()).x() + 20


def test_tab_takes_the_first_word(window: Window, edit: SentenceEdit, qtbot: QtBot) -> None:
    popup = typed(window, edit, qtbot, "the ti").popup
    qtbot.keyClick(edit, Qt.Key.Key_Tab)
    assert edit.text() == "the tired"
    assert window.store.experiment.text == "the tired"
    assert not popup.isVisible()
    assert edit.hasFocus()
    quiet(window, qtbot)
    assert not popup.isVisible()


def test_tab_leaves_a_whole_word_as_it_is_and_then_goes_on(
    window: Window, edit: SentenceEdit, qtbot: QtBot
) -> None:
    typed(window, edit, qtbot, "tire")
    qtbot.keyClick(edit, Qt.Key.Key_Tab)
    assert edit.text() == "tire"
    qtbot.keyClick(edit, Qt.Key.Key_Tab)
    assert not edit.hasFocus()


def test_arrows_mark_a_word_and_enter_takes_it(window: Window, edit: SentenceEdit, qtbot: QtBot) -> None:
    popup = typed(window, edit, qtbot, "Ti").popup
    qtbot.keyClick(edit, Qt.Key.Key_Down)
    qtbot.keyClick(edit, Qt.Key.Key_Down)
    assert popup.marked == "Tire"
    qtbot.keyClick(edit, Qt.Key.Key_Up)
    qtbot.keyClick(edit, Qt.Key.Key_Up)
    assert popup.marked == "Tiramisu"
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert edit.text() == "Tiramisu"
    assert edit.hasFocus()


def test_enter_without_a_mark_ends_the_sentence_as_ever(
    window: Window, edit: SentenceEdit, qtbot: QtBot
) -> None:
    popup = typed(window, edit, qtbot, "ti").popup
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert edit.text() == "ti"
    assert not edit.hasFocus()
    assert not popup.isVisible()


def test_escape_closes_the_list_and_keeps_the_text(window: Window, edit: SentenceEdit, qtbot: QtBot) -> None:
    popup = typed(window, edit, qtbot, "ti").popup
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert edit.text() == "ti"
    assert edit.hasFocus()


def test_a_click_takes_a_word(window: Window, edit: SentenceEdit, qtbot: QtBot) -> None:
    popup = typed(window, edit, qtbot, "ti").popup
    place = popup.visualItemRect(popup.item(1)).center()
    qtbot.mouseClick(popup.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert edit.text() == "tire"
    assert edit.hasFocus()


def test_typing_on_changes_the_list_and_loses_no_letter(
    window: Window, edit: SentenceEdit, qtbot: QtBot
) -> None:
    popup = typed(window, edit, qtbot, "ti").popup
    qtbot.keyClicks(edit, "ra")
    qtbot.waitUntil(lambda: popup.isVisible() and popup.words == ["tiramisu"], timeout=3000)
    qtbot.keyClicks(edit, " x")
    assert edit.text() == "tira x"
    assert not popup.isVisible()


def test_a_completion_is_one_step_of_undo(window: Window, edit: SentenceEdit, qtbot: QtBot) -> None:
    typed(window, edit, qtbot, "the ti")
    qtbot.keyClick(edit, Qt.Key.Key_Tab)
    window.store.undo()
    assert edit.text() == "the ti"


def test_no_list_for_text_from_elsewhere_or_without_the_focus(
    window: Window, edit: SentenceEdit, qtbot: QtBot
) -> None:
    popup = typed(window, edit, qtbot, "ti").popup
    window.maps.setFocus()
    assert not popup.isVisible()
    edit.setFocus()
    QApplication.clipboard().setText("the animal tir")
    edit.selectAll()
    edit.paste()
    quiet(window, qtbot)
    assert not popup.isVisible()

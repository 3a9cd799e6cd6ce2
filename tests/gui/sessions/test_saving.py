"""New, save, save as, the mark of what is not saved, and the question before it is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtWidgets import QMenu
from tests.gui.sessions.steps import (
    answer,
    choice,
    choose_file,
    drop,
    open_file,
    press,
    question,
    said,
    save_as,
    settled,
    trigger,
)

from askew import session_file
from askew.examples import example
from askew.session import Session
from askew_gui import intents
from askew_gui.context_menus import fill_recent
from askew_gui.faults import Caught

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.window import Window


def test_what_was_saved_is_there_again_to_the_last_bit(on_file: Window, qtbot: QtBot, tmp_path: Path) -> None:
    window, store = on_file, on_file.store
    intents.set_weight(store, 1, "q", 0, 0, 0.1234567)
    intents.set_text(store, "the cat sat")
    intents.select_head(store, 3)
    before, maps = store.experiment, store.evaluation.pattern
    place = tmp_path / "work" / "mine.askew"
    save_as(window, qtbot, place)
    intents.randomize(store)
    open_file(window, qtbot, place)
    answer(window, qtbot, "Don't save")
    settled(window, qtbot)
    assert replace(store.experiment, heads=before.heads) == before
    for old, new in zip(before.heads, store.experiment.heads, strict=True):
        assert all(np.array_equal(getattr(old, part), getattr(new, part)) for part in ("w_q", "w_k", "w_v"))
        assert old.recipe == new.recipe
    assert store.experiment.heads[1].w_q[0, 0] == np.float32(0.1234567)
    assert np.array_equal(store.evaluation.pattern, maps)
    assert store.experiment.selected == (3,)
    assert not store.undo_stack.canUndo()
    assert store.vectors.vectors(["dog"]).shape == (1, 8)  # a word that is not in the sentence


def test_the_title_names_the_file_and_a_star_marks_changes(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    assert window.windowTitle() == "Untitled[*] — Askew"
    assert not window.isWindowModified()
    intents.randomize(window.store)
    assert window.isWindowModified()
    save_as(window, qtbot, tmp_path / "a [*] b.askew")
    assert window.windowTitle() == "a [*][*] b[*] — Askew"
    assert not window.isWindowModified()
    assert not window.actions_table["save"].isEnabled()
    intents.randomize(window.store)
    assert window.isWindowModified()
    assert window.actions_table["save"].isEnabled()
    window.store.undo()
    assert not window.isWindowModified()


def test_what_is_changed_while_a_save_runs_is_marked_as_unsaved(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    place = tmp_path / "mine.askew"
    save_as(window, qtbot, place)
    intents.set_text(window.store, "the cat")
    trigger(window, "save")
    intents.set_text(window.store, "the cat sat")
    settled(window, qtbot)
    assert window.isWindowModified()
    assert session_file.load(place).session.experiment.text == "the cat"


def test_all_variants_and_the_title_of_a_session_are_written_back(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    table = window.store.vectors
    first = window.store.experiment
    second, third = replace(first, text="the dog"), example("tied", table)
    place = tmp_path / "three.askew"
    session = Session((first, second, third), active=1, title="Three of them")
    session_file.save(place, session, {table.fingerprint: table})
    open_file(window, qtbot, place)
    assert window.windowTitle() == "Three of them[*] — Askew"
    assert window.store.experiment.text == "the dog"
    intents.set_text(window.store, "a mat")
    trigger(window, "save")
    settled(window, qtbot)
    read = session_file.load(place).session
    assert [each.text for each in read.variants] == [first.text, "a mat", third.text]
    assert (read.active, read.title) == (1, "Three of them")


@pytest.mark.parametrize("name", ["new", "open"])
def test_new_and_open_ask_before_changes_are_lost(
    window: Window, qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    place = tmp_path / "other.askew"
    save_as(window, qtbot, place)
    intents.set_text(window.store, "a dog")

    def go_on() -> None:
        if name == "new":
            trigger(window, "new")
        else:
            window.open_file(str(place))

    go_on()
    answer(window, qtbot, "Cancel")
    settled(window, qtbot)
    assert window.store.experiment.text == "a dog"
    assert window.isWindowModified()
    go_on()
    answer(window, qtbot, "Save")
    qtbot.waitUntil(lambda: not window.isWindowModified() and window.store.jobs.idle)
    assert session_file.load(place).session.experiment.text == "a dog"


def test_nobody_is_asked_about_what_was_not_touched(window: Window, qtbot: QtBot) -> None:
    trigger(window, "new")
    assert question(window) is None
    assert window.store.vectors.dim == 384


def test_closing_asks_for_a_file_with_unsaved_changes_and_cancel_keeps_the_window(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    place = tmp_path / "mine.askew"
    save_as(window, qtbot, place)
    intents.set_text(window.store, "a dog")
    window.close()
    assert window.isVisible()
    answer(window, qtbot, "Cancel")
    assert window.isVisible()
    window.close()
    answer(window, qtbot, "Save")
    qtbot.waitUntil(lambda: not window.isVisible())
    assert session_file.load(place).session.experiment.text == "a dog"


def test_closing_without_saving_leaves_the_file_as_it_was(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    place = tmp_path / "mine.askew"
    save_as(window, qtbot, place)
    content = place.read_bytes()
    intents.set_text(window.store, "a dog")
    window.close()
    answer(window, qtbot, "Don't save")
    qtbot.waitUntil(lambda: not window.isVisible())
    assert place.read_bytes() == content


def test_a_save_that_was_begun_is_in_the_file_when_the_window_is_closed(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    place = tmp_path / "mine.askew"
    save_as(window, qtbot, place)
    intents.set_text(window.store, "a dog")
    trigger(window, "save")
    window.close()
    assert not window.isVisible()
    assert session_file.load(place).session.experiment.text == "a dog"


def test_a_save_that_fails_offers_to_try_again_and_another_place(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    place = tmp_path / "there" / "mine.askew"
    trigger(window, "save")
    choose_file(window, qtbot, place)
    assert "no such file" in said(window)
    assert window.isWindowModified()
    place.parent.mkdir()
    press(window, qtbot, "Retry")
    settled(window, qtbot)
    assert place.exists()
    assert not window.isWindowModified()
    place.unlink()
    place.mkdir()
    intents.randomize(window.store)
    trigger(window, "save")
    settled(window, qtbot)
    assert window.isWindowModified()
    press(window, qtbot, "Save as…")
    choose_file(window, qtbot, tmp_path / "other.askew")
    assert window.sessions.path == str(tmp_path / "other.askew")
    assert not window.isWindowModified()


def test_a_copy_saved_leaves_the_session_that_of_its_own_file(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    window.messages.say_caught(Caught("ZeroDivisionError: 1", "Traceback", "here"))
    choice(window, "Save a copy of the session…")()
    choose_file(window, qtbot, tmp_path / "copy.askew")
    assert session_file.load(tmp_path / "copy.askew").session.experiment.text == window.store.experiment.text
    assert window.sessions.path == ""


def test_a_session_of_a_long_and_foreign_path_is_saved_and_opened(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    place = tmp_path / "Usuário" / ("x" * 100) / ("ы" * 80) / "Ünï 文件 (1).askew"
    place.parent.mkdir(parents=True)
    assert len(str(place)) > 240
    save_as(window, qtbot, place)
    trigger(window, "new")
    open_file(window, qtbot, place)
    assert window.windowTitle() == "Ünï 文件 (1)[*] — Askew"
    assert window.store.vectors.dim == 20


def test_a_recent_session_is_opened_again_from_the_menu(window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    place = tmp_path / "mine.askew"
    save_as(window, qtbot, place)
    trigger(window, "new")
    menu = QMenu(window)
    fill_recent(window, menu)
    assert [action.text() for action in menu.actions()] == ["mine.askew"]
    menu.actions()[0].trigger()
    settled(window, qtbot)
    assert window.sessions.path == str(place)


def test_a_session_dropped_on_the_window_is_opened(window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    place = tmp_path / "mine.askew"
    save_as(window, qtbot, place)
    trigger(window, "new")
    drop(window, place)
    qtbot.waitUntil(lambda: window.sessions.path == str(place))
    assert window.store.vectors.dim == 20

"""Sessions and pictures that are opened: broken, newer, without a session, and their vectors."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.gui.sessions.pictures import session_of_one, white_picture
from tests.gui.sessions.steps import (
    choice,
    choose_file,
    drop,
    open_file,
    press,
    said,
    save_as,
    settled,
    trigger,
)

from askew_gui import intents

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.window import Window

NEWER = b'{"format": 999, "title": ""}'
BROKEN = {"empty": (b"", "empty"), "cut": (b'{"format": 1, "tit', "cut short"), "newer": (NEWER, "newer")}


@pytest.fixture
def session(on_file: Window, qtbot: QtBot, vector_file: Path) -> Path:
    """Return a session beside its vectors; the window shows something else by then."""
    intents.set_text(on_file.store, "the cat sat on the mat")
    place = vector_file.with_name("mine.askew")
    save_as(on_file, qtbot, place)
    trigger(on_file, "new")
    on_file.settings.recent = []
    return place


@pytest.mark.parametrize("kind", BROKEN)
def test_a_file_that_cannot_be_read_is_said_and_changes_nothing(
    window: Window, qtbot: QtBot, tmp_path: Path, kind: str
) -> None:
    content, word = BROKEN[kind]
    place = tmp_path / "broken.askew"
    place.write_bytes(content)
    before = window.store.experiment
    open_file(window, qtbot, place)
    assert word in said(window)
    assert window.store.experiment is before
    assert window.sessions.path == ""
    intents.randomize(window.store)
    window.close()
    assert place.read_bytes() == content


def test_the_vectors_of_a_session_are_found_where_both_moved_to(
    on_file: Window, qtbot: QtBot, session: Path, vector_file: Path, tmp_path: Path
) -> None:
    moved = tmp_path / "elsewhere"
    shutil.move(vector_file.parent, moved)
    open_file(on_file, qtbot, moved / session.name)
    assert on_file.messages.current is None
    assert on_file.store.vectors.searchable
    assert len(on_file.store.vectors) > 6
    intents.set_text(on_file.store, "the dog")  # no word of the session
    assert [token.row is not None for token in on_file.store.evaluation.tokens] == [True, True]


def test_without_its_vectors_a_session_is_shown_and_the_file_asked_for(
    on_file: Window, qtbot: QtBot, session: Path, vector_file: Path, tmp_path: Path
) -> None:
    open_file(on_file, qtbot, session)
    maps = on_file.store.evaluation.pattern
    trigger(on_file, "new")
    hidden = tmp_path / "renamed.vec"
    vector_file.rename(hidden)
    on_file.settings.recent = []
    open_file(on_file, qtbot, session)
    assert vector_file.name in said(on_file)
    assert "unknown until the file is there" in said(on_file)
    assert np.array_equal(on_file.store.evaluation.pattern, maps)
    assert not on_file.isWindowModified()
    assert "of the session" in on_file.vector_files.part_in_use
    choice(on_file, "Choose the file…")()
    choose_file(on_file, qtbot, hidden)
    assert on_file.store.vectors.searchable
    assert not on_file.isWindowModified()
    assert np.array_equal(on_file.store.evaluation.pattern, maps)


def test_another_file_under_the_old_name_is_not_taken_unasked(
    on_file: Window, qtbot: QtBot, session: Path, vector_file: Path
) -> None:
    vector_file.write_text("the 1 2 3\ncat 4 5 6\nmat 7 8 9\n", encoding="utf-8")
    open_file(on_file, qtbot, session)
    assert "is not the file this session was made with" in said(on_file)
    assert on_file.store.vectors.dim == 8
    press(on_file, qtbot, "Use these vectors anyway")
    settled(on_file, qtbot)
    assert on_file.store.vectors.dim == 3
    assert on_file.isWindowModified()
    on_file.store.undo()
    assert on_file.store.vectors.dim == 8


def test_a_chosen_file_that_is_another_one_is_refused(
    on_file: Window, qtbot: QtBot, session: Path, vector_file: Path, tmp_path: Path
) -> None:
    vector_file.unlink()
    other = tmp_path / "other.vec"
    other.write_text("the 1 2 3\ncat 4 5 6\n", encoding="utf-8")
    open_file(on_file, qtbot, session)
    choice(on_file, "Choose the file…")()
    choose_file(on_file, qtbot, other)
    assert "'other.vec' is not the file" in said(on_file)
    assert on_file.store.vectors.dim == 8


def test_a_session_saved_without_its_vectors_still_knows_their_file(
    on_file: Window, qtbot: QtBot, session: Path, vector_file: Path
) -> None:
    content = vector_file.read_bytes()
    vector_file.unlink()
    open_file(on_file, qtbot, session)
    intents.set_text(on_file.store, "the mat")
    trigger(on_file, "save")
    settled(on_file, qtbot)
    vector_file.write_bytes(content)
    trigger(on_file, "new")
    open_file(on_file, qtbot, session)
    assert on_file.store.vectors.searchable
    assert on_file.store.experiment.text == "the mat"


def test_a_picture_dropped_on_the_window_brings_its_experiment_back(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    store = window.store
    drop(window, white_picture(tmp_path, session_of_one("the cat")))
    qtbot.waitUntil(lambda: store.jobs.idle and store.experiment.text == "the cat")
    assert window.sessions.path == ""  # saving does not write over the picture
    assert store.vectors.name == "glove-6b-50d"
    assert store.vectors.searchable


def test_a_picture_without_a_session_says_so(window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    before = window.store.experiment
    open_file(window, qtbot, white_picture(tmp_path, None))
    assert "carries" in said(window)
    assert window.store.experiment is before

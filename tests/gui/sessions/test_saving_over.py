"""Saving where somebody else has saved meanwhile, and twice in quick succession."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gui.sessions.steps import choice, choose_file, said, save_as, settled, trigger

from askew import session_file
from askew.files import write_bytes
from askew_gui import intents

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.window import Window


def text_in(place: Path) -> str:
    return session_file.load(place).session.experiment.text


def test_a_file_that_was_changed_meanwhile_is_saved_over_only_when_asked(
    on_file: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    place, other = tmp_path / "mine.askew", tmp_path / "other.askew"
    intents.set_text(on_file.store, "the dog sat")
    save_as(on_file, qtbot, other)
    intents.set_text(on_file.store, "the cat")
    save_as(on_file, qtbot, place)
    write_bytes(place, other.read_bytes())  # as another window does
    intents.set_text(on_file.store, "the cat sat")
    trigger(on_file, "save")
    settled(on_file, qtbot)
    assert "changed by another" in said(on_file)
    assert text_in(place) == "the dog sat"
    assert on_file.isWindowModified()
    choice(on_file, "Save over it")()
    settled(on_file, qtbot)
    assert text_in(place) == "the cat sat"
    assert not on_file.isWindowModified()


def test_a_file_that_is_gone_is_written_again(on_file: Window, qtbot: QtBot, tmp_path: Path) -> None:
    place = tmp_path / "mine.askew"
    save_as(on_file, qtbot, place)
    place.unlink()
    intents.set_text(on_file.store, "the cat")
    trigger(on_file, "save")
    settled(on_file, qtbot)
    assert text_in(place) == "the cat"


def test_two_saves_at_once_write_both_files(on_file: Window, qtbot: QtBot, tmp_path: Path) -> None:
    first, second = tmp_path / "first.askew", tmp_path / "second.askew"
    on_file.sessions._save_to(str(first))
    trigger(on_file, "save-as")
    choose_file(on_file, qtbot, second)
    assert first.exists()
    assert second.exists()

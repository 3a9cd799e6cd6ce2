"""Vector files opened again: recent ones, members of an archive, parts of a file, undo between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from tests.gui.vector_files import message, text_file, two_in_a_zip

from askew.vectors.options import Options
from askew_gui.context_menus import fill_recent
from askew_gui.panels.vectors_status import VectorsStatus

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store
    from askew_gui.window import Window


def test_a_recent_file_opens_with_the_answers_that_were_given(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.vector_files.open(str(two_in_a_zip(tmp_path)), Options(member="toy.9d.txt", limit=3))
    store.undo()
    menu = QMenu(window)
    fill_recent(window, menu)
    assert [action.text() for action in menu.actions()] == ["two.zip · toy.9d.txt · first 3"]
    with qtbot.waitSignal(store.changed, timeout=5000):
        menu.actions()[0].trigger()
    assert (len(store.vectors), store.vectors.dim) == (3, 9)


def test_a_recent_file_that_is_gone_is_said_and_can_be_taken_off_the_list(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    file = text_file(tmp_path)
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.open_file(str(file))
    file.unlink()
    window.vector_files.open_recent(str(file))
    qtbot.waitUntil(lambda: "not there any more" in message(window), timeout=5000)
    assert "mine.txt" in message(window)
    assert store.vectors.name == "mine.txt"
    qtbot.mouseClick(window.messages._choose, Qt.MouseButton.LeftButton)
    assert window.settings.recent == []


def test_two_members_of_one_archive_are_two_tables_and_undo_tells_them_apart(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    path = str(two_in_a_zip(tmp_path))
    for member in ("toy.6d.txt", "toy.9d.txt"):
        with qtbot.waitSignal(store.changed, timeout=5000):
            window.vector_files.open(path, Options(member=member))
    store.undo()
    assert store.vectors.dim == 6
    assert store.evaluation.x.shape[1] == 6


def test_of_a_file_with_a_header_the_panel_says_how_many_there_are(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    file = text_file(tmp_path, rows=["3 4", "red 0.5 1 2 3", "sky 0 0.75 1 2", "tree 1 2 3 4"])
    part = window.heads.findChildren(VectorsStatus)[0].part
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.vector_files.open(str(file), Options(limit=2))
    assert list(store.vectors) == ["red", "sky"]
    assert part.isVisible()
    assert part.whole_text == "first 2 of 3 words"
    store.undo()
    assert not part.isVisible()


def test_fewer_words_of_the_same_file_are_another_table(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    path = str(text_file(tmp_path))
    for limit in (None, 2):
        with qtbot.waitSignal(store.changed, timeout=5000):
            window.vector_files.open(path, Options(limit=limit))
    assert len(store.vectors) == 2
    store.undo()
    assert len(store.vectors) == 4

"""Vector files that are not UTF-8, and how another encoding is chosen in the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gui.vector_files import message

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store
    from askew_gui.window import Window


def latin_file(folder: Path) -> Path:
    file = folder / "latin.txt"
    file.write_bytes("the 1 2 3\ncaf\u00e9 2 3 4\nna\u00efve 3 4 5\n".encode("latin-1"))
    return file


def test_a_text_that_is_not_utf_8_opens_and_is_offered_as_latin_1(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.open_file(str(latin_file(tmp_path)))
    assert "caf\\xe9" in message(window)
    assert "--" not in message(window)
    menu = window.messages.choice_menu()
    assert [action.text() for action in menu.actions()] == ["Show report", "Read it as Latin-1"]
    with qtbot.waitSignal(store.changed, timeout=5000):
        menu.actions()[1].trigger()
    menu.deleteLater()
    assert list(store.vectors) == ["the", "caf\u00e9", "na\u00efve"]
    assert window.settings.reading == {str(tmp_path / "latin.txt"): {"encoding": "latin-1"}}
    store.undo()
    assert "caf\u00e9" not in store.vectors


def test_the_report_offers_other_encodings(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.open_file(str(latin_file(tmp_path)))
    window.vector_files.show_report()
    report = window.vector_files.report
    assert report is not None
    assert report.encoding.isVisible()
    index = report.encoding.findText("cp1252")
    report.encoding.setCurrentIndex(index)
    with qtbot.waitSignal(store.changed, timeout=5000):
        report.encoding.activated.emit(index)
    assert "caf\u00e9" in store.vectors

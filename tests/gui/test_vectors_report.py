"""The report of a vector file: said in the message bar, reached from menu and panel, filtered and copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from askew.vectors.options import Options
from askew.vectors.problems import Problem
from askew_gui.panels.vectors_report import KIND, LINE, ReportDialog
from askew_gui.panels.vectors_report_texts import as_text, cells, count_text, is_harmless, summary
from askew_gui.panels.vectors_status import VectorsStatus

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew.vectors import WordVectors
    from askew_gui.store import Store
    from askew_gui.window import Window

ROWS = """the 1 2 3
animal 2 3 4
cat 1 nan 3
the 9 9 9
dog 1 2
\u00a0 4 5 6
\u00a0 7 8 9
"""
PROBLEMS = (
    Problem("repeated", 40, "sky", "'sky' is on line 2 and again on line 40; the first one is used"),
    Problem("not-finite", 9, "bad", "'bad' has a number that is not finite; the word is not used"),
    Problem("encoding", None, None, "the text is in UTF-16 and was read as such"),
    Problem("repeated", 7, "\u00a0", "'U+00A0' is on line 1 and again on line 7; the first one is used"),
)


@pytest.fixture
def opened(window: Window, store: Store, qtbot: QtBot, tmp_path: Path) -> WordVectors:
    """Open a file with five problems and return its table."""
    file = tmp_path / "faulty.txt"
    file.write_text(ROWS, encoding="utf-8")
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.vector_files.open(str(file), Options(skip_damaged=True))
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=5000)
    return store.vectors


@pytest.fixture
def dialog(vectors: WordVectors, qtbot: QtBot) -> ReportDialog:
    """Return the report on four problems."""
    vectors.report = PROBLEMS
    dialog = ReportDialog()
    qtbot.addWidget(dialog)
    dialog.show_vectors(vectors)
    dialog.show()
    return dialog


def shown(dialog: ReportDialog, column: int) -> list[str]:
    model = dialog.filtered
    return [str(model.index(row, column).data()) for row in range(model.rowCount())]


def status(window: Window) -> VectorsStatus:
    return window.heads.findChildren(VectorsStatus)[0]


def test_a_line_says_how_many_problems_of_each_kind(vectors: WordVectors) -> None:
    vectors.report = PROBLEMS
    assert summary(vectors) == "small: 4 problems (2 repeated, 1 not finite, 1 encoding)"
    vectors.report = PROBLEMS[:1]
    assert summary(vectors) == f"small: {PROBLEMS[0].message}"


def test_what_loses_nothing_is_no_warning() -> None:
    assert is_harmless([Problem("first-line", 1, None, "read as a word")])
    assert is_harmless([PROBLEMS[2]])
    assert count_text([Problem("words", None, None, "14 pieces of words left out")]) == "1 note"
    assert count_text([PROBLEMS[2], PROBLEMS[2]]) == "2 notes"
    assert count_text(PROBLEMS[:1]) == "1 problem"
    assert not is_harmless(PROBLEMS)
    assert not is_harmless([Problem("encoding", None, None, "1 word is not valid UTF-8 and shown by bytes")])


def test_a_word_that_looks_blank_is_shown_by_code_point() -> None:
    assert cells(PROBLEMS[3])[2] == "U+00A0"
    assert cells(PROBLEMS[0])[2] == "sky"


def test_cells_with_tabs_stay_one_cell_when_copied() -> None:
    assert as_text([("a\tb", "c\nd")]) == "a b\tc d"


def test_problems_are_listed_by_line_and_sort_as_numbers(dialog: ReportDialog) -> None:
    assert shown(dialog, LINE) == ["", "7", "9", "40"]
    dialog.table.sortByColumn(LINE, Qt.SortOrder.DescendingOrder)
    assert shown(dialog, LINE) == ["40", "9", "7", ""]


def test_a_kind_and_a_text_narrow_the_table(dialog: ReportDialog, qtbot: QtBot) -> None:
    dialog.kind.setCurrentIndex(dialog.kind.findData("repeated"))
    assert shown(dialog, KIND) == ["repeated", "repeated"]
    assert dialog.count.whole_text == "2 of 4 problems"
    qtbot.keyClicks(dialog.text, "SKY")
    assert shown(dialog, LINE) == ["40"]
    dialog.kind.setCurrentIndex(0)
    dialog.text.clear()
    assert len(shown(dialog, LINE)) == 4
    assert dialog.count.whole_text == "4 problems"


def test_selected_rows_are_copied_or_else_all_with_their_titles(dialog: ReportDialog, qtbot: QtBot) -> None:
    qtbot.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    lines = QApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == ["kind", "line", "word", "what was found"]
    assert len(lines) == 5
    dialog.table.selectRow(2)
    qtbot.keyClick(dialog.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == f"not finite\t9\tbad\t{PROBLEMS[1].message}"


def test_a_table_without_problems_says_so(dialog: ReportDialog, vectors: WordVectors) -> None:
    vectors.report = ()
    dialog.show_vectors(vectors)
    assert dialog.nothing.isVisible()
    assert not dialog.copy_button.isEnabled()


def test_the_message_bar_offers_the_report_with_every_line(
    window: Window, opened: WordVectors, qtbot: QtBot
) -> None:
    message = window.messages.current
    assert message is not None
    assert message.level == "warning"
    assert message.text == "faulty.txt: 4 problems (2 repeated, 1 damaged, 1 not finite)"
    qtbot.mouseClick(window.messages._choose, Qt.MouseButton.LeftButton)
    report = window.vector_files.report
    assert report is not None
    assert report.isVisible()
    assert not report.isModal()
    assert shown(report, LINE) == ["3", "4", "5", "7"]
    assert "U+00A0" in shown(report, 2)


def test_the_left_panel_links_to_the_report_as_long_as_there_is_one(
    window: Window, store: Store, opened: WordVectors, qtbot: QtBot
) -> None:
    link = status(window).report
    assert link.text() == "4 problems"
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    report = window.vector_files.report
    assert report is not None
    assert report.isVisible()
    store.undo()
    assert not link.isVisible()
    assert report.title.whole_text == "small"
    assert report.nothing.isVisible()


def test_the_menu_shows_the_report_and_escape_closes_it(window: Window, qtbot: QtBot) -> None:
    window.actions_table["vectors-report"].trigger()
    report = window.vector_files.report
    assert report is not None
    assert report.isVisible()
    qtbot.keyClick(report, Qt.Key.Key_Escape)
    assert not report.isVisible()

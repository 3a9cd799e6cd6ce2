"""Exporting numbers in the window: what is on screen goes into files and onto the clipboard."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu
from tests.gui.vector_files import message, settled

from askew.compare import compare
from askew.results import to_json
from askew.tables_csv import MARK, long_csv, read_table_csv
from askew_gui import intents
from askew_gui.context_menus import maps_menu
from askew_gui.dialogs.export_numbers import ExportNumbersDialog
from askew_gui.export.numbers import OF_ALL, OF_TABLES, SUFFIXES, NumbersSpec, numbers_content
from askew_gui.focus import Focus
from askew_gui.panels.measures import MeasuresPanel

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store
    from askew_gui.window import Window

WHATS = ("raw", "head", "difference", "measures")


def export_dialog(window: Window) -> ExportNumbersDialog:
    window.actions_table["export-numbers"].trigger()
    return next(each for each in window.findChildren(ExportNumbersDialog) if each.isVisible())


def choose(dialog: ExportNumbersDialog, what: str, kind: str, qtbot: QtBot) -> None:
    for choice, name in ((dialog.what, what), (dialog.kind, kind)):
        qtbot.keyClick(choice, Qt.Key.Key_Home)
        while choice.name != name:
            qtbot.keyClick(choice, Qt.Key.Key_Down)


def write(dialog: ExportNumbersDialog, store: Store, qtbot: QtBot, path: Path) -> None:
    """Press Save as, and give the file dialog a name."""
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    asked = dialog.findChild(QFileDialog)
    assert asked is not None
    asked.fileSelected.emit(str(path))
    settled(store, qtbot)


@pytest.mark.parametrize("side", ["raw", "head", "difference"])
@pytest.mark.parametrize("kind", ["csv", "excel"])
def test_a_map_on_screen_comes_back_from_its_file_bit_for_bit(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path, side: str, kind: str
) -> None:
    intents.set_text(store, "the cat AT&T <b> the dog")
    intents.select_head(store, 3)
    dialog = export_dialog(window)
    choose(dialog, side, kind, qtbot)
    path = tmp_path / "map.csv"
    write(dialog, store, qtbot, path)
    assert message(window) == "Wrote map.csv."
    content = path.read_bytes()
    assert content.startswith(MARK.encode()) == (kind == "excel")
    table = read_table_csv(content)
    shown = window.maps.heatmaps[("raw", "head", "difference").index(side)]
    np.testing.assert_array_equal(table.values, shown.values)
    assert table.row_labels == shown.row_labels == ("the", "cat", "AT&T", "<b>", "the", "dog")
    assert "the cat AT&T <b> the dog" in table.state


def test_all_numbers_are_those_of_the_command_line(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    for kind in OF_ALL:
        dialog = export_dialog(window)
        choose(dialog, "numbers", kind, qtbot)
        write(dialog, store, qtbot, tmp_path / f"{kind}{SUFFIXES[kind]}")
    expected = to_json(store.evaluation)
    assert json.loads((tmp_path / "json.json").read_text(encoding="utf-8")) == expected
    assert (tmp_path / "csv.csv").read_bytes() == long_csv(store.evaluation)
    assert (tmp_path / "excel.csv").read_bytes() == MARK.encode() + long_csv(store.evaluation)
    with np.load(tmp_path / "npz.npz") as file:
        np.testing.assert_array_equal(file["heads/4/pattern"], store.evaluation.heads[4].pattern)


@pytest.mark.parametrize("what", WHATS)
@pytest.mark.parametrize("kind", OF_TABLES)
def test_every_table_can_be_written_in_every_format_and_names_its_sentence(
    store: Store, what: str, kind: str
) -> None:
    spec = NumbersSpec(what, kind, digits=2)  # type: ignore[arg-type]
    content = numbers_content(store.evaluation, spec).decode("utf-8-sig")
    assert "the animal did not cross the street" in content


def test_decimals_and_rules_are_asked_for_where_they_matter(window: Window, qtbot: QtBot) -> None:
    dialog = export_dialog(window)
    for kind, digits, rules in (("latex", True, True), ("markdown", True, False), ("csv", False, False)):
        choose(dialog, "head", kind, qtbot)
        assert (dialog.digits.isEnabled(), dialog.booktabs.isEnabled()) == (digits, rules)
    choose(dialog, "measures", "latex", qtbot)
    dialog.digits.setValue(1)
    dialog.booktabs.setChecked(True)
    assert dialog.spec() == NumbersSpec("measures", "latex", 1, booktabs=True)
    choose(dialog, "numbers", "npz", qtbot)
    assert dialog.kind.findData("latex") < 0, "all numbers are no table for a paper"
    dialog.reject()


def test_the_quantity_and_the_heads_that_are_shown_are_named(window: Window, store: Store) -> None:
    intents.set_field(store, "quantity", "scores", "scores")
    dialog = export_dialog(window)
    assert [dialog.what.itemText(i) for i in range(dialog.what.count())][1:4] == [
        "Head 0: scores",
        "Raw: scores",
        "Difference: scores",
    ]
    assert (
        dialog.ask_where()
        .selectedFiles()[0]
        .endswith("askew-numbers-the-animal-did-not-cross-the-street.csv")
    )
    dialog.reject()


def test_a_place_that_cannot_be_written_is_said_and_retry_writes_it(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    offered: list[tuple[str, str, tuple[tuple[str, object], ...]]] = []
    store.offered.connect(lambda *told: offered.append(told))
    folder = tmp_path / "later"
    dialog = export_dialog(window)
    choose(dialog, "head", "csv", qtbot)
    write(dialog, store, qtbot, folder / "map.csv")
    ((text, _remedy, choices),) = offered
    assert "cannot write" in text
    (label, again) = choices[0]
    assert label == "Retry"
    folder.mkdir()
    assert callable(again)
    again()
    settled(store, qtbot)
    difference = compare(store.evaluation, (0,)).head
    np.testing.assert_array_equal(read_table_csv((folder / "map.csv").read_bytes()).values, difference)


def test_nothing_is_offered_where_there_is_no_map(window: Window, store: Store) -> None:
    intents.set_text(store, "")
    window.refresh_actions()
    assert not window.actions_table["export-numbers"].isEnabled()
    assert not window.actions_table["export-report"].isEnabled()


# The clipboard


def trigger(menu: QMenu, start: str) -> str:
    action = next(each for each in menu.actions() if each.text().replace("&", "").startswith(start))
    action.trigger()
    menu.deleteLater()
    return QGuiApplication.clipboard().text()


@pytest.mark.parametrize("index", [0, 1, 2])
def test_each_map_is_copied_for_a_paper_from_its_menu(window: Window, store: Store, index: int) -> None:
    value = window.maps.heatmaps[index].values[1, 0]
    latex = trigger(maps_menu(window, index), "Copy as LaTeX")
    assert latex.startswith(r"\begin{table}")
    assert latex.split("animal & ")[2].split(" & ")[0].replace("$-$", "-") == f"{value:.3f}"
    markdown = trigger(maps_menu(window, index), "Copy as Markdown")
    assert markdown.startswith("|  | the | animal |")
    assert f"| animal | {value:.3f} |" in markdown


def test_measures_are_copied_for_a_paper_from_their_tab(store: Store, qtbot: QtBot) -> None:
    measures = MeasuresPanel(store, Focus())
    qtbot.addWidget(measures)
    text = trigger(measures.menu(), "Copy as Markdown")
    assert text.startswith("|  | head 0 | head 1 |")
    assert f"| Distance | {store.evaluation.measures[0].distance:.3f} |" in text
    assert r"\begin{tabular}{lrrrrr}" in trigger(measures.menu(), "Copy as LaTeX")

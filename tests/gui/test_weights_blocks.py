"""Rows, columns and blocks of the weight table, the lock of a matrix, and biases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu

from askew_gui import intents
from askew_gui.panels.weights import WeightsPanel
from askew_gui.widgets.matrix_menu import block_menu, block_text

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew.arrays import Float32
    from askew_gui.store import Store

ROW, COLUMN, BLOCK = (3, 0, 1, 4), (0, 2, 20, 1), (5, 1, 2, 2)


@pytest.fixture
def panel(store: Store, qtbot: QtBot) -> WeightsPanel:
    panel = WeightsPanel(store)
    qtbot.addWidget(panel)
    panel.resize(1000, 420)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def w_q(store: Store) -> Float32:
    return store.experiment.heads[0].w_q


def choose(panel: WeightsPanel, block: tuple[int, int, int, int], start: str) -> None:
    menu = block_menu(panel.table, block)
    next(action for action in menu.actions() if action.text().startswith(start)).trigger()
    menu.close()


def answer(panel: WeightsPanel, text: str) -> None:
    dialog = panel.table.findChildren(QInputDialog)[-1]  # earlier ones are still being deleted
    dialog.setTextValue(text)
    dialog.accept()


@pytest.mark.parametrize("block", [ROW, COLUMN, BLOCK])
@pytest.mark.parametrize(
    ("choice", "typed", "expected"),
    [
        ("Set to &zero", None, lambda old: old * 0),
        ("&Set to…", "1,5", lambda old: old * 0 + 1.5),
        ("&Multiply by…", "-2", lambda old: old * -2),
        ("&Negate", None, lambda old: -old),
    ],
)
def test_a_block_is_set_multiplied_or_negated_in_one_step(
    panel: WeightsPanel,
    store: Store,
    block: tuple[int, int, int, int],
    choice: str,
    typed: str | None,
    expected: object,
) -> None:
    before = w_q(store)
    row, column, rows, columns = block
    place = slice(row, row + rows), slice(column, column + columns)
    choose(panel, block, choice)
    if typed is not None:
        answer(panel, typed)
    wanted = before.copy()
    wanted[place] = expected(before[place])  # type: ignore[operator]
    np.testing.assert_array_equal(w_q(store), wanted)
    assert store.undo_stack.count() == 1
    store.undo()
    assert w_q(store) is before


def test_what_is_no_number_is_refused_and_nothing_changes(panel: WeightsPanel, store: Store) -> None:
    texts: list[str] = []
    store.said.connect(lambda level, text, remedy: texts.append(text))
    before = store.experiment
    choose(panel, ROW, "&Set to…")
    answer(panel, "five")
    assert texts == ["'five' is not a number"]
    assert store.experiment is before
    choose(panel, ROW, "&Set to…")
    answer(panel, "1e38")
    full = store.experiment
    choose(panel, ROW, "&Multiply by…")
    answer(panel, "10")
    assert store.experiment is full
    assert texts[1].startswith("w_q holds a number that is not finite: row 4")


def test_a_row_is_copied_onto_another(panel: WeightsPanel, store: Store) -> None:
    before = w_q(store)
    choose(panel, ROW, "&Copy")
    choose(panel, (8, 0, 1, 4), "&Paste")
    np.testing.assert_array_equal(w_q(store)[8], before[3])
    assert store.undo_stack.count() == 1


def test_a_whole_matrix_is_copied_onto_another(panel: WeightsPanel, store: Store) -> None:
    choose(panel, BLOCK, "Copy the whole W_q of head 0")
    assert QGuiApplication.clipboard().text().count("\n") == 19
    panel.part_buttons["w_k"].click()
    choose(panel, BLOCK, "Paste over the whole W_k of head 0")
    np.testing.assert_array_equal(store.experiment.heads[0].w_k, w_q(store))
    assert store.undo_stack.count() == 1


@pytest.mark.parametrize(("part", "expected"), [("row", "Row 3"), ("column", "Column 2")])
def test_a_right_click_on_a_header_chooses_its_row_or_column(
    panel: WeightsPanel, part: str, expected: str
) -> None:
    table = panel.table
    header = table.verticalHeader() if part == "row" else table.horizontalHeader()
    place = header.sectionViewportPosition(2 if part == "row" else 1) + 4
    header.customContextMenuRequested.emit(QPoint(4, place) if part == "row" else QPoint(place, 4))
    menu = table.findChild(QMenu)
    assert menu is not None
    assert menu.actions()[0].text() == expected
    assert table.block() == ((2, 0, 1, 4) if part == "row" else (0, 1, 20, 1))
    menu.close()


def test_a_right_click_on_a_cell_chooses_it_unless_it_is_chosen_already(panel: WeightsPanel) -> None:
    table = panel.table
    table.show_cell(1, 1)
    for cell, expected in (((1, 1), "Row 2, column 2"), ((4, 2), "Row 5, column 3")):
        where = table.visualRect(table.numbers.index(*cell)).center()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, table.viewport().mapToGlobal(where))
        QApplication.sendEvent(table.viewport(), event)
        menu = table.findChildren(QMenu)[-1]
        assert menu.actions()[0].text() == expected
        menu.close()


def test_blocks_are_called_by_their_rows_and_columns() -> None:
    assert block_text((3, 0, 1, 4), (20, 4)) == "Row 4"
    assert block_text((0, 2, 20, 2), (20, 4)) == "Columns 3 to 4"
    assert block_text((1, 1, 2, 1), (20, 4)) == "Rows 2 to 3, column 2"
    assert block_text((0, 0, 20, 4), (20, 4)) == "The whole matrix"


def test_a_single_matrix_is_locked_and_says_so(panel: WeightsPanel, store: Store) -> None:
    before = store.experiment.heads[0]
    panel.tools.lock.click()
    assert store.experiment.heads[0].locked == {"q"}
    assert not panel.part_buttons["w_q"].icon().isNull()
    assert panel.part_buttons["w_k"].icon().isNull()
    assert panel.tools.lock.text() == "Unlock W_q"
    assert not panel.randomize.isEnabled()
    intents.randomize(store, seed=4)
    assert w_q(store) is before.w_q
    assert store.experiment.heads[0].w_k is not before.w_k
    panel.tools.lock.click()
    assert store.experiment.heads[0].locked == frozenset()
    assert panel.randomize.isEnabled()


def test_biases_are_added_edited_and_removed(panel: WeightsPanel, store: Store, qtbot: QtBot) -> None:
    before = store.evaluation
    assert panel.part_buttons["b_k"].isHidden()
    panel.tools.add_biases.click()
    assert panel.tools.add_biases.isHidden()
    np.testing.assert_array_equal(store.evaluation.scores, before.scores)
    qtbot.mouseClick(panel.part_buttons["b_k"], Qt.MouseButton.LeftButton)
    choose(panel, (0, 1, 1, 1), "&Set to…")
    answer(panel, "9")
    np.testing.assert_array_equal(store.experiment.heads[0].b_k, [0, 9, 0, 0])
    np.testing.assert_allclose(store.evaluation.pattern, before.pattern, atol=1e-6)
    assert np.abs(store.evaluation.scores[0] - before.scores[0]).max() > 0.1
    panel.tools.remove_bias.click()
    assert store.experiment.heads[0].b_k is None
    assert panel.part == "w_q"
    assert panel.tools.add_biases.isVisible()
    assert panel.tools.remove_bias.isHidden()
    assert store.undo_stack.count() == 3

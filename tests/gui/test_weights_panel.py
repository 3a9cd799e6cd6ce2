"""The weight table: typing, pasting, buttons, the picture beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit

from askew_gui import intents, theme
from askew_gui.fonts import MONO_FAMILY, ui_font
from askew_gui.panels.weights import WeightsPanel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from askew.arrays import Float32
    from askew_gui.store import Store


@pytest.fixture
def panel(store: Store, qtbot: QtBot) -> WeightsPanel:
    panel = WeightsPanel(store)
    qtbot.addWidget(panel)
    panel.resize(900, 300)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


@pytest.fixture
def german() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))
    yield
    QLocale.setDefault(before)


def w_q(store: Store, head: int = 0) -> Float32:
    return store.experiment.heads[head].w_q


def type_into(qtbot: QtBot, panel: WeightsPanel, row: int, column: int, text: str) -> None:
    panel.table.show_cell(row, column)
    panel.table.edit(panel.table.currentIndex())
    editor = panel.table.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    qtbot.keyClicks(editor, text)
    finish(qtbot, panel, editor)


def finish(qtbot: QtBot, panel: WeightsPanel, editor: QLineEdit) -> None:
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.table.state() != panel.table.State.EditingState)


def paste(panel: WeightsPanel, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    panel.table.paste()


def said(store: Store) -> list[str]:
    texts: list[str] = []
    store.said.connect(lambda level, text, remedy: texts.append(f"{level}: {text} {remedy}"))
    return texts


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("text", ["0.5", "0,5"])
def test_a_half_is_a_half_with_point_and_with_comma(
    panel: WeightsPanel, store: Store, qtbot: QtBot, text: str
) -> None:
    type_into(qtbot, panel, 2, 1, text)
    assert w_q(store)[2, 1] == 0.5
    assert store.experiment.heads[0].recipe == "edited"


def test_typing_a_digit_starts_the_edit_and_undo_takes_it_back(
    panel: WeightsPanel, store: Store, qtbot: QtBot
) -> None:
    before = store.experiment
    panel.table.show_cell(0, 0)
    qtbot.keyClicks(panel.table.viewport(), "7")
    editor = panel.table.findChild(QLineEdit)
    assert editor is not None
    qtbot.keyClicks(editor, "5")
    finish(qtbot, panel, editor)
    assert w_q(store)[0, 0] == 75
    assert store.undo_stack.count() == 1
    store.undo()
    assert store.experiment is before
    assert panel.table.numbers.matrix is w_q(store)


def test_text_is_refused_with_a_message_and_the_number_stays(
    panel: WeightsPanel, store: Store, qtbot: QtBot
) -> None:
    before, texts = store.experiment, said(store)
    type_into(qtbot, panel, 2, 1, "five")
    assert store.experiment is before
    assert len(texts) == 1
    assert texts[0].startswith("warning: row 3, column 2: 'five' is not a number")


def test_the_editor_offers_all_digits_and_leaving_them_changes_nothing(
    panel: WeightsPanel, store: Store, qtbot: QtBot
) -> None:
    before = store.experiment
    panel.table.show_cell(3, 2)
    panel.table.edit(panel.table.currentIndex())
    editor = panel.table.findChild(QLineEdit)
    assert editor is not None
    assert np.float32(editor.text()) == w_q(store)[3, 2]
    finish(qtbot, panel, editor)
    assert store.experiment is before


@pytest.mark.usefixtures("german")
def test_a_pasted_block_is_one_step_and_has_no_third_row(panel: WeightsPanel, store: Store) -> None:
    before = w_q(store)
    panel.table.show_cell(1, 1)
    paste(panel, "1\t-2\r\n0,5\t4\r\n")
    expected = before.copy()
    expected[1:3, 1:3] = np.array([[1, -2], [0.5, 4]])
    np.testing.assert_array_equal(w_q(store), expected)
    assert store.undo_stack.count() == 1
    store.undo()
    assert w_q(store) is before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\t2\n3\tx\n", "row 2, column 2: 'x'"),
        ("1\t2\n3\n", "row 2 has 1 value, row 1 has 2"),
        ("1\t2\t3\t4\t5\t6\t7\n", "the table is 1 × 7"),
    ],
)
def test_a_bad_paste_names_its_place_and_changes_nothing(
    panel: WeightsPanel, store: Store, text: str, message: str
) -> None:
    before, texts = store.experiment, said(store)
    panel.table.show_cell(0, 0)
    paste(panel, text)
    assert store.experiment is before
    assert len(texts) == 1
    assert message in texts[0]


def test_the_keys_copy_and_paste_move_a_block_from_cell_to_cell(
    panel: WeightsPanel, store: Store, qtbot: QtBot
) -> None:
    before = w_q(store)
    table = panel.table
    table.show_cell(0, 0)
    qtbot.keyClick(table, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert table.block() == (0, 0, 2, 2)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    table.show_cell(5, 1)
    qtbot.keyClick(table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    np.testing.assert_array_equal(w_q(store)[5:7, 1:3], before[:2, :2])


def test_delete_makes_the_chosen_cells_zero_in_one_step(
    panel: WeightsPanel, store: Store, qtbot: QtBot
) -> None:
    panel.table.show_cell(0, 0)
    qtbot.keyClick(panel.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(panel.table, Qt.Key.Key_Delete)
    assert (w_q(store)[:2, 0] == 0).all()
    assert (w_q(store)[2:, 0] != 0).all()
    assert store.undo_stack.count() == 1


def test_buttons_randomize_fill_and_exchange_only_what_is_on_view(
    panel: WeightsPanel, store: Store, qtbot: QtBot
) -> None:
    head = store.experiment.heads[0]
    qtbot.mouseClick(panel.part_buttons["w_k"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(panel.identity, Qt.MouseButton.LeftButton)
    np.testing.assert_array_equal(store.experiment.heads[0].w_k, np.eye(20, 4, dtype=np.float32))
    assert store.experiment.heads[0].w_q is head.w_q
    qtbot.mouseClick(panel.exchange, Qt.MouseButton.LeftButton)
    np.testing.assert_array_equal(store.experiment.heads[0].w_q, np.eye(20, 4, dtype=np.float32))
    assert store.experiment.heads[0].w_k is head.w_q
    qtbot.mouseClick(panel.zero, Qt.MouseButton.LeftButton)
    assert not store.experiment.heads[0].w_k.any()
    qtbot.mouseClick(panel.randomize, Qt.MouseButton.LeftButton)
    assert store.experiment.heads[0].w_k.any()
    assert store.experiment.heads[0].w_v is head.w_v
    assert store.undo_stack.count() == 4


def test_an_edit_of_w_v_leaves_every_pattern_bit_for_bit_and_the_panel_says_why(
    panel: WeightsPanel, store: Store, qtbot: QtBot
) -> None:
    before = store.evaluation
    qtbot.mouseClick(panel.part_buttons["w_v"], Qt.MouseButton.LeftButton)
    type_into(qtbot, panel, 0, 0, "8")
    after = store.evaluation
    assert after.pattern.tobytes() == before.pattern.tobytes()
    assert not np.array_equal(after.heads[0].outputs, before.heads[0].outputs)
    assert "the pattern does not use it" in panel.note.whole_text


def test_biases_have_a_button_only_where_the_head_has_them_and_can_be_edited(
    panel: WeightsPanel, store: Store, qtbot: QtBot
) -> None:
    assert panel.part_buttons["b_q"].isHidden()
    first = replace(store.experiment.heads[0], b_q=np.arange(4, dtype=np.float32))
    intents.set_field(store, "heads", (first, *store.experiment.heads[1:]), "biases")
    assert panel.part_buttons["b_q"].isVisible()
    assert panel.part_buttons["b_k"].isHidden()
    qtbot.mouseClick(panel.part_buttons["b_q"], Qt.MouseButton.LeftButton)
    assert panel.matrix.shape == (1, 4)
    type_into(qtbot, panel, 0, 3, "-1,5")
    np.testing.assert_array_equal(store.experiment.heads[0].b_q, [0, 1, 2, -1.5])
    assert not panel.randomize.isEnabled()
    intents.select_head(store, 1)
    assert panel.part == "w_q"


def test_the_panel_follows_the_head_that_is_shown(panel: WeightsPanel, store: Store) -> None:
    intents.select_head(store, 3)
    assert panel.title.whole_text == "W_q of head 3"
    assert panel.matrix is w_q(store, 3)
    intents.select_head(store, 1, extend=True)
    assert panel.head == 1


def test_a_click_on_the_picture_jumps_to_the_cell(store: Store, qtbot: QtBot) -> None:
    panel = WeightsPanel(store)
    qtbot.addWidget(panel)
    panel.resize(760, 220)
    panel.show()
    area = panel.picture.area()
    point = QPointF(area.left() + area.width() * 3.5 / 4, area.top() + area.height() * 17.5 / 20)
    qtbot.mouseClick(panel.picture, Qt.MouseButton.LeftButton, pos=point.toPoint())
    index = panel.table.currentIndex()
    assert (index.row(), index.column()) == (17, 3)
    assert panel.table.viewport().rect().contains(panel.table.visualRect(index).center())


def test_only_the_cell_that_changed_is_told(panel: WeightsPanel, store: Store) -> None:
    told: list[tuple[int, int, int, int]] = []
    panel.table.numbers.dataChanged.connect(
        lambda a, b, roles=(): told.append((a.row(), a.column(), b.row(), b.column()))
    )
    intents.set_weight(store, 0, "q", 4, 2, 0.0)
    assert told == [(4, 2, 4, 2)]


def test_a_cell_is_painted_in_the_colour_of_its_value(panel: WeightsPanel, store: Store) -> None:
    matrix = np.zeros((20, 4), dtype=np.float32)
    matrix[0, 1], matrix[1, 0] = 2, -2
    intents.set_matrix(store, 0, "q", matrix)
    picture = panel.table.viewport().grab().toImage()
    colours = []
    for row, column in ((0, 1), (1, 0), (2, 2)):
        corner = panel.table.visualRect(panel.table.numbers.index(row, column)).topLeft() + QPoint(5, 5)
        colours.append(picture.pixelColor(corner))
    warm, cool, neutral = colours
    assert warm.red() > warm.blue() + 60
    assert cool.blue() > cool.red() + 60
    assert neutral.saturation() < 20


@pytest.mark.parametrize("name", ["light", "dark"])
def test_cells_keep_their_colours_in_both_themes(
    panel: WeightsPanel, clean_app: QApplication, name: theme.ThemeName
) -> None:
    theme.apply_theme(clean_app, name)
    shown = panel.table.viewport().grab().toImage()
    place = panel.table.visualRect(panel.table.numbers.index(1, 1)).topLeft() + QPoint(5, 5)
    model = panel.table.numbers
    from askew_gui.widgets.shades import fills

    assert shown.pixelColor(place) == fills()[model.indices[1, 1]]


def test_cells_grow_with_the_text_size(panel: WeightsPanel, clean_app: QApplication) -> None:
    before = panel.table.columnWidth(0), panel.table.rowHeight(0)
    clean_app.setFont(ui_font(1.5))
    theme.apply_theme(clean_app, "light")
    try:
        assert panel.table.columnWidth(0) > before[0] * 1.3
        assert panel.table.rowHeight(0) > before[1] * 1.2
        assert panel.table.font().family() == MONO_FAMILY
    finally:
        clean_app.setFont(ui_font())


def test_a_low_panel_scrolls_its_buttons_and_does_not_squeeze_them(panel: WeightsPanel) -> None:
    height = panel.randomize.height()
    panel.resize(700, 110)
    assert panel.randomize.height() == height


def test_screen_readers_hear_where_a_cell_is(panel: WeightsPanel) -> None:
    spoken = panel.table.numbers.index(2, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("W_q of head 0, row 3, column 2: ")
    assert panel.table.accessibleName() == "W_q of head 0"
    assert panel.picture.accessibleName() == "W_q of head 0 as a picture"


def test_cells_are_fitted_to_the_text_also_where_the_font_was_set_before(panel: WeightsPanel) -> None:
    header = panel.table.horizontalHeader()
    usual = header.defaultSectionSize()
    header.setDefaultSectionSize(3 * usual)  # as for a larger text that has gone, with the font already back
    QApplication.sendEvent(panel.table, QEvent(QEvent.Type.StyleChange))
    assert header.defaultSectionSize() == usual

"""The list of heads: chosen by mouse and keys, its lock, menu and bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QMenu

from askew_gui import intents, theme
from askew_gui import store as store_module
from askew_gui.fonts import ui_font
from askew_gui.panels.head_painter import SMALL, Columns

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.panels.head_list import HeadList
    from askew_gui.panels.heads import HeadsPanel
    from askew_gui.store import Store

LEFT = Qt.MouseButton.LeftButton


def centre_of(view: HeadList, row: int, part: str = "number") -> QPoint:
    place = getattr(Columns.of(view.visualRect(view.heads.index(row, 0))), part)
    return QPoint(place.center())


def click(
    qtbot: QtBot,
    panel: HeadsPanel,
    row: int,
    part: str = "number",
    modifier: Qt.KeyboardModifier | None = None,
) -> None:
    keys = modifier or Qt.KeyboardModifier.NoModifier
    qtbot.mouseClick(panel.list.viewport(), LEFT, keys, centre_of(panel.list, row, part))


def shown_heads(store: Store) -> list[int]:
    return list(store.experiment.selected)


def run(menu: QMenu, *path: str) -> None:
    for text in path[:-1]:
        menu = next(child for child in menu.findChildren(QMenu) if child.title() == text)
    next(action for action in menu.actions() if action.text() == path[-1]).trigger()


def test_a_click_shows_a_head_and_shift_adds_another(panel: HeadsPanel, store: Store, qtbot: QtBot) -> None:
    click(qtbot, panel, 3)
    assert shown_heads(store) == [3]
    click(qtbot, panel, 1, modifier=Qt.KeyboardModifier.ShiftModifier)
    assert shown_heads(store) == [3, 1]
    assert [row.number for row in panel.list.heads.rows if row.selected] == [1, 3]


def test_arrow_keys_walk_through_the_heads_and_shift_extends(
    panel: HeadsPanel, store: Store, qtbot: QtBot
) -> None:
    click(qtbot, panel, 0)
    qtbot.keyClick(panel.list, Qt.Key.Key_Down)
    assert shown_heads(store) == [1]
    qtbot.keyClick(panel.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert shown_heads(store) == [1, 2]


def test_arrow_keys_go_on_from_the_head_that_was_chosen_elsewhere(
    panel: HeadsPanel, store: Store, qtbot: QtBot
) -> None:
    intents.select_head(store, 3)
    panel.list.setFocus()
    qtbot.keyClick(panel.list, Qt.Key.Key_Down)
    assert shown_heads(store) == [4]


def test_the_lock_keeps_a_head_from_randomize_all(panel: HeadsPanel, store: Store, qtbot: QtBot) -> None:
    click(qtbot, panel, 2, "lock")
    kept = store.experiment.heads[2]
    assert kept.locked
    assert shown_heads(store) == [0]
    qtbot.mouseClick(panel.form.randomize, LEFT)
    assert store.experiment.heads[2] is kept
    panel.list.setCurrentIndex(panel.list.heads.index(2, 0))
    qtbot.keyClick(panel.list, Qt.Key.Key_L)
    assert not store.experiment.heads[2].locked


def test_the_menu_randomizes_one_matrix_and_leaves_the_others(panel: HeadsPanel, store: Store) -> None:
    before = store.experiment.heads
    run(panel.menu(1), "Randomize", "Only W_k")
    after = store.experiment.heads
    assert after[1].w_k is not before[1].w_k
    assert after[1].w_q is before[1].w_q
    assert after[1].w_v is before[1].w_v
    assert [h for h in range(5) if after[h] is not before[h]] == [1]


def test_the_menu_copies_exchanges_resets_and_locks(panel: HeadsPanel, store: Store) -> None:
    first = store.experiment.heads[0]
    assert not next(a for a in panel.menu(3).actions() if a.text() == "Paste head").isEnabled()
    run(panel.menu(0), "Copy head")
    run(panel.menu(3), "Paste head")
    assert store.experiment.heads[3].w_q is first.w_q
    run(panel.menu(3), "Exchange W_q and W_k")
    assert store.experiment.heads[3].w_k is first.w_q
    assert panel.list.heads.rows[3].origin == "edited"
    run(panel.menu(3), "Reset")
    assert panel.list.heads.rows[3].origin == "seed 0"
    run(panel.menu(3), "Lock", "Whole head")
    assert panel.list.heads.rows[3].locked


def test_a_row_whose_head_is_gone_does_nothing_until_the_list_follows(
    panel: HeadsPanel, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "INLINE_CELLS", 0)
    intents.set_shape(store, count=2, d_k=3)
    assert len(panel.list.heads.rows) == 5
    before = store.experiment
    panel.list.chosen.emit(4, False)
    panel.list.lock_clicked.emit(4)
    panel.list.menu_wanted.emit(4, QPoint())
    assert store.experiment is before


def test_the_dots_of_a_row_ask_for_its_menu(panel: HeadsPanel, qtbot: QtBot) -> None:
    panel.list.menu_wanted.disconnect()
    with qtbot.waitSignal(panel.list.menu_wanted) as wanted:
        click(qtbot, panel, 4, "more")
    assert wanted.args[0] == 4


def test_bars_are_the_measures_of_the_head(panel: HeadsPanel, store: Store) -> None:
    for row, measures in zip(panel.list.heads.rows, store.evaluation.measures, strict=True):
        assert row.self_weight == pytest.approx(measures.self_weight, abs=1e-6)
        assert row.sharpness == pytest.approx(measures.sharpness, abs=1e-6)
        assert row.asymmetry == pytest.approx(measures.asymmetry, abs=1e-6)


def test_an_edit_tells_only_the_row_of_its_head(panel: HeadsPanel, store: Store) -> None:
    told: list[int] = []
    panel.list.heads.dataChanged.connect(lambda first, last, roles=(): told.append(first.row()))
    intents.set_weight(store, 3, "q", 0, 0, 5.0)
    assert told == [3]


def test_one_token_has_no_sharpness_and_no_token_no_measures(panel: HeadsPanel, store: Store) -> None:
    intents.set_text(store, "cat")
    assert panel.list.heads.rows[0].sharpness is None
    intents.set_text(store, "")
    assert panel.list.heads.rows[0].bars == (None, None, None)
    panel.grab()


def test_screen_readers_hear_a_whole_row(panel: HeadsPanel, store: Store) -> None:
    intents.toggle_lock(store, 0)
    spoken = panel.list.heads.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("head 0, self weight 0.")
    assert spoken.endswith("seed 0, shown, locked")
    assert panel.form.count.accessibleName() == "Number of heads"


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_selected_row_and_the_bars_are_painted_in_the_theme(
    panel: HeadsPanel, clean_app: QApplication, name: theme.ThemeName
) -> None:
    colours = theme.apply_theme(clean_app, name)
    picture = panel.list.viewport().grab().toImage()
    rect = panel.list.visualRect(panel.list.heads.index(0, 0))
    assert picture.pixelColor(rect.right() - 3, rect.top() + 2).name() == colours.selection
    bar = Columns.of(rect).bars[1]
    assert picture.pixelColor(bar.left() + 3, bar.center().y()).name() == colours.bar


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_where_a_head_comes_from_is_written_in_full(
    panel: HeadsPanel, clean_app: QApplication, scale: float
) -> None:
    clean_app.setFont(ui_font(scale))
    try:
        small = panel.list.font()
        small.setPointSizeF(small.pointSizeF() * SMALL)
        room = Columns.of(panel.list.visualRect(panel.list.heads.index(0, 0))).origin.width() - 2
        for text in ("imported", "trained", "edited", "seed 0"):
            assert QFontMetrics(small).horizontalAdvance(text) <= room
    finally:
        clean_app.setFont(ui_font())


def test_sixty_four_heads_fit_and_the_current_one_is_scrolled_to(
    panel: HeadsPanel, store: Store, qtbot: QtBot
) -> None:
    intents.set_shape(store, count=64)
    inner = panel.widget()
    assert inner is not None
    qtbot.waitUntil(lambda: inner.height() >= 64 * panel.list.rowHeight(0))
    panel.list.setFocus()
    panel.list.setCurrentIndex(panel.list.heads.index(63, 0))
    row = panel.list.visualRect(panel.list.heads.index(63, 0))
    place = panel.list.mapTo(panel.viewport(), row.center())
    assert panel.viewport().rect().contains(place)

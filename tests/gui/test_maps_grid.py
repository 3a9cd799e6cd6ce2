"""The head grid as a widget: choosing heads, scrolling, painting only what can be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from askew_gui import intents
from askew_gui.maps.grid import HeadGrid
from askew_gui.maps.views import grid_maps
from askew_gui.theme import DARK, LIGHT, apply_theme

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytestqt.qtbot import QtBot

    from askew.evaluation import Evaluation
    from askew.heatmap import Heatmap
    from askew_gui.store import Store


def shown(store: Store, qtbot: QtBot, size: tuple[int, int] = (930, 98)) -> HeadGrid:
    grid = HeadGrid(store)
    qtbot.addWidget(grid)
    grid.resize(*size)
    grid.show()
    return grid


@pytest.fixture
def grid(store: Store, qtbot: QtBot) -> HeadGrid:
    return shown(store, qtbot)


def middle(grid: HeadGrid, tile: int) -> QPoint:
    box = grid.tiles.tile_box(tile)
    return QPoint(int(box.x + box.w / 2), int(box.y + box.h / 2) - grid.verticalScrollBar().value())


def click(qtbot: QtBot, grid: HeadGrid, tile: int, *, shift: bool = False) -> None:
    modifier = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    qtbot.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, modifier, middle(grid, tile))


def test_the_grid_has_raw_and_every_head_in_one_row(grid: HeadGrid) -> None:
    assert grid.tiles.count == 6
    assert grid.tiles.per_row >= 6
    assert grid.verticalScrollBar().maximum() == 0


def test_a_click_brings_a_head_up(grid: HeadGrid, store: Store, qtbot: QtBot) -> None:
    click(qtbot, grid, 4)
    assert store.experiment.selected == (3,)


def test_shift_click_adds_a_head_to_the_mean_and_takes_it_away(
    grid: HeadGrid, store: Store, qtbot: QtBot
) -> None:
    click(qtbot, grid, 3, shift=True)
    assert set(store.experiment.selected) == {0, 2}
    click(qtbot, grid, 3, shift=True)
    assert store.experiment.selected == (0,)


def test_a_click_on_raw_or_beside_the_tiles_changes_nothing(
    grid: HeadGrid, store: Store, qtbot: QtBot
) -> None:
    before = store.experiment
    click(qtbot, grid, 0)
    qtbot.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(920, 50))
    assert store.experiment is before


def test_arrow_keys_choose_heads(grid: HeadGrid, store: Store, qtbot: QtBot) -> None:
    keys = (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_End, Qt.Key.Key_Right)
    chosen = []
    for key in keys:
        qtbot.keyClick(grid, key)
        chosen.append(store.experiment.selected)
    assert chosen == [(1,), (2,), (1,), (4,), (4,)]
    qtbot.keyClick(grid, Qt.Key.Key_Home)
    qtbot.keyClick(grid, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert set(store.experiment.selected) == {0, 1}


def test_up_and_down_go_to_the_head_above_and_below(store: Store, qtbot: QtBot) -> None:
    intents.set_shape(store, count=40)
    grid = shown(store, qtbot)
    per_row = grid.tiles.per_row
    qtbot.keyClick(grid, Qt.Key.Key_Down)
    assert store.experiment.selected == (per_row,)
    qtbot.keyClick(grid, Qt.Key.Key_Up)
    qtbot.keyClick(grid, Qt.Key.Key_Up)
    assert store.experiment.selected == (0,)


def test_the_selected_heads_stand_out(grid: HeadGrid, store: Store, qtbot: QtBot) -> None:
    click(qtbot, grid, 2)
    picture = grid.viewport().grab().toImage()
    for tile, framed in ((2, True), (3, False)):
        box = grid.tiles.tile_box(tile)
        colour = picture.pixelColor(int(box.x + box.w / 2), int(box.y) + 1)
        assert (colour != QColor(LIGHT.panel)) == framed


def test_sixty_four_heads_scroll_and_only_those_in_view_are_painted(
    store: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    intents.set_shape(store, count=64)
    asked: list[list[int]] = []

    def watched(evaluation: Evaluation, places: Iterable[int] | None = None) -> list[Heatmap]:
        asked.append(list(places or []))
        return grid_maps(evaluation, places)

    monkeypatch.setattr("askew_gui.maps.grid.grid_maps", watched)
    grid = shown(store, qtbot)
    grid.grab()
    assert asked[-1][0] == -1
    assert len(asked[-1]) < 40
    grid.verticalScrollBar().setValue(grid.verticalScrollBar().maximum())
    grid.grab()
    assert asked[-1][-1] == 63
    assert len(asked[-1]) < 40


def test_a_head_chosen_elsewhere_is_scrolled_into_view(store: Store, qtbot: QtBot) -> None:
    intents.set_shape(store, count=64)
    grid = shown(store, qtbot)
    intents.select_head(store, 63)
    box, top = grid.tiles.tile_box(64), grid.verticalScrollBar().value()
    assert top <= box.y
    assert box.bottom <= top + grid.viewport().height() + 1


def test_many_heads_ask_for_a_second_row(grid: HeadGrid, store: Store) -> None:
    one_row = grid.sizeHint().height()
    intents.set_shape(store, count=64)
    assert grid.sizeHint().height() > 1.5 * one_row


def test_fewer_heads_leave_no_gap(grid: HeadGrid, store: Store) -> None:
    intents.set_shape(store, count=64)
    assert grid.verticalScrollBar().maximum() > 0
    intents.set_shape(store, count=3)
    assert grid.verticalScrollBar().maximum() == 0
    assert grid.tiles.count == 4


def test_an_edit_paints_the_cells_but_not_the_titles_again(grid: HeadGrid, store: Store) -> None:
    before = grid.viewport().grab().toImage()
    painted = grid.labels.painted
    intents.randomize(store, [2], seed=8)
    after = grid.viewport().grab().toImage()
    assert grid.labels.painted == painted
    changed, same = grid.tiles.map_box(3), grid.tiles.map_box(2)
    crop = [
        [one.copy(int(b.x), int(b.y), int(b.w), int(b.h)) for one in (before, after)] for b in (changed, same)
    ]
    assert crop[0][0] != crop[0][1]
    assert crop[1][0] == crop[1][1]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("text", ["", "cat", "the cat sat " * 100])
def test_the_grid_opens_with_any_sentence_in_both_themes(
    store: Store, qtbot: QtBot, dressed_app: QApplication, theme: str, text: str
) -> None:
    apply_theme(dressed_app, theme)  # type: ignore[arg-type]
    intents.set_text(store, text)
    grid = shown(store, qtbot)
    picture = grid.viewport().grab().toImage()
    assert picture.pixelColor(1, 1) == QColor((DARK if theme == "dark" else LIGHT).panel)


def test_the_pointer_outlines_a_head_and_leaving_takes_that_away(grid: HeadGrid, qtbot: QtBot) -> None:
    before = grid.viewport().grab().toImage()
    qtbot.mouseMove(grid.viewport(), middle(grid, 2))
    assert grid._hovered == 2
    assert grid.viewport().grab().toImage() != before
    QApplication.sendEvent(grid.viewport(), QEvent(QEvent.Type.Leave))
    assert grid._hovered is None


def test_a_tooltip_names_the_head(grid: HeadGrid) -> None:
    where = middle(grid, 3)
    event = QHelpEvent(QEvent.Type.ToolTip, where, grid.mapToGlobal(where))
    QApplication.sendEvent(grid.viewport(), event)
    assert "Head 2" in QToolTip.text()
    QToolTip.hideText()


def test_a_menu_is_asked_for_with_the_head_under_the_pointer(grid: HeadGrid, qtbot: QtBot) -> None:
    where = middle(grid, 3)
    with qtbot.waitSignal(grid.menu_requested) as asked:
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, grid.mapToGlobal(where))
        QApplication.sendEvent(grid.viewport(), event)
    assert asked.args == [grid.mapToGlobal(where), 2]
    assert grid.tile_at(QPointF(where)) == 3


def test_a_screen_reader_is_told_the_heads_shown(grid: HeadGrid, store: Store) -> None:
    assert grid.accessibleName()
    intents.select_head(store, 2, extend=True)
    assert grid.accessibleDescription() == "5 heads; shown: 0, 2"

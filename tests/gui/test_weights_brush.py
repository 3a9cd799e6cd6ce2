"""Painting on the picture of a matrix: one stroke is one step of undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from askew.heads import Head
from askew_gui import intents
from askew_gui.panels.weights import WeightsPanel
from askew_gui.widgets.matrix_brush import Brush
from askew_gui.widgets.shades import fills, shades, strongest

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew.arrays import Float32
    from askew_gui.store import Store

LEFT, RIGHT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.NoButton
PRESS, MOVE, RELEASE = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.MouseButtonRelease,
)


@pytest.fixture
def panel(store: Store, qtbot: QtBot) -> WeightsPanel:
    panel = WeightsPanel(store)
    qtbot.addWidget(panel)
    panel.resize(1000, 420)
    panel.show()
    qtbot.waitExposed(panel)
    panel.brush_bar.toggle.click()
    return panel


def w_q(store: Store) -> Float32:
    return store.experiment.heads[0].w_q


def at(panel: WeightsPanel, row: int, column: int) -> QPoint:
    area, (rows, columns) = panel.picture.area(), panel.matrix.shape
    x = area.left() + area.width() * (column + 0.5) / columns
    return QPointF(x, area.top() + area.height() * (row + 0.5) / rows).toPoint()


def mouse(panel: WeightsPanel, kind: QEvent.Type, where: QPoint, button: Qt.MouseButton = LEFT) -> None:
    held = NONE if kind == RELEASE else button
    place = QPointF(where)
    own = NONE if kind == MOVE else button
    event = QMouseEvent(kind, place, panel.picture.mapToGlobal(place), own, held, Qt.KeyboardModifier(0))
    QApplication.sendEvent(panel.picture, event)


def stroke(panel: WeightsPanel, *cells: tuple[int, int], let_go: bool = True) -> None:
    mouse(panel, PRESS, at(panel, *cells[0]))
    for cell in cells[1:]:
        mouse(panel, MOVE, at(panel, *cell))
    if let_go:
        mouse(panel, RELEASE, at(panel, *cells[-1]))


def set_brush(panel: WeightsPanel, size: int, mode: str, value: float) -> None:
    panel.brush_bar.size_field.setValue(size)
    panel.brush_bar.mode.show_name(mode)
    panel.brush_bar.value.setValue(value)
    panel.brush_bar.mode.activated.emit(0)


def test_a_stroke_sets_the_cells_it_passes_without_gaps_in_one_step(
    panel: WeightsPanel, store: Store
) -> None:
    before = store.experiment
    set_brush(panel, 1, "set", 2.0)
    stroke(panel, (2, 1), (9, 1), (9, 3))
    expected = w_q(store).copy()
    expected[:] = before.heads[0].w_q
    expected[2:10, 1] = 2
    expected[9, 1:4] = 2
    np.testing.assert_array_equal(w_q(store), expected)
    assert store.undo_stack.count() == 1
    assert store.undo_stack.undoText() == "painting in W_q"
    store.undo()
    assert store.experiment is before


@pytest.mark.parametrize(("mode", "change"), [("raise", 0.25), ("lower", -0.25)])
def test_a_stroke_raises_or_lowers_each_cell_once(
    panel: WeightsPanel, store: Store, mode: str, change: float
) -> None:
    before = w_q(store)
    set_brush(panel, 3, mode, 0.25)
    stroke(panel, (10, 1), (11, 1), (10, 1), (11, 1))
    changed = w_q(store) - before
    np.testing.assert_allclose(changed[9:13, 0:3], change, atol=1e-6)
    assert np.count_nonzero(changed) == 12
    stroke(panel, (10, 1))
    assert store.undo_stack.count() == 2


def test_a_brush_at_the_edge_paints_what_is_inside(panel: WeightsPanel, store: Store) -> None:
    set_brush(panel, 3, "set", 0.0)
    stroke(panel, (0, 0))
    assert not w_q(store)[:2, :2].any()
    assert np.count_nonzero(w_q(store) == 0) == 4


@pytest.mark.parametrize("way", ["escape", "right button"])
def test_a_stroke_can_be_taken_back_before_it_ends(
    panel: WeightsPanel, store: Store, qtbot: QtBot, way: str
) -> None:
    before = store.experiment
    stroke(panel, (2, 1), (9, 1), let_go=False)
    assert store.experiment is not before
    if way == "escape":
        qtbot.keyClick(panel.picture, Qt.Key.Key_Escape)
    else:
        mouse(panel, PRESS, at(panel, 9, 1), RIGHT)
    assert store.experiment is before
    assert store.undo_stack.count() == 0
    mouse(panel, MOVE, at(panel, 12, 1))
    mouse(panel, RELEASE, at(panel, 12, 1))
    assert store.experiment is before


def test_a_stroke_ends_where_another_matrix_comes_on_view(panel: WeightsPanel, store: Store) -> None:
    stroke(panel, (2, 1), let_go=False)
    painted = store.experiment.heads[0]
    intents.select_head(store, 1)
    mouse(panel, MOVE, at(panel, 9, 1))
    assert store.experiment.heads[0] is painted
    assert store.experiment.heads[1].recipe != "edited"


def test_a_stroke_whose_end_was_not_seen_ends_with_the_next_move(panel: WeightsPanel, store: Store) -> None:
    stroke(panel, (2, 1), let_go=False)
    painted = store.experiment
    mouse(panel, MOVE, at(panel, 9, 1), NONE)
    assert store.experiment is painted
    stroke(panel, (9, 1))
    assert store.undo_stack.count() == 2


def test_an_undo_during_a_stroke_ends_it(panel: WeightsPanel, store: Store) -> None:
    before = store.experiment
    stroke(panel, (2, 1), let_go=False)
    store.undo()
    mouse(panel, MOVE, at(panel, 9, 1))
    mouse(panel, RELEASE, at(panel, 9, 1))
    assert store.experiment is before


def test_under_the_brush_the_picture_shows_what_will_be_painted(panel: WeightsPanel, store: Store) -> None:
    set_brush(panel, 3, "set", strongest(w_q(store)))
    mouse(panel, MOVE, at(panel, 10, 1), NONE)
    assert panel.picture.cursor().shape() == Qt.CursorShape.CrossCursor
    shown = panel.picture.grab().toImage()
    full = fills()[int(shades(np.ones(1, np.float32), 1.0)[0])]
    assert shown.pixelColor(at(panel, 10, 1)) == full
    assert "row 11, column 2" in panel.picture.toolTip()
    QApplication.sendEvent(panel.picture, QEvent(QEvent.Type.Leave))
    assert panel.picture.grab().toImage().pixelColor(at(panel, 10, 1)) != full


def test_without_the_brush_a_click_points_at_a_cell_and_changes_nothing(
    panel: WeightsPanel, store: Store
) -> None:
    before = store.experiment
    panel.brush_bar.toggle.click()
    assert panel.brush_bar.value.isHidden()
    stroke(panel, (7, 2))
    assert store.experiment is before
    index = panel.table.currentIndex()
    assert (index.row(), index.column()) == (7, 2)


def test_a_bias_is_painted_too(panel: WeightsPanel, store: Store) -> None:
    intents.add_biases(store, 0)
    panel.part_buttons["b_k"].click()
    set_brush(panel, 1, "set", 3.0)
    stroke(panel, (0, 0), (0, 2))
    np.testing.assert_array_equal(store.experiment.heads[0].b_k, [3, 3, 3, 0])
    assert store.undo_stack.count() == 2


def test_what_float32_does_not_hold_is_refused_in_words(panel: WeightsPanel, store: Store) -> None:
    most = np.full((20, 4), 3.4e38, np.float32)
    huge = Head(most, most, most)
    intents.set_field(store, "heads", (huge,) * 5, "huge")
    texts: list[str] = []
    store.said.connect(lambda level, text, remedy: texts.append(text))
    panel.picture.take_up(Brush(1, "raise", 3e38))
    stroke(panel, (2, 1))
    assert store.experiment.heads[0] is huge
    assert "not finite" in texts[0]

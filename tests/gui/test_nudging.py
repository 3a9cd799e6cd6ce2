"""Cells of the head's map given another value by pointer, by key and by dialog."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from askew.experiment import evaluate
from askew_gui import intents
from askew_gui.context_menus import maps_menu
from askew_gui.dialogs.nudge import ask_and_nudge
from askew_gui.focus import Focus
from askew_gui.maps.nudging import WEIGHT_STROKE
from askew_gui.maps.view import HEAD_MAP, MapsView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store
    from askew_gui.window import Window

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LEFT, RIGHT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.NoButton
CELL = (3, 1)


@pytest.fixture
def view(store: Store, qtbot: QtBot) -> MapsView:
    view = MapsView(store, Focus(store))
    qtbot.addWidget(view)
    view.resize(930, 400)
    view.show()
    return view


def middle(view: MapsView, cell: tuple[int, int] = CELL, index: int = HEAD_MAP) -> QPoint:
    assert view.strip is not None
    box = view.strip.maps[index].cell_box(*cell)
    return QPoint(int(box.x + box.w / 2), int(box.y + box.h / 2))


def mouse(
    view: MapsView,
    kind: QEvent.Type,
    where: QPoint,
    modifiers: Qt.KeyboardModifier = CTRL,
    button: Qt.MouseButton = LEFT,
) -> None:
    moves = kind == QEvent.Type.MouseMove
    held = NONE if kind == QEvent.Type.MouseButtonRelease else button
    at = QPointF(where)
    event = QMouseEvent(kind, at, view.mapToGlobal(at), NONE if moves else button, held, modifiers)
    QApplication.sendEvent(view, event)


def press(view: MapsView, where: QPoint, modifiers: Qt.KeyboardModifier = CTRL) -> None:
    mouse(view, QEvent.Type.MouseButtonPress, where, modifiers)


def drag(view: MapsView, up: int, modifiers: Qt.KeyboardModifier = CTRL, steps: int = 5) -> None:
    """Press and move up, without letting go."""
    start = middle(view)
    press(view, start, modifiers)
    for step in range(1, steps + 1):
        mouse(view, QEvent.Type.MouseMove, start - QPoint(0, up * step // steps), modifiers)


def release(view: MapsView, up: int = 0) -> None:
    mouse(view, QEvent.Type.MouseButtonRelease, middle(view) - QPoint(0, up))


def said(store: Store) -> list[str]:
    texts: list[str] = []
    store.said.connect(lambda level, text, remedy: texts.append(f"{text}. {remedy}"))
    return texts


@pytest.mark.parametrize(("modifiers", "part"), [(CTRL, "q"), (CTRL | SHIFT, "k")])
@pytest.mark.parametrize("up", [60, -12])
def test_a_drag_gives_the_wanted_weight_in_one_step_of_undo(
    view: MapsView, store: Store, modifiers: Qt.KeyboardModifier, part: str, up: int
) -> None:
    before, weight = store.experiment, store.evaluation.heads[0].pattern[CELL]
    wanted = min(max(weight + up / WEIGHT_STROKE, 0.001), 0.999)
    drag(view, up, modifiers)
    release(view, up)
    assert abs(store.evaluation.heads[0].pattern[CELL] - wanted) < 1e-4
    fresh = evaluate(store.experiment, store.vectors)
    assert np.array_equal(fresh.heads[0].pattern, store.evaluation.heads[0].pattern)
    assert np.array_equal(fresh.heads[0].scores, store.evaluation.heads[0].scores)
    other = "w_k" if part == "q" else "w_q"
    assert getattr(store.experiment.heads[0], other) is getattr(before.heads[0], other)
    assert store.experiment.heads[0].recipe == "edited"
    assert store.experiment.heads[1:] == before.heads[1:]
    assert store.undo_stack.count() == 1
    assert store.undo_stack.undoText() == "nudge of row 4, column 2 in head 0"
    store.undo()
    assert store.experiment is before


def test_a_drag_is_computed_from_the_head_at_the_press(view: MapsView, store: Store) -> None:
    drag(view, 60, steps=1)
    release(view)
    at_once = store.experiment.heads[0].w_q
    store.undo()
    drag(view, 60, steps=30)
    release(view)
    assert np.array_equal(store.experiment.heads[0].w_q, at_once)


def test_scores_are_nudged_too(view: MapsView, store: Store) -> None:
    intents.set_field(store, "quantity", "scores", "show")
    drag(view, 40)
    lines = view.nudging.lines()
    score = store.evaluation.heads[0].scores[CELL]
    assert f"wanted {score:+.3f}".replace("-", "−") in lines[0]
    release(view)
    assert evaluate(store.experiment, store.vectors).heads[0].scores[CELL] == score


def test_while_dragging_the_third_map_shows_what_changes_and_the_words_say_it(
    view: MapsView, store: Store
) -> None:
    before = store.evaluation.heads[0].pattern
    assert view.heatmaps[2].title == "Difference"
    drag(view, 60)
    changed = store.evaluation.heads[0].pattern - before
    shown = view.heatmaps[2]
    assert shown.title == "Change by this drag"
    np.testing.assert_allclose(shown.values, changed, atol=1e-6)
    lines = view.nudging.lines()
    assert f"reached weight {store.evaluation.heads[0].pattern[CELL]:.3f}" in lines[0]
    others = changed.copy()
    others[CELL] = 0
    assert f"others change by at most {np.abs(others).max():.3f}" in lines[1]
    assert "W_q changes" in lines[-1]
    assert view.accessibleDescription() == "\n".join(lines)
    dragged = view.grab().toImage()
    release(view)
    assert view.heatmaps[2].title == "Difference"
    assert view.nudging.lines() == ()
    assert view.grab().toImage() != dragged


def test_what_cannot_be_reached_stops_where_it_can_and_says_so(view: MapsView, store: Store) -> None:
    drag(view, 3000)
    reached = store.evaluation.heads[0].pattern[CELL]
    assert reached <= 0.9991
    assert any("as far as W_q can bring it" in line for line in view.nudging.lines())
    release(view)


def test_escape_takes_the_drag_back(view: MapsView, store: Store, qtbot: QtBot) -> None:
    before = store.experiment
    drag(view, 60)
    assert store.experiment is not before
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert store.experiment is before
    assert store.undo_stack.count() == 0
    mouse(view, QEvent.Type.MouseMove, middle(view) - QPoint(0, 90))
    release(view, 90)
    assert store.experiment is before
    assert view.heatmaps[2].title == "Difference"


def test_the_right_button_takes_the_drag_back_and_opens_no_menu(view: MapsView, store: Store) -> None:
    before = store.experiment
    asked: list[object] = []
    view.menu_requested.connect(lambda *what: asked.append(what))
    drag(view, 60)
    mouse(view, QEvent.Type.MouseButtonPress, middle(view), CTRL, RIGHT)
    menu = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, middle(view), view.mapToGlobal(middle(view)))
    QApplication.sendEvent(view, menu)
    assert store.experiment is before
    assert asked == []
    QApplication.sendEvent(view, menu)
    assert len(asked) == 1


def test_an_undo_during_the_drag_ends_it(view: MapsView, store: Store) -> None:
    before = store.experiment
    drag(view, 60)
    store.undo()
    mouse(view, QEvent.Type.MouseMove, middle(view) - QPoint(0, 90))
    assert store.experiment is before
    assert not view.nudging.pressed


def test_a_drag_whose_end_was_not_seen_ends_with_the_next_move(view: MapsView, store: Store) -> None:
    drag(view, 60)
    dragged = store.experiment
    mouse(view, QEvent.Type.MouseMove, middle(view) - QPoint(0, 90), CTRL, NONE)
    assert store.experiment is dragged
    assert not view.nudging.pressed


@pytest.mark.parametrize("modifiers", [CTRL, Qt.KeyboardModifier.NoModifier])
def test_a_click_without_a_drag_still_locks(
    view: MapsView, store: Store, modifiers: Qt.KeyboardModifier
) -> None:
    before = store.experiment
    press(view, middle(view), modifiers)
    mouse(view, QEvent.Type.MouseMove, middle(view) - QPoint(0, 1), modifiers)
    release(view)
    assert view._focus.locked == CELL
    assert store.experiment is before
    press(view, middle(view), modifiers)
    release(view)
    assert view._focus.locked is None


def test_a_plain_drag_and_one_on_another_map_change_nothing(view: MapsView, store: Store) -> None:
    before = store.experiment
    drag(view, 60, Qt.KeyboardModifier.NoModifier)
    release(view)
    start = middle(view, index=2)
    press(view, start)
    mouse(view, QEvent.Type.MouseMove, start - QPoint(0, 60))
    release(view)
    assert store.experiment is before


def test_the_pointer_and_the_hover_text_say_that_it_can_be_done(view: MapsView, store: Store) -> None:
    where = middle(view)
    mouse(view, QEvent.Type.MouseMove, where, CTRL, NONE)
    assert view.cursor().shape() == Qt.CursorShape.SizeVerCursor
    mouse(view, QEvent.Type.MouseMove, where, Qt.KeyboardModifier.NoModifier, NONE)
    assert view.cursor().shape() == Qt.CursorShape.ArrowCursor
    assert "Ctrl+drag up or down" in view.text_at(where.x(), where.y())
    raw = middle(view, index=0)
    assert "Ctrl+drag" not in view.text_at(raw.x(), raw.y())
    intents.set_field(store, "quantity", "cosine", "show")
    assert "Ctrl+drag" not in view.text_at(where.x(), where.y())


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("quantity", "cosine", "a cosine cannot be nudged"),
        ("selected", (0, 1), "the map is a mean of several heads"),
        ("mask", "causal", "row 2 may not see column 5"),
    ],
)
def test_what_cannot_be_nudged_is_refused_in_words(
    view: MapsView, store: Store, field: str, value: object, message: str
) -> None:
    intents.set_field(store, field, value, "set")
    before, texts = store.experiment, said(store)
    start = middle(view, (1, 4))
    press(view, start)
    mouse(view, QEvent.Type.MouseMove, start - QPoint(0, 60))
    release(view)
    assert store.experiment is before
    assert len(texts) == 1
    assert texts[0].startswith(message)


def test_plus_and_minus_nudge_the_locked_cell(view: MapsView, store: Store, qtbot: QtBot) -> None:
    before, weight = store.experiment, store.evaluation.heads[0].pattern[CELL]
    view._focus.lock(CELL)
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    qtbot.keyClick(view, Qt.Key.Key_Equal)
    assert store.evaluation.heads[0].pattern[CELL] == pytest.approx(weight + 0.1, abs=1e-4)
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    assert store.evaluation.heads[0].pattern[CELL] == pytest.approx(weight + 0.05, abs=1e-4)
    assert store.undo_stack.count() == 1
    store.undo()
    assert store.experiment is before


def test_the_menu_of_the_head_map_offers_it_for_the_cell_under_the_pointer(
    window: Window, store: Store, qtbot: QtBot
) -> None:
    window.focus.lock(CELL)
    texts = [action.text() for action in maps_menu(window, HEAD_MAP).actions()]
    assert "&Nudge this cell…" in texts
    assert "&Nudge this cell…" not in [action.text() for action in maps_menu(window, 0).actions()]
    window.focus.lock(None)
    assert "&Nudge this cell…" not in [action.text() for action in maps_menu(window, HEAD_MAP).actions()]


def test_the_dialog_says_what_would_happen_and_does_it_on_ok(view: MapsView, store: Store) -> None:
    before = store.experiment
    dialog = ask_and_nudge(view, store, CELL)
    assert dialog is not None
    dialog.parts["k"].click()
    dialog.wanted.setValue(0.4)
    assert "others change by at most" in dialog.outcome.whole_text
    assert store.experiment is before
    dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    assert store.evaluation.heads[0].pattern[CELL] == pytest.approx(0.4, abs=1e-4)
    assert store.experiment.heads[0].w_q is before.heads[0].w_q
    assert store.undo_stack.count() == 1


def test_the_dialog_refuses_what_cannot_be_reached(view: MapsView, store: Store) -> None:
    dialog = ask_and_nudge(view, store, CELL)
    assert dialog is not None
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert ok.isEnabled()
    dialog.wanted.setValue(1.0)
    assert not ok.isEnabled()
    assert "between 0 and 1" in dialog.outcome.whole_text
    dialog.reject()
    texts = said(store)
    store.apply(replace(store.experiment, quantity="cosine"), "set")
    assert ask_and_nudge(view, store, CELL) is None
    assert "a cosine cannot be nudged" in texts[0]

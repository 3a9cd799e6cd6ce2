"""Sliders and buttons that shape whole matrices: by mouse and key, one pull one step, locked matrices."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStyle, QStyleOptionSlider

from askew import circuit, edits
from askew.heads import PARTS
from askew.initializers import random_heads
from askew.weight_edits import blended
from askew_gui import intents
from askew_gui.panels.weights import SHAPE, WeightsPanel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew.heads import Head, Part
    from askew_gui.panels.shaping import ShapingPanel
    from askew_gui.panels.shaping_actions import ShapingActions
    from askew_gui.store import Store
    from askew_gui.widgets.slider_field import SliderField
    from askew_gui.window import Window

PULLS = pytest.mark.parametrize("name", ["tie", "rank", "symmetry", "noise", "blend"])


@pytest.fixture
def weights(store: Store, qtbot: QtBot) -> WeightsPanel:
    panel = WeightsPanel(store)
    qtbot.addWidget(panel)
    panel.resize(900, 260)
    panel.show()
    qtbot.waitExposed(panel)
    qtbot.mouseClick(panel.modes[SHAPE], Qt.MouseButton.LeftButton)
    return panel


@pytest.fixture
def panel(weights: WeightsPanel) -> ShapingPanel:
    assert weights.shaping is not None
    return weights.shaping


@pytest.fixture
def actions(weights: WeightsPanel) -> ShapingActions:
    from askew_gui.panels.shaping_actions import ShapingActions

    found = weights.findChild(ShapingActions)
    assert found is not None
    return found


def head(store: Store, h: int = 0) -> Head:
    return store.experiment.heads[h]


def handle(field: SliderField) -> QPoint:
    slider, option = field.slider, QStyleOptionSlider()
    slider.initStyleOption(option)
    place = slider.style().subControlRect(
        QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, slider
    )
    return place.center()


def pull(qtbot: QtBot, field: SliderField, *steps: int, release: bool = True) -> None:
    """Take the handle of a slider with the mouse, move it by pixels, and let go."""
    at = handle(field)
    qtbot.mousePress(field.slider, Qt.MouseButton.LeftButton, pos=at)
    for step in steps:
        at += QPoint(step, 0)
        qtbot.mouseMove(field.slider, at)
    if release:
        qtbot.mouseRelease(field.slider, Qt.MouseButton.LeftButton, pos=at)


def type_number(qtbot: QtBot, field: SliderField, text: str) -> None:
    field.number.setFocus()
    field.number.selectAll()
    qtbot.keyClicks(field.number, text)
    qtbot.keyClick(field.number, Qt.Key.Key_Return)


def inward(field: SliderField) -> int:
    """Return the direction in which the slider has room."""
    return -1 if field.slider.value() > field.slider.maximum() / 2 else 1


@PULLS
def test_a_pull_is_one_step_and_undo_gives_the_very_same_head_back(
    panel: ShapingPanel, store: Store, qtbot: QtBot, name: str
) -> None:
    before, field = head(store), panel.fields[name]
    side = inward(field)
    pull(qtbot, field, 30 * side, 30 * side, 20 * side)
    assert head(store) is not before
    assert store.undo_stack.count() == 1
    store.undo()
    assert head(store) is before


@PULLS
def test_each_position_starts_from_the_head_of_the_press(
    panel: ShapingPanel, store: Store, qtbot: QtBot, name: str
) -> None:
    before, field = head(store), panel.fields[name]
    rest, side = field.value, inward(panel.fields[name])
    pull(qtbot, field, 80 * side, release=False)
    assert head(store) is not before
    type_number(qtbot, field, f"{rest:g}")
    if name != "tie":  # τ of a head that was drawn free is measured, not known
        assert head(store) is before
        assert store.undo_stack.count() == 0


def test_after_the_release_the_head_is_the_new_as_it_is(
    panel: ShapingPanel, store: Store, qtbot: QtBot
) -> None:
    field = panel.fields["symmetry"]
    pull(qtbot, field, 200)
    assert field.value == 0.0
    assert circuit.asymmetry(head(store)) == pytest.approx(1.0, abs=1e-6)
    assert "asymmetry 1.00" in panel.numbers.whole_text
    pull(qtbot, field, -20)
    assert store.undo_stack.count() == 2


def test_a_typed_number_is_a_step_and_says_what_was_left_out(
    panel: ShapingPanel, store: Store, qtbot: QtBot
) -> None:
    type_number(qtbot, panel.fields["symmetry"], "-1")
    assert circuit.asymmetry(head(store)) == pytest.approx(0.0, abs=1e-6)
    assert panel.remark.whole_text.startswith("left out: ")
    assert store.undo_stack.count() == 1


def test_keys_in_quick_succession_are_one_step(panel: ShapingPanel, store: Store, qtbot: QtBot) -> None:
    slider = panel.fields["rank"].slider
    slider.setFocus()
    for _ in range(2):
        qtbot.keyClick(slider, Qt.Key.Key_Left)
    assert circuit.circuit_svd(head(store)).rank_above(circuit.FLOAT32_NOISE) == head(store).d_k - 2
    assert store.undo_stack.count() == 1
    panel.fields["noise"].slider.setFocus()
    assert not panel.fields["rank"].active


def test_undo_in_the_middle_of_a_pull_ends_it(panel: ShapingPanel, store: Store, qtbot: QtBot) -> None:
    before, field = head(store), panel.fields["noise"]
    type_number(qtbot, field, "0.5")
    assert field.active
    store.undo()
    assert head(store) is before
    assert not field.active
    assert field.value == 0.0


def test_all_selected_heads_are_shaped_in_one_step(panel: ShapingPanel, store: Store, qtbot: QtBot) -> None:
    intents.select_head(store, 2, extend=True)
    steps, before = store.undo_stack.count(), store.experiment.heads
    type_number(qtbot, panel.fields["symmetry"], "1")
    found = [h for h, old in enumerate(before) if head(store, h) is not old]
    assert found == [0, 2]
    assert store.undo_stack.count() == steps + 1
    assert panel.numbers.whole_text.startswith("2 heads alike")


def test_tying_a_drawn_head_gives_what_the_initializer_draws(
    panel: ShapingPanel, store: Store, qtbot: QtBot
) -> None:
    wanted = edits.with_recipe(store.experiment, initializer="tied", tau=0.6).experiment.heads[0]
    type_number(qtbot, panel.fields["tie"], "0,6")
    assert np.array_equal(head(store).w_k, wanted.w_k)
    assert head(store).recipe == wanted.recipe
    panel.fields["tie"].finish()
    assert panel.fields["tie"].value == 0.6


def test_a_blend_goes_from_one_source_to_the_other(panel: ShapingPanel, store: Store, qtbot: QtBot) -> None:
    first, second = panel.sources
    wanted = blended(head(store, 3), head(store, 1), 0.25)
    for source, name in ((first, "head:3"), (second, "head:1")):
        source.setCurrentIndex(source.findData(name))
        source.activated.emit(source.currentIndex())
    type_number(qtbot, panel.fields["blend"], "0.25")
    assert np.array_equal(head(store).w_q, wanted.w_q)
    assert np.array_equal(head(store).w_v, wanted.w_v)


def test_choosing_random_again_draws_another_seed_and_says_it(panel: ShapingPanel) -> None:
    source = panel.sources[1]
    seed = source.seed
    source.activated.emit(source.currentIndex())
    assert source.name == "random"
    assert source.seed != seed
    assert panel.remark.whole_text == f"random from seed {source.seed}"


def test_the_trained_layer_is_a_source_only_where_it_fits(
    panel: ShapingPanel, store: Store, qtbot: QtBot
) -> None:
    source = panel.sources[1]
    assert source.findData("trained") < 0
    assert source.findData("identity") >= 0
    assert intents.apply_example(store, "trained")
    trained = head(store, 2)
    assert source.findData("trained") >= 0
    intents.randomize(store, heads=(2,), seed=5)
    source.setCurrentIndex(source.findData("trained"))
    type_number(qtbot, panel.fields["blend"], "1")
    assert head(store, 2).w_q is trained.w_q
    assert head(store, 2).recipe == "trained"


def test_where_a_step_takes_long_the_heads_follow_when_the_hand_rests(
    panel: ShapingPanel, store: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askew_gui.panels.shaping.SLOW_SECONDS", -1.0)
    before, field = head(store), panel.fields["symmetry"]
    pull(qtbot, field, 60, release=False)
    assert head(store) is before
    qtbot.waitUntil(lambda: head(store) is not before)
    resting = head(store)
    qtbot.mouseMove(field.slider, handle(field) + QPoint(300, 0))
    qtbot.mouseRelease(field.slider, Qt.MouseButton.LeftButton)
    assert head(store) is not resting
    assert circuit.asymmetry(head(store)) == pytest.approx(1.0, abs=1e-6)
    assert store.undo_stack.count() == 1


def test_nothing_is_pasted_into_the_hidden_table(window: Window, store: Store) -> None:
    from askew_gui import commands

    weights = window.weights
    assert weights is not None
    weights.show_mode(SHAPE)
    weights.modes[SHAPE].setFocus()
    QGuiApplication.clipboard().setText("1\t2")
    before = store.experiment
    commands.paste(window)
    assert store.experiment is before
    assert not commands.can_paste(window)


@pytest.mark.parametrize(("part", "still_drawn"), [("q", {"tie"}), ("k", {"noise"}), ("v", {"tie", "noise"})])
def test_a_lock_is_against_what_draws_and_says_so(
    panel: ShapingPanel, store: Store, part: Part, still_drawn: set[str]
) -> None:
    intents.set_field(store, "heads", edits.with_locked(store.experiment, 0, True, [part]).heads, "lock")
    usable = {name for name, field in panel.fields.items() if field.slider.isEnabled()}
    assert usable == {"rank", "symmetry"} | still_drawn
    assert panel.remark.whole_text == f"Locked against what draws anew: W_{part} of head 0"
    intents.set_field(store, "heads", edits.with_locked(store.experiment, 0, False).heads, "unlock")
    assert all(field.slider.isEnabled() for field in panel.fields.values())
    assert panel.remark.whole_text == ""


def test_a_lock_does_not_keep_buttons_and_rank_from_a_matrix(
    panel: ShapingPanel, actions: ShapingActions, store: Store, qtbot: QtBot
) -> None:
    intents.set_field(store, "heads", edits.with_locked(store.experiment, 0, True).heads, "lock")
    before = head(store)
    qtbot.mouseClick(actions.negate, Qt.MouseButton.LeftButton)
    assert np.array_equal(head(store).w_q, -before.w_q)
    type_number(qtbot, panel.fields["rank"], "1")
    assert head(store).locked == frozenset(PARTS)
    assert circuit.circuit_svd(head(store)).rank_above(circuit.FLOAT32_NOISE) == 1


def test_the_buttons_act_on_the_matrix_that_is_chosen(
    weights: WeightsPanel, actions: ShapingActions, store: Store, qtbot: QtBot
) -> None:
    before = head(store)
    qtbot.mouseClick(weights.part_buttons["w_v"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(actions.multiply, Qt.MouseButton.LeftButton)
    assert np.array_equal(head(store).w_v, 2 * before.w_v)
    assert head(store).w_q is before.w_q
    qtbot.mouseClick(actions.divide, Qt.MouseButton.LeftButton)
    assert np.array_equal(head(store).w_v, before.w_v)
    assert weights.shaping is not None
    assert weights.shaping.fields["noise"].label.whole_text == "noise on W_v"


@pytest.mark.parametrize("button", ["orthogonalize", "balance", "exchange"])
def test_buttons_act_on_every_selected_head_in_one_step(
    actions: ShapingActions, store: Store, qtbot: QtBot, button: str
) -> None:
    intents.select_head(store, 1, extend=True)
    steps, before = store.undo_stack.count(), store.experiment.heads
    qtbot.mouseClick(getattr(actions, button), Qt.MouseButton.LeftButton)
    assert [head(store, h) is old for h, old in enumerate(before)] == [False, False, True, True, True]
    assert store.undo_stack.count() == steps + 1


def test_balancing_changes_no_pattern(actions: ShapingActions, store: Store, qtbot: QtBot) -> None:
    before = store.evaluation.pattern
    qtbot.mouseClick(actions.balance, Qt.MouseButton.LeftButton)
    assert np.abs(store.evaluation.pattern - before).max() < 1e-5


def test_what_cannot_be_done_is_off_with_the_reason_on_hover(actions: ShapingActions, store: Store) -> None:
    assert not actions.transpose.isEnabled()
    assert "only a square matrix" in actions.transpose.toolTip()
    assert actions.balance.isEnabled()
    cosine = tuple(replace(each, scoring="cosine") for each in store.experiment.heads)
    intents.set_field(store, "heads", cosine, "scoring")
    assert not actions.balance.isEnabled()
    assert "cosine" in actions.balance.toolTip()
    square = random_heads(1, d_model=20, d_k=20, d_v=4)
    intents.set_field(store, "heads", square, "square")
    assert actions.transpose.isEnabled()
    actions.factor.setValue(0.0)
    assert not actions.divide.isEnabled()


def test_an_edit_that_fails_says_why_and_changes_nothing(
    actions: ShapingActions, store: Store, qtbot: QtBot
) -> None:
    texts: list[str] = []
    store.said.connect(lambda level, text, _remedy: texts.append(f"{level}: {text}"))
    zeros = np.zeros_like(head(store).w_q)
    intents.set_matrix(store, 0, "q", zeros)
    before = store.experiment
    qtbot.mouseClick(actions.orthogonalize, Qt.MouseButton.LeftButton)
    assert store.experiment is before
    assert texts == ["error: W_q is all zeros and has no direction to keep"]


def test_the_table_comes_back_with_its_matrix(weights: WeightsPanel, store: Store, qtbot: QtBot) -> None:
    assert not weights.table.isVisible()
    qtbot.mouseClick(weights.modes[0], Qt.MouseButton.LeftButton)
    assert weights.table.isVisible()
    assert weights.table.numbers.matrix is head(store).w_q


def test_every_field_has_a_name_for_a_screen_reader(panel: ShapingPanel, actions: ShapingActions) -> None:
    fields = [each for field in panel.fields.values() for each in (field.slider, field.number)]
    assert all(each.accessibleName() and each.toolTip() for each in (*fields, *panel.sources))
    assert "W_q" in actions.multiply.accessibleName()


def test_in_a_low_panel_the_sliders_stand_in_two_columns(
    weights: WeightsPanel, panel: ShapingPanel, qtbot: QtBot
) -> None:
    weights.resize(860, 120)
    tie, rank = (panel.fields[name].slider for name in ("tie", "rank"))
    assert weights.picture.isHidden()
    qtbot.waitUntil(lambda: tie.y() == rank.y())
    weights.resize(860, 300)
    assert not weights.picture.isHidden()
    qtbot.waitUntil(lambda: tie.x() == rank.x())

"""Shape and recipe of the heads: numbers typed and stepped, what is refused, the wheel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from askew.heads import Recipe
from askew.initializers import random_heads
from askew_gui import intents
from askew_gui.widgets.fields import DecimalSpin, WholeSpin

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractSpinBox, QWidget
    from pytestqt.qtbot import QtBot

    from askew_gui.panels.heads import HeadsPanel
    from askew_gui.store import Store

LEFT = Qt.MouseButton.LeftButton


def type_number(qtbot: QtBot, spin: QAbstractSpinBox, text: str, enter: bool = True) -> None:
    spin.setFocus()
    spin.selectAll()
    qtbot.keyClicks(spin, text)
    if enter:
        qtbot.keyClick(spin, Qt.Key.Key_Return)


def test_a_number_of_two_digits_does_not_pass_through_its_first(
    panel: HeadsPanel, store: Store, qtbot: QtBot
) -> None:
    first = store.experiment.heads[0]
    type_number(qtbot, panel.form.count, "12", enter=False)
    assert len(store.experiment.heads) == 5
    qtbot.keyClick(panel.form.count, Qt.Key.Key_Return)
    assert len(store.experiment.heads) == 12
    assert store.experiment.heads[0] is first
    assert store.undo_stack.count() == 1
    assert len(panel.list.heads.rows) == 12


def test_three_heads_from_seed_seven_are_nine_different_matrices_and_come_back_bit_for_bit(
    panel: HeadsPanel, store: Store, qtbot: QtBot
) -> None:
    type_number(qtbot, panel.form.count, "3")
    type_number(qtbot, panel.form.seed, "7")
    matrices = [w for head in store.experiment.heads for w in (head.w_q, head.w_k, head.w_v)]
    assert len({w.tobytes() for w in matrices}) == 9
    spread = np.concatenate([w.ravel() for w in matrices]).std() * np.sqrt(20) / 2  # gain 2, d_model 20
    assert 0.9 < spread < 1.1
    again = random_heads(3, d_model=20, d_k=4, d_v=4, seed=7, gain=2.0)
    assert [head.w_q.tobytes() for head in again] == [h.w_q.tobytes() for h in store.experiment.heads]


def test_randomize_shows_the_new_seed(panel: HeadsPanel, store: Store, qtbot: QtBot) -> None:
    qtbot.mouseClick(panel.form.randomize, LEFT)
    recipe = store.experiment.heads[0].recipe
    assert isinstance(recipe, Recipe)
    assert panel.form.seed.value() == recipe.seed != 0


def test_widths_are_drawn_again_and_shown(panel: HeadsPanel, store: Store, qtbot: QtBot) -> None:
    type_number(qtbot, panel.form.d_k, "7")
    type_number(qtbot, panel.form.d_v, "3")
    head = store.experiment.heads[4]
    assert (head.d_k, head.d_v) == (7, 3)
    assert (panel.form.d_k.value(), panel.form.d_v.value()) == (7, 3)


def test_the_gain_takes_a_comma_and_a_point(panel: HeadsPanel, store: Store, qtbot: QtBot) -> None:
    for text, gain in (("0,5", 0.5), ("1.25", 1.25)):
        type_number(qtbot, panel.form.gain, text)
        recipe = store.experiment.heads[0].recipe
        assert isinstance(recipe, Recipe)
        assert recipe.gain == gain
    assert panel.form.gain.text() == "1.25"


def test_steps_of_the_gain_in_quick_succession_are_one_step_of_undo(
    panel: HeadsPanel, store: Store, qtbot: QtBot
) -> None:
    before = store.experiment
    panel.form.gain.setFocus()
    for _ in range(5):
        qtbot.keyClick(panel.form.gain, Qt.Key.Key_Up)
    assert panel.form.gain.value() == pytest.approx(2.5)
    store.undo()
    assert store.experiment is before
    assert panel.form.gain.value() == 2.0


def test_steps_of_the_count_bring_back_an_edited_head_with_one_undo(
    panel: HeadsPanel, store: Store, qtbot: QtBot
) -> None:
    intents.set_weight(store, 4, "q", 0, 0, 5.0)
    before = store.experiment
    panel.form.count.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(panel.form.count, key)
    assert len(store.experiment.heads) == 4
    store.undo()
    assert store.experiment is before


def test_what_cannot_be_drawn_is_refused_and_the_field_goes_back(
    panel: HeadsPanel, store: Store, qtbot: QtBot
) -> None:
    type_number(qtbot, panel.form.d_k, "30")
    before, texts = store.experiment, []
    store.said.connect(lambda level, text, remedy: texts.append(level))
    panel.form.source.setCurrentIndex(panel.form.source.findData("identity"))
    panel.form.source.activated.emit(panel.form.source.currentIndex())
    assert store.experiment is before
    assert texts == ["error"]
    assert panel.form.source.name == "gaussian"


def test_the_rank_is_shown_only_for_low_rank_heads(panel: HeadsPanel, store: Store, qtbot: QtBot) -> None:
    assert not panel.form.rank.isVisible()
    intents.set_recipe(store, initializer="low-rank")
    assert panel.form.rank.isVisible()
    assert panel.form.rank.value() == 1
    type_number(qtbot, panel.form.rank, "3")
    assert np.linalg.matrix_rank(store.experiment.heads[2].w_q) == 3


def test_heads_without_a_recipe_show_a_dash_for_the_seed(panel: HeadsPanel, store: Store) -> None:
    for head in range(5):
        intents.set_weight(store, head, "q", 0, 0, 1.0)
    assert panel.form.seed.text() == "\u2013"
    assert panel.form.source.placeholderText() == "edited"
    intents.randomize(store, seed=9)
    assert panel.form.seed.text() == "9"


def turn_wheel(field: QWidget) -> bool:
    """Turn the wheel over a field and return whether the field took it."""
    middle, none = QPointF(field.rect().center()), Qt.KeyboardModifier.NoModifier
    event = QWheelEvent(
        middle,
        field.mapToGlobal(middle),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        none,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    event.setAccepted(False)
    QApplication.sendEvent(field, event)
    return event.isAccepted()


def test_the_wheel_belongs_to_the_panel_until_a_field_has_the_focus(panel: HeadsPanel, store: Store) -> None:
    before = store.experiment
    panel.list.setFocus()
    for field in (panel.form.count, panel.form.gain, panel.form.source):
        turn_wheel(field)
    assert store.experiment is before
    panel.form.count.setFocus()
    assert turn_wheel(panel.form.count)
    assert len(store.experiment.heads) == 6


def test_a_spin_shows_a_dash_and_steps_from_it_to_the_lowest(qtbot: QtBot) -> None:
    spin = WholeSpin(0, 9)
    qtbot.addWidget(spin)
    spin.show_value(None)
    assert spin.shows_no_value()
    spin.stepUp()
    assert spin.value() == 0


def test_a_decimal_field_shows_all_digits_it_holds(qtbot: QtBot) -> None:
    spin = DecimalSpin(0, 10, 0.1, 2)
    qtbot.addWidget(spin)
    for value, text in ((1, "1.00"), (0.125, "0.125"), (0.000123, "0.000123")):
        spin.show_value(value)
        assert spin.text() == text

"""The left panel: shape and recipe of the heads, More, and the list with its menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu

from askew.heads import Recipe
from askew.initializers import random_heads
from askew_gui import intents, theme
from askew_gui import store as store_module
from askew_gui.panels.head_painter import Columns
from askew_gui.panels.heads import HeadsPanel
from askew_gui.panels.heads_more import not_at_default
from askew_gui.widgets.fields import DecimalSpin, WholeSpin

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractSpinBox, QWidget
    from pytestqt.qtbot import QtBot

    from askew_gui.panels.head_list import HeadList
    from askew_gui.store import Store

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(store: Store, qtbot: QtBot) -> HeadsPanel:
    panel = HeadsPanel(store)
    qtbot.addWidget(panel)
    panel.resize(232, 760)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def type_number(qtbot: QtBot, spin: QAbstractSpinBox, text: str, enter: bool = True) -> None:
    spin.setFocus()
    spin.selectAll()
    qtbot.keyClicks(spin, text)
    if enter:
        qtbot.keyClick(spin, Qt.Key.Key_Return)


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


def test_the_line_beside_more_names_what_is_not_at_its_default(
    panel: HeadsPanel, store: Store, qtbot: QtBot
) -> None:
    assert panel.more.note.whole_text == "not at default: layer norm"
    assert panel.more.body.isHidden()
    intents.set_field(store, "mask", "causal", "mask")
    intents.set_field(store, "temperature", 0.5, "temperature")
    assert panel.more.note.whole_text == "not at default: layer norm, mask causal, temperature 0.5"
    intents.set_field(store, "normalize", "none", "n")
    intents.set_field(store, "mask", "none", "m")
    intents.set_field(store, "temperature", 1.0, "t")
    assert panel.more.note.whole_text == ""
    qtbot.mouseClick(panel.more.button, LEFT)
    assert panel.more.body.isVisible()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("normalize", "unit", "unit length"),
        ("mask", "causal", "mask causal"),
        ("raw", "cosine", "raw cosine"),
        ("scoring", "cosine", "scoring cosine"),
        ("unknown", "keep", "unknown words kept"),
        ("stretch", "row", "colours stretched to each row's own"),
    ],
)
def test_every_choice_under_more_changes_the_experiment_and_is_named(
    panel: HeadsPanel, store: Store, qtbot: QtBot, field: str, value: str, said: str
) -> None:
    panel.more.unfold()
    more = panel.more.body
    choice = more.choices[field]  # type: ignore[attr-defined]
    choice.setCurrentIndex(choice.findData(value))
    choice.activated.emit(choice.currentIndex())
    now = store.experiment
    shown = {head.scoring for head in now.heads} if field == "scoring" else {getattr(now, field)}
    assert shown == {value}
    assert said in not_at_default(now)
    assert store.undo_stack.count() == 1
    store.undo()
    assert choice.name != value


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
    run(panel.menu(3), "Lock")
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


def test_the_panel_is_no_wider_than_its_place(panel: HeadsPanel) -> None:
    panel.more.unfold()
    inner = panel.widget()
    assert inner is not None
    assert inner.minimumSizeHint().width() <= 232
    assert panel.minimumSizeHint().expandedTo(QSize(0, 0)).width() <= 232


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

"""The table of actions: every one works, has its own keys, and is off where it cannot be done."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QLabel, QMenu

from askew.examples import EXAMPLES
from askew.heads import Recipe
from askew_gui import intents
from askew_gui.actions import MENUS, specs

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store
    from askew_gui.window import Window


def test_names_are_unique_and_places_exist() -> None:
    table = specs()
    assert max(Counter(spec.name for spec in table).values()) == 1
    assert all(place.partition("/")[0] in MENUS for spec in table for place in spec.menus)
    assert all(spec.menus and spec.text for spec in table)


def test_no_shortcut_belongs_to_two_actions() -> None:
    keys = Counter(QKeySequence(key).toString() for spec in specs() for key in spec.keys)
    assert [key for key, count in keys.items() if count > 1] == []
    assert "" not in keys


def test_every_menu_has_a_letter_of_its_own() -> None:
    letters = [title[title.index("&") + 1].lower() for title in MENUS.values()]
    assert len(set(letters)) == len(letters)


def test_every_action_is_in_its_menu(window: Window) -> None:
    for spec in window.actions_table.specs:
        for place in spec.menus:
            assert window.actions_table[spec.name] in window.actions_table.menu(place).actions()


def test_menus_do_not_swallow_ampersands_of_names(window: Window, store: Store) -> None:
    intents.set_text(store, "AT&T")
    store.apply(store.experiment, "nothing")
    window.sentence.toggle_left_out(0)
    assert window.actions_table["undo"].text().replace("&&", "§").count("§") == 1


HARMLESS = {
    "quit",
    "new",
    "open",
    "save",
    "save-as",
    "open-vectors",
    "export",
    "about",
    "keys",
}  # those that open a window have tests of their own


@pytest.mark.parametrize("name", [spec.name for spec in specs() if spec.name not in HARMLESS])
def test_every_action_can_be_triggered(window: Window, qtbot: QtBot, name: str) -> None:
    intents.copy_head(window.store, 0)
    window.refresh_actions()
    window.actions_table[name].trigger()
    qtbot.waitUntil(lambda: window.store.jobs.idle)
    assert window.messages.current is None or window.messages.current.level != "error"
    if window.presenting:
        window.actions_table["present"].trigger()


def test_undo_and_redo_say_what_they_would_do_and_are_off_when_there_is_nothing(
    window: Window, store: Store
) -> None:
    undo, redo = window.actions_table["undo"], window.actions_table["redo"]
    assert not undo.isEnabled()
    assert not redo.isEnabled()
    intents.randomize(store)
    assert undo.isEnabled()
    assert undo.text() == "&Undo randomize"
    undo.trigger()
    assert not undo.isEnabled()
    assert redo.text() == "&Redo randomize"


def test_without_tokens_there_is_nothing_to_copy_or_export(window: Window, store: Store) -> None:
    for text in ("", "   ", "zzyzx"):
        intents.set_text(store, text)
        assert not window.actions_table["export"].isEnabled()
        assert not window.actions_table["copy"].isEnabled()
    intents.set_text(store, "cat")
    assert window.actions_table["export"].isEnabled()


def test_choices_show_what_is_chosen_also_after_undo(window: Window, store: Store) -> None:
    def ticked() -> list[str]:
        return [
            name
            for name in ("pattern", "scores", "cosine")
            if window.actions_table[f"show-{name}"].isChecked()
        ]

    window.actions_table["show-scores"].trigger()
    assert ticked() == ["scores"]
    window.actions_table["show-scores"].trigger()
    assert ticked() == ["scores"]
    store.undo()
    assert ticked() == ["pattern"]


def test_a_head_can_be_pasted_only_after_one_was_copied(window: Window) -> None:
    assert not window.actions_table["paste-head"].isEnabled()
    window.actions_table["copy-head"].trigger()
    assert window.actions_table["paste-head"].isEnabled()


def test_a_head_copied_in_the_menu_of_its_row_can_be_pasted_by_key(window: Window) -> None:
    copy = next(action for action in window.heads.menu(1).actions() if action.text() == "Copy head")
    copy.trigger()
    assert window.actions_table["paste-head"].isEnabled()


def test_the_lock_is_ticked_for_the_selected_head(window: Window, store: Store) -> None:
    window.actions_table["lock"].trigger()
    assert window.actions_table["lock"].isChecked()
    intents.select_head(store, 1)
    assert not window.actions_table["lock"].isChecked()


def test_with_one_head_there_is_no_next(window: Window, store: Store) -> None:
    intents.set_shape(store, count=1)
    assert not window.actions_table["next"].isEnabled()
    intents.set_shape(store, count=3)
    window.actions_table["previous"].trigger()
    assert store.experiment.selected == (2,)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_in_the_menu(window: Window, store: Store, qtbot: QtBot, name: str) -> None:
    intents.set_text(store, "the cat")
    window.actions_table[f"example-{name}"].trigger()
    qtbot.waitUntil(lambda: len(store.evaluation.tokens) >= 12)


# Keys


def test_r_randomizes_outside_text_fields_only(window: Window, store: Store, qtbot: QtBot) -> None:
    window.sentence.edit.setFocus()
    qtbot.keyClick(window.sentence.edit, Qt.Key.Key_R)
    assert store.experiment.text.endswith("r")
    seeds = [head.recipe.seed for head in store.experiment.heads if isinstance(head.recipe, Recipe)]
    assert seeds == [0] * 5
    window.maps.setFocus()
    qtbot.keyClick(window.maps, Qt.Key.Key_R)
    recipe = store.experiment.heads[0].recipe
    assert isinstance(recipe, Recipe)
    assert recipe.seed != 0


def test_ctrl_z_in_the_sentence_undoes_the_experiment(window: Window, store: Store, qtbot: QtBot) -> None:
    window.sentence.edit.setFocus()
    qtbot.keyClicks(window.sentence.edit, " cat")
    intents.randomize(store, seed=9)
    qtbot.keyClick(window.sentence.edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert isinstance(store.experiment.heads[0].recipe, Recipe)
    assert store.experiment.heads[0].recipe.seed == 0
    assert store.experiment.text.endswith(" cat")
    qtbot.keyClick(window.sentence.edit, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert store.experiment.heads[0].recipe.seed == 9


def test_ctrl_c_copies_selected_text_if_there_is_any_else_the_maps(window: Window, qtbot: QtBot) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    window.sentence.edit.setFocus()
    window.sentence.edit.setSelection(0, 3)
    qtbot.keyClick(window.sentence.edit, Qt.Key.Key_C, control)
    assert QApplication.clipboard().text() == "the"
    window.sentence.edit.deselect()
    qtbot.keyClick(window.sentence.edit, Qt.Key.Key_C, control)
    content = QApplication.clipboard().mimeData()
    assert content.hasImage()
    assert content.text().startswith("Raw\n\tthe\tanimal")


def test_ctrl_c_copies_text_selected_in_a_message(window: Window, qtbot: QtBot) -> None:
    window.messages.say("error", "something was wrong")
    label = next(label for label in window.messages.findChildren(QLabel) if "wrong" in label.text())
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByKeyboard)
    label.setFocus()
    label.setSelection(0, 9)
    window.actions_table["copy"].trigger()
    assert QApplication.clipboard().text() == "Something"


def test_ctrl_v_pastes_a_table_where_the_weights_have_the_focus(
    window: Window, store: Store, qtbot: QtBot
) -> None:
    assert window.weights is not None
    assert not window.actions_table["paste"].isEnabled() or window.sentence.edit.hasFocus()
    table = window.weights.table
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    assert window.actions_table["paste"].isEnabled()
    QApplication.clipboard().setText("1\t-2\r\n0,5\t4\r\n")
    window.actions_table["paste"].trigger()
    assert store.experiment.heads[0].w_q[:2, :2].tolist() == [[1, -2], [0.5, 4]]
    store.undo()
    assert store.undo_stack.index() == 0


def test_menus_have_no_two_equal_lines(window: Window) -> None:
    for menu in window.findChildren(QMenu):
        lines = [action.text() for action in menu.actions() if not action.isSeparator()]
        assert len(lines) == len(set(lines))
        assert all(isinstance(action, QAction) for action in menu.actions())

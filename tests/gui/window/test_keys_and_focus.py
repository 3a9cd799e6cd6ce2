"""Where the keys go, and what is pointed at: menus, tooltips, the locked cell, names for screen readers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from askew.vectors import WordVectors
from askew_gui import intents, theme

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store
    from askew_gui.window import Window


def test_ctrl_e_in_the_sentence_is_left_to_the_export(window: Window) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_E, control)
    window.sentence.edit.setFocus()
    QApplication.sendEvent(window.sentence.edit, event)
    assert not event.isAccepted(), "a field on X11 takes it for the key End"


def test_ctrl_z_in_a_field_of_a_panel_undoes_the_experiment(
    window: Window, store: Store, qtbot: QtBot
) -> None:
    intents.randomize(store, seed=5)
    field = window.heads.form.seed
    field.setFocus()
    qtbot.keyClicks(field, "7")
    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert store.undo_stack.index() == 0


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_right_mouse_button_opens_menus_on_maps_and_grid(
    window: Window, qtbot: QtBot, name: theme.ThemeName
) -> None:
    window.set_theme(name)
    place = window.mapToGlobal(QPoint(600, 300))
    for open_menu in (
        partial(window.maps.menu_requested.emit, place, 1),
        partial(window.grid.menu_requested.emit, place, 2),
        partial(window.grid.menu_requested.emit, place, -1),
    ):
        open_menu()
        popup = QApplication.activePopupWidget()
        assert popup is not None
        popup.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_a_locked_cell_is_let_go_when_the_tokens_change(window: Window, store: Store) -> None:
    window.focus.lock((2, 3))
    intents.randomize(store)
    assert window.focus.locked == (2, 3)
    intents.set_text(store, "the cat")
    assert window.focus.locked is None
    window.focus.lock((1, 0))
    fewer = WordVectors.from_arrays(["cat", "dog"], np.eye(2, 20, dtype=np.float32), name="fewer")
    intents.use_vectors(store, fewer)
    assert window.focus.locked is None  # row 2 would be another word, or none


def test_a_tooltip_goes_when_the_numbers_it_tells_change(window: Window, store: Store, qtbot: QtBot) -> None:
    window.show()
    qtbot.waitExposed(window)
    QToolTip.showText(window.mapToGlobal(QPoint(600, 300)), "row 1 looks at column 2: 0.250", window.maps)
    assert QToolTip.isVisible()
    intents.set_field(store, "quantity", "scores", "scores")
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_enter_in_the_sentence_goes_to_the_maps_with_a_ring_around_them(window: Window, qtbot: QtBot) -> None:
    window.show()
    window.activateWindow()
    window.sentence.edit.setFocus()
    plain = window.maps.grab().toImage()
    qtbot.keyClick(window.sentence.edit, Qt.Key.Key_Return)
    assert window.maps.hasFocus()
    ringed, middle = window.maps.grab().toImage(), window.maps.width() // 2
    assert ringed.pixelColor(middle, 1) != plain.pixelColor(middle, 1)


@pytest.mark.parametrize("tab", ["weights", "measures"])
def test_everything_that_takes_the_focus_has_a_name_for_screen_readers(window: Window, tab: str) -> None:
    window.tabs.open(tab)
    nameless = [
        f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isVisible()
        and widget.focusProxy() is None
        and not (widget.accessibleName() or getattr(widget, "text", str)())
    ]
    assert nameless == []


def test_the_tab_key_goes_round_the_whole_window(window: Window, qtbot: QtBot) -> None:
    window.activateWindow()
    window.sentence.edit.setFocus()
    seen: list[QWidget] = []
    for _ in range(120):
        focus = QApplication.focusWidget()
        assert focus is not None
        if focus in seen[:1]:
            break
        seen.append(focus)
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    for part in (window.sentence.chips, window.maps, window.grid, window.heads.form.seed):
        assert part in seen

"""The three linked maps as a widget: pointer, keys, themes, what is painted when."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from askew.experiment import Experiment
from askew.heads import Head
from askew.initializers import random_heads
from askew.vectors import WordVectors
from askew_gui import intents
from askew_gui.focus import Focus
from askew_gui.maps.view import MapsView
from askew_gui.store import Store
from askew_gui.theme import DARK, LIGHT, apply_theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QImage
    from pytestqt.qtbot import QtBot


def shown(store: Store, qtbot: QtBot, size: tuple[int, int] = (930, 400)) -> MapsView:
    view = MapsView(store, Focus(store))
    qtbot.addWidget(view)
    view.resize(*size)
    view.show()
    return view


@pytest.fixture
def view(store: Store, qtbot: QtBot) -> MapsView:
    return shown(store, qtbot)


@pytest.fixture
def lopsided(dressed_app: QApplication) -> Iterator[Store]:
    """Return a store whose head lets row 1 look at column 2 with 0.9, and row 2 at itself with 0.9."""
    ninth = float(np.log(9))
    vectors = WordVectors.from_arrays(["one", "two"], np.eye(2, dtype=np.float32))
    w_q = np.array([[0, ninth], [0, ninth]], dtype=np.float32)
    head = Head(w_q, np.eye(2, dtype=np.float32), np.eye(2, dtype=np.float32), scoring="dot")
    store = Store(Experiment("one two", vectors.ref, (head,)), vectors)
    yield store
    store.jobs.close()


def middle(view: MapsView, index: int, row: int, column: int) -> QPoint:
    assert view.strip is not None
    box = view.strip.maps[index].cell_box(row, column)
    return QPoint(int(box.x + box.w / 2), int(box.y + box.h / 2))


def image(view: MapsView) -> QImage:
    return view.grab().toImage()


def point_at(qtbot: QtBot, view: MapsView, where: QPoint) -> None:
    qtbot.mouseMove(view, where + QPoint(0, 1))
    qtbot.mouseMove(view, where)


def test_the_top_right_cell_is_row_one_column_two(lopsided: Store, qtbot: QtBot) -> None:
    view = shown(lopsided, qtbot)
    np.testing.assert_allclose(view.heatmaps[1].values, [[0.1, 0.9], [0.1, 0.9]], atol=1e-6)
    where = middle(view, 1, 0, 1)
    assert view.strip is not None
    assert where.x() > view.strip.maps[1].frame.x + view.strip.maps[1].frame.w / 2
    assert where.y() < view.strip.maps[1].frame.y + view.strip.maps[1].frame.h / 2
    text = view.text_at(where.x(), where.y())
    assert text.startswith("row 1 looks at column 2: 0.900\none → two")


def test_the_pointer_hovers_the_same_cell_in_every_map(view: MapsView, qtbot: QtBot) -> None:
    for index in range(3):
        point_at(qtbot, view, middle(view, index, 8, 1))
        assert view._focus.hovered == (8, 1)
        after = image(view)
        for other in range(3):
            box = view.strip.maps[other].cell_box(8, 1)  # type: ignore[union-attr]
            assert after.pixelColor(int(box.x), int(box.y + 5)) == QColor(LIGHT.mark)
        point_at(qtbot, view, QPoint(3, 3))
        assert view._focus.hovered is None


def test_hovering_paints_neither_labels_nor_cells_again(view: MapsView, qtbot: QtBot) -> None:
    before = image(view)
    painted = view.labels.painted, view.picture.painted
    point_at(qtbot, view, middle(view, 0, 3, 4))
    assert image(view) != before
    assert (view.labels.painted, view.picture.painted) == painted


def test_an_edit_paints_cells_again_but_not_the_labels(view: MapsView, store: Store) -> None:
    before = image(view)
    painted = view.labels.painted, view.picture.painted
    intents.randomize(store, [0], seed=77)
    assert image(view) != before
    assert view.labels.painted == painted[0]
    assert view.picture.painted == painted[1] + 1


def test_a_click_locks_a_cell_and_a_second_one_unlocks_it(view: MapsView, qtbot: QtBot) -> None:
    where = middle(view, 2, 4, 5)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=where)
    assert view._focus.locked == (4, 5)
    point_at(qtbot, view, QPoint(3, 3))
    assert view._focus.cell == (4, 5)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=where)
    assert view._focus.locked is None


def test_a_click_on_the_label_of_a_row_locks_the_row(view: MapsView, qtbot: QtBot) -> None:
    assert view.strip is not None
    one = view.strip.maps[0]
    box = one.row_box(6)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(int(one.rows.right - 4), int(box.y + 5)))
    assert view._focus.locked == (6, -1)
    assert image(view).pixelColor(int(box.x), int(box.y + 6)) == QColor(LIGHT.mark)


def test_arrow_keys_walk_and_escape_unlocks(view: MapsView, qtbot: QtBot) -> None:
    keys = (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Up)
    walked = []
    for key in keys:
        qtbot.keyClick(view, key)
        walked.append(view._focus.locked)
    assert walked == [(0, 0), (1, 0), (1, 1), (1, 0), (0, 0)]
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert view._focus.locked == (0, 0)
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view._focus.locked == (0, 11)
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view._focus.locked is None


def test_a_screen_reader_is_told_the_cell(view: MapsView, qtbot: QtBot) -> None:
    assert view.accessibleName()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.accessibleDescription().startswith("row 1 looks at column 1: ")
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.accessibleDescription() == ""


def test_a_shorter_sentence_drops_a_cell_that_is_no_more(view: MapsView, store: Store) -> None:
    view._focus.lock((10, 10))
    intents.set_text(store, "the cat")
    assert view._focus.locked is None
    view._focus.lock((1, 1))
    intents.set_text(store, "the cat sat")
    assert view._focus.locked == (1, 1)


def test_without_tokens_the_maps_ask_for_a_sentence(view: MapsView, store: Store, qtbot: QtBot) -> None:
    intents.set_text(store, "")
    assert view.heatmaps == ()
    assert view.strip is None
    empty = image(view)
    intents.set_text(store, "zzyzx")
    assert image(view) != empty
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_Escape):
        qtbot.keyClick(view, key)
    point_at(qtbot, view, QPoint(400, 200))
    assert view._focus.cell is None
    assert view.text_at(400, 200) == ""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("text", ["", "cat", "the <b> AT&T cat", "the cat sat " * 100])
def test_the_maps_open_with_any_sentence_in_both_themes(
    store: Store, qtbot: QtBot, dressed_app: QApplication, theme: str, text: str
) -> None:
    apply_theme(dressed_app, theme)  # type: ignore[arg-type]
    intents.set_text(store, text)
    view = shown(store, qtbot, (640, 300))
    colours = DARK if theme == "dark" else LIGHT
    assert image(view).pixelColor(1, 1) == QColor(colours.canvas)
    assert len(view.heatmaps) == (3 if text else 0)


def test_a_theme_switched_while_running_is_followed(view: MapsView, dressed_app: QApplication) -> None:
    assert image(view).pixelColor(1, 1) == QColor(LIGHT.canvas)
    apply_theme(dressed_app, "dark")
    assert image(view).pixelColor(1, 1) == QColor(DARK.canvas)
    apply_theme(dressed_app, "light")
    assert image(view).pixelColor(1, 1) == QColor(LIGHT.canvas)


def test_larger_letters_make_larger_labels(view: MapsView) -> None:
    assert view.strip is not None
    before = view.strip.maps[0].row_px
    font = view.font()
    font.setPointSizeF(font.pointSizeF() * 1.4)
    view.setFont(font)
    assert view.strip.maps[0].row_px > before


def test_the_window_is_not_made_wider_by_long_labels(store: Store, qtbot: QtBot) -> None:
    view = shown(store, qtbot)
    before = view.sizeHint(), view.minimumSizeHint(), view.size()
    intents.set_text(store, "the " * 28 + "a" * 40 + " " + "\ufffd" * 300)
    assert (view.sizeHint(), view.minimumSizeHint(), view.size()) == before


def test_thirty_tokens_have_labels_up_to_the_last_or_say_that_they_are_thinned(
    store: Store, qtbot: QtBot
) -> None:
    intents.set_field(store, "unknown", "keep", "keep")
    intents.set_text(store, "the cat " * 14 + "a" * 40 + " " + "b" * 300)
    view = shown(store, qtbot)
    assert view.strip is not None
    assert len(view.heatmaps[0].row_labels) == 30
    first = view.strip.maps[0]
    assert first.row_step == 1 or "one label in" in view.text_at(view.strip.note.x + 2, view.strip.note.y + 2)
    row = first.row_box(28)
    assert "a" * 40 in view.text_at(first.rows.right - 2, row.y + 2)


def test_a_tooltip_shows_markup_as_text(store: Store, qtbot: QtBot) -> None:
    intents.set_text(store, "<b> AT&T cat")
    view = shown(store, qtbot)
    tokens = view.heatmaps[0].row_labels
    where = middle(view, 0, 0, 1)
    event = QHelpEvent(QEvent.Type.ToolTip, where, view.mapToGlobal(where))
    QApplication.sendEvent(view, event)
    assert "&lt;" in QToolTip.text() or "<" not in tokens[0]
    assert f"{tokens[0]} → {tokens[1]}" in view.text_at(where.x(), where.y())
    QToolTip.hideText()


def test_a_menu_is_asked_for_with_the_map_under_the_pointer(view: MapsView, qtbot: QtBot) -> None:
    where = middle(view, 2, 1, 1)
    with qtbot.waitSignal(view.menu_requested) as asked:
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, view.mapToGlobal(where))
        QApplication.sendEvent(view, event)
    assert asked.args == [view.mapToGlobal(where), 2]


def test_tooltips_tell_titles_labels_bars_and_notes(view: MapsView) -> None:
    assert view.strip is not None
    one = view.strip.maps[1]
    assert view.text_at(one.title.x + 3, one.title.y + 3) == "Head 0\nsoftmax(Q·Kᵀ/√4)"
    assert view.text_at(one.bar.x + 3, one.bar.y + 3).startswith("smallest value ")
    x = one.frame.x + 1.5 * one.cell[0] + 20 / 1.732
    assert view.text_at(x, one.frame.y - 20) == "column 2: animal"


def test_maps_older_than_the_experiment_are_veiled(
    view: MapsView, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = image(view)
    monkeypatch.setattr(type(store), "stale", property(lambda _store: True))
    store.stale_changed.emit(True)
    assert image(view) != fresh


def test_maps_of_what_was_refused_do_not_say_they_are_being_computed(
    view: MapsView, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.apply(replace(store.experiment, mask="nonsense"), "mask")
    refused = image(view)
    monkeypatch.setattr(type(store), "computing", property(lambda _store: True))
    view.update()
    assert image(view) != refused


def test_several_heads_are_painted_as_a_mean(view: MapsView, store: Store) -> None:
    intents.select_head(store, 2, extend=True)
    assert view.heatmaps[1].title == "Mean of heads 0, 2"


def test_many_tokens_are_walked_without_leaving_the_map(store: Store, qtbot: QtBot) -> None:
    intents.set_text(store, "cat dog " * 150)
    qtbot.waitUntil(lambda: not store.stale)
    view = shown(store, qtbot)
    where = middle(view, 0, 299, 299)
    assert view.cell_at(where.x(), where.y()) in {(299, 299), (298, 298), (298, 299), (299, 298)}


def test_heads_of_another_width_change_the_formula(view: MapsView, store: Store) -> None:
    heads = random_heads(2, d_model=20, d_k=7, d_v=7, seed=1)
    intents.set_field(store, "heads", heads, "other heads")
    assert view.heatmaps[1].subtitle == "softmax(Q·Kᵀ/√7)"

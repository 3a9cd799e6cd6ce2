"""From where W comes: all heads or the selected ones, the trained layer, another head, τ, shared keys."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import Qt
from tests.gui.heads_panel.test_form import type_number
from tests.gui.heads_panel.test_list import run

from askew import edits
from askew.examples import example
from askew.heads import Recipe
from askew.vectors import open_vectors
from askew_gui import intents
from askew_gui.panels.heads import HeadsPanel
from askew_gui.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from askew.heads import Part

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def trained_store() -> Iterator[Store]:
    vectors = open_vectors("minilm-l6-v2")
    store = Store(example("trained", vectors), vectors)
    yield store
    store.jobs.close()


@pytest.fixture
def trained_panel(trained_store: Store, qtbot: QtBot) -> HeadsPanel:
    panel = HeadsPanel(trained_store)
    qtbot.addWidget(panel)
    panel.resize(232, 900)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def choose_source(panel: HeadsPanel, name: str) -> None:
    source = panel.form.source
    source.setCurrentIndex(source.findData(name))
    source.activated.emit(source.currentIndex())


def changed(store: Store, before: tuple[object, ...]) -> list[int]:
    return [h for h, head in enumerate(store.experiment.heads) if head is not before[h]]


def test_trained_heads_say_so_and_have_neither_seed_nor_gain(trained_panel: HeadsPanel) -> None:
    form = trained_panel.form
    assert form.source.name == "trained"
    assert form.seed.text() == "\u2013"
    assert not form.gain.isEnabled()
    assert {row.origin for row in trained_panel.list.heads.rows} == {"trained"}


def test_a_new_source_is_for_the_selected_heads_alone_if_so_chosen(
    panel: HeadsPanel, store: Store, qtbot: QtBot
) -> None:
    before = store.experiment.heads
    intents.select_head(store, 1)
    intents.select_head(store, 3, extend=True)
    qtbot.mouseClick(panel.form.scope.selected, LEFT)
    choose_source(panel, "xavier")
    assert changed(store, before) == [1, 3]
    type_number(qtbot, panel.form.seed, "7")
    assert [store.experiment.heads[h].recipe for h in (1, 3)] == [
        Recipe("xavier", 7, 1, gain=2.0),
        Recipe("xavier", 7, 3, gain=2.0),
    ]
    assert panel.form.source.name == "xavier"
    intents.select_head(store, 0)
    assert (panel.form.source.name, panel.form.seed.value()) == ("gaussian", 0)
    qtbot.mouseClick(panel.form.scope.all, LEFT)
    assert panel.form.source.name == ""
    assert panel.form.source.placeholderText() == "mixed"


def test_randomize_in_the_form_is_for_the_heads_it_is_about(
    panel: HeadsPanel, store: Store, qtbot: QtBot
) -> None:
    before = store.experiment.heads
    intents.select_head(store, 4)
    qtbot.mouseClick(panel.form.scope.selected, LEFT)
    qtbot.mouseClick(panel.form.randomize, LEFT)
    assert changed(store, before) == [4]
    intents.toggle_lock(store, 4)
    with qtbot.waitSignal(store.said) as said:
        qtbot.mouseClick(panel.form.randomize, LEFT)
    assert said.args is not None
    assert said.args[1] == "Head 4 is locked, so nothing was drawn"


def test_choosing_trained_brings_the_trained_heads_back(
    trained_panel: HeadsPanel, trained_store: Store, qtbot: QtBot
) -> None:
    first = trained_store.experiment.heads
    choose_source(trained_panel, "gaussian")
    assert trained_panel.form.source.name == "gaussian"
    assert trained_panel.form.gain.isEnabled()
    qtbot.mouseClick(trained_panel.form.scope.selected, LEFT)
    choose_source(trained_panel, "trained")
    assert trained_panel.list.heads.rows[2].origin == "trained"
    assert trained_panel.list.heads.rows[3].origin == "seed 0"
    assert np.array_equal(trained_store.experiment.heads[2].w_q, first[2].w_q)
    assert trained_store.experiment.heads[2].b_q is not None


def offered(panel: HeadsPanel, name: str) -> bool:
    row = panel.form.source.findData(name)
    model = panel.form.source.model()
    return bool(model.flags(model.index(row, 0)) & Qt.ItemFlag.ItemIsEnabled)


def test_trained_is_offered_only_where_it_fits(
    panel: HeadsPanel, trained_panel: HeadsPanel, trained_store: Store
) -> None:
    assert not offered(panel, "trained")
    assert offered(panel, "xavier")
    assert offered(trained_panel, "trained")
    intents.set_shape(trained_store, d_k=16)
    assert not offered(trained_panel, "trained")


def test_trained_heads_that_a_new_size_takes_are_named(trained_store: Store, qtbot: QtBot) -> None:
    with qtbot.waitSignal(trained_store.said) as said:
        intents.set_shape(trained_store, d_k=16)
    assert said.args is not None
    assert said.args[1].startswith("Heads 0, 1, 2, 3")
    assert "were trained and have been replaced by a random draw; undo brings them back." in said.args[1]


def test_the_share_of_tied_heads_is_a_field(panel: HeadsPanel, store: Store, qtbot: QtBot) -> None:
    assert not panel.form.tau.isVisible()
    choose_source(panel, "tied")
    assert panel.form.tau.isVisible()
    assert store.evaluation.measures[0].asymmetry == pytest.approx(0, abs=1e-9)
    type_number(qtbot, panel.form.tau, "0,5")
    head = store.experiment.heads[2]
    free = edits.with_recipe(store.experiment, tau=0.0).experiment.heads[2]
    np.testing.assert_allclose(head.w_k, 0.5 * head.w_q + np.sqrt(0.75) * free.w_k, atol=1e-6)
    choose_source(panel, "gaussian")
    assert not panel.form.tau.isVisible()


def test_the_menu_copies_from_another_head(panel: HeadsPanel, store: Store) -> None:
    source = store.experiment.heads[3]
    menu = panel.menu(1)
    listed = next(m for m in menu.findChildren(type(menu)) if m.title() == "Copy from head")
    assert [action.text() for action in listed.actions()] == ["0", "2", "3", "4"]
    run(menu, "Copy from head", "3")
    assert store.experiment.heads[1].w_q is source.w_q
    assert store.undo_stack.undoText() == "copy of head 3 into head 1"


def test_single_matrices_are_locked_in_the_menu_and_the_row_says_which(
    panel: HeadsPanel, store: Store, qtbot: QtBot
) -> None:
    run(panel.menu(2), "Lock", "W_k")
    row = panel.list.heads.rows[2]
    assert row.locked == {"k"}
    assert not row.is_locked
    index = panel.list.heads.index(2, 0)
    assert "W_k locked" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole).endswith("W_k locked")
    before = store.experiment.heads[2]
    with qtbot.waitSignal(store.said) as said:
        qtbot.mouseClick(panel.form.randomize, LEFT)
    assert said.args is not None
    assert said.args[1] == "Locked and left as it was: W_k of head 2."
    after = store.experiment.heads[2]
    assert after.w_k is before.w_k
    assert not np.array_equal(after.w_q, before.w_q)
    run(panel.menu(2), "Lock", "Whole head")
    assert panel.list.heads.rows[2].is_locked
    run(panel.menu(2), "Lock", "W_k")
    assert panel.list.heads.rows[2].locked == {"q", "v"}


def test_a_partly_locked_row_looks_like_neither_a_locked_nor_a_free_one(
    panel: HeadsPanel, store: Store
) -> None:
    pictures = []
    for parts in ((), ("q",), ("q", "k", "v")):
        heads = (replace(store.experiment.heads[4], locked=frozenset(parts)),)
        store.apply(replace(store.experiment, heads=store.experiment.heads[:4] + heads), "lock")
        rect = panel.list.visualRect(panel.list.heads.index(4, 0))
        pictures.append(panel.list.viewport().grab(rect).toImage())
    assert pictures[0] != pictures[1] != pictures[2] != pictures[0]


def test_heads_that_share_their_keys_are_counted_and_named(panel: HeadsPanel, store: Store) -> None:
    assert not panel.form.keys.isVisible()
    heads = store.experiment.heads[:4]
    shared = tuple(replace(head, w_k=heads[h // 2 * 2].w_k) for h, head in enumerate(heads))
    store.apply(replace(store.experiment, heads=shared), "grouped keys")
    assert panel.form.keys.isVisible()
    assert panel.form.keys.whole_text == "4 heads, 2 key heads"
    one = tuple(replace(head, w_k=heads[0].w_k) for head in heads)
    store.apply(replace(store.experiment, heads=one), "one key for all")
    assert panel.form.keys.whole_text == "4 heads, 1 key head"
    store.undo_stack.undo()
    tooltip = panel.list.heads.index(3, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert tooltip.endswith("W_k shared with head 2")
    assert panel.list.heads.rows[0].shares == (1,)


@pytest.mark.parametrize(
    ("heads", "parts", "said"),
    [
        (None, ("q", "k", "v"), "Every head is locked, so none was drawn"),
        (None, ("k",), "W_k of every head is locked, so nothing was drawn"),
        ((1,), ("k",), "W_k of head 1 is locked, so nothing was drawn"),
        ((1, 2), ("q", "k", "v"), "Heads 1, 2 are locked, so nothing was drawn"),
    ],
)
def test_what_is_locked_and_was_not_drawn_is_named(
    store: Store, heads: tuple[int, ...] | None, parts: tuple[Part, ...], said: str
) -> None:
    texts: list[str] = []
    store.said.connect(partial(take_text, texts))
    for head in range(5):
        intents.toggle_lock(store, head)
    before = store.experiment
    assert not intents.randomize(store, heads, parts)
    assert store.experiment is before
    assert texts == [said]


def take_text(texts: list[str], _level: str, text: str, _remedy: str) -> None:
    texts.append(text)

"""Importing weights in the window: the preview of each file, what it becomes, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from tests.gui.import_weights.steps import bring, cell, choose, head, llama, preview
from tests.gui.vector_files import message

from askew.heads import FromFile, FromFiles
from askew.initializers import random_heads
from askew.weights.writing import write_heads

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from askew.heads import Orientation
    from askew_gui.store import Store
    from askew_gui.window import Window

    Shown = Callable[..., tuple[Window, Store]]


CASES = Path(__file__).parents[2] / "data" / "cases"
REFUSED = {
    "C07b_ragged.csv": "row 2 has 2 values, row 1 has 3",
    "C07c_text_in_cell.csv": "row 2, column 2: 'five'",
    "C07d_empty_cell.csv": "row 2, column 2 is empty",
    "C09_object_array.npy": "holds Python objects, not numbers",
    "C10a_not_safetensors.safetensors": "not a safetensors file",
    "C10b_cut_short.safetensors": "incomplete: 10 of 16 bytes",
    "C10c_only_metadata.safetensors": "holds no matrices",
}


# Refused


@pytest.mark.parametrize(("name", "text"), REFUSED.items())
def test_a_file_that_is_refused_says_why_and_leaves_the_weights(
    shown: Shown, qtbot: QtBot, name: str, text: str
) -> None:
    window, store = shown(2)
    before = store.experiment
    dialog = preview(window, qtbot, CASES / name)
    assert text in dialog.error.whole_text
    assert not dialog.import_button.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert store.experiment is before
    assert store.undo_stack.count() == 0
    assert not list(CASES.glob("ASKEW_TEST_PICKLE*"))


def test_keys_that_do_not_divide_are_refused_where_they_would_go(shown: Shown, qtbot: QtBot) -> None:
    window, store = shown(4, count=4)
    before = store.experiment
    dialog = preview(window, qtbot, CASES / "C04b_k_rows_not_multiple_of_dk.npy")
    assert "k has 3 output rows, not a multiple of d_k = 2" in dialog.error.whole_text
    dialog.reject()
    assert store.experiment is before


def test_weights_of_other_vectors_are_refused_with_those_that_would_fit(
    shown: Shown, qtbot: QtBot, tmp_path: Path
) -> None:
    window, _ = shown(4)
    write_heads(random_heads(2, d_model=50, d_k=5, d_v=5), tmp_path / "heads.npz", "npz")
    dialog = preview(window, qtbot, tmp_path / "heads.npz")
    assert "vectors of 50 numbers, and mine has 4" in dialog.error.whole_text
    assert "glove-6b-50d would fit" in dialog.error.whole_text
    assert dialog.table.rowCount() == 3
    dialog.reject()


# Brought


@pytest.mark.parametrize(
    "name", ["C01a_linear_out_in.safetensors", "C01b_linear_out_in.npy", "C01c_already_in_out.npy"]
)
def test_a_matrix_is_turned_over_where_the_file_has_it_so(shown: Shown, qtbot: QtBot, name: str) -> None:
    window, store = shown(4)
    dialog = preview(window, qtbot, CASES / name)
    becomes = cell(dialog, 3)
    assert ("turned over" in becomes) is (name != "C01c_already_in_out.npy")
    bring(dialog, store, qtbot)
    np.testing.assert_array_equal(np.ones(4) @ head(store).w_q, [4, 6])
    lay: Orientation = "in-out" if name == "C01c_already_in_out.npy" else "out-in"
    assert head(store).recipe == FromFiles(q=FromFile(name, lay))
    row = window.heads.list.heads.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert f"imported: W_q from {name}{', turned over' if lay == 'out-in' else ''}" in row
    assert store.undo_stack.count() == 1


def test_a_square_matrix_has_a_stated_orientation_and_a_switch(shown: Shown, qtbot: QtBot) -> None:
    window, store = shown(2)
    before = store.experiment
    dialog = preview(window, qtbot, CASES / "C02_square_orientation.npy")
    assert dialog.form.fields["orientation"].isVisible()
    assert "as it is, (d_model, d)" in dialog.form.fields["orientation"].currentText()
    bring(dialog, store, qtbot)
    np.testing.assert_array_equal(head(store).w_q[0], [1, 2])
    store.undo()
    assert store.experiment is before
    dialog = preview(window, qtbot, CASES / "C02_square_orientation.npy")
    choose(dialog.form.fields["orientation"], "out-in", qtbot)
    assert "turned over" in cell(dialog, 3)
    bring(dialog, store, qtbot)
    np.testing.assert_array_equal(head(store).w_q[0], [1, 3])


def test_heads_that_share_keys_say_so_and_one_undo_takes_them_back(shown: Shown, qtbot: QtBot) -> None:
    window, store = shown(4, count=3)
    before = store.experiment
    dialog = preview(window, qtbot, CASES / "C04a_grouped_kv_heads.safetensors")
    if not dialog.import_button.isEnabled():
        choose(dialog.form.fields["heads"], "4", qtbot)
    assert "heads share keys" in dialog.notes.whole_text
    bring(dialog, store, qtbot)
    keys = [np.array([1, 0, 0, 0]) @ each.w_k for each in store.experiment.heads]
    np.testing.assert_array_equal(keys, [[0, 1], [0, 1], [2, 3], [2, 3]])
    assert head(store, 0).w_k is head(store, 1).w_k
    assert "4 heads" in message(window)
    store.undo()
    assert store.experiment is before


def test_biases_come_along(shown: Shown, qtbot: QtBot) -> None:
    window, store = shown(2)
    dialog = preview(window, qtbot, CASES / "C06_with_bias.safetensors")
    if not dialog.import_button.isEnabled():
        choose(dialog.form.fields["heads"], "1", qtbot)
    bring(dialog, store, qtbot)
    np.testing.assert_array_equal(head(store).b_q, [2, 0])
    np.testing.assert_array_equal(head(store).b_k, [5, -7])


def test_a_table_with_a_mark_and_names_is_read(shown: Shown, qtbot: QtBot) -> None:
    window, store = shown(2)
    bring(preview(window, qtbot, CASES / "C07a_bom_and_header.csv"), store, qtbot)
    np.testing.assert_array_equal(head(store).w_q, [[0.5, 1], [-2, 3]])


def test_a_matrix_goes_where_it_is_put(shown: Shown, qtbot: QtBot) -> None:
    window, store = shown(2, count=2)
    before = store.experiment
    dialog = preview(window, qtbot, CASES / "C07a_bom_and_header.csv")
    choose(dialog.form.fields["part"], "v", qtbot)
    assert dialog.form.to.currentText() == "W_v of head 0 only"
    bring(dialog, store, qtbot)
    np.testing.assert_array_equal(head(store).w_v, [[0.5, 1], [-2, 3]])
    assert head(store).w_q is before.heads[0].w_q
    assert head(store, 1) is before.heads[1]


def test_one_head_of_a_file_goes_into_the_head_that_is_shown(
    shown: Shown, qtbot: QtBot, tmp_path: Path
) -> None:
    window, store = shown(4, count=2)
    heads = random_heads(3, d_model=4, d_k=2, d_v=2, seed=77)
    write_heads(heads, tmp_path / "heads.safetensors", "safetensors")
    dialog = preview(window, qtbot, tmp_path / "heads.safetensors")
    assert not dialog.form.source.isVisible()
    choose(dialog.form.to, "head", qtbot)
    assert dialog.form.source.isVisible()
    dialog.form.source.setValue(2)
    bring(dialog, store, qtbot)
    np.testing.assert_array_equal(head(store).w_q, heads[2].w_q)
    assert len(store.experiment.heads) == 2


def test_a_head_of_other_widths_cannot_be_one_of_several(shown: Shown, qtbot: QtBot, tmp_path: Path) -> None:
    window, store = shown(4, count=2)
    write_heads(random_heads(3, d_model=4, d_k=1, d_v=1), tmp_path / "heads.npz", "npz")
    dialog = preview(window, qtbot, tmp_path / "heads.npz")
    assert dialog.import_button.isEnabled()
    choose(dialog.form.to, "head", qtbot)
    assert "W_q is 4 × 1 and that of head 0 is 4 × 2" in dialog.error.whole_text
    assert not dialog.import_button.isEnabled()
    choose(dialog.form.to, "all", qtbot)
    bring(dialog, store, qtbot)
    assert [each.d_k for each in store.experiment.heads] == [1, 1, 1]


# The clipboard


def test_a_pasted_table_with_decimal_commas_becomes_a_matrix_in_one_step(shown: Shown, qtbot: QtBot) -> None:
    window, store = shown(2)
    before = store.experiment
    QApplication.clipboard().setText("1\t-2\r\n0,5\t4\r\n")
    window.actions_table["paste-weights"].trigger()
    bring(preview(window, qtbot), store, qtbot)
    np.testing.assert_array_equal(head(store).w_q, [[1, -2], [0.5, 4]])
    store.undo()
    assert store.experiment is before


def test_text_on_the_clipboard_that_is_no_table_is_refused(shown: Shown, qtbot: QtBot) -> None:
    window, store = shown(2)
    before = store.experiment
    QApplication.clipboard().setText("the cat\nsat on it\n")
    window.actions_table["paste-weights"].trigger()
    dialog = preview(window, qtbot)
    assert "row 2, column 1: 'sat'" in dialog.error.whole_text
    assert not dialog.import_button.isEnabled()
    dialog.reject()
    assert store.experiment is before


# The look


@pytest.mark.parametrize("theme_name", ["light", "dark"])
def test_two_hundred_arrays_with_long_names_fit(
    shown: Shown, qtbot: QtBot, tmp_path: Path, theme_name: str
) -> None:
    from askew_gui import theme

    theme.apply_theme(QApplication.instance(), theme_name)  # type: ignore[arg-type]
    window, _ = shown(4)
    path = llama(tmp_path, 67).rename(tmp_path / f"{'a-long-name-' * 12}.safetensors")
    dialog = preview(window, qtbot, path)
    assert dialog.table.rowCount() == 201
    assert dialog.width() <= 900
    assert dialog.height() <= 700
    assert dialog.title.text() != dialog.title.whole_text
    assert dialog.import_button.visibleRegion().boundingRect().size() == dialog.import_button.size()
    dialog.reject()

"""User stories from end to end: the real window on the bundled vectors, by mouse and key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLabel, QLineEdit, QWidget

from askew import evaluate, open_vectors
from askew.examples import example
from askew.heads import Recipe
from askew_gui.dialogs.export import ExportDialog
from askew_gui.dialogs.open_vectors import OpenVectorsDialog
from askew_gui.faults import Caught
from askew_gui.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.window import Window


CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def store() -> Iterator[Store]:
    """Return the store of random heads on the bundled GloVe vectors."""
    vectors = open_vectors("glove-6b-50d")
    store = Store(example("glove-random", vectors), vectors)
    yield store
    store.jobs.close()


def write(window: Window, qtbot: QtBot, text: str) -> None:
    window.sentence.edit.setFocus()
    qtbot.keyClick(window.sentence.edit, Qt.Key.Key_A, CONTROL)
    qtbot.keyClicks(window.sentence.edit, text)


def cell_place(window: Window, index: int, row: int, column: int) -> QPoint:
    strip = window.maps.strip
    assert strip is not None
    box = strip.maps[index].cell_box(row, column)
    return QPoint(round((box.x + box.right) / 2), round((box.y + box.bottom) / 2))


def tile_place(window: Window, head: int) -> QPoint:
    box = window.grid.tiles.map_box(head + 1)
    return QPoint(round((box.x + box.right) / 2), round((box.y + box.bottom) / 2))


def all_text(widget: QWidget) -> str:
    return " ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def test_random_heads_are_shown_on_real_vectors(window: Window) -> None:
    assert window.store.experiment.vectors.name == "glove-6b-50d"
    assert [heatmap.title for heatmap in window.maps.heatmaps] == ["Raw", "Head 0", "Difference"]
    assert len(window.store.evaluation.tokens) == 12
    assert window.messages.current is None
    raw = window.store.evaluation.raw.pattern
    assert int(np.argmax(raw[1])) == 1  # animal looks at itself: the first thing that the program shows


def test_type_a_sentence_randomize_and_take_it_all_back(window: Window, qtbot: QtBot) -> None:
    first = window.store.experiment
    write(window, qtbot, "the cat sat on the mat")
    assert [heatmap.values.shape for heatmap in window.maps.heatmaps] == [(6, 6)] * 3
    before = window.store.evaluation.heads[0].pattern
    qtbot.keyClick(window.sentence.edit, Qt.Key.Key_Return)
    assert window.maps.hasFocus()
    qtbot.keyClick(window.maps, Qt.Key.Key_R)
    assert not np.allclose(window.store.evaluation.heads[0].pattern, before)
    recipe = window.store.experiment.heads[0].recipe
    assert isinstance(recipe, Recipe)
    assert str(recipe.seed) in window.heads.form.seed.text()
    while window.actions_table["undo"].isEnabled():
        qtbot.keyClick(window.maps, Qt.Key.Key_Z, CONTROL)
    assert window.store.experiment is first
    assert window.sentence.edit.text() == first.text


def test_the_randomize_button_leaves_raw_as_it_is(window: Window, qtbot: QtBot) -> None:
    raw = window.maps.heatmaps[0].values.copy()
    button = window.topbar._actions[2]
    assert button.text().startswith("Randomize")
    qtbot.mouseClick(button, LEFT)
    assert np.array_equal(window.maps.heatmaps[0].values, raw)
    assert window.topbar._actions[0].text() == "Undo randomize"


def test_the_three_maps_always_show_the_same_quantity(window: Window) -> None:
    for quantity, formula in (("scores", "X·Xᵀ"), ("cosine", "cos"), ("pattern", "softmax")):
        window.actions_table[f"show-{quantity}"].trigger()
        raw, head, difference = window.maps.heatmaps
        assert formula in raw.subtitle
        assert np.allclose(difference.values, head.values - raw.values, atol=1e-5)


def test_a_cell_is_pointed_at_locked_and_explained(window: Window, qtbot: QtBot) -> None:
    qtbot.mouseMove(window.maps, cell_place(window, 1, 8, 1))
    assert window.focus.hovered == (8, 1)
    qtbot.mouseClick(window.maps, LEFT, pos=cell_place(window, 1, 8, 1))
    assert window.focus.locked == (8, 1)
    value = window.store.evaluation.heads[0].pattern[8, 1]
    said = all_text(window.inspector)
    assert "it" in said
    assert "animal" in said
    assert f"{value:.3f}" in said
    assert f"{window.store.evaluation.raw.pattern[8, 1]:.3f}" in said


def test_a_click_on_a_token_locks_its_row_in_the_maps(window: Window, qtbot: QtBot) -> None:
    place = window.sentence.chips.chip_rect(8).center()
    qtbot.mouseClick(window.sentence.chips.viewport(), LEFT, pos=place)
    assert window.focus.locked == (8, -1)
    assert "it" in window.maps.accessibleDescription()


def test_a_head_is_brought_up_and_several_are_averaged(window: Window, qtbot: QtBot) -> None:
    qtbot.mouseClick(window.grid.viewport(), LEFT, pos=tile_place(window, 3))
    assert window.store.experiment.selected == (3,)
    assert window.maps.heatmaps[1].title == "Head 3"
    qtbot.mouseClick(window.grid.viewport(), LEFT, SHIFT, tile_place(window, 1))
    assert set(window.store.experiment.selected) == {1, 3}
    patterns = [window.store.evaluation.heads[head].pattern for head in (1, 3)]
    assert np.allclose(window.maps.heatmaps[1].values, (patterns[0] + patterns[1]) / 2, atol=1e-6)
    window.actions_table["undo"].trigger()
    assert window.store.experiment.selected == (3,)


def test_a_number_of_a_matrix_is_edited_and_only_that_head_changes(window: Window, qtbot: QtBot) -> None:
    assert window.weights is not None
    others = [result.pattern for result in window.store.evaluation.heads[1:]]
    table = window.weights.table
    table.show_cell(0, 0)
    table.edit(table.currentIndex())
    editor = table.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    qtbot.keyClicks(editor, "0,5")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.store.experiment.heads[0].w_q[0, 0] == 0.5)
    assert all(
        np.array_equal(result.pattern, other)
        for result, other in zip(window.store.evaluation.heads[1:], others, strict=True)
    )
    assert "W_q" in window.actions_table["undo"].text()


def test_changes_of_w_v_leave_every_pattern_as_it_is(window: Window) -> None:
    before = window.store.evaluation.pattern.copy()
    outputs = window.store.evaluation.outputs.copy()
    window.actions_table["randomize-v"].trigger()
    assert np.array_equal(window.store.evaluation.pattern, before)
    assert not np.allclose(window.store.evaluation.outputs, outputs)


def test_exchanging_query_and_key_turns_the_scores_over(window: Window, qtbot: QtBot) -> None:
    before = window.store.evaluation.heads[0].scores
    window.maps.setFocus()
    qtbot.keyClick(window.maps, Qt.Key.Key_X)
    assert np.allclose(window.store.evaluation.heads[0].scores, before.T, atol=1e-5)


def test_the_identity_example_gives_raw_similarity_back(window: Window) -> None:
    window.actions_table["example-identity"].trigger()
    assert np.allclose(window.maps.heatmaps[2].values, 0, atol=1e-6)
    window.actions_table["example-tied"].trigger()
    scores = window.store.evaluation.heads[0].scores
    assert np.allclose(scores, scores.T, atol=1e-4)


def test_a_vector_file_of_ones_own_is_opened_and_taken_back(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    first = window.store.experiment
    file = tmp_path / "my words.txt"
    numbers = np.random.default_rng(1).standard_normal((3, 8)).round(4)
    words = ("the", "animal", "street")
    rows = (" ".join([word, *map(str, row)]) for word, row in zip(words, numbers, strict=True))
    file.write_text("\n".join(rows) + "\n")
    window.actions_table["open-vectors"].trigger()
    dialog = window.findChildren(OpenVectorsDialog)[0]
    dialog.findChildren(QLineEdit)[0].setText(str(file))
    with qtbot.waitSignal(window.store.evaluated, timeout=5000):
        dialog.accept()
    assert window.store.vectors.dim == 8
    assert "not found" in window.sentence.count.whole_text
    assert len(window.store.evaluation.tokens) == 4
    assert window.actions_table["undo"].text().endswith("my words.txt")
    window.actions_table["undo"].trigger()
    assert window.store.experiment is first
    assert len(window.store.evaluation.tokens) == 12


def test_an_unknown_word_is_seen_replaced_and_then_known(window: Window, qtbot: QtBot) -> None:
    write(window, qtbot, "the zzyzx cat")
    assert window.sentence.count.whole_text == "3 tokens · 1 not found: zzyzx"
    assert len(window.store.evaluation.tokens) == 2
    window.sentence.start_replacing(1)
    qtbot.keyClicks(window.sentence.editor, "black")
    qtbot.keyClick(window.sentence.editor, Qt.Key.Key_Return)
    assert window.sentence.count.whole_text == "3 tokens · all known"
    assert window.maps.heatmaps[0].row_labels == ("the", "black", "cat")
    assert window.store.experiment.text == "the zzyzx cat"


def test_the_heat_map_is_saved_as_a_picture_of_the_width_asked(
    window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(dialog: ExportDialog) -> QDialog.DialogCode:
        dialog.form.width_field.setValue(1234)
        dialog.accept()
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ExportDialog, "exec", choose)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(tmp_path / "map.png"), ""))
    qtbot.mouseClick(window.topbar._actions[-1], LEFT)
    qtbot.waitUntil((tmp_path / "map.png").exists)
    image = QImage(str(tmp_path / "map.png"))
    assert image.width() == 1234
    assert image.pixelColor(1, 1).name() == "#ffffff"


def test_the_maps_are_copied_as_picture_and_as_table(window: Window, qtbot: QtBot) -> None:
    window.maps.setFocus()
    qtbot.keyClick(window.maps, Qt.Key.Key_C, CONTROL)
    content = QApplication.clipboard().mimeData()
    assert content.hasImage()
    first = content.text().splitlines()[2].split("\t")
    assert first[0] == "the"
    assert np.allclose([float(cell) for cell in first[1:]], window.store.evaluation.raw.pattern[0])


@pytest.mark.parametrize("text", ["", "   "])
def test_without_a_sentence_the_window_says_what_to_do(window: Window, qtbot: QtBot, text: str) -> None:
    write(window, qtbot, "a")
    qtbot.keyClick(window.sentence.edit, Qt.Key.Key_Backspace)
    qtbot.keyClicks(window.sentence.edit, text)
    assert window.maps.heatmaps == ()
    assert window.sentence.count.whole_text == "Type a sentence"
    assert not window.actions_table["export"].isEnabled()
    assert not window.grab().isNull()


def test_one_word_gives_a_map_of_one_cell(window: Window, qtbot: QtBot) -> None:
    write(window, qtbot, "cat")
    assert window.maps.heatmaps[1].values.tolist() == [[1.0]]


def test_a_word_twice_is_two_tokens(window: Window, qtbot: QtBot) -> None:
    write(window, qtbot, "the cat and the dog")
    raw = window.maps.heatmaps[0]
    assert raw.row_labels == ("the", "cat", "and", "the", "dog")
    assert np.array_equal(raw.values[0], raw.values[3])
    place = cell_place(window, 0, 3, 1)
    qtbot.mouseClick(window.maps, LEFT, pos=place)
    assert window.focus.locked == (3, 1)


def test_what_the_window_shows_is_what_the_python_face_computes(window: Window) -> None:
    vectors = open_vectors("glove-6b-50d")
    result = evaluate(window.store.experiment, vectors)
    assert np.array_equal(result.pattern, window.store.evaluation.pattern)


def test_a_mistake_of_the_program_leaves_the_window_alive_with_details(window: Window, qtbot: QtBot) -> None:
    window.messages.say_caught(Caught("ValueError: no", "Traceback (most recent call last): ...", "here"))
    assert window.messages.current is not None
    assert "ValueError: no" in window.messages.current.text
    write(window, qtbot, "the cat")
    assert len(window.store.evaluation.tokens) == 2

"""Importing from models: layers, numbers of heads, what a scheme needs, folders with words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from tests.core.weights.folders import bert_tensors, write_bert, write_folder
from tests.gui.import_weights.steps import bring, cell, choose, head, llama, preview, ticked
from tests.gui.vector_files import message
from tests.gui.window.test_files_opened import dropped

from askew.embedding import as_model_runs
from askew_gui import intents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store
    from askew_gui.window import Window

    Shown = Callable[..., tuple[Window, Store]]


# Models


def test_a_layer_and_the_number_of_heads_are_asked_and_needs_are_offered(
    shown: Shown, qtbot: QtBot, tmp_path: Path
) -> None:
    window, store = shown(4, d_k=3)
    dialog = preview(window, qtbot, llama(tmp_path))
    assert not dialog.import_button.isEnabled()
    assert "how many heads" in dialog.error.whole_text
    choose(dialog.form.fields["heads"], "2", qtbot)
    choose(dialog.form.fields["layer"], "2", qtbot)
    assert cell(dialog, 0).startswith("model.layers.2.")
    assert dialog.needs["mask"].isChecked()
    assert not dialog.needs["scoring"].isVisible()
    qtbot.mouseClick(dialog.needs["positions"], Qt.MouseButton.LeftButton, pos=ticked(dialog))
    assert not dialog.needs["positions"].isChecked()
    bring(dialog, store, qtbot)
    assert len(store.experiment.heads) == 2
    assert (store.experiment.mask, store.experiment.positions) == ("causal", "none")
    store.undo()
    assert store.experiment.mask == "none"


def test_a_number_of_heads_that_is_only_likely_is_said_to_be_so(
    shown: Shown, qtbot: QtBot, tmp_path: Path
) -> None:
    window, _ = shown(4, d_k=2)
    dialog = preview(window, qtbot, llama(tmp_path))
    assert dialog.form.fields["heads"].name == "2"
    assert "does not say how many heads there are: 2 would be as wide" in dialog.notes.whole_text
    choose(dialog.form.fields["layer"], "1", qtbot)
    assert "2 would be as wide" in dialog.notes.whole_text
    choose(dialog.form.fields["heads"], "4", qtbot)
    assert "does not say how many" not in dialog.notes.whole_text
    dialog.reject()


def test_needs_that_cannot_go_with_the_present_scoring_are_refused_in_the_dialog(
    shown: Shown, qtbot: QtBot, tmp_path: Path
) -> None:
    window, store = shown(4)
    intents.set_field(store, "heads", (replace(head(store), scoring="cosine"),), "scoring")
    before = store.experiment
    dialog = preview(window, qtbot, llama(tmp_path))
    bring(dialog, store, qtbot)
    assert dialog.isVisible()
    assert "rope" in dialog.error.whole_text
    assert store.experiment is before
    dialog.reject()


@pytest.mark.parametrize("by", ["folder", "file", "drop"])
def test_a_bert_folder_opens_as_the_model_runs_it(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path, by: str
) -> None:
    before = store.experiment
    folder = write_bert(tmp_path / "small-bert")
    if by == "drop":
        assert dropped(window, folder).isAccepted()
    else:
        window.open_file(str(folder if by == "folder" else folder / "model.safetensors"))
    dialog = preview(window, qtbot)
    assert dialog.title.whole_text == "small-bert"
    assert "opens as the model runs it" in dialog.notes.whole_text
    bring(dialog, store, qtbot)
    assert as_model_runs(store.experiment)
    assert store.vectors.name == "small-bert"
    assert store.experiment.text == before.text
    assert store.evaluation.measures[2].previous == pytest.approx(1.0, abs=1e-3)
    assert "left out" in message(window)
    store.undo()
    assert store.experiment is before


def test_a_model_without_its_number_of_heads_asks_for_it(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    tensors, words = bert_tensors()
    dialog = preview(window, qtbot, write_folder(tmp_path / "bert", tensors, words))
    assert not dialog.import_button.isEnabled()
    choose(dialog.form.fields["heads"], "12", qtbot)
    bring(dialog, store, qtbot)
    assert len(store.experiment.heads) == 12

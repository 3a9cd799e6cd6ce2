"""What a person does with the preview of an import, and a file to do it with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, Qt
from safetensors.numpy import save_file
from tests.gui.vector_files import settled

from askew_gui import weight_bringing
from askew_gui.dialogs.import_weights import ImportWeightsDialog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew.heads import Head
    from askew_gui.store import Store
    from askew_gui.window import Window

    Shown = Callable[..., tuple[Window, Store]]


def preview(window: Window, qtbot: QtBot, path: Path | None = None) -> ImportWeightsDialog:
    """Open a file, or wait for what was opened, and return the preview."""
    if path is not None:
        weight_bringing.open_path(window, str(path))
    found: list[ImportWeightsDialog] = []

    def is_there() -> bool:
        found[:] = [each for each in window.findChildren(ImportWeightsDialog) if each.isVisible()]
        return bool(found)

    qtbot.waitUntil(is_there, timeout=5000)
    return found[0]


def choose(choice: object, name: str, qtbot: QtBot) -> None:
    """Choose an item by keys, as a person does."""
    from askew_gui.widgets.fields import Choice

    assert isinstance(choice, Choice)
    index = choice.findData(name)
    assert index >= 0, name
    choice.setFocus()
    while choice.currentIndex() != index:
        qtbot.keyClick(choice, Qt.Key.Key_Down if choice.currentIndex() < index else Qt.Key.Key_Up)


def bring(dialog: ImportWeightsDialog, store: Store, qtbot: QtBot) -> None:
    assert dialog.import_button.isEnabled(), dialog.error.whole_text
    qtbot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    settled(store, qtbot)


def head(store: Store, h: int = 0) -> Head:
    return store.experiment.heads[h]


def cell(dialog: ImportWeightsDialog, column: int) -> str:
    item = dialog.table.item(0, column)
    return "" if item is None else item.text()


def llama(folder: Path, layers: int = 3) -> Path:
    rng = np.random.default_rng(2)
    tensors = {
        f"model.layers.{layer}.self_attn.{part}_proj.weight": rng.normal(size=(rows, 4)).astype(np.float32)
        for layer in range(layers)
        for part, rows in (("q", 4), ("k", 2), ("v", 2))
    }
    save_file(tensors, folder / "llama.safetensors")
    return folder / "llama.safetensors"


def ticked(dialog: ImportWeightsDialog) -> QPoint:
    return QPoint(8, dialog.needs["positions"].height() // 2)

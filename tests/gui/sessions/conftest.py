"""What tests of sessions get: the window on a file of vectors, as a person opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.gui.conftest import WORDS
from tests.gui.sessions.steps import open_file

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.window import Window


@pytest.fixture
def vector_file(tmp_path: Path) -> Path:
    """Return a file of 8 numbers per word."""
    numbers = np.random.default_rng(3).standard_normal((len(WORDS), 8)).round(4)
    lines = (f"{word} {' '.join(map(str, row))}" for word, row in zip(WORDS, numbers, strict=True))
    place = tmp_path / "work" / "Ünï 文件 (1).vec"
    place.parent.mkdir()
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place


@pytest.fixture
def on_file(window: Window, qtbot: QtBot, vector_file: Path) -> Window:
    """Return the window on that file."""
    open_file(window, qtbot, vector_file)
    window.messages.dismiss()
    assert window.store.vectors.dim == 8
    return window

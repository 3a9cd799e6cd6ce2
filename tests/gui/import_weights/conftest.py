"""A window on words and heads of a few numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from askew.experiment import Experiment
from askew.initializers import random_heads
from askew.vectors import WordVectors
from askew_gui.settings import Settings
from askew_gui.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

    from askew_gui.window import Window

    Shown = Callable[..., tuple[Window, Store]]


@pytest.fixture
def shown(qtbot: QtBot) -> Iterator[Shown]:
    """Return what makes a window of heads of a size on words of so many numbers."""
    from askew_gui.window import Window

    stores: list[Store] = []

    def show(d_model: int, count: int = 1, d_k: int = 2) -> tuple[Window, Store]:
        numbers = np.random.default_rng(1).normal(size=(3, d_model)).astype(np.float32)
        words = WordVectors.from_arrays(["a", "b", "c"], numbers, name="mine")
        heads = random_heads(count, d_model=d_model, d_k=d_k, d_v=d_k, seed=4)
        store = Store(Experiment("a b c", words.ref, heads), words)
        window = Window(store, Settings())
        qtbot.addWidget(window)
        window.show()
        window.fill()
        stores.append(store)
        return window, store

    yield show
    for store in stores:
        store.jobs.close()

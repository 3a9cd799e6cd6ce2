"""The window as it opens on the first day."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from askew_gui.app import first_store
from askew_gui.window import Window

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from askew_gui.settings import Settings
    from askew_gui.store import Store


@pytest.fixture
def big_store(dressed_app: object) -> Iterator[Store]:
    store = first_store()
    yield store
    store.jobs.close()


@pytest.fixture
def zoo(big_store: Store, settings: Settings, qtbot: QtBot) -> Window:
    window = Window(big_store, settings)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.fill()
    return window

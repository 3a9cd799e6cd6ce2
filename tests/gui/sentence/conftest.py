"""What every test of the sentence panel gets: the panel on screen, and what it points at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from askew_gui.focus import Focus
from askew_gui.panels.sentence import SentencePanel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store


@pytest.fixture
def focus() -> Focus:
    return Focus()


@pytest.fixture
def panel(store: Store, focus: Focus, qtbot: QtBot) -> SentencePanel:
    panel = SentencePanel(store, focus)
    qtbot.addWidget(panel)
    panel.resize(1400, 90)
    panel.show()
    qtbot.waitExposed(panel)
    return panel

"""What every test of the left panel gets: the panel on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from askew_gui.panels.heads import HeadsPanel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store


@pytest.fixture
def panel(store: Store, qtbot: QtBot) -> HeadsPanel:
    panel = HeadsPanel(store)
    qtbot.addWidget(panel)
    panel.resize(232, 760)
    panel.show()
    qtbot.waitExposed(panel)
    return panel

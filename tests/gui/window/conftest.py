"""What every test of the window gets: text of the usual size afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from askew_gui.fonts import ui_font

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication


@pytest.fixture(autouse=True)
def usual_text(dressed_app: QApplication) -> Iterator[None]:
    yield
    dressed_app.setFont(ui_font())

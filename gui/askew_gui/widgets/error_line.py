"""What stands in the way, in words, inside a dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QGuiApplication, QPalette

from askew_gui import theme
from askew_gui.messages import Message
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from askew.errors import AskewError


class ErrorLine(PlainLabel):
    """Shows an error on a tinted ground; hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setWordWrap(True)
        self.setAutoFillBackground(True)
        self.setContentsMargins(10, 6, 10, 6)
        self._dress()
        self.say(None)

    def say(self, error: AskewError | None) -> None:
        """Show an error, or none."""
        if error is not None:
            what = f"{error.where}: {error.what}" if error.where else error.what
            self.setText(Message("error", what, error.remedy).line)
        else:
            self.setText("")
        self.setVisible(error is not None)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationPaletteChange:
            self._dress()

    def _dress(self) -> None:
        colours = theme.tokens(QGuiApplication.palette())
        palette = QPalette(QGuiApplication.palette())
        palette.setColor(QPalette.ColorRole.Window, colours.error_surface)
        palette.setColor(QPalette.ColorRole.WindowText, colours.error)
        self.setPalette(palette)

"""What a picture will look like, as large as there is room for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from askew_gui.i18n import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QImage, QResizeEvent

FINER = 2  # times more pixels than are shown, which are then made one


class Preview(QLabel):
    """Shows an image shrunk to its room, or why there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image: QImage | None = None
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setFrameShape(QLabel.Shape.StyledPanel)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setMinimumSize(380, 240)
        self.setAccessibleName(tr("Preview"))

    @property
    def finest(self) -> int:
        """Pixels of width that are worth painting."""
        return round(FINER * max(self._room().width(), 380) * self.devicePixelRatioF())

    def show_image(self, image: QImage) -> None:
        """Show an image."""
        self._image = image
        self._fit()

    def show_reason(self, text: str) -> None:
        """Say why there is no picture."""
        self._image = None
        self.setPixmap(QPixmap())
        self.setText(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shrink the image anew."""
        super().resizeEvent(event)
        self._fit()

    def _room(self) -> QSize:
        return self.contentsRect().size() - QSize(12, 12)

    def _fit(self) -> None:
        if self._image is None:
            return
        ratio = self.devicePixelRatioF()
        room = (self._room() * ratio).expandedTo(QSize(1, 1))
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        shown = QPixmap.fromImage(self._image.scaled(room, keep, smooth))
        shown.setDevicePixelRatio(ratio)
        self.setPixmap(shown)

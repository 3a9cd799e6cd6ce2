"""Labels that show every character as it is: a token may look like markup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from askew_gui.widgets.text_size import changes_text_size, scaled_mono

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QResizeEvent

Tone = Literal["text", "muted"]


class PlainLabel(QLabel):
    """A line of plain text that is shortened with … where it does not fit; the whole text on hover."""

    def __init__(
        self, text: str = "", parent: QWidget | None = None, *, tone: Tone = "text", bold: bool = False
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._whole = ""
        self.setProperty("muted", tone == "muted")
        if bold:
            font = QFont(self.font())
            font.setWeight(QFont.Weight.DemiBold)
            self.setFont(font)
        self.setText(text)

    def shorten(self) -> Self:
        """Elide what does not fit, from now on; returns the label itself."""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        return self

    def setText(self, text: str) -> None:
        """Show another text."""
        if text == self._whole and self.text():
            return
        self._whole = text
        self.setAccessibleName(text)
        self._fit()

    def show_short(self, text: str, width: int) -> None:
        """Show a text in at most `width` pixels; the whole of it on hover."""
        self._whole = text
        self.setAccessibleName(text)
        shown = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
        super().setText(shown)
        self.setToolTip(plain_tooltip(text) if shown != text else "")

    @property
    def whole_text(self) -> str:
        """The text before it was shortened."""
        return self._whole

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten the text anew."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        ignored = self.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Ignored
        shown = self._whole
        if ignored and self.width() > 0:
            shown = self.fontMetrics().elidedText(
                self._whole, Qt.TextElideMode.ElideRight, self.contentsRect().width()
            )
        super().setText(shown)
        self.setToolTip(plain_tooltip(self._whole) if shown != self._whole else "")


class MonoText(QLabel):
    """Some lines of plain text in the font of numbers; they can be selected and copied."""

    def __init__(self, factor: float = 1.0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._factor = factor
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFont(scaled_mono(factor))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if changes_text_size(event) and self.font() != scaled_mono(self._factor):
            self.setFont(scaled_mono(self._factor))


class SectionTitle(PlainLabel):
    """A small spaced heading in capitals, as over each part of a side panel."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text.upper(), parent)
        self.setProperty("heading", True)
        self.setContentsMargins(0, 6, 0, 0)


def plain_tooltip(text: str) -> str:
    """Return `text` so that a tooltip shows it character for character."""
    if not _looks_like_markup(text):
        return text
    from html import escape  # its table of entities would be read at every start

    return f"<p style='white-space:pre-wrap'>{escape(text)}</p>"


def _looks_like_markup(text: str) -> bool:
    """Tell whether Qt might take a text for markup; it looks for a tag, an ampersand is harmless."""
    return "<" in text


def plain_button_text(text: str) -> str:
    """Return `text` so that a button or menu shows its ampersands instead of taking them for shortcuts."""
    return text.replace("&", "&&")

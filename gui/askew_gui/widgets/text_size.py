"""Fonts that follow the person's text size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from askew_gui.fonts import POINT_SIZE, mono_font, ui_font

if TYPE_CHECKING:
    from PySide6.QtGui import QFont


def text_scale() -> float:
    """Return the text size of the interface; 1 as it comes."""
    size = QApplication.font().pointSizeF()
    return size / POINT_SIZE if size > 0 else 1.0


def scaled_mono(factor: float = 1.0) -> QFont:
    """Return the font of numbers, `factor` times the text size."""
    return mono_font(factor * text_scale())


def scaled_font(factor: float = 1.0) -> QFont:
    """Return the font of the interface, `factor` times the text size."""
    return ui_font(factor * text_scale())


_BRING_IT = (QEvent.Type.ApplicationFontChange, QEvent.Type.FontChange, QEvent.Type.StyleChange)


def changes_text_size(event: QEvent) -> bool:
    """Tell whether an event of `changeEvent` may bring another text size.

    With a style sheet Qt tells of a new font of the program only by a change of style.
    """
    return event.type() in _BRING_IT

"""The bundled fonts: the same letters on every machine, on screen and in exports."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase

import askew_assets

FONT_FAMILY = "Noto Sans"
MONO_FAMILY = "Noto Sans Mono"
HAN_FAMILY = "Askew Han"
SYMBOL_FAMILY = "Askew Symbols"

POINT_SIZE = 10.0

_FILES = {
    "NotoSans-Regular.ttf": FONT_FAMILY,
    "NotoSans-Bold.ttf": FONT_FAMILY,
    "NotoSansMono-Regular.ttf": MONO_FAMILY,
    "AskewHan-Regular.otf": HAN_FAMILY,
    "AskewSymbols-Regular.ttf": SYMBOL_FAMILY,
}


def load_fonts() -> tuple[str, ...]:
    """Make the bundled fonts known to Qt and return their families; needs a QGuiApplication.

    Calling it again changes nothing. Letters that Noto Sans does not have are looked up in the bundled
    Chinese and symbol fonts before the system's.
    """
    present = set(QFontDatabase.families())
    for file, family in _FILES.items():
        if family == FONT_FAMILY or family not in present:
            QFontDatabase.addApplicationFont(str(askew_assets.path(f"fonts/{file}")))
    for family in (FONT_FAMILY, MONO_FAMILY):
        QFont.removeSubstitutions(family)
        QFont.insertSubstitutions(family, [SYMBOL_FAMILY, HAN_FAMILY])
    return tuple(dict.fromkeys(_FILES.values()))


def ui_font(scale: float = 1.0) -> QFont:
    """Return the font of the interface; `scale` is the person's text size."""
    font = QFont(FONT_FAMILY)
    font.setPointSizeF(POINT_SIZE * scale)
    return font


def mono_font(scale: float = 1.0) -> QFont:
    """Return the font of numbers that stand in columns."""
    font = QFont(MONO_FAMILY)
    font.setPointSizeF(POINT_SIZE * scale)
    font.setStyleHint(QFont.StyleHint.Monospace)
    return font

"""What maps look like: colours of the theme, sizes of the letters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from PySide6.QtGui import QColor, QFont

from askew_gui.maps.colours import Blanks
from askew_gui.theme import DARK, FONT_FAMILY, LIGHT

if TYPE_CHECKING:
    from askew_gui.theme import Tokens

TITLE_PX = 14
LABEL_PX = 12
SMALL_PX = 11


@dataclass(frozen=True, slots=True)
class MapStyle:
    """Colours and the size of one unit: 1 is the text size of the interface as it comes.

    `cells` says what cells are painted as: the pixels of an image, or, in drawings that know no pixels,
    rectangles, or an image where there are too many of them. `numbers` is whether they are written into
    cells: where they fit, also in small letters, or not at all.
    """

    tokens: Tokens = LIGHT
    background: str = LIGHT.canvas
    unit: float = 1.0
    cells: Literal["pixels", "rectangles", "image"] = "pixels"
    numbers: Literal["auto", "on", "off"] = "auto"

    @property
    def blanks(self) -> Blanks:
        """Return the pixels of cells whose value is not shown."""
        return Blanks(colour(self.tokens.masked).rgb(), colour(self.background).rgb())

    def line(self, scale: float) -> float:
        """Return how wide the lines around cells are: a pixel, or what is seen on paper."""
        return 1 / scale if self.cells == "pixels" else 0.5 * self.unit

    def px(self, px: float) -> int:
        """Return the height in whole pixels of letters that are `px` pixels high at unit 1."""
        return max(1, round(px * self.unit))

    def font(self, px: float, bold: bool = False) -> QFont:
        """Return the bundled font, `px` pixels high at unit 1."""
        return bundled_font(self.px(px), bold)


def screen_style(tokens: Tokens, unit: float = 1.0) -> MapStyle:
    """Return the style of maps in the window."""
    return MapStyle(tokens, tokens.canvas, unit)


def page_style(theme: str = "light") -> MapStyle:
    """Return the style of a picture: on white, or as in the dark window."""
    tokens = DARK if theme == "dark" else LIGHT
    return MapStyle(tokens, tokens.window)


@lru_cache(maxsize=64)
def bundled_font(px: int, bold: bool = False) -> QFont:
    """Return the bundled font in whole pixels, without hinting so that it scales like a drawing."""
    font = QFont(FONT_FAMILY)
    font.setPixelSize(px)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    font.setFeature(QFont.Tag("liga"), 0)  # a PDF that writes ffi as one letter is not found by it
    if bold:
        font.setWeight(QFont.Weight.Bold)
    return font


@lru_cache(maxsize=256)
def colour(name: str, alpha: int = 255) -> QColor:
    """Return a colour by its ``#rrggbb``."""
    result = QColor(name)
    result.setAlpha(alpha)
    return result

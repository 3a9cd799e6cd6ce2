"""Colours, style, fonts and icons of the interface, in light and dark."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPalette, QPixmap

import askew_assets
from askew_gui.fonts import FONT_FAMILY, MONO_FAMILY, POINT_SIZE, load_fonts
from askew_gui.stylesheet import stylesheet

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

__all__ = [
    "DARK",
    "FONT_FAMILY",
    "LIGHT",
    "MONO_FAMILY",
    "THEMES",
    "ThemeName",
    "Tokens",
    "app_icon",
    "apply_theme",
    "icon",
    "load_fonts",
    "tokens",
]

ThemeName = Literal["system", "light", "dark"]
THEMES: tuple[ThemeName, ...] = ("system", "light", "dark")

STYLE_ARGUMENTS = ("-style", "fusion")
"""For QApplication: to set the style later makes Qt for Python describe all of QStyle, for 5 ms."""

FUSION = "askew_fusion"
"""Property of an application that was made with them."""

ICON_SIZES = (16, 32)
APP_ICON_SIZES = (16, 32, 48, 64, 128, 256)


@dataclass(frozen=True, slots=True)
class Tokens:
    """What each colour is for; every value is ``#rrggbb``.

    `text` and `muted` can be read on every surface (`window`, `panel`, `canvas`, `field`, `selection`,
    `hover`), `on_accent` on `accent`, and `info`, `warning`, `error`, `success` on the surface of the same
    name.
    """

    window: str
    panel: str
    canvas: str
    field: str
    selection: str
    hover: str
    border: str
    field_border: str
    text: str
    muted: str
    disabled: str
    accent: str
    accent_hover: str
    on_accent: str
    accent_text: str
    mark: str
    crosshair: str
    bar: str
    bar_raw: str
    bar_warm: str
    masked: str
    hatch: str
    info: str
    info_surface: str
    warning: str
    warning_surface: str
    error: str
    error_surface: str
    success: str
    success_surface: str

    @property
    def is_dark(self) -> bool:
        """True if text is light on dark."""
        return QColor(self.window).lightness() < 128


LIGHT = Tokens(
    window="#ffffff",
    panel="#fafbfc",
    canvas="#f4f5f7",
    field="#ffffff",
    selection="#e6edfa",
    hover="#f0f3fa",
    border="#dfe2e8",
    field_border="#cfd4dc",
    text="#1b2330",
    muted="#5a6372",
    disabled="#a0a7b3",
    accent="#1f4fa8",
    accent_hover="#2a5fc0",
    on_accent="#ffffff",
    accent_text="#1f4fa8",
    mark="#e0590c",
    crosshair="#8a94a3",
    bar="#3f74c8",
    bar_raw="#b9c2d0",
    bar_warm="#d9834b",
    masked="#d3d7dd",
    hatch="#a7aeb9",
    info="#1d4890",
    info_surface="#e8effb",
    warning="#7a4300",
    warning_surface="#fdf1df",
    error="#9c1c1c",
    error_surface="#fdeaea",
    success="#1c5f38",
    success_surface="#e6f5ec",
)

DARK = Tokens(
    window="#1b1f27",
    panel="#20252e",
    canvas="#14171d",
    field="#232933",
    selection="#2a3a58",
    hover="#2a303b",
    border="#343b47",
    field_border="#475060",
    text="#e8ebf0",
    muted="#a5aebc",
    disabled="#646d7b",
    accent="#3a6fd0",
    accent_hover="#3263c0",
    on_accent="#ffffff",
    accent_text="#8fb4f5",
    mark="#ff8a3d",
    crosshair="#8a94a3",
    bar="#6c9bea",
    bar_raw="#6b7586",
    bar_warm="#e39a64",
    masked="#4a515d",
    hatch="#7b8492",
    info="#a9c6fa",
    info_surface="#21304b",
    warning="#f4c27c",
    warning_surface="#40301a",
    error="#f7a6a2",
    error_surface="#4a2426",
    success="#8fd8ae",
    success_surface="#1d3a2a",
)


def tokens(palette: QPalette) -> Tokens:
    """Return the colours that belong to a widget's palette."""
    return DARK if palette.color(QPalette.ColorRole.Window).lightness() < 128 else LIGHT


def apply_theme(app: QApplication, name: ThemeName = "system") -> Tokens:
    """Dress the whole program and return the colours in use; ``system`` also follows later changes."""
    follower = app.findChild(_SystemFollower) or _SystemFollower(app)
    follower.choice = name
    return follower.dress()


class _SystemFollower(QObject):
    """Dresses the program again when the system turns light or dark."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self.choice: ThemeName = "system"
        if not app.property(FUSION):
            app.setStyle("fusion")
        app.styleHints().colorSchemeChanged.connect(self._on_system_changed)

    def dress(self) -> Tokens:
        """Ask for the scheme that was chosen and wear it."""
        hints = self._app.styleHints()
        if self.choice == "system":
            hints.unsetColorScheme()
            dark = hints.colorScheme() == Qt.ColorScheme.Dark
        else:
            dark = self.choice == "dark"
            hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)
        return self._wear(dark=dark)

    def _wear(self, *, dark: bool) -> Tokens:
        colours = DARK if dark else LIGHT
        self._app.setPalette(_palette(colours))
        self._app.setStyleSheet(stylesheet(colours, self._app.font().pointSizeF() / POINT_SIZE))
        return colours

    def _on_system_changed(self, scheme: Qt.ColorScheme) -> None:
        if self.choice == "system":
            self._wear(dark=scheme == Qt.ColorScheme.Dark)


def _palette(t: Tokens) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette()
    colours = {
        role.Window: t.window,
        role.WindowText: t.text,
        role.Base: t.field,
        role.AlternateBase: t.panel,
        role.Text: t.text,
        role.Button: t.field,
        role.ButtonText: t.text,
        role.BrightText: t.on_accent,
        role.ToolTipBase: t.panel,
        role.ToolTipText: t.text,
        role.PlaceholderText: t.muted,
        role.Highlight: t.accent,
        role.HighlightedText: t.on_accent,
        role.Accent: t.accent,
        role.Link: t.accent_text,
        role.LinkVisited: t.accent_text,
        role.Light: t.field,
        role.Midlight: t.border,
        role.Mid: t.border,
        role.Dark: t.field_border,
        role.Shadow: t.field_border,
    }
    for which, colour in colours.items():
        palette.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(t.disabled))
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(t.border))
    return palette


def icon(name: str, colour: str | QColor) -> QIcon:
    """Return a bundled icon in a colour, paler where it is disabled.

    Raises
    ------
    FileNotFoundError
        If no icon has that name.
    """
    ink = QColor(colour)
    pale = QColor(ink.red(), ink.green(), ink.blue(), 90)
    result = QIcon()
    for size in ICON_SIZES:
        shape = _shape(name, size)
        result.addPixmap(_tinted(shape, ink), QIcon.Mode.Normal)
        result.addPixmap(_tinted(shape, pale), QIcon.Mode.Disabled)
    return result


def app_icon() -> QIcon:
    """Return the icon of the program."""
    drawing = askew_assets.path("icons/app/askew.svg").read_bytes()
    result = QIcon()
    for size in APP_ICON_SIZES:
        result.addPixmap(QPixmap.fromImage(_render(drawing, size)))
    return result


# Images, not pixmaps: they may outlive the application.
@lru_cache(maxsize=256)
def _shape(name: str, size: int) -> QImage:
    return _render(askew_assets.path(f"icons/{name}.svg").read_bytes(), size)


def _tinted(shape: QImage, ink: QColor) -> QPixmap:
    """Return a drawing with its shape kept and its colour replaced."""
    image = QImage(shape)
    painter = QPainter(image)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(image.rect(), ink)
    painter.end()
    return QPixmap.fromImage(image)


def _render(svg: bytes, size: int) -> QImage:
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(svg)).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image

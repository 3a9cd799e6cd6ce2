from __future__ import annotations

from dataclasses import fields
from itertools import product
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QIcon, QPalette, QTextLayout
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QWidget

import askew_assets
from askew_gui import theme
from askew_gui.fonts import HAN_FAMILY, SYMBOL_FAMILY, load_fonts, mono_font, ui_font
from askew_gui.theme import DARK, FONT_FAMILY, LIGHT, MONO_FAMILY, Tokens, apply_theme, tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

BUNDLED = {FONT_FAMILY, MONO_FAMILY, HAN_FAMILY, SYMBOL_FAMILY}
BOTH = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
SURFACES = ("window", "panel", "canvas", "field", "selection", "hover")


def luminance(colour: str) -> float:
    """Relative luminance of WCAG 2.2."""
    ink = QColor(colour)
    parts = (ink.redF(), ink.greenF(), ink.blueF())
    linear = [part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4) for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@BOTH
def test_every_colour_is_written_as_rrggbb(colours: Tokens) -> None:
    for field in fields(colours):
        value = getattr(colours, field.name)
        assert len(value) == 7
        assert QColor(value).name() == value


@BOTH
def test_text_can_be_read_on_every_surface(colours: Tokens) -> None:
    for ink, surface in product(("text", "muted", "accent_text"), SURFACES):
        ratio = contrast(getattr(colours, ink), getattr(colours, surface))
        assert ratio >= 4.5, f"{ink} on {surface}: {ratio:.2f}"


@BOTH
def test_text_on_filled_buttons_and_messages_can_be_read(colours: Tokens) -> None:
    pairs = [("on_accent", "accent"), ("on_accent", "accent_hover")]
    pairs += [(name, f"{name}_surface") for name in ("info", "warning", "error", "success")]
    pairs += [("text", f"{name}_surface") for name in ("info", "warning", "error", "success")]
    for ink, surface in pairs:
        ratio = contrast(getattr(colours, ink), getattr(colours, surface))
        assert ratio >= 4.5, f"{ink} on {surface}: {ratio:.2f}"


@BOTH
def test_marks_and_bars_stand_out_from_what_they_lie_on(colours: Tokens) -> None:
    for ink, surface in product(("mark", "bar"), ("window", "panel")):
        ratio = contrast(getattr(colours, ink), getattr(colours, surface))
        assert ratio >= 3, f"{ink} on {surface}: {ratio:.2f}"


def test_dark_is_dark_and_light_is_light() -> None:
    assert DARK.is_dark
    assert not LIGHT.is_dark


@pytest.mark.parametrize(("name", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_a_widget_finds_the_colours_of_the_theme_in_its_palette(
    name: theme.ThemeName, colours: Tokens, clean_app: QApplication, qtbot: QtBot
) -> None:
    assert apply_theme(clean_app, name) is colours
    label = QLabel("x")
    qtbot.addWidget(label)
    label.ensurePolished()
    assert tokens(label.palette()) is colours
    assert label.palette().color(QPalette.ColorRole.WindowText).name() == colours.text


def test_open_widgets_are_told_when_the_theme_changes(clean_app: QApplication, qtbot: QtBot) -> None:
    class Listener(QWidget):
        heard: list[bool]

        def changeEvent(self, event: QEvent) -> None:
            if event.type() == QEvent.Type.PaletteChange:
                self.heard.append(tokens(self.palette()).is_dark)

    widget = Listener()
    widget.heard = []
    qtbot.addWidget(widget)
    widget.show()
    apply_theme(clean_app, "dark")
    qtbot.waitUntil(lambda: bool(widget.heard))
    assert widget.heard[-1]


def test_system_follows_the_system_and_a_choice_does_not(clean_app: QApplication) -> None:
    changed = clean_app.styleHints().colorSchemeChanged
    apply_theme(clean_app, "system")
    changed.emit(Qt.ColorScheme.Dark)
    assert tokens(clean_app.palette()) is DARK
    changed.emit(Qt.ColorScheme.Light)
    assert tokens(clean_app.palette()) is LIGHT
    apply_theme(clean_app, "dark")
    changed.emit(Qt.ColorScheme.Light)
    assert tokens(clean_app.palette()) is DARK


def test_fields_and_buttons_are_painted_in_the_colours_of_the_theme(
    clean_app: QApplication, qtbot: QtBot
) -> None:
    colours = apply_theme(clean_app, "dark")
    field, button = QLineEdit(), QPushButton()
    button.setProperty("primary", True)
    for widget in (field, button):
        qtbot.addWidget(widget)
        widget.resize(80, 30)
    assert field.grab().toImage().pixelColor(60, 15).name() == colours.field
    assert button.grab().toImage().pixelColor(40, 15).name() == colours.accent


@pytest.mark.parametrize("name", askew_assets.icon_names())
def test_an_icon_has_the_colour_asked_for_and_is_paler_when_disabled(name: str) -> None:
    icon = theme.icon(name, "#c02040")
    normal = icon.pixmap(32, QIcon.Mode.Normal).toImage()
    disabled = icon.pixmap(32, QIcon.Mode.Disabled).toImage()
    points = list(product(range(normal.width()), range(normal.height())))
    solid = [normal.pixelColor(x, y) for x, y in points if normal.pixelColor(x, y).alpha() == 255]
    assert len(solid) > 10
    assert {colour.name() for colour in solid} == {"#c02040"}
    assert 0 < max(disabled.pixelColor(x, y).alpha() for x, y in points) < 128


def test_an_icon_that_is_not_there_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="nosuch"):
        theme.icon("nosuch", "#000000")


def test_the_icon_of_the_program_has_all_sizes() -> None:
    sizes = {size.width() for size in theme.app_icon().availableSizes()}
    assert {16, 32, 48, 256} <= sizes


def laid_out(text: str, font: QFont) -> QTextLayout:
    layout = QTextLayout(text, font)
    layout.beginLayout()
    layout.createLine().setLineWidth(1e6)
    layout.endLayout()
    return layout


def families_used(text: str, font: QFont) -> set[str]:
    """Families that really draw `text`; a box for a missing letter is family ``""``."""
    runs = laid_out(text, font).glyphRuns()
    missing = any(0 in run.glyphIndexes() for run in runs)
    return {run.rawFont().familyName() for run in runs} | ({""} if missing else set())


@pytest.mark.parametrize("make_font", [ui_font, mono_font])
@pytest.mark.parametrize(
    "text",
    [
        "Raw similarity, naïve café Łódź",
        "Ελληνικά русский Tiếng Việt",
        "softmax(Q·Kᵀ/√d_k) β τ Σ ÷ − ‖x‖² ≤ ≥ ∞ ≈ ∘ W₋ S₊",
        "→ ← ↑ ↓ ⇄ ▾ ▸ ● ○ ■ □ ✓ “quoted” … – —",
        "词向量和注意力：你好，世界！（中文）《的》",
    ],
)
def test_letters_and_signs_come_from_bundled_fonts_only(text: str, make_font: Callable[[], QFont]) -> None:
    used = families_used(text, make_font())
    assert used
    assert used <= BUNDLED


def test_a_letter_that_is_not_bundled_is_seen_as_such() -> None:
    assert not families_used("\U0001f600", ui_font()) <= BUNDLED


def test_all_of_gb2312_is_drawn_by_the_bundled_fonts() -> None:
    rows = range(0xB0, 0xF8)
    text = "".join(
        bytes((row, cell)).decode("gb2312", errors="ignore") for row in rows for cell in range(0xA1, 0xFF)
    )
    assert len(text) == 6763
    assert families_used(text, ui_font()) == {HAN_FAMILY}


def test_signs_and_chinese_do_not_make_a_line_taller() -> None:
    layouts = [laid_out(text, ui_font()) for text in ("plain", "√ → ∑", "词向量", "√ 词")]
    heights = [layout.lineAt(0).height() for layout in layouts]
    assert heights == pytest.approx([heights[0]] * 4, abs=0.01)


def test_bold_is_a_font_of_its_own() -> None:
    bold = ui_font()
    bold.setBold(True)
    assert QFontMetricsF(bold).horizontalAdvance("wide") > QFontMetricsF(ui_font()).horizontalAdvance("wide")


def test_loading_the_fonts_twice_changes_nothing() -> None:
    assert set(load_fonts()) == BUNDLED
    assert set(load_fonts()) == BUNDLED


def test_text_size_scales_the_font() -> None:
    assert ui_font(1.5).pointSizeF() == pytest.approx(1.5 * ui_font().pointSizeF())

"""What a person reads of the choices for a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askew_gui.i18n import tr

if TYPE_CHECKING:
    from askew_gui.export.spec import ColourMap, Format, Numbers, Range, Theme, Unit, View


def view_names() -> dict[View, str]:
    """Return what can be exported, by name, in words."""
    return {
        "maps": tr("The three maps"),
        "grid": tr("The head grid"),
        "raw": tr("Raw alone"),
        "pattern": tr("Pattern of the head shown"),
        "scores": tr("Scores of the head shown"),
        "difference": tr("Difference alone"),
        "weights": tr("Weights of the head shown"),
    }


def format_names() -> dict[Format, str]:
    """Return the formats."""
    return {
        "png": tr("PNG, pixels"),
        "svg": tr("SVG, drawing"),
        "pdf": tr("PDF, page"),
    }


def filters() -> dict[Format, str]:
    """Return the formats as a file dialog lists them."""
    return {
        "png": tr("PNG picture (*.png)"),
        "svg": tr("SVG drawing (*.svg)"),
        "pdf": tr("PDF page (*.pdf)"),
    }


def preset_names() -> dict[str, str]:
    """Return the sizes that have a name."""
    return {
        "screen": tr("Screen, 1600 px"),
        "single-column": tr("Single column, 89 mm"),
        "double-column": tr("Double column, 183 mm"),
        "slide": tr("Slide, 16:9"),
        "": tr("Own size"),
    }


def unit_names() -> dict[Unit, str]:
    """Return the units of length."""
    return {"px": tr("px"), "mm": tr("mm"), "in": tr("inch")}


def theme_names() -> dict[Theme, str]:
    """Return the grounds."""
    return {"light": tr("On white"), "dark": tr("On dark")}


def colour_names() -> dict[ColourMap, str]:
    """Return the colour maps."""
    return {
        "standard": tr("Blue, blue to brown"),
        "viridian": tr("Indigo to yellow, purple to green"),
        "grey": tr("Grey, for print"),
    }


def range_names() -> dict[Range, str]:
    """Return the ranges of the colours."""
    return {
        "as-shown": tr("As in the window"),
        "fixed": tr("Fixed: patterns 0 to 1"),
        "shared": tr("Largest value of all maps"),
        "map": tr("Largest value of each map"),
    }


def number_names() -> dict[Numbers, str]:
    """Return whether numbers are written into cells."""
    return {"auto": tr("Where they fit"), "on": tr("Also in small letters"), "off": tr("None")}
